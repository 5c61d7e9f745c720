"""The whole of a quiet table once more: is all that is known still there, and is there anything else?

Led by what is known: each print is looked for where it was last seen, which costs next to nothing, and what is seen
there is painted over. Only the rest of the picture is left to the detector, two thirds as large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.cells import Fit, fitted
from companion.sensing.markers import Gray, Marker, Thoroughness, detect

# So much smaller the rest of the picture is searched, with a window for the threshold that is as much smaller.
SCALE = 2 / 3
WINDOW = 15
# What is new may be so much smaller than the smallest print known.
SMALLER = 0.75
# Steps of following a print that was nudged.
STEPS = 1
# A known print shows where it was if it correlates so well and no more cells than these are doubted: every other print
# differs in six and more.
AS_KNOWN = 0.6
MOST_DOUBTED = 2
# With the white around it a print is so many sides wide.
WITH_WHITE = 9 / 7


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What one look at the whole shows.

    `seen`: the known prints that show, by their number among the known, as they lie now. `fresh`: what else looks like
    a print, its corners rough.
    """

    seen: dict[int, Marker]
    fresh: tuple[Marker, ...]


def shows(fit: Fit) -> bool:
    """Does a known print show where it was?"""
    return fit.correlation >= AS_KNOWN and fit.doubted <= MOST_DOUBTED


def confirm(gray: Gray, known: Sequence[Marker], blur_px: float) -> Confirmed:
    """Looks for the known prints where they were, and for others everywhere else."""
    fits = fitted(gray, known, STEPS, blur_px=blur_px)
    seen = {n: fit.marker for n, fit in enumerate(fits) if shows(fit)}
    size = (round(gray.shape[1] * SCALE), round(gray.shape[0] * SCALE))
    small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    for marker in seen.values():
        _paint_over(small, marker)
    smallest = min((marker.side_px for marker in known), default=Thoroughness().smallest_px / SMALLER)
    # In steps, so that the same detector serves again.
    side = max(Thoroughness().smallest_px, round(SMALLER * smallest)) * SCALE
    rest = detect(small, Thoroughness(windows=(WINDOW,), refine=False, smallest_px=side))
    scaled = (Marker(one.id, ((one.corners + 0.5) / SCALE - 0.5).astype(np.float32)) for one in rest)
    return Confirmed(seen, tuple(scaled))


def _paint_over(small: Gray, marker: Marker) -> None:
    """Fill a print, and most of the white around it, with that white."""
    middle = marker.corners.mean(axis=0)
    quad = (middle + (marker.corners - middle) * np.float32(WITH_WHITE) + 0.5) * np.float32(SCALE) - 0.5
    edges = (quad + np.roll(quad, -1, axis=0)) / 2
    x = np.clip(edges[:, 0].round().astype(int), 0, small.shape[1] - 1)
    y = np.clip(edges[:, 1].round().astype(int), 0, small.shape[0] - 1)
    inner = (quad - quad.mean(axis=0)) * np.float32(0.95) + quad.mean(axis=0)
    cv2.fillConvexPoly(small, inner.round().astype(np.int32), int(np.median(small[y, x])))
