"""Watching the frame markers: was the camera knocked, or one marker pushed aside?

Every quiet frame the corner markers are compared with how they looked when they were last measured, a quarter of
their size and in a fraction of a millisecond. What seems to have moved is measured exactly by whoever asks. A
marker that alone lies elsewhere was bumped: the others vote it out, and its owner is told, but only after several
looks that agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.messages import say
from companion.sensing.frames import STRIDE, Image, Small
from companion.sensing.gate import small_of, softened
from companion.sensing.geometry import Floats
from companion.sensing.markers import Marker
from companion.sensing.reading import Finding
from companion.sensing.region import Region

# Looked at with this much around a marker, in its sides.
MARGIN = 0.3
# A shift of this many small pixels is worth an exact measurement.
STIRRED = 0.12
# Grey levels (rms) by which a print may differ from how it looked, light apart: more is a hand or a cup.
UNLIKE = 14.0
# Looks that must agree, and over how many seconds, before anybody is told.
LOOKS = 3
LOOKS_S = 0.9

NAMES = {0: "north-west", 1: "north-east", 2: "south-east", 3: "south-west"}


@dataclass(frozen=True, eq=False, slots=True)
class _View:
    """How a marker looked: its part of the thinned picture, small (n,), by how much it changes to the right and down.

    `slopes` is (2, n); `solver` (4, n): the pseudo-inverse for shift, light and offset. `most`: by how many small pixels
    it can seem to have moved, and by what gain to be brighter, for each grey level of (Euclidean) difference.
    """

    thin: Region
    small: Small
    slopes: Floats
    solver: Floats
    most: tuple[float, float]


@dataclass(slots=True)
class _Bump:
    """A marker seen off its place: how often, since when, how far and which way (mm), and whether it was told."""

    since: float
    looks: int = 0
    off_mm: tuple[float, float] = (0.0, 0.0)
    told: bool = field(default=False)


class FrameWatch:
    """Keeps an eye on the frame markers of one table."""

    def __init__(self) -> None:
        self._views: dict[int, _View] = {}
        self._bumps: dict[int, _Bump] = {}

    def anchor(self, image: Image, markers: Iterable[Marker]) -> None:
        """From now on: do these markers still look as in this picture?"""
        self._views = {marker.id: view for marker in markers if (view := _view(image, marker)) is not None}

    def stirred(self, thin: Small) -> bool:
        """Does any marker in a thinned frame seem to have moved since `anchor`? One that is covered does not."""
        return any(_stirred(view, softened(view.thin.crop(thin))) for view in self._views.values())

    def note(self, off_mm: Mapping[int, tuple[float, float]], in_place: Iterable[int], at: float) -> None:
        """One exact look: which markers alone lie off their place, by (x, y) mm, and which are where they belong.

        Of a marker that is neither (covered) what was known stays known. `at` in seconds.
        """
        for marker in in_place:
            self._bumps.pop(marker, None)
        for marker, off in off_mm.items():
            bump = self._bumps.setdefault(marker, _Bump(at))
            if math.dist(off, bump.off_mm) > 1.5:
                # Still on its way, or pushed again.
                bump.since, bump.looks, bump.off_mm, bump.told = at, 0, off, False
            bump.looks += 1
            bump.told = bump.looks >= LOOKS and at - bump.since >= LOOKS_S

    @property
    def bumped(self) -> frozenset[int]:
        """The markers that are not where they belong, as far as was last seen."""
        return frozenset(self._bumps)

    @property
    def unsure(self) -> bool:
        """Would another exact look decide something?"""
        return any(not bump.told for bump in self._bumps.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the owner should know of the markers."""
        return tuple(
            Finding(
                f"frame-marker-{marker}",
                say(
                    "table.marker_pushed",
                    marker=marker,
                    corner=NAMES.get(marker, "spare"),
                    mm=f"{math.hypot(*bump.off_mm):.0f}",
                ),
                say("table.marker_back"),
            )
            for marker, bump in sorted(self._bumps.items())
            if bump.told
        )


def _view(image: Image, marker: Marker) -> _View | None:
    """How a marker looks now; None where too little of it is in the picture."""
    height, width = image.shape[:2]
    spare = marker.side_px * MARGIN
    low, high = marker.corners.min(axis=0) - spare, marker.corners.max(axis=0) + spare
    # On the grid of the small picture, so that later looks fall on the same pixels.
    x0, y0 = (max(0, int(value) // STRIDE * STRIDE) for value in low)
    x1, y1 = min(width, int(high[0]) + 1), min(height, int(high[1]) + 1)
    if min(x1 - x0, y1 - y0) < 8 * STRIDE:
        return None
    region = Region(x0, y0, x1, y1)
    small = small_of(region.crop(image))
    dy, dx = np.gradient(small.astype(np.float64))
    slopes = np.stack([dx.ravel(), dy.ravel()])
    columns = np.stack([*slopes, small.ravel(), np.ones(small.size)], axis=1)
    thin = Region(x0 // STRIDE, y0 // STRIDE, -(-x1 // STRIDE), -(-y1 // STRIDE))
    solver = np.linalg.pinv(columns)
    most = (float(np.linalg.norm(solver[:2], 2)), float(np.linalg.norm(solver[2])))
    return _View(thin, small, slopes, solver, most)


def _stirred(view: _View, small: Small) -> bool:
    """Does a print seem to have moved? Where little differs it cannot have, which is told without solving anything."""
    differs = cv2.norm(view.small, small, cv2.NORM_L2)
    shift, gain = (differs * most for most in view.most)
    return shift > STIRRED * (1 - gain) and _shift(view, small) > STIRRED


def _shift(view: _View, small: Small) -> float:
    """By how many small pixels a print has moved, 0 where it does not look like itself any more."""
    was = view.small.ravel().astype(np.float64)
    difference = small.ravel() - was
    x, y, gain, offset = view.solver @ difference
    if gain <= -0.7:
        return 0.0
    left = difference - (view.slopes[0] * x + view.slopes[1] * y + was * gain + offset)
    if math.sqrt(float(left @ left) / len(left)) > UNLIKE * (1 + gain):
        return 0.0
    return math.hypot(float(x), float(y)) / (1 + float(gain))
