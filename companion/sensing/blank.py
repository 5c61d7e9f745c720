"""Parts of a picture that show nothing at all: what never came, is painted over, or is as black as no table.

A camera's picture of anything has grain or shade. A large part in which every pixel is its neighbour's twin is no
table: a torn frame is filled up so. Nor can anything be told of a part without any light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.frames import STRIDE, Image
from companion.sensing.gate import PICTURE_WIDTH_MM
from companion.sensing.masks import Mask

# A smaller part than a hand may be a plain surface of which compression has left one shade: down to a JPEG quality of 20
# such parts are smaller by a third and more.
LEAST_CM2 = 120.0
# Nearly all pixels within a square of so many mm are twins, or their mean is so dark.
AROUND_MM = 11.0
TWINS_SHARE = 0.95
BLACK_LEVEL = 3.0
# A first look at one of so many squares each way. Of those in such a part more than this share are twins or nearly black:
# at most half of its pixels are more than twice as bright as their mean.
FEW = 4
FEW_SHARE = 0.4


def blank_parts(image: Image) -> Mask:
    """A small mask (255; one for every STRIDE pixels) of where a BGR or grey picture shows nothing."""
    grey = image[..., 1] if image.ndim == 3 else image
    height, width = (size - size % STRIDE for size in grey.shape)
    per_mm = max(height, width) / STRIDE / PICTURE_WIDTH_MM
    least = LEAST_CM2 * 100 * per_mm**2
    # Most pictures show nothing of the kind, which one pixel of each sixteen squares tells.
    one, twins = _sampled(grey[:height, :width], FEW * STRIDE)
    if np.count_nonzero(twins | (one <= 2 * BLACK_LEVEL)) < FEW_SHARE * least / FEW**2:
        return np.zeros((height // STRIDE, width // STRIDE), np.uint8)
    one, twins = _sampled(grey[:height, :width], STRIDE)
    half = max(1, round(AROUND_MM * per_mm / 2))
    square = (2 * half + 1, 2 * half + 1)
    share = cv2.boxFilter(twins.astype(np.float32), -1, square, borderType=cv2.BORDER_REPLICATE)
    level = cv2.boxFilter(one, cv2.CV_32F, square, borderType=cv2.BORDER_REPLICATE)
    nothing = ((share >= TWINS_SHARE) | (level < BLACK_LEVEL)).astype(np.uint8)
    if not nothing.any():
        return np.zeros(one.shape, np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(nothing, connectivity=8)
    large = [n for n in range(1, number) if stats[n, cv2.CC_STAT_AREA] >= least]
    if not large:
        return np.zeros(one.shape, np.uint8)
    mask = np.where(np.isin(labels, large), 255, 0).astype(np.uint8)
    # Along its edge half of each square lies outside.
    return np.asarray(cv2.dilate(mask, np.ones(square, np.uint8)), dtype=np.uint8)


def _sampled(grey: NDArray[np.uint8], step: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """One pixel of each square of so many, and whether three around it are its twins."""
    one, *others = (
        np.ascontiguousarray(grey[row::step, column::step])
        for row, column in ((0, 0), (0, 1), (1, 0), (STRIDE - 2, STRIDE - 1))
    )
    return one, np.asarray(np.logical_and.reduce([one == other for other in others]))
