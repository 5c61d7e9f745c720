"""Things at the picture's edge that are as large as a fingertip: it is their prints that tell pieces from hands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.frames import STRIDE
from companion.sensing.gate import PICTURE_WIDTH_MM
from companion.sensing.masks import Mask
from companion.sensing.region import Region

# A card, the largest of all pieces, covers this much with its shadow; a hand that plays covers more.
LARGEST_PIECE_CM2 = 80.0


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """One part of a small mask of hands: its mask (255), and the part of the full picture it lies in."""

    mask: Mask
    region: Region


def no_larger_than_a_piece(hand: Mask, size: tuple[int, int]) -> list[Part]:
    """The parts of a small mask of hands, in a picture of a size (w, h), that may be a piece."""
    width, height = size
    cm2 = (max(hand.shape) / (PICTURE_WIDTH_MM / 10)) ** 2
    number, labels, stats, _ = cv2.connectedComponentsWithStats(hand, connectivity=8)
    parts = []
    for n in range(1, number):
        x, y, w, h, area = (int(value) for value in stats[n])
        if area <= LARGEST_PIECE_CM2 * cm2:
            region = Region(
                x * STRIDE, y * STRIDE, min(width, (x + w) * STRIDE), min(height, (y + h) * STRIDE)
            )
            parts.append(Part(np.where(labels == n, 255, 0).astype(np.uint8), region))
    return parts
