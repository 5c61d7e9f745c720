"""Sequel: when no single turn accounts for the table, was one turn played and the next begun, or played too?

So it is when the next player starts before the last token was taken off the board, or when nobody could see for a
while. Only what the cards show counts: each turn has turned a card of its own player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import complete_turns, explain
from companion.referee.hypothesis import MARGIN, Explanation, Hypothesis, Item
from companion.referee.scope import can_explain
from companion.referee.trajectory import state_of

# So many first turns are followed up, those that leave least unexplained first.
_MOST = 40


@dataclass(frozen=True, slots=True)
class Sequel:
    """A turn that was played, with tokens that still lie there though it took them off, and what came after it."""

    first: Hypothesis
    owed: frozenset[tuple[int, int]]
    then: Explanation
    unseen: frozenset[Item] = frozenset()
    # A miniature must have gone forth and back, and nobody has seen it leave its space.
    is_doubtful: bool = False

    @property
    def rank(self) -> tuple[int, float, int]:
        """The likelier has the less: what is still to be done, the cost, how much is assumed to have happened."""
        best = self.then.best
        to_do = len(best.pending) + len(best.unsure)
        return (to_do, best.cost, len(self.owed) + len(self.first.actions) + len(best.actions))

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
    if len(ends) != 1 or found[0].is_doubtful or (len(found) == 1 and not found[0].is_guessed):
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
    that are to be taken off from before. `touched`: deities seen to have left their space, if only for a moment;
    what needs another to have done so is doubtful, and only told where nothing else fits.
    """
    if evidence.is_blind:
        return ()  # without cards in view anything could be two turns
    found: list[Sequel] = []
    tried = 0
    for first, left in _first_turns(position, evidence):
        if not _may_follow(first, left) or tried >= _MOST:
            continue
        tried += 1
        still = owed | left
        looked = evidence.without(still) if left else evidence
        then = explain(first.after, looked, thorough=False)
        if not then.best.fits or not _has_turned_its_card(position, then.best, evidence):
            continue
        doubtful = not touched >= _went_and_came(first, then.best)
        found.append(Sequel(first, still, then, _unseen(first, evidence), doubtful))
    if not all(each.is_doubtful for each in found):
        found = [each for each in found if not each.is_doubtful]
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
    position: Position, evidence: Evidence
) -> Iterator[tuple[Hypothesis, frozenset[tuple[int, int]]]]:
    """Complete turns by the rules, each once, with the tokens that they should have taken off."""
    seen: set[Position] = set()
    for hypothesis in complete_turns(position, evidence):
        if hypothesis.after not in seen and not hypothesis.after.is_over:
            seen.add(hypothesis.after)
            yield hypothesis, _left_lying(hypothesis, evidence)


def _may_follow(first: Hypothesis, left: Set[tuple[int, int]]) -> bool:
    """May one more turn account for everything that this one does not?"""
    after = first.after
    open_items = [
        item
        for item in (*first.wrong, *first.pending)
        if item[0] != "reed" and not (item[0] == "token" and item[1:] in left)
    ]
    return any(
        all(can_explain(after, action.deity_index, item) for item in open_items)
        for action in legal_actions(after)
    )


def _went_and_came(first: Hypothesis, then: Hypothesis) -> set[int]:
    """The deities that moved and stand where they stood before: nothing tells of that but the lift."""
    start, between, end = first.positions[0].minis, first.after.minis, then.after.minis
    on_the_way = {item[1] for h in (first, then) for item in h.trajectory if item[0] == "mini"}
    return {
        deity
        for deity in on_the_way
        if start[deity] == end[deity] or (start[deity] == between[deity] and deity in first.returned)
    }


def _has_turned_its_card(position: Position, hypothesis: Hypothesis, evidence: Evidence) -> bool:
    """Has the next player begun by turning a card? Anything else may as well be somebody's mistake.

    A card that lies as it lay in `position` tells nothing, whatever else is said to have happened to it meanwhile.
    """
    # Where the last card goes and others are recovered (A5), those tell.
    seat = hypothesis.positions[0].turn
    return any(
        item[:2] == ("card", seat)
        and all(
            evidence.card_cost(seat, item[2], state) >= CONTRADICTION
            for state in (states[0], state_of(position, item))
        )
        for item, states in hypothesis.trajectory.items()
    )


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
