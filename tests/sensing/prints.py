"""Prints drawn into pictures, exactly and in perspective: true ones, and what only looks like one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.sensing.frames import Image
from companion.sensing.markers import Gray
from companion.sensing.print_model import bits

Cells = NDArray[np.bool_]

INK, PAPER = 34, 232
_FINE = 24
_OVER = 4


def cells_of(marker: int) -> Cells:
    """A print's cells (9, 9), True for white, with the white around it."""
    return bits(marker).copy()


def corners_at(
    centre: tuple[float, float], side: float, turn_deg: float = 0.0, squeeze: float = 1.0
) -> NDArray[np.float32]:
    """Corners (4, 2) of an upright print turned about its middle; `squeeze` shortens it upwards, as a tilt does."""
    turn = np.radians(turn_deg)
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side
    turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(turned * np.array([1.0, squeeze]) + np.array(centre), dtype=np.float32)


def stick(
    image: Image, cells: Cells, corners: ArrayLike, round_sides: float | None = None, ink: int = INK
) -> None:
    """Draw cells (n, n) into a grey or BGR picture so that the print's corners, the white around left out, lie there.

    `round_sides`: only what lies in a disc of this diameter, in sides: a round sticker; the rest of it is white.
    """
    count = cells.shape[0]
    spare = 2
    sheet = np.pad(cells, spare, constant_values=True)
    tones = np.where(sheet, float(PAPER), float(ink)).astype(np.float32)
    big = np.kron(tones, np.ones((_FINE, _FINE), np.float32))
    low, high = (spare + 1) * _FINE - 0.5, (spare + count - 1) * _FINE - 0.5
    inside = np.array([[low, low], [high, low], [high, high], [low, high]], dtype=np.float32)
    quad = np.asarray(corners, dtype=np.float32)
    x0, y0 = np.floor(quad.min(axis=0) - 0.5 * np.ptp(quad)).astype(int)
    x1, y1 = np.ceil(quad.max(axis=0) + 0.5 * np.ptp(quad)).astype(int)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, image.shape[1]), min(y1, image.shape[0])
    fine = ((quad - (x0, y0) + 0.5) * _OVER - 0.5).astype(np.float32)
    size = ((x1 - x0) * _OVER, (y1 - y0) * _OVER)
    warp = cv2.getPerspectiveTransform(inside, fine)
    drawn = cv2.warpPerspective(big, warp, size, flags=cv2.INTER_AREA, borderValue=float(PAPER))
    edge = 1 * _FINE if round_sides is None else 0
    mask = np.zeros_like(big)
    if round_sides is None:
        mask[edge + _FINE : -edge - _FINE or None, edge + _FINE : -edge - _FINE or None] = 1.0
    else:
        middle = (big.shape[0] - 1) / 2
        cv2.circle(
            mask, (round(middle), round(middle)), round(round_sides * (count - 2) * _FINE / 2), 1.0, -1
        )
    shown = cv2.warpPerspective(mask, warp, size, flags=cv2.INTER_LINEAR)
    small = (x1 - x0, y1 - y0)
    colour = cv2.resize(drawn * shown, small, interpolation=cv2.INTER_AREA)
    share = cv2.resize(shown, small, interpolation=cv2.INTER_AREA)
    target = image[y0:y1, x0:x1].astype(np.float32)
    if image.ndim == 3:
        colour, share = colour[..., None], share[..., None]
    image[y0:y1, x0:x1] = np.clip(target * (1 - share) + colour + 0.5, 0, 255).astype(np.uint8)


def sheet_of(cells: Cells, corners: ArrayLike, ground: int = 120, size: int = 120) -> Gray:
    """A small grey picture with a print on its square white sticker."""
    picture = np.full((size, size), ground, np.uint8)
    stick(picture, cells, corners)
    return picture
