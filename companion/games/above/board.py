"""The mountain of Above as a graph of spaces: names, neighbours and what Thunder reaches (A1, A2).

A space has a name (`c4`, `top`) and, inside the rules, an index: column by column, ring 1 first, the summit
last. Sets of spaces are plain integers with bit `index` set.
"""

from __future__ import annotations

from functools import cache

from companion.errors import CompanionError

RINGS = 6
COLUMNS = 16
SUMMIT = "top"

_LETTERS = "abcdefghijklmnopqrst"


class BoardError(CompanionError, ValueError):
    """A board that cannot exist: too few or too many rings or columns."""


class Board:
    """A mountain of `rings` × `columns` spaces and its summit; obtain one with `Board.of`.

    Boards are shared: two boards of the same size are the same object, so they compare by identity.
    """

    __slots__ = ("back", "columns", "field", "index", "reach", "ring_one", "rings", "spaces", "steps", "top")

    rings: int
    columns: int
    #: Names of all spaces by index, the summit last.
    spaces: tuple[str, ...]
    #: Index of every name.
    index: dict[str, int]
    #: Index of the summit.
    top: int
    #: All spaces but the summit, as a bit set.
    field: int
    #: The spaces of ring 1, as a bit set.
    ring_one: int
    #: Per space: the spaces one step to the side or forward, as a bit set (A2).
    steps: tuple[int, ...]
    #: Per space: the space one ring back as a bit set, 0 where there is none (A2).
    back: tuple[int, ...]
    #: Per space: the spaces whose Thunder token is triggered by entering it (A2).
    reach: tuple[int, ...]

    @staticmethod
    def of(rings: int = RINGS, columns: int = COLUMNS) -> Board:
        """The board of that size (A1); `BoardError` outside 1–9 rings and 3–20 columns."""
        return _board(rings, columns)

    def __init__(self, rings: int, columns: int) -> None:
        if not (1 <= rings <= 9 and 3 <= columns <= len(_LETTERS)):
            raise BoardError(
                f"A board has 1 to 9 rings and 3 to {len(_LETTERS)} columns, not {rings} and {columns}."
            )
        self.rings, self.columns = rings, columns
        self.spaces = (
            *(f"{letter}{ring}" for letter in _LETTERS[:columns] for ring in range(1, rings + 1)),
            SUMMIT,
        )
        self.index = {name: n for n, name in enumerate(self.spaces)}
        self.top = rings * columns
        self.field = (1 << self.top) - 1
        self.ring_one = sum(1 << column * rings for column in range(columns))
        self.steps = (*(self._steps(space) for space in range(self.top)), 0)
        self.back = (*(1 << (space - 1) if space % rings else 0 for space in range(self.top)), 0)
        self.reach = (*(self._reach(space) for space in range(self.top)), 0)

    def _at(self, column: int, ring: int) -> int:
        """The bit of the space in `column` (cyclic) and `ring` (from 0)."""
        return 1 << (column % self.columns * self.rings + ring)

    def _steps(self, space: int) -> int:
        column, ring = divmod(space, self.rings)
        forward = self._at(column, ring + 1) if ring + 1 < self.rings else 1 << self.top
        return self._at(column - 1, ring) | self._at(column + 1, ring) | forward

    def _reach(self, space: int) -> int:
        column, ring = divmod(space, self.rings)
        reached = 0
        for near_ring in range(max(ring - 1, 0), min(ring + 2, self.rings)):
            for near_column in (column - 1, column, column + 1):
                reached |= self._at(near_column, near_ring)
        return reached

    def ring_of(self, space: int) -> int:
        """The ring of a space by index, from 1; the summit counts as the ring after the last."""
        return self.rings + 1 if space == self.top else space % self.rings + 1

    def names(self, spaces: int) -> tuple[str, ...]:
        """The names of a bit set of spaces, in order."""
        return tuple(self.spaces[n] for n in bits(spaces))

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return (_board, (self.rings, self.columns))

    def __repr__(self) -> str:
        return f"Board.of({self.rings}, {self.columns})"


@cache
def _board(rings: int, columns: int) -> Board:
    return Board(rings, columns)


def bits(spaces: int) -> list[int]:
    """The indexes in a bit set, ascending."""
    found = []
    while spaces:
        low = spaces & -spaces
        found.append(low.bit_length() - 1)
        spaces ^= low
    return found


STANDARD = Board.of()
SPACES: tuple[str, ...] = STANDARD.spaces


def space_index(name: str) -> int:
    """The index in `SPACES` of a space of the standard board; `BoardError` if there is no such space."""
    try:
        return STANDARD.index[name]
    except KeyError:
        raise BoardError(f'There is no space "{name}": spaces are a1 to p6 and top.') from None
