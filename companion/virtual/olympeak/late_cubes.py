"""Late cubes: those that nobody has moved yet although the turn is over."""

from __future__ import annotations

import random

from companion.virtual.arm import Motion
from companion.virtual.olympeak.acts import Acts

_FORGOTTEN_SHARE = 0.12


class LateCubes:
    """What people have forgotten on the scoreboard, until somebody thinks of it."""

    def __init__(self, acts: Acts, rng: random.Random) -> None:
        self._acts = acts
        self._rng = rng
        self._late: list[tuple[str, int]] = []

    def without_forgotten(self, moves: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """The moves (contender, place) that are made at once, in any order; one may be forgotten."""
        self._rng.shuffle(moves)
        if moves and self._rng.random() < _FORGOTTEN_SHARE:
            self._late.append(moves.pop())
        return moves

    def move(self) -> Motion:
        """Somebody moves them."""
        late, self._late = self._late, []
        yield from self._acts.move_cubes(late)
