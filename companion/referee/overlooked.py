"""Overlooked: by the switches alone, turns over a switch that is stuck, looked for afterwards in what was felt before.

A switch that stays closed under a miniature which has left it lets a whole turn look like part of another one. Once the
next turn has been begun nothing fits any more; then what was felt earlier in this turn is gone through again, one
miniature a look, before anybody is accused.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from companion.games.above.position import Position
from companion.referee.accounts import accounts
from companion.referee.earlier import Earlier
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.without_one import are_near

# So many different looks of one turn are gone through again, the last ones.
MOST_FELT = 6


class Overlooked:
    """What was felt in one open turn. Times in seconds."""

    def __init__(self) -> None:
        self._felt: list[tuple[Evidence, float]] = []
        self._search: Iterator[None] | None = None

    def forget(self) -> None:
        """Another turn."""
        self._felt.clear()
        self._search = None

    def note(self, evidence: Evidence, now: float, *, is_new: bool) -> None:
        """This is felt at `now`; `is_new`: and was not a moment ago."""
        if is_new or not self._felt:
            self._search = None
            self._felt = self._felt[1 - MOST_FELT :]
        else:
            self._felt.pop()
        self._felt.append((evidence, now))

    def is_searched(self, position: Position, touched: Set[int], earlier: Earlier) -> bool:
        """Looks on for a turn that was over; what is found is kept in `earlier`. True once all is gone through.

        `touched`: the deities that have left their space in this turn.
        """
        if self._search is None:
            self._search = self._gone_through(position, touched, earlier)
        return next(self._search, self) is self

    def _gone_through(self, position: Position, touched: Set[int], earlier: Earlier) -> Iterator[None]:
        *before, (latest, _) = self._felt
        for evidence, at in reversed(before):
            come = [
                space
                for space in evidence.stirred
                if evidence.magnet_cost(space, present=False) and not position.stood_on >> space & 1
            ]
            for space in position.minis:
                stays = all(each.magnet_cost(space, present=False) for each in (evidence, latest))
                if not stays or space in latest.stirred:
                    continue
                if not any(are_near(position, space, other) for other in come):
                    continue
                looked = evidence.without_switch(space)
                ends = accounts(explain(position, looked, thorough=False), looked, touched)
                earlier.suspect(ends.whole or ends.left, at, deaf=frozenset({space}))
                yield
