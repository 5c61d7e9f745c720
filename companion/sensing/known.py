"""What is known of a settled table, and whether it still shows where it was seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.above.box import FRAME_IDS
from companion.sensing.cells import fitted
from companion.sensing.edges import blur_px, sharpened
from companion.sensing.frames import STRIDE
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import QUICK, Gray, Marker
from companion.sensing.masks import Mask
from companion.sensing.registration import Registration

# A known print is still there if it correlates with the picture this well and no more of its cells are doubted: any
# other print differs in six and more.
STILL_THERE = 0.5
STILL_DOUBTED = 5
# Tilted, in blur or at the table's far end a print looks smaller than in the middle, seldom by more.
SMALLER = 0.7


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """What is known of a settled table: where the camera is, and every print in the picture.

    `frame`: where the frame markers' middles are in the picture, to a tenth of a pixel.
    """

    found: Registration
    markers: tuple[Marker, ...]
    frame: dict[int, tuple[float, float]]

    @property
    def pose(self) -> CameraPose:
        """The camera's pose."""
        return self.found.pose

    def smallest_px(self, side_mm: float) -> float:
        """How small a print of a side may look, in whole pixels, so that the same detector serves again."""
        across = self.pose.px_per_mm((0.0, 0.0, 0.0))
        side_px = side_mm * math.sqrt(abs(float(np.linalg.det(across))))
        return max(QUICK.smallest_px, float(round(SMALLER * side_px)))


def blur_of(gray: Gray, markers: Iterable[Marker]) -> float:
    """How much the picture is blurred, in pixels, by the frame markers among some; infinite without any."""
    return blur_px(gray, [marker.corners for marker in markers if marker.id in FRAME_IDS])


def middle(gray: Gray, marker: Marker) -> tuple[float, float]:
    """A large print's middle to a tenth of a pixel, from its edges."""
    x, y = sharpened(gray, marker.corners).mean(axis=0)
    return (float(x), float(y))


def still_there(gray: Gray, marker: Marker) -> bool:
    """Does the print still show where it was seen?"""
    return bool(still_shown(gray, [marker]))


def still_shown(gray: Gray, markers: Sequence[Marker]) -> list[Marker]:
    """Those of the prints that still show where they were seen."""
    return [
        marker
        for marker, fit in zip(markers, fitted(gray, markers, steps=1), strict=True)
        if fit.correlation >= STILL_THERE and fit.doubted <= STILL_DOUBTED
    ]


def same_print(one: Marker, other: Marker) -> bool:
    """Are two detections the same print in the same place?"""
    return one.id == other.id and math.dist(one.centre, other.centre) < 0.25 * other.side_px


def is_under(pixel: Sequence[float] | Floats, mask: Mask) -> bool:
    """Is the small mask set at a pixel of the whole picture?"""
    x = min(max(int(pixel[0]) // STRIDE, 0), mask.shape[1] - 1)
    y = min(max(int(pixel[1]) // STRIDE, 0), mask.shape[0] - 1)
    return bool(mask[y, x])


def touched(marker: Marker, mask: Mask) -> bool:
    """Does a small mask reach into a marker?"""
    low = np.maximum((marker.corners.min(axis=0) / STRIDE).astype(int), 0)
    high = (marker.corners.max(axis=0) / STRIDE).astype(int) + 1
    return bool(mask[low[1] : high[1] + 1, low[0] : high[0] + 1].any())


def uncovered(markers: Sequence[Marker], hand: Mask | None) -> Sequence[Marker]:
    """The markers into which no hand reaches."""
    return markers if hand is None else [marker for marker in markers if not touched(marker, hand)]
