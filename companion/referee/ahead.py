"""Ahead: two whole turns lie there that nobody saw apart, and a card may belong to either. The next player is called.

A card that Athena may have exhausted (A16) Hera may as well have named in the next turn (A15): then that one is whole,
and otherwise its player has yet to name one. What comes next tells, and nobody has to be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Hypothesis
from companion.referee.sequel import Sequel, end_of


class Ahead:
    """Pairs of turns that have lain there whole, by where they lead; `newest`: where those do that were seen last."""

    def __init__(self) -> None:
        self.newest: Position | None = None
        self._pairs: dict[Position, tuple[Sequel, ...]] = {}

    def forget(self) -> None:
        """None of them was played, or that is written down."""
        self.newest = None
        self._pairs.clear()

    def lie_there(self, found: Sequence[Sequel]) -> bool:
        """Notes those of `found`, all that fit alike, of which both turns are whole. Are there any, with one end?

        Of the others something is to be done that has left no trace yet. Not so where anything else is in doubt.
        """
        whole = tuple(each for each in found if end_of(each.then) is not None)
        ends = {end_of(each.then) for each in whole}
        if len(ends) != 1 or any(each.is_doubtful or each.is_guessed for each in found):
            return False
        self.newest = ends.pop()
        assert self.newest is not None
        self._pairs[self.newest] = whole
        return True

    def pairs(self, end: Position) -> tuple[Sequel, ...]:
        """Those that lead there."""
        return self._pairs[end]

    def followed(self, evidence: Evidence) -> dict[Position, Hypothesis]:
        """The turn that lies there now, whole or begun, by which of the ends it has gone on from."""
        seen = evidence.tokens_seen()
        found = {}
        for end, pairs in self._pairs.items():
            left = frozenset(slot for slot in owed_by(pairs) if slot in seen)
            best = explain(end, evidence.without(evidence.owed | left), thorough=False).best
            if best.fits and best.has_begun:
                found[end] = best
        return found


def owed_by(pairs: Iterable[Sequel]) -> frozenset[tuple[int, int]]:
    """The tokens (type, space) that these turns took off and left lying."""
    return frozenset().union(*(each.owed for each in pairs))
