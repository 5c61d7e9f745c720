"""Ghosts: switches that look closed although no magnet is near, because another one lacks its diode.

With a token in every column of the matrix, and a magnet that goes over all other spaces, every diode is tried at least
once: without its diode, a closed switch lets current back into its row, and where that meets another column's closed
switch, the corner opposite to it looks closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from firmware_bridge.limits import MATRIX_ROWS
from firmware_bridge.protocol import REEDS

# So many looks must be explained by one missing diode, and such a share of those in which it would show.
LEAST_LOOKS = 2
LEAST_SHARE = 0.8


def corners(back: int, closed: Collection[int]) -> frozenset[int]:
    """What would look closed, beside `closed`, if switch `back`, which is closed, lacked its diode."""
    if back >= REEDS - 1:
        return frozenset()  # the summit's switch has a wire of its own
    column, row = divmod(back, MATRIX_ROWS)
    inside = [number for number in closed if number < REEDS - 1]
    same_row = [number // MATRIX_ROWS for number in inside if number % MATRIX_ROWS == row]
    same_column = [number % MATRIX_ROWS for number in inside if number // MATRIX_ROWS == column]
    seen = {MATRIX_ROWS * c + r for c in same_row for r in same_column}
    return frozenset(seen - set(closed))


@dataclass(slots=True)
class Ghosts:
    """Takes in looks at several magnets and tells which diodes are missing."""

    _looks: list[tuple[frozenset[int], frozenset[int]]] = field(default_factory=list)
    _tried: set[int] = field(default_factory=set)

    def look(self, truly: Collection[int], seen: Collection[int]) -> frozenset[int]:
        """One look: the switches that should be closed, and those that look so; gives the ghosts."""
        closed, shown = frozenset(truly) & frozenset(seen), frozenset(seen) - frozenset(truly)
        self._looks.append((closed, shown))
        self._tried.update(number for number in closed if corners(number, closed))
        return shown

    @property
    def tried(self) -> frozenset[int]:
        """The switches whose diode has been tried."""
        return frozenset(self._tried)

    def missing(self) -> tuple[int, ...]:
        """The switches without a diode: the fewest that explain all ghosts."""
        left = [(closed, set(shown)) for closed, shown in self._looks if shown]
        found: list[int] = []
        while True:
            explained: Counter[int] = Counter()
            for closed, shown in left:
                for back in closed:
                    if corners(back, closed) & shown:
                        explained[back] += 1
            candidates = [
                back for back, count in explained.most_common() if count >= LEAST_LOOKS and self._holds(back)
            ]
            if not candidates:
                return tuple(sorted(found))
            found.append(candidates[0])
            for closed, shown in left:
                if candidates[0] in closed:
                    shown -= corners(candidates[0], closed)

    def _holds(self, back: int) -> bool:
        """Did what a missing diode would show really show, whenever it should have?"""
        would = [
            (expected, shown)
            for closed, shown in self._looks
            if back in closed and (expected := corners(back, closed))
        ]
        did = sum(expected <= shown for expected, shown in would)
        return did >= LEAST_SHARE * len(would)


def tokens_for(switches: Mapping[str, int]) -> tuple[str, ...]:
    """Spaces on which tokens are to lie so that every diode can be tried: one in each of the matrix' columns, in turn
    in each of its rows."""
    spaces = {number: space for space, number in switches.items()}
    chosen = []
    for column in range((REEDS - 1) // MATRIX_ROWS):
        rows = [(column + step) % MATRIX_ROWS for step in range(MATRIX_ROWS)]
        number = next(
            (MATRIX_ROWS * column + row for row in rows if MATRIX_ROWS * column + row in spaces), None
        )
        if number is not None:
            chosen.append(spaces[number])
    return tuple(chosen)
