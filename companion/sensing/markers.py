"""ArUco markers in a picture: the one place that talks to `cv2.aruco`, whatever its version.

OpenCV 5 returns ids as (N,), earlier ones as (N, 1); corners come as a tuple or list of (1, 4, 2). Here they are
`Marker`s. Corners are in the order printed top left, top right, bottom right, bottom left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import MARKER_DICTIONARY

Gray = NDArray[np.uint8]
Corners = NDArray[np.float32]

# The default detector loses markers within 35 px of the picture's edge: it gets that much more picture.
EDGE_PADDING_PX = 40


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker in a picture: its id and its `corners`, (4, 2) float32 pixels.

    `likeness`: its correlation (-1…1) with the whole of its print as light, where it was fitted to the picture.
    """

    id: int
    corners: Corners
    likeness: float | None = None

    # What is known stays, frame after frame: its middle and size are told once.
    @cached_property
    def centre(self) -> tuple[float, float]:
        """Where the diagonals cross: the printed middle, also under perspective."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners.tolist()
        rx, ry, sx, sy = cx - ax, cy - ay, dx - bx, dy - by
        cross = rx * sy - ry * sx
        if abs(cross) < 1e-9:
            return ((ax + cx) / 2, (ay + cy) / 2)
        along = ((bx - ax) * sy - (by - ay) * sx) / cross
        return (ax + along * rx, ay + along * ry)

    @cached_property
    def side_px(self) -> float:
        """Mean length of the four sides."""
        points = self.corners.tolist()
        return sum(math.dist(points[n - 1], points[n]) for n in range(4)) / 4

    def moved(self, dx: float, dy: float, scale: float = 1.0) -> Marker:
        """The same marker where the picture it was found in (a crop, enlarged by `scale`) lies in the whole."""
        corners = (self.corners + 0.5) / scale - 0.5 + np.array([dx, dy], dtype=np.float32)
        return Marker(self.id, corners.astype(np.float32), self.likeness)


@dataclass(frozen=True, slots=True)
class Thoroughness:
    """How hard to look: the adaptive threshold's window sizes in pixels, and whether to refine corners.

    `smallest_px`: the side of the smallest print looked for.
    """

    windows: tuple[int, ...] = (23,)
    threshold: float = 7.0
    refine: bool = True
    smallest_px: float = 11.5

    def parameters(self, window: int, longest: int) -> Any:
        """OpenCV's parameters for one window size, and pictures whose longer side is so many pixels."""
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshWinSizeMin = window
        parameters.adaptiveThreshWinSizeMax = window
        parameters.adaptiveThreshConstant = self.threshold
        # OpenCV takes it against the picture's longer side: in a small one every speck would be looked at.
        parameters.minMarkerPerimeterRate = 4 * self.smallest_px / longest
        parameters.minDistanceToBorder = 0
        parameters.perspectiveRemovePixelPerCell = 8
        parameters.polygonalApproxAccuracyRate = 0.04
        # One wrong bit is mended, not more: a wrong piece is worse than none.
        parameters.errorCorrectionRate = 0.35
        if self.refine:
            parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
            parameters.cornerRefinementWinSize = 3
        return parameters


QUICK = Thoroughness()
THOROUGH = Thoroughness(windows=(9, 15, 23, 45), threshold=5.0)


@cache
def dictionary() -> Any:
    """The dictionary all markers of the table come from."""
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))


@lru_cache(maxsize=64)
def _detectors(thoroughness: Thoroughness, longest: int) -> tuple[Any, ...]:
    return tuple(
        cv2.aruco.ArucoDetector(dictionary(), thoroughness.parameters(window, longest))
        for window in thoroughness.windows
    )


def as_markers(corners: Sequence[Any] | None, ids: Any) -> list[Marker]:
    """What any OpenCV's `detectMarkers` returned, as markers: ids (N,), (N, 1) or None."""
    if ids is None or corners is None:
        return []
    flat = np.asarray(ids).reshape(-1)
    return [
        Marker(int(marker), np.asarray(quad, dtype=np.float32).reshape(4, 2))
        for marker, quad in zip(flat, corners, strict=True)
    ]


def detect(gray: Gray, thoroughness: Thoroughness = QUICK, padded: bool = True) -> list[Marker]:
    """All markers in a gray picture, each print once. `padded` finds those at the picture's edge, too."""
    pad = EDGE_PADDING_PX if padded else 0
    picture = cv2.copyMakeBorder(gray, pad, pad, pad, pad, cv2.BORDER_REPLICATE) if pad else gray
    found: list[Marker] = []
    for detector in _detectors(thoroughness, -(-max(picture.shape) // 64) * 64):
        corners, ids, _ = detector.detectMarkers(picture)
        found += [marker.moved(-pad, -pad) for marker in as_markers(corners, ids)]
    return merge_prints(found)


def merge_prints(markers: Iterable[Marker]) -> list[Marker]:
    """Each print once: of detections of one id that overlap the first is kept; two prints of one id both stay."""
    kept: list[Marker] = []
    by_id: dict[int, list[Marker]] = {}
    for marker in markers:
        of_id = by_id.setdefault(marker.id, [])
        half = marker.side_px / 2
        if not any(
            abs(other.centre[0] - marker.centre[0]) < half and abs(other.centre[1] - marker.centre[1]) < half
            for other in of_id
        ):
            of_id.append(marker)
            kept.append(marker)
    return kept
