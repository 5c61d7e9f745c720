"""The scoreboard: where it lies, told by its corner markers, and on which places the cubes stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from companion.games.olympeak.box import CUBE_BY_ID, CUBE_IDS, ROUND_MARKER_ID, Table
from companion.sensing.geometry import Floats
from companion.sensing.olympeak.prints import Placed
from companion.sensing.olympeak.reading import CubeSighting

# Corner markers that disagree by more than this about where the board lies are not believed together.
CORNERS_AGREE_MM = 2.5
# A board further from its place than this is not laid out for play.
LAID_OUT_MM = 40.0
# A cube is on the board if it is this near to its lane.
OFF_LANE_MM = 12.0
OFF_END_PLACES = 1.0
LOWEST_PLACE, HIGHEST_PLACE = -5, 35
# The round marker's disc may lie this far from its spot.
OFF_ROUND_X_MM = 14.0
# Something this much higher than it should be is in a hand. Small prints tell their height only roughly.
HELD_ABOVE_MM = 50.0


@dataclass(frozen=True, eq=False, slots=True)
class BoardLie:
    """How the scoreboard lies: a point p of the board as drawn is at `turn` · p + `shift` on the table.

    `corners`: how many of its corner markers say so.
    """

    turn: Floats
    shift: Floats
    corners: int

    def on_table(self, x: float, y: float) -> Floats:
        """Where a point of the board lies, (x, y) mm."""
        return np.asarray(self.turn @ np.array([x, y]) + self.shift, dtype=np.float64)

    def on_board(self, at: Floats) -> Floats:
        """Which point of the board lies at (x, y) mm."""
        return np.asarray(self.turn.T @ (at - self.shift), dtype=np.float64)


AS_DRAWN = BoardLie(np.eye(2), np.zeros(2), 0)


def board_lie(placed: Sequence[Placed], table: Table) -> BoardLie:
    """How the scoreboard lies, by those of its corner markers that agree; as drawn when none is seen."""
    drawn = {marker: np.array([x, y]) for marker, x, y in table.scoreboard_corners_mm}
    seen: dict[int, Floats] = {}
    for one in placed:
        if one.id in drawn and one.id not in seen and np.hypot(*(one.at - drawn[one.id])) < LAID_OUT_MM:
            seen[one.id] = one.at
    for count in range(len(seen), 1, -1):
        fits = [_rigid(subset, drawn, seen) for subset in combinations(sorted(seen), count)]
        miss, lie = min(fits, key=lambda fit: fit[0])
        if miss < CORNERS_AGREE_MM:
            return lie
    if len(seen) == 1:
        marker, at = next(iter(seen.items()))
        return BoardLie(np.eye(2), at - drawn[marker], 1)
    return AS_DRAWN


def _rigid(
    markers: Sequence[int], drawn: Mapping[int, Floats], seen: Mapping[int, Floats]
) -> tuple[float, BoardLie]:
    """The turn and shift that bring the drawn corners nearest to the seen ones, and the largest miss in mm."""
    a = np.array([drawn[marker] for marker in markers])
    b = np.array([seen[marker] for marker in markers])
    p, q = a - a.mean(axis=0), b - b.mean(axis=0)
    angle = np.arctan2((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum(), (p * q).sum())
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = b.mean(axis=0) - turn @ a.mean(axis=0)
    miss = float(np.linalg.norm(a @ turn.T + shift - b, axis=1).max())
    return miss, BoardLie(turn, shift, len(markers))


def cubes_on(placed: Sequence[Placed], lie: BoardLie, table: Table) -> tuple[CubeSighting, ...]:
    """The cubes that stand on their lanes, in the contenders' usual order; what is held or beside is left out."""
    lanes = dict(table.lanes_x_mm)
    found: dict[str, CubeSighting] = {}
    for one in placed:
        contender = CUBE_BY_ID.get(one.id)
        if contender is None or contender in found or one.height_mm > one.print.z_mm + HELD_ABOVE_MM:
            continue
        x, y = lie.on_board(one.at)
        exact = table.cube_place(float(y))
        place = min(max(round(exact), LOWEST_PLACE), HIGHEST_PLACE)
        if abs(x - lanes[contender]) > OFF_LANE_MM or abs(exact - place) > OFF_END_PLACES:
            continue
        found[contender] = CubeSighting(contender, place, exact - place, one.xyz_mm, one.corners_px)
    return tuple(found[contender] for contender in CUBE_IDS if contender in found)


def round_on(placed: Sequence[Placed], lie: BoardLie, table: Table) -> int | None:
    """The round that the round marker shows; None where it is not seen or on none of its spots."""
    for one in placed:
        if one.id != ROUND_MARKER_ID or one.height_mm > one.print.z_mm + HELD_ABOVE_MM:
            continue
        x, y = lie.on_board(one.at)
        misses = [abs(float(y) - spot) for spot in table.rounds_y_mm]
        nearest = min(range(len(misses)), key=misses.__getitem__)
        apart = abs(table.rounds_y_mm[1] - table.rounds_y_mm[0]) if len(misses) > 1 else 20.0
        if misses[nearest] <= apart / 2 and abs(x - table.round_x_mm) <= OFF_ROUND_X_MM:
            return nearest + 1
    return None
