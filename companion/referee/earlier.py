"""Earlier: by the switches alone, the turns that have accounted for what lay there before the next one was begun.

It is asked which of them was played, so all of them are kept, or none: an answer is narrowed down to what is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Hypothesis

# Athena's player may exhaust two of eight cards, or fewer. Of more turns than this people tell from the beginning.
MOST_TURNS = 64
# So many next turns are looked for in one look.
MOST_BEGUN = 8


class Earlier:
    """The turns of one open turn."""

    def __init__(self) -> None:
        self._ends: dict[Position, Hypothesis] = {}
        self._are_too_many = False

    def forget(self) -> None:
        """Another turn."""
        self._ends.clear()
        self._are_too_many = False

    def remember(self, ends: Sequence[Hypothesis]) -> None:
        """These account for what lies there, if no more than tokens are still to be taken off."""
        for end in ends:
            self._ends.setdefault(end.after, end)
        if self._are_too_many or len(self._ends) > MOST_TURNS:
            self._are_too_many = True
            self._ends.clear()

    def overtaken(self, evidence: Evidence) -> tuple[Hypothesis, ...]:
        """Those after which what lies there is the next turn, or part of it; none where that cannot be told."""
        alike: dict[object, list[Hypothesis]] = {}
        for end in self._ends.values():
            # Where pieces stand alike, and the next player holds the same cards, the same may follow.
            after = end.after
            alike.setdefault((after.minis, after.laid, after.powered(after.turn)), []).append(end)
        if len(alike) > MOST_BEGUN:
            return ()
        return tuple(
            end
            for ends in alike.values()
            if explain(ends[0].after, evidence, thorough=False).best.fits
            for end in ends
        )
