"""Sequel: when no single turn accounts for the table, was one turn played and the next begun, or played too?

So it is when the next player starts before the last token was taken off the board, or when nobody could see for a
while. Only what the cards show counts: each turn has turned a card of its own player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import complete_turns, explain
from companion.referee.hypothesis import MARGIN, Explanation, Hypothesis, Item

# So many first turns are followed up, those that leave least unexplained first.
_MOST = 40


@dataclass(frozen=True, slots=True)
class Sequel:
    """A turn that was played, with tokens that still lie there though it took them off, and what came after it."""

    first: Hypothesis
    owed: frozenset[tuple[int, int]]
    then: Explanation
    unseen: frozenset[Item] = frozenset()

    @property
    def rank(self) -> tuple[int, float, int]:
        """The likelier has the less: what is still to be done, the cost, how much is assumed to have happened."""
        best = self.then.best
        to_do = len(best.pending) + len(best.unsure) + len(self.owed)
        return (to_do, best.cost, len(self.first.actions) + len(best.actions))

    @property
    def is_guessed(self) -> bool:
        """Has the turn laid a token that is not seen anywhere? Then nobody can know where it was."""
        return any(
            item[0] == "token" and not states[0] and any(states) and item in self.unseen
            for item, states in self.first.trajectory.items()
        )


def unseen_end(found: Sequence[Sequel]) -> Position | None:
    """Where the game stands if that is certain, but how it came there is not: two turns that nobody saw."""
    ends = {_end(each.then) for each in found}
    if len(ends) != 1 or (len(found) == 1 and not found[0].is_guessed):
        return None
    return ends.pop()


def _end(then: Explanation) -> Position | None:
    accepted = then.accepted
    return None if accepted is None or then.may_be_under_way else accepted.after


def sequels(
    position: Position, evidence: Evidence, owed: frozenset[tuple[int, int]], touched: Set[int]
) -> tuple[Sequel, ...]:
    """What fits as a turn from `position` and the beginning of the next one.

    The likeliest, and those that fit alike and differ in the first turn; none where nothing fits. `owed`: tokens
    that are to be taken off from before. `touched`: deities seen to have left their space, if only for a moment.
    """
    if evidence.is_blind:
        return ()  # without cards in view anything could be two turns
    found: list[Sequel] = []
    for first, left in _first_turns(position, evidence, touched):
        still = owed | left
        looked = evidence.without(still) if left else evidence
        then = explain(first.after, looked, thorough=False)
        if then.best.fits and _has_turned_its_card(then.best):
            found.append(Sequel(first, still, then, _unseen(first, evidence)))
    # Where a token lay for a moment cannot be guessed; only what came of it may be certain.
    found = [each for each in found if not each.is_guessed or _end(each.then) is not None]
    found.sort(key=lambda sequel: sequel.rank)
    if not found:
        return ()
    best = found[0]
    alike: dict[Position, Sequel] = {best.first.after: best}
    for other in found[1:]:
        if other.rank[0] == best.rank[0] and other.rank[1] < best.rank[1] + MARGIN:
            alike.setdefault(other.first.after, other)
    return tuple(alike.values())


def _first_turns(
    position: Position, evidence: Evidence, touched: Set[int]
) -> Iterator[tuple[Hypothesis, frozenset[tuple[int, int]]]]:
    """Complete turns by the rules, each once, with the tokens that they should have taken off."""
    seen: set[Position] = set()
    for hypothesis in complete_turns(position, evidence):
        if hypothesis.after in seen or hypothesis.after.is_over or not touched >= set(hypothesis.returned):
            continue
        seen.add(hypothesis.after)
        yield hypothesis, _left_lying(hypothesis, evidence)
        if len(seen) >= _MOST:
            return


def _has_turned_its_card(hypothesis: Hypothesis) -> bool:
    """Has the next player begun by turning a card? Anything else may as well be somebody's mistake."""
    if not hypothesis.actions:
        return False
    card = ("card", hypothesis.positions[0].turn, hypothesis.actions[0].deity_index)
    return card not in hypothesis.pending and card not in hypothesis.unsure


def _unseen(hypothesis: Hypothesis, evidence: Evidence) -> frozenset[Item]:
    """Tokens that the turn has laid and that are not seen where they should be."""
    seen = evidence.tokens_seen()
    return frozenset(
        item for item in hypothesis.trajectory if item[0] == "token" and seen.get(item[1:], 0.0) <= 0.5
    )


def _left_lying(hypothesis: Hypothesis, evidence: Evidence) -> frozenset[tuple[int, int]]:
    """Tokens that this turn has taken off by the rules and that still lie there."""
    seen = evidence.tokens_seen()
    return frozenset(
        (item[1], item[2])
        for item, states in hypothesis.trajectory.items()
        if item[0] == "token" and states[0] and not states[-1] and seen.get((item[1], item[2]), 0.0) > 0.5
    )
