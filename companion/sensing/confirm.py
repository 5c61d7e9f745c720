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
# Steps of following a print that was nudged.
STEPS = 1
# A print that fits so well without being followed has not moved by a pixel.
IN_PLACE = 0.93
# What is new differs from its surroundings by this share of a known print's contrast, in grey levels within bounds.
PLAIN_SHARE, THRESHOLDS = 0.1, (7.0, 13.0)
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
    """Does a known print show where it was, or beside it?"""
    return fit.correlation >= AS_KNOWN and fit.doubted <= MOST_DOUBTED


def confirm(gray: Gray, known: Sequence[Marker], blur_px: float, smallest_px: float) -> Confirmed:
    """Looks for the known prints where they were, and for others, of so many pixels or larger, everywhere else."""
    seen = _seen(gray, known, blur_px)
    size = (round(gray.shape[1] * SCALE), round(gray.shape[0] * SCALE))
    small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    contrasts = [_paint_over(small, marker) for marker in seen.values()]
    # What is new stands in the same light as the faintest of what is known.
    faintest = float(np.quantile(contrasts, 0.1)) if contrasts else 0.0
    threshold = float(np.clip(round(PLAIN_SHARE * faintest), *THRESHOLDS))
    search = Thoroughness((WINDOW,), threshold, refine=False, smallest_px=smallest_px * SCALE)
    scaled = (
        Marker(one.id, ((one.corners + 0.5) / SCALE - 0.5).astype(np.float32))
        for one in detect(small, search)
    )
    return Confirmed(seen, tuple(scaled))


def _seen(gray: Gray, known: Sequence[Marker], blur_px: float) -> dict[int, Marker]:
    """The known prints that show, by their number: most lie as they did, only the others are followed."""
    at_once = fitted(gray, known, 0, blur_px=blur_px)
    in_place = [n for n, fit in enumerate(at_once) if shows(fit) and fit.correlation >= IN_PLACE]
    others = [n for n in range(len(known)) if n not in set(in_place)]
    followed = fitted(gray, [known[n] for n in others], STEPS, blur_px=blur_px)
    seen = {n: known[n] for n in in_place}
    return seen | {n: fit.marker for n, fit in zip(others, followed, strict=True) if shows(fit)}


def _paint_over(small: Gray, marker: Marker) -> float:
    """Fill a print, and most of the white around it, with that white; by how much its black was darker."""
    middle = marker.corners.mean(axis=0)
    quad = (middle + (marker.corners - middle) * np.float32(WITH_WHITE) + 0.5) * np.float32(SCALE) - 0.5
    edges = (quad + np.roll(quad, -1, axis=0)) / 2
    height, width = small.shape
    x = np.minimum(np.maximum(np.rint(edges[:, 0]).astype(int), 0), width - 1)
    y = np.minimum(np.maximum(np.rint(edges[:, 1]).astype(int), 0), height - 1)
    white = int(np.sort(small[y, x])[1])
    darkest = int(small[y.min() : y.max() + 1, x.min() : x.max() + 1].min())
    inner = (quad - quad.mean(axis=0)) * np.float32(0.95) + quad.mean(axis=0)
    cv2.fillConvexPoly(small, np.rint(inner).astype(np.int32), white)
    return float(white - darkest)
