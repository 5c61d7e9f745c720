"""A marker's corners to a tenth of a pixel: straight lines fitted to its four edges.

A camera's tone curve makes white bleed into black, so an edge taken from the raw grey values lies half a pixel
inside the marker. Half-way between black and white in linear light is where the edge is.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.sensing.geometry import Floats
from companion.sensing.markers import Corners, Gray

GAMMA = 2.2
STATIONS = 24
REACH_PX = 5.0
STEP_PX = 0.25
# Black and white must differ by this much light, of the most a picture can hold: 15 of 255 in the dark.
LEAST_LIGHT = 0.0018


def sharpened(gray: Gray, corners: Corners) -> Floats:
    """The corners (4, 2) of a large marker, refined; as they were where its edges cannot be made out."""
    quad = corners.astype(np.float64)
    if np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min() < 20:
        return quad
    across = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX)
    lines: list[tuple[Floats, Floats]] = []
    for n, light in enumerate(_profiles(gray, quad, across)):
        stations, normal = _stations(quad, n)
        line = _edge(light, across, stations, normal)
        if line is None:
            return quad
        lines.append(line)
    refined = np.empty((4, 2))
    for n in range(4):
        (point_a, along_a), (point_b, along_b) = lines[n - 1], lines[n]
        system = np.column_stack([along_a, -along_b])
        if abs(np.linalg.det(system)) < 0.2:
            return quad
        refined[n] = point_a + np.linalg.solve(system, point_b - point_a)[0] * along_a
    if np.linalg.norm(refined - quad, axis=1).max() > REACH_PX:
        return quad
    return refined


def _stations(quad: Floats, side: int) -> tuple[Floats, Floats]:
    """Places (k, 2) along a side of a marker, and the direction out of the marker there."""
    step = quad[(side + 1) % 4] - quad[side]
    normal = np.array([step[1], -step[0]]) / np.linalg.norm(step)
    if normal @ (quad[side] + step / 2 - quad.mean(axis=0)) < 0:
        normal = -normal
    return quad[side] + np.linspace(0.12, 0.88, STATIONS)[:, None] * step, normal


def _profiles(gray: Gray, quad: Floats, across: Floats) -> Floats:
    """The light (4, stations, across) on lines from within a marker outwards over each of its sides."""
    samples = []
    for side in range(4):
        stations, normal = _stations(quad, side)
        samples.append(stations[:, None] + across[None, :, None] * normal)
    places = np.concatenate(samples).astype(np.float32)
    values = cv2.remap(
        gray, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    light = (np.asarray(values, dtype=np.float64) / 255.0) ** GAMMA
    return light.reshape(4, STATIONS, len(across))


def blur_px(gray: Gray, quads: Iterable[Corners]) -> float:
    """How much the picture is blurred, as sigma in pixels, by the edges of large markers; the way it is most.

    Infinite where no edge can be measured.
    """
    widths: list[float] = []
    across = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX)
    tail = len(across) // 6
    for corners in quads:
        for light in _profiles(gray, corners.astype(np.float64), across):
            profile = np.median(light, axis=0)
            black, white = np.median(profile[:tail]), np.median(profile[-tail:])
            if white - black < LEAST_LIGHT:
                continue
            shape = (profile - black) / (white - black)
            middle = int(np.flatnonzero(shape < 0.5)[-1])
            before, after = np.flatnonzero(shape[: middle + 1] < 0.25), np.flatnonzero(shape[middle:] > 0.75)
            if len(before) and len(after):
                low, high = int(before[-1]), middle + int(after[0]) - 1
                start = low + (0.25 - shape[low]) / (shape[low + 1] - shape[low])
                end = high + (0.75 - shape[high]) / (shape[high + 1] - shape[high])
                # A quarter and three quarters of a normal distribution are 1.35 sigma apart.
                widths.append(float(end - start) * STEP_PX / 1.35)
    return float(np.quantile(widths, 0.8)) if widths else float("inf")


def _edge(light: Floats, across: Floats, stations: Floats, normal: Floats) -> tuple[Floats, Floats] | None:
    """The line (point, direction) where black turns to white along the profiles `light` (stations, across)."""
    tail = max(2, len(across) // 6)
    black = np.median(light[:, :tail], axis=1)
    white = np.median(light[:, -tail:], axis=1)
    clear = white - black > 0.25 * np.median(white - black)
    if np.median(white - black) < LEAST_LIGHT or clear.sum() < STATIONS // 2:
        return None
    half = (black + white)[:, None] / 2
    above = light > half
    # The last rise from black to white within reach.
    rises = (~above[:, :-1]) & above[:, 1:]
    clear &= rises.any(axis=1)
    if clear.sum() < STATIONS // 2:
        return None
    at = rises.shape[1] - 1 - np.argmax(rises[:, ::-1], axis=1)
    rows = np.arange(len(light))
    low, high = light[rows, at], light[rows, at + 1]
    step = across[1] - across[0]
    offset = across[at] + step * (half[:, 0] - low) / np.where(high > low, high - low, 1.0)
    points = (stations + offset[:, None] * normal)[clear]
    for _ in range(3):
        middle = points.mean(axis=0)
        _, _, axes = np.linalg.svd(points - middle)
        direction = axes[0]
        off = np.abs((points - middle) @ np.array([-direction[1], direction[0]]))
        good = off <= max(0.15, 2.5 * float(np.median(off)))
        if good.all() or good.sum() < STATIONS // 2:
            break
        points = points[good]
    middle = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - middle)
    return middle, axes[0]
