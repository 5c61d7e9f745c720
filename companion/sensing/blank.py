"""Parts of a picture that show nothing at all: what never came, is painted over, or is as black as no table.

A camera's picture of anything has grain or shade. A large part in which every pixel is its neighbour's twin is no
table: a torn frame is filled up so. Nor can anything be told of a part without any light.
"""

from __future__ import annotations

import cv2
import numpy as np

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


def blank_parts(image: Image) -> Mask:
    """A small mask (255; one for every STRIDE pixels) of where a BGR or grey picture shows nothing."""
    grey = image[..., 1] if image.ndim == 3 else image
    height, width = (size - size % STRIDE for size in grey.shape)
    # One pixel of each square of STRIDE, and three around it.
    one, *others = (
        np.ascontiguousarray(grey[row:height:STRIDE, column:width:STRIDE])
        for row, column in ((0, 0), (0, 1), (1, 0), (STRIDE - 2, STRIDE - 1))
    )
    twins = np.logical_and.reduce([one == other for other in others]).astype(np.float32)
    per_mm = max(one.shape) / PICTURE_WIDTH_MM
    half = max(1, round(AROUND_MM * per_mm / 2))
    square = (2 * half + 1, 2 * half + 1)
    share = cv2.boxFilter(twins, -1, square, borderType=cv2.BORDER_REPLICATE)
    level = cv2.boxFilter(one, cv2.CV_32F, square, borderType=cv2.BORDER_REPLICATE)
    nothing = ((share >= TWINS_SHARE) | (level < BLACK_LEVEL)).astype(np.uint8)
    if not nothing.any():
        return np.zeros(one.shape, np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(nothing, connectivity=8)
    least = LEAST_CM2 * 100 * per_mm**2
    large = [n for n in range(1, number) if stats[n, cv2.CC_STAT_AREA] >= least]
    if not large:
        return np.zeros(one.shape, np.uint8)
    mask = np.where(np.isin(labels, large), 255, 0).astype(np.uint8)
    # Along its edge half of each square lies outside.
    return np.asarray(cv2.dilate(mask, np.ones(square, np.uint8)), dtype=np.uint8)
