"""What is drawn into the live picture of the board: which spaces are done, and which is wanted."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.board_sight import BoardSight
from calibration.drawings import GREEN, RED
from calibration.places import middle
from companion.games.above.box import Table
from companion.sensing.frames import Image


def draw_spaces(
    image: Image, sight: BoardSight, table: Table, done: Sequence[str], wanted: Sequence[str]
) -> Image:
    """A copy of the picture with a green dot on every space that is done and a ring around each that is wanted."""
    drawn = image.copy()
    radius = max(3, round(9 * sight.px_per_mm))
    for spaces, colour, width in ((done, GREEN, -1), (wanted, RED, 3)):
        for space in spaces:
            x, y = sight.pose.project(np.array([middle(space, sight.rings, table.board)]))[0]
            size = radius // 3 if width < 0 else radius
            cv2.circle(drawn, (round(float(x)), round(float(y))), size, colour, width, cv2.LINE_AA)
    return drawn
