"""A ChArUco sheet that somebody holds under the simulated camera, drawn through its bent lens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.optics import Optics
from companion.virtual.textures import Image

Floats = NDArray[np.float64]

# The print is drawn about as fine as a picture 2304 wide shows it: finer, and lines between pixels would break up.
PX_MM = 4.0
REFERENCE_WIDTH = 2304
EDGE_MM = 8.0
# Paper held in a room: its white, its black, and the blur of the lens over it.
_WHITE, _BLACK = 222.0, 34.0
_BLUR_PX = 0.7


@dataclass(frozen=True, slots=True)
class SheetPrint:
    """What is printed on it: columns × rows squares with markers of a dictionary, in mm."""

    columns: int = 7
    rows: int = 5
    square_mm: float = 40.0
    marker_mm: float = 30.0
    dictionary: str = "DICT_4X4_50"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the printed board."""
        return self.columns * self.square_mm, self.rows * self.square_mm


@dataclass(frozen=True, eq=False, slots=True)
class HeldSheet:
    """How it is held: its middle `centre_mm` (3,) in the world; columns of `turn` (3, 3): its right, up, and normal."""

    centre_mm: Floats
    turn: Floats


@cache
def _art(sheet: SheetPrint, px_mm: float) -> NDArray[np.uint8]:
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, sheet.dictionary))
    board = cv2.aruco.CharucoBoard((sheet.columns, sheet.rows), sheet.square_mm, sheet.marker_mm, family)
    width, height = (round(side * px_mm) for side in sheet.size_mm)
    art = board.generateImage((width, height))
    edge = round(EDGE_MM * px_mm)
    art = cv2.copyMakeBorder(art, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(np.where(art > 127, _WHITE, _BLACK), dtype=np.uint8)


def corners_mm(sheet: SheetPrint, held: HeldSheet) -> Floats:
    """The four corners of the paper in the world, (4, 3)."""
    half_x, half_y = (side / 2 + EDGE_MM for side in sheet.size_mm)
    local = np.array([[-half_x, half_y, 0], [half_x, half_y, 0], [half_x, -half_y, 0], [-half_x, -half_y, 0]])
    return np.asarray(held.centre_mm + local @ held.turn.T, dtype=np.float64)


class SheetCameraPicture:
    """Draws a held sheet over a picture of the table."""

    def __init__(self, sheet: SheetPrint, optics: Callable[[], Optics]) -> None:
        self._sheet = sheet
        self._optics = optics
        self._slopes: tuple[Optics, NDArray[np.float32]] | None = None

    def over(self, picture: Image, held: HeldSheet) -> Image:
        """The picture with the sheet in it, (h, w, 3) uint8 BGR."""
        optics = self._optics()
        if self._slopes is None or self._slopes[0] is not optics:
            self._slopes = (optics, optics.ray_slopes((0, 0, *optics.size)))
        pixels = optics.project(corners_mm(self._sheet, held))
        left, top = np.maximum(np.floor(pixels.min(axis=0)) - 3, 0).astype(int)
        right, bottom = np.minimum(np.ceil(pixels.max(axis=0)) + 4, optics.size).astype(int)
        if left >= right or top >= bottom:
            return picture
        slopes = self._slopes[1][top:bottom, left:right].astype(np.float64)
        rays = np.concatenate([slopes, np.ones((*slopes.shape[:2], 1))], axis=2)
        normal = held.turn[:, 2]
        eye = optics.centre_mm
        along = ((held.centre_mm - eye) @ normal) / (rays @ normal)
        local = (eye + rays * along[..., None] - held.centre_mm) @ held.turn
        half_x, half_y = (side / 2 + EDGE_MM for side in self._sheet.size_mm)
        px_mm = PX_MM * optics.size[0] / REFERENCE_WIDTH
        map_x = ((local[..., 0] + half_x) * px_mm - 0.5).astype(np.float32)
        map_y = ((half_y - local[..., 1]) * px_mm - 0.5).astype(np.float32)
        paper = cv2.remap(
            _art(self._sheet, px_mm), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        paper = cv2.GaussianBlur(paper, (0, 0), _BLUR_PX)
        inside = (np.abs(local[..., 0]) < half_x) & (np.abs(local[..., 1]) < half_y)
        share = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), _BLUR_PX)[..., None]
        result = picture.copy()
        patch = result[top:bottom, left:right]
        # The sensor's noise of the table below serves the paper, too.
        grain = patch.astype(np.float32) - cv2.GaussianBlur(patch, (0, 0), 2.0)
        mixed = paper[..., None] * share + patch * (1 - share) + 0.5 * grain * share
        patch[:] = np.clip(mixed, 0, 255).astype(np.uint8)
        return result
