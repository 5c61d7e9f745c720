"""What each print of OlymPeak lies on: how large it is, how high it may lie, and where in the world it is.

A card in a hand above the table is nearer to the camera and its print larger: size tells what lies from what is
held. Of a print's sides and diagonals the longest is measured, since a tilt only shortens.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from companion.games.above.box import FRAME_IDS, SPARE_FRAME_IDS
from companion.games.olympeak.box import (
    CONTENDER_BY_ID,
    CUBE_BY_ID,
    PLAYER_CARD_IDS,
    ROUND_MARKER_ID,
    SCOREBOARD_IDS,
    TILE_BY_ID,
    Box,
    Table,
)
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Gray, Marker
from companion.sensing.olympeak.polish import finely
from companion.sensing.surely import checked

# Measured over nominal size: a blurred print comes out smaller, one in a hand larger.
SIZES = (0.72, 1.5)
# Cards in columns lean on one another; revealed ones are bent by as much again.
CARD_Z_MM = 1.0
COLUMN_CARD_Z_MM = 1.9
# Prints that mostly lie on the table, how many of them tell the common error of all heights, and its limit.
LEVELS = ("card", "contender", "player card", "tile")
FEWEST_TO_LEVEL = 4
MOST_LEVEL_MM = 30.0
# Every print is square: one much longer than wide was put together from two.
SQUARE = 1.25


@dataclass(frozen=True, slots=True)
class Print:
    """A kind of print: the side of its square and the height it lies at on the table, mm."""

    kind: str
    side_mm: float
    z_mm: float


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """A print in the world. `at`: its centre (x, y) mm at its usual height; `height_mm`: how high it seems to be.

    `yaw_deg`: the direction of the print's left-to-right. `corners_px` as found in the picture.
    """

    marker: Marker
    print: Print
    at: Floats
    yaw_deg: float
    height_mm: float

    @property
    def id(self) -> int:
        """The print's id."""
        return self.marker.id

    @property
    def xyz_mm(self) -> tuple[float, float, float]:
        """The print's centre at its usual height."""
        return (float(self.at[0]), float(self.at[1]), self.print.z_mm)

    @property
    def corners_px(self) -> tuple[tuple[float, float], ...]:
        """The four corners in the picture."""
        return tuple((float(x), float(y)) for x, y in self.marker.corners)

    def offset(self, right_mm: float, up_mm: float) -> Floats:
        """The point (x, y) that lies so far to the right and up of the print's centre, as printed."""
        turn = math.radians(self.yaw_deg)
        step = np.array(
            [
                right_mm * math.cos(turn) - up_mm * math.sin(turn),
                right_mm * math.sin(turn) + up_mm * math.cos(turn),
            ]
        )
        return np.asarray(self.at + step, dtype=np.float64)


