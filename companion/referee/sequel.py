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
from companion.referee.explain import by_fit, explain, walked_turns
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


class SequelSearch:
    """What fits as a turn from `position` and the beginning of the next one, looked for in portions.

    `found`, once it is done: the likeliest, and those that fit alike and differ in the first turn; none where nothing
    fits. `owed`: tokens that are to be taken off from before. `touched`: deities seen to have left their space, if only
    for a moment; what needs another to have done so is doubtful, and only told where nothing else fits.
    """

    def __init__(
        self, position: Position, evidence: Evidence, owed: frozenset[tuple[int, int]], touched: Set[int]
    ) -> None:
        self.position = position
        self.found: tuple[Sequel, ...] = ()
        self.is_done = False
        self._evidence = evidence
        self._owed = owed
        self._touched = frozenset(touched)
        self._steps = self._search()

    def run(self, paths: int | None = None) -> bool:
        """Goes on, for about so many paths of actions or to the end; is it done?"""
        left = paths
        while not self.is_done and (left is None or left > 0):
            tried = next(self._steps, None)
            if tried is None:
                self.is_done = True
            elif left is not None:
                left -= tried
        return self.is_done

    def _search(self) -> Iterator[int]:
        """Fills `found`; yields how many paths it has just tried."""
        if self._evidence.is_blind:
            return  # without cards in view anything could be two turns
        turns: list[Hypothesis] = []
        for path in walked_turns(self.position, self._evidence):
            if path.is_complete and not path.after.is_over:
                turns.append(path)
            yield 1
        turns.sort(key=by_fit)
        found: list[Sequel] = []
        followed = 0
        seen: set[Position] = set()
        for first in turns:
            left = _left_lying(first, self._evidence)
            if first.after in seen or followed >= _MOST or not _may_follow(first, left):
                continue
            seen.add(first.after)
            followed += 1
            sequel = self._followed(first, left)
            yield len(sequel.then.partial)
            if sequel.then.best.fits and _has_turned_its_card(
                self.position, sequel.then.best, self._evidence
            ):
                found.append(sequel)
        self.found = _likeliest(found)

    def _followed(self, first: Hypothesis, left: frozenset[tuple[int, int]]) -> Sequel:
        still = self._owed | left
        looked = self._evidence.without(still) if left else self._evidence
        then = explain(first.after, looked, thorough=False)
        doubtful = not self._touched >= _went_and_came(first, then.best)
        return Sequel(first, still, then, _unseen(first, self._evidence), doubtful)


def sequels(
    position: Position, evidence: Evidence, owed: frozenset[tuple[int, int]], touched: Set[int]
) -> tuple[Sequel, ...]:
    """What a `SequelSearch` finds."""
    search = SequelSearch(position, evidence, owed, touched)
    search.run()
    return search.found


def _likeliest(found: list[Sequel]) -> tuple[Sequel, ...]:
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
