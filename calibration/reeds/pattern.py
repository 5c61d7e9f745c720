"""The pattern of a matrix: which of its columns and rows belong to which column and ring of the board.

Whatever plugs were exchanged, switches of one column share their wire. So where a bad switch belongs follows from the
others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from firmware_bridge.limits import MATRIX_ROWS
from firmware_bridge.protocol import REEDS

SUMMIT = "top"
Name = TypeVar("Name", str, int)


@dataclass(frozen=True, slots=True)
class Pattern:
    """`columns`: the matrix' column by the board's (`a`…), `rows`: its row by ring, as far as they are known."""

    columns: Mapping[str, int]
    rows: Mapping[int, int]

    def number(self, space: str) -> int | None:
        """The number that a space's switch should have; None if that is not known."""
        if space == SUMMIT:
            return REEDS - 1
        column, row = self.columns.get(space[0]), self.rows.get(int(space[1:]))
        return None if column is None or row is None else MATRIX_ROWS * column + row

    def in_words(self) -> tuple[str, ...]:
        """How it is otherwise than drawn; nothing if it is not."""
        told = []
        moved = {name: n for name, n in self.columns.items() if n != ord(name) - ord("a")}
        swaps = [
            (name, other)
            for name, n in sorted(moved.items())
            if name < (other := chr(ord("a") + n)) and moved.get(other) == ord(name) - ord("a")
        ]
        told += [f"the wires of columns {one} and {other} are exchanged" for one, other in swaps]
        others = len(moved) - 2 * len(swaps)
        if others:
            told.append(f"{others} {'more ' if swaps else ''}columns have other wires than drawn")
        rows = [ring for ring, row in self.rows.items() if row != ring - 1]
        if rows:
            told.append(
                f"the wires of rings {', '.join(map(str, sorted(rows)))} are exchanged among each other"
            )
        return tuple(told)


def pattern_of(switches: Mapping[str, int]) -> Pattern:
    """The pattern that most of the known switches follow."""
    inside = {space: number for space, number in switches.items() if space != SUMMIT and number < REEDS - 1}
    columns = _matched((space[0], number // MATRIX_ROWS) for space, number in inside.items())
    rows = _matched((int(space[1:]), number % MATRIX_ROWS) for space, number in inside.items())
    return Pattern(columns, rows)


def _matched(pairs: Iterable[tuple[Name, int]]) -> dict[Name, int]:
    """Each name the wire that most of its switches have, no wire twice."""
    found: dict[Name, int] = {}
    for (name, wire), count in Counter(pairs).most_common():
        if count >= 2 and name not in found and wire not in found.values():
            found[name] = wire
    return found
