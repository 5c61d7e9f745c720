"""What is drawn into the live picture: the sheet's corners, the parts still to be covered, and the rings' lines."""

from __future__ import annotations

import math

import cv2
import numpy as np

from calibration.charuco import SheetView
from calibration.lens_gate import CELL_CORNERS
from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.place import BoardPrint

GREEN, AMBER, RED = (90, 200, 60), (40, 170, 250), (60, 60, 230)


def draw_sheet(image: Image, view: SheetView | None, counts: Floats) -> Image:
    """A copy of the picture with the corners found, and a veil over what no view has covered yet."""
    drawn = image.copy()
    height, width = drawn.shape[:2]
    rows, columns = counts.shape
    for row, column in np.argwhere(counts < CELL_CORNERS):
        box = drawn[
            int(row * height / rows) : int((row + 1) * height / rows),
            int(column * width / columns) : int((column + 1) * width / columns),
        ]
        box[:] = (box * 0.6).astype(np.uint8)
    if view is not None:
        for x, y in view.pixels:
            cv2.circle(drawn, (round(x), round(y)), max(4, width // 300), GREEN, -1, cv2.LINE_AA)
    return drawn


def draw_rings(
    image: Image, pose: CameraPose, seen: BoardPrint, board: Board, ring: int, well: bool
) -> Image:
    """A copy of the picture with each ring's lines as they were measured, those of `ring` in red until it lies well."""
    drawn = image.copy()
    for number, lie in seen.poses.items():
        if number > board.rings:
            continue
        colour = GREEN if number != ring or well else RED
        inner, outer = board.ring_radii(number)
        for column in range(board.columns):
            angle = math.radians(board.column_angle(column) + 180.0 / board.columns + lie.rotation_deg)
            ends = [
                (
                    r * math.cos(angle) + lie.shift_mm[0],
                    r * math.sin(angle) + lie.shift_mm[1],
                    board.ring_z(number),
                )
                for r in (inner + 2, outer - 2)
            ]
            (x0, y0), (x1, y1) = np.rint(pose.project(ends)).astype(int)
            cv2.line(drawn, (int(x0), int(y0)), (int(x1), int(y1)), colour, 2, cv2.LINE_AA)
    return drawn


def draw_numbers(image: Image, pose: CameraPose, seen: BoardPrint, board: Board) -> Image:
    """A copy of the picture with the space outlined in which each ring's printed number belongs, column `a`."""
    drawn = draw_rings(image, pose, seen, board, 0, True)
    half = 180.0 / board.columns
    width = max(2, image.shape[1] // 500)
    for number, lie in seen.poses.items():
        if number > board.rings:
            continue
        inner, outer = board.ring_radii(number)
        angles = np.radians(board.column_angle(0) + lie.rotation_deg + np.linspace(-half, half, 9))
        rim = [(r, angle) for r, row in ((outer - 1, angles), (inner + 1, angles[::-1])) for angle in row]
        corners = [
            (
                r * math.cos(angle) + lie.shift_mm[0],
                r * math.sin(angle) + lie.shift_mm[1],
                board.ring_z(number),
            )
            for r, angle in rim
        ]
        outline = np.rint(pose.project(corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, AMBER, width, cv2.LINE_AA)
    return drawn


def as_jpeg(image: Image, widest: int = 1152) -> bytes:
    """A picture as JPEG, made smaller where it is wider than that."""
    height, width = image.shape[:2]
    if width > widest:
        image = np.asarray(
            cv2.resize(image, (widest, round(height * widest / width)), interpolation=cv2.INTER_AREA),
            dtype=np.uint8,
        )
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes()
