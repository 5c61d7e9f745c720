"""The corners of a print that was read by correlation, measured by its inside alone.

Where the next card lies right below a print there is no white to find its edge by; the cells inside still tell
how wide and how tall it is, and so whether it lies on the table or is held above it.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.decoder import CELLS
from companion.sensing.edges import sharpened
from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker, dictionary

# Samples per cell, and steps of shift and size (in sides) with which the search begins.
PER_CELL = 3
FIRST_STEP = 0.05
ROUNDS = 5
MOST_MOVES = 6
# Edges of smaller prints are too short to be measured finely.
SHARP_FROM_PX = 30.0
# Edges that show the cells inside so well are the print's own; others must show them as well as the cells do.
OWN_EDGES = 0.92
WORSE = 0.04


@cache
def _cells(marker: int) -> tuple[Floats, NDArray[np.float32]]:
    """Sample places (n, 2) in sides (middle 0) inside a print, and its zero-mean pattern there."""
    fine = 6
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS * fine).astype(np.float32)
    # Beyond the frame anything may lie: the frame goes on.
    soft = cv2.GaussianBlur(print_, (0, 0), 0.3 * fine, borderType=cv2.BORDER_REPLICATE)
    count = CELLS * PER_CELL
    axis = (np.arange(count) + 0.5) / count
    pattern = cv2.resize(soft, (count, count), interpolation=cv2.INTER_AREA)
    x, y = np.meshgrid(axis - 0.5, axis - 0.5)
    inside = np.maximum(np.abs(x), np.abs(y)) < 0.5 - 0.4 / CELLS
    values = pattern[inside] - pattern[inside].mean()
    return np.stack([x[inside], y[inside]], axis=1), (values / np.linalg.norm(values)).astype(np.float32)


def polished(gray: Gray, marker: Marker) -> Marker:
    """The same print with its width, height and middle fitted to the cells inside."""
    places, pattern = _cells(marker.id)
    corners = marker.corners.astype(np.float64)
    middle = corners.mean(axis=0)
    right = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    # A corner that was found wrong skews the sides: seen from above they are square to each other.
    right = (right + np.array([down[1], -down[0]])) / 2
    down = np.array([-right[1], right[0]])
    reach = int(np.ceil(marker.side_px)) + 2
    x0, y0 = np.maximum(middle.astype(int) - reach, 0)
    crop = gray[y0 : int(middle[1]) + reach, x0 : int(middle[0]) + reach].astype(np.float32)
    origin = np.array([x0, y0], dtype=np.float64)

    def sides(option: Floats) -> tuple[Floats, Floats, Floats]:
        """Middle, right and down (…, 2) for shifts, growths and turns (…, 5) in sides and radians."""
        shift_right, shift_down, wider, taller, turn = (option[..., n : n + 1] for n in range(5))
        return (
            middle + shift_right * right + shift_down * down,
            (1 + wider) * (right + turn * down),
            (1 + taller) * (down - turn * right),
        )

    moves = np.concatenate([np.eye(5), -np.eye(5), np.zeros((1, 5))])
    best = np.zeros(5)
    step = FIRST_STEP
    for _ in range(ROUNDS):
        for _ in range(MOST_MOVES):
            options = best + step * moves
            centres, rights, downs = sides(options)
            at = places @ np.stack([rights, downs], axis=1) + (centres - origin)[:, None]
            values = cv2.remap(
                crop,
                at[..., 0].astype(np.float32),
                at[..., 1].astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            centred = values - values.mean(axis=1, keepdims=True)
            fits = (centred * pattern).sum(axis=1) / np.maximum(np.linalg.norm(centred, axis=1), 1.0)
            k = int(np.argmax(fits))
            best = options[k]
            if k == len(moves) - 1:
                break
        step /= 2
    centre, rights, downs = sides(best)
    square = np.stack([-rights - downs, rights - downs, rights + downs, downs - rights])
    return Marker(marker.id, (centre + square / 2).astype(np.float32))


def inside_fit(gray: Gray, marker: Marker) -> float:
    """Correlation (-1…1) of the cells inside four corners with the print's."""
    places, pattern = _cells(marker.id)
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(square, marker.corners.astype(np.float32))
    at = cv2.perspectiveTransform(places.reshape(-1, 1, 2), warp).reshape(1, -1, 2)
    x0, y0 = np.maximum(np.floor(at.min(axis=(0, 1))).astype(int) - 1, 0)
    x1, y1 = np.ceil(at.max(axis=(0, 1))).astype(int) + 2
    crop = gray[y0 : max(y1, y0 + 2), x0 : max(x1, x0 + 2)].astype(np.float32)
    if crop.size == 0:
        return -1.0
    at = (at - np.array([x0, y0])).astype(np.float32)
    values = cv2.remap(crop, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    centred = values - values.mean()
    return float((centred * pattern).sum() / max(float(np.linalg.norm(centred)), 1.0))


def finely(gray: Gray, marker: Marker) -> Floats:
    """The corners (4, 2) by the print's edges where these are long enough and its own, else by its inside."""
    if marker.side_px >= SHARP_FROM_PX:
        sharp = sharpened(gray, marker.corners)
        fit = inside_fit(gray, Marker(marker.id, sharp.astype(np.float32)))
        if fit >= OWN_EDGES:
            return sharp
    inside = polished(gray, marker)
    if marker.side_px >= SHARP_FROM_PX and fit >= inside_fit(gray, inside) - WORSE:
        return sharp
    return inside.corners.astype(np.float64)
