"""The report's pictures: what was read where, how far corners are off, glare, and where the lens was seen through."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.check.limits import GLARE
from calibration.check.picture import PictureCheck
from calibration.drawings import AMBER, GREEN, RED
from calibration.lens import FittedView
from calibration.lens_gate import CELL_CORNERS, CELLS, coverage
from companion.games.above.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import Floats
from companion.sensing.registration import marker_square

# Arrows are drawn so many times as long as what they show.
MAGNIFIED = 40.0
PAPER = (245, 245, 245)
COVERED, UNCOVERED = (225, 245, 225), (215, 215, 245)


def arrows(image: Image, at: Floats, misses_px: Floats, magnified: float = MAGNIFIED) -> None:
    """Draw an arrow at each pixel (n, 2) along how far it is off (n, 2)."""
    width = max(1, image.shape[1] // 900)
    for (x, y), (dx, dy) in zip(at, misses_px * magnified, strict=True):
        cv2.arrowedLine(
            image,
            (round(x), round(y)),
            (round(x + dx), round(y + dy)),
            RED,
            width,
            cv2.LINE_AA,
            tipLength=0.25,
        )


def draw_markers(seen: PictureCheck, table: Table | None = None) -> Image:
    """The picture with every marker's outline and number, and arrows by how far the frame markers' corners are off."""
    table = table or Table()
    drawn = seen.image.copy()
    width = max(2, drawn.shape[1] // 800)
    for marker in seen.markers:
        cv2.polylines(drawn, [np.rint(marker.corners).astype(np.int32)], True, GREEN, width, cv2.LINE_AA)
        x, y = marker.corners.min(axis=0)
        cv2.putText(
            drawn,
            str(marker.id),
            (round(float(x)), round(float(y)) - 4),
            cv2.FONT_HERSHEY_SIMPLEX,
            drawn.shape[1] / 3000,
            AMBER,
            width,
            cv2.LINE_AA,
        )
    if seen.found is not None:
        for number, x, y in table.frame_centres_mm:
            marker_seen = next((marker for marker in seen.markers if marker.id == number), None)
            if marker_seen is not None:
                corners = marker_seen.corners.astype(np.float64)
                expected = seen.found.pose.project(marker_square(x, y, table.frame_marker_mm))
                arrows(drawn, corners, corners - expected)
    return drawn


def draw_glare(seen: PictureCheck) -> Image:
    """The picture darkened, each part of the glare map in the colour of what it holds, with its share."""
    drawn = np.asarray(seen.image * 0.45, dtype=np.uint8)
    height, width = drawn.shape[:2]
    rows, columns = seen.glare.shape
    for (row, column), share in np.ndenumerate(seen.glare):
        left, top = column * width // columns, row * height // rows
        right, bottom = (column + 1) * width // columns, (row + 1) * height // rows
        if share > GLARE / 4:
            colour = RED if share > GLARE else AMBER
            cv2.rectangle(drawn, (left + 2, top + 2), (right - 2, bottom - 2), colour, 4)
        cv2.putText(
            drawn,
            f"{100 * share:.1f} %",
            (left + 8, bottom - 10),
            cv2.FONT_HERSHEY_SIMPLEX,
            width / 2600,
            PAPER,
            max(1, width // 900),
            cv2.LINE_AA,
        )
    return drawn


def draw_coverage(views: Sequence[FittedView], size: tuple[int, int]) -> Image:
    """Every corner through which the lens was measured, with arrows by how far each is off, over the parts covered."""
    width = 1152
    scale = width / size[0]
    height = round(size[1] * scale)
    drawn = np.full((height, width, 3), PAPER, np.uint8)
    corners = np.concatenate([view.view.pixels for view in views])
    counts = coverage(corners, size)
    for (row, column), count in np.ndenumerate(counts):
        box = drawn[
            row * height // CELLS : (row + 1) * height // CELLS,
            column * width // CELLS : (column + 1) * width // CELLS,
        ]
        box[:] = COVERED if count >= CELL_CORNERS else UNCOVERED
    for view in views:
        at = np.asarray(view.view.pixels * scale, dtype=np.float64)
        for x, y in at:
            cv2.circle(drawn, (round(x), round(y)), 3, (150, 110, 60), -1, cv2.LINE_AA)
        if len(view.misses_px) == len(at):
            arrows(drawn, at, view.misses_px * scale, 2 * MAGNIFIED)
    return drawn