class Prints:
    """The prints of one owner's box on one table."""

    def __init__(self, table: Table, box: Box) -> None:
        card = Print("card", table.card_marker_mm, COLUMN_CARD_Z_MM)
        contender = Print("contender", table.card_marker_mm, CARD_Z_MM)
        player_card = Print("player card", table.tile_marker_mm, CARD_Z_MM)
        tile = Print("tile", table.tile_marker_mm, table.scoreboard_thick_mm + 0.6)
        board = Print("scoreboard", table.scoreboard_marker_mm, table.scoreboard_thick_mm)
        cube = Print("cube", table.cube_marker_mm, table.scoreboard_thick_mm + table.cube_mm)
        disc = Print("round marker", table.round_marker_mm, table.scoreboard_thick_mm)
        self.by_id: dict[int, Print] = {ROUND_MARKER_ID: disc}
        self.by_id |= dict.fromkeys(CONTENDER_BY_ID, contender)
        self.by_id |= dict.fromkeys(PLAYER_CARD_IDS, player_card)
        self.by_id |= dict.fromkeys(TILE_BY_ID, tile)
        self.by_id |= dict.fromkeys(CUBE_BY_ID, cube)
        self.by_id |= dict.fromkeys(SCOREBOARD_IDS, board)
        self.by_id |= dict.fromkeys(box.card_by_id, card)
        self.card_ids: tuple[int, ...] = tuple(sorted(box.card_by_id))
        inset = table.card_marker_inset_mm
        # From a card's print to the card's middle, to the right and up as printed.
        self.card_middle = (table.card_mm[0] / 2 - inset, inset - table.card_mm[1] / 2)

    @property
    def smallest_mm(self) -> float:
        """The side of the smallest print."""
        return min(known.side_mm for known in self.by_id.values())

    def known(self, marker: int) -> bool:
        """Is an id one of this game's, the table's frame not counted?"""
        return marker in self.by_id

    def plausible(
        self, gray: Gray, detected: Iterable[Marker], pose: CameraPose, blur_px: float
    ) -> list[Marker]:
        """Those of the detected markers that are pieces of this table, with exact corners.

        They are of about the right size, square, no more blurred than the picture (`blur_px`), and every cell shows
        their print.
        """
        shaped = [marker for marker in detected if self._shaped(marker, pose)]
        return [fit.marker for fit in checked(gray, shaped, blur_px) if self._shaped(fit.marker, pose)]

    def _shaped(self, marker: Marker, pose: CameraPose) -> bool:
        """Is a marker one of this game's, of about the right size, and square?"""
        known = self.by_id.get(marker.id)
        if known is None:
            return False
        low = pose.intersect(marker.corners, known.z_mm)
        sides = np.linalg.norm(low - np.roll(low, -1, axis=0), axis=1)
        if not SIZES[0] < float(sides.mean()) / known.side_mm < SIZES[1]:
            return False
        wide, tall = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        return bool(max(wide / tall, tall / wide) <= SQUARE)

    def placed(self, gray: Gray, marker: Marker, pose: CameraPose) -> Placed:
        """Where a print of this game is in the world."""
        known = self.by_id[marker.id]
        corners = finely(gray, marker)
        exact = Marker(marker.id, corners.astype(np.float32))
        flat = pose.intersect(corners, known.z_mm)[:, :2]
        right = (flat[1] - flat[0]) + (flat[2] - flat[3])
        up = (flat[0] - flat[3]) + (flat[1] - flat[2])
        # The print's left-to-right and its upwards turned by a quarter say the same: both are asked.
        yaw = math.degrees(math.atan2(right[1] - up[0], right[0] + up[1]))
        at = pose.intersect(exact.centre, known.z_mm)[:2]
        return Placed(marker, known, at, yaw, height_of(corners, known.side_mm, pose))


def height_of(corners_px: Floats, side_mm: float, pose: CameraPose) -> float:
    """At what height (mm) a square of `side_mm` looks as large as these four corners."""

    def size(z: float) -> float:
        flat = pose.intersect(corners_px, z)[:, :2]
        sides = np.linalg.norm(flat - np.roll(flat, -1, axis=0), axis=1)
        diagonals = np.linalg.norm(flat[:2] - flat[2:], axis=1) / math.sqrt(2)
        return float(max((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2, diagonals.mean()))

    # Seen from above, the size falls with height in proportion to the distance from the camera.
    low, high = size(0.0), size(100.0)
    if low - high < 1e-6:
        return 0.0
    return 100.0 * (low - side_mm) / (low - high)


def levelled(placed: Sequence[Placed]) -> list[Placed]:
    """The same prints with their heights against what most cards lie at: blur makes all of them look larger."""
    over = [one.height_mm - one.print.z_mm for one in placed if one.print.kind in LEVELS]
    if len(over) < FEWEST_TO_LEVEL:
        return list(placed)
    level = min(max(float(np.median(over)), -MOST_LEVEL_MM), MOST_LEVEL_MM)
    return [replace(one, height_mm=one.height_mm - level) for one in placed]


@cache
def frame_ids() -> frozenset[int]:
    """The ids of the table's frame, spares included."""
    return frozenset((*FRAME_IDS, *SPARE_FRAME_IDS))
