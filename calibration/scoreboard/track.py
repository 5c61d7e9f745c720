"""Where the cubes and the round marker stand on their tracks, by one picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.games.olympeak.box import CUBE_BY_ID, ROUND_MARKER_ID, Table
from companion.games.olympeak.deck_file import default_box
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.markers import QUICK, THOROUGH, detect
from companion.sensing.olympeak.prints import Placed, Prints
from companion.sensing.olympeak.scoreboard import OFF_LANE_MM, board_lie

ROUND = "round"
# So many of the board's corner markers must be seen: one does not tell how it is turned.
LEAST_CORNERS = 2
# The part of the picture that is looked at reaches so far beyond the board.
AROUND_MM = 25.0


@dataclass(frozen=True, slots=True)
class Track:
    """`at_mm`: where each cube (by its colour) and the round marker stand, in mm north of the board's middle.

    `corners`: how many of the board's corner markers were seen. `astray`: what is there, but on none of its lane.
    """

    at_mm: Mapping[str, float]
    corners: int
    astray: tuple[str, ...] = ()


@cache
def _prints(table: Table) -> Prints:
    return Prints(table, default_box())


def track_of(image: Image, pose: CameraPose, table: Table) -> Track:
    """What one picture shows of the scoreboard."""
    left, top, right, bottom = _box(pose, table, (int(image.shape[1]), int(image.shape[0])))
    gray = gray_of(image[top:bottom, left:right])
    prints = _prints(table)
    placed: list[Placed] = []
    for thoroughness in (QUICK, THOROUGH):
        markers = [marker.moved(left, top) for marker in detect(gray, thoroughness)]
        whole = gray_of(image)
        known = [marker for marker in markers if prints.known(marker.id)]
        placed = [
            prints.placed(whole, marker, pose) for marker in prints.plausible(whole, known, pose, math.inf)
        ]
        if sum(_what(one.id) is not None for one in placed) == len(table.lanes_x_mm) + 1:
            break
    lie = board_lie(placed, table)
    lanes = {**dict(table.lanes_x_mm), ROUND: table.round_x_mm}
    at: dict[str, float] = {}
    astray: list[str] = []
    for one in placed:
        what = _what(one.id)
        if what is None or what in at:
            continue
        x, y = (float(value) for value in lie.on_board(one.at))
        if abs(x - lanes[what]) <= OFF_LANE_MM:
            at[what] = y
        else:
            astray.append(what)
    return Track(at, lie.corners, tuple(astray))


def _what(marker: int) -> str | None:
    return ROUND if marker == ROUND_MARKER_ID else CUBE_BY_ID.get(marker)


def _box(pose: CameraPose, table: Table, size: tuple[int, int]) -> tuple[int, int, int, int]:
    (west, east), (south, north) = table.scoreboard_x_mm, table.scoreboard_y_mm
    rim = [
        (x, y, table.scoreboard_thick_mm)
        for x in (west - AROUND_MM, east + AROUND_MM)
        for y in (south - AROUND_MM, 0.0, north + AROUND_MM)
    ]
    pixels = pose.project(rim)
    left, top = np.clip(np.floor(pixels.min(axis=0)), 0, size).astype(int)
    right, bottom = np.clip(np.ceil(pixels.max(axis=0)), 0, size).astype(int)
    return int(left), int(top), int(right), int(bottom)
