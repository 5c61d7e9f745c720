"""The corners of a print, measured by its inside alone where its edges cannot be trusted.

Where the next card lies right below a print there is no white to find its edge by; the cells inside still tell
how wide and how tall it is, and so whether it lies on the table or is held above it.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.edges import sharpened
from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker, dictionary
from companion.sensing.print_model import CELLS

Singles = NDArray[np.float32]

# The inside as it is compared: pixels per cell, and how much of the frame is left out, in cells.
PX_PER_CELL = 6
LEFT_OUT = 0.4
# How soft it may be, in cells: in focus and out of focus.
BLURS = (0.3, 0.7)
# Edges of smaller prints are too short to be measured finely.
SHARP_FROM_PX = 30.0
# Edges that show the cells inside so well are the print's own; others must show them as well as the cells do.
OWN_EDGES = 0.92
WORSE = 0.04
STEPS, ENOUGH = 40, 1e-4
# What is told by the inside differs by less than this from what was found at first, in sides.
MOST_CHANGE = 0.25


@cache
def _inside(marker: int, blur: float = BLURS[0]) -> tuple[Singles, Floats]:
    """What a print shows inside its frame, and where its corners are in that picture, (4, 2) px."""
    fine = PX_PER_CELL
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS * fine).astype(np.float32)
    # Beyond the frame anything may lie: the frame goes on.
    soft = cv2.GaussianBlur(print_, (0, 0), blur * fine, borderType=cv2.BORDER_REPLICATE)
    cut = round(LEFT_OUT * fine)
    low, high = -0.5 - cut, CELLS * fine - 0.5 - cut
    corners = np.array([[low, low], [high, low], [high, high], [low, high]])
    return np.asarray(soft[cut:-cut, cut:-cut], dtype=np.float32), corners


def polished(gray: Gray, marker: Marker) -> Marker:
    """The same print with its corners fitted to the cells inside; as it was where they cannot be made out."""
    inside, corners = _inside(marker.id)
    reach = 0.3 * marker.side_px
    x0, y0 = np.maximum(np.floor(marker.corners.min(axis=0) - reach).astype(int), 0)
    x1, y1 = np.ceil(marker.corners.max(axis=0) + reach).astype(int)
    crop = gray[y0:y1, x0:x1].astype(np.float32)
    if min(crop.shape) < 8:
        return marker
    origin = np.array([x0, y0])
    # Parallel sides to begin with: one corner found wrong must not skew them all.
    square = np.column_stack([corners, np.ones(4)])
    start, *_ = np.linalg.lstsq(square, marker.corners - origin, rcond=None)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, ENOUGH)
    try:
        _, warp = cv2.findTransformECC(
            inside,
            crop,
            np.ascontiguousarray(start.T, dtype=np.float32),
            cv2.MOTION_AFFINE,
            criteria,
            np.full(crop.shape, 255, np.uint8),
            1,
        )
    except cv2.error:
        # It did not settle.
        return marker
    fitted = square @ np.asarray(warp, dtype=np.float64).T + origin
    if np.linalg.norm(fitted - marker.corners, axis=1).max() > MOST_CHANGE * marker.side_px:
        return marker
    better = Marker(marker.id, fitted.astype(np.float32))
    return better if inside_fit(gray, better) >= inside_fit(gray, marker) else marker


def inside_fit(gray: Gray, marker: Marker) -> float:
    """Correlation (-1…1) of the cells inside four corners with the print's."""
    inside, corners = _inside(marker.id)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), marker.corners.astype(np.float32))
    seen = cv2.warpPerspective(
        gray,
        warp,
        (inside.shape[1], inside.shape[0]),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    seen -= seen.mean()
    fits = []
    for blur in BLURS:
        shown = _inside(marker.id, blur)[0]
        shown = shown - shown.mean()
        fits.append(
            float((seen * shown).sum() / max(float(np.linalg.norm(seen) * np.linalg.norm(shown)), 1.0))
        )
    return max(fits)


def finely(gray: Gray, marker: Marker) -> Floats:
    """The corners (4, 2) by the print's edges where these are long enough and its own, else by its inside."""
    if marker.side_px < SHARP_FROM_PX:
        return polished(gray, marker).corners.astype(np.float64)
    sharp = sharpened(gray, marker.corners)
    fit = inside_fit(gray, Marker(marker.id, sharp.astype(np.float32)))
    if fit >= OWN_EDGES:
        return sharp
    inside = polished(gray, marker)
    return sharp if fit >= inside_fit(gray, inside) - WORSE else inside.corners.astype(np.float64)
