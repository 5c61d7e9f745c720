"""Places in a picture that look like a print: any card's by its dark frame, or one small print as a whole."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.geometry import CameraPose
from companion.sensing.kinds import Kind
from companion.sensing.markers import Gray, dictionary
from companion.sensing.region import Region

Singles = NDArray[np.float32]

# How much like a print (-1…1) a place must look to be read: prints come to 0.66 and more, also blurred and dark.
LIKE_A_PRINT = 0.56
# Of a print partly hidden the rest must look so much more like one; so much of it may be hidden.
LESS_SEEN = 0.08
HIDDEN_SHARE = 0.38
MOST_PLACES = 16
# Prints on cards lie turned by up to this.
TURN_DEG = 15
# Scale at which places are searched: enough for a cell of the print.
CARD_PX_PER_MM = 1.2
# Small prints are few, each is known by name and looked for as a whole, at any turn.
SMALL_PX_PER_MM = 2.0
TURN_STEP_DEG = 10
LIKE_ONE_PRINT = 0.45
MOST_OF_ONE = 4


@cache
def _profile(px_per_mm: float, side_mm: float, white_mm: float) -> tuple[Singles, tuple[Singles, ...]]:
    """What any print looks like at a scale, turned a little either way, and the masks of what counts.

    First its dark frame and the white around it, since the cells inside differ from print to print; then the same
    with one side hidden, for each side.
    """
    half, cell = side_mm / 2, side_mm / 7
    reach = int(np.ceil((half + white_mm) * 1.2 * px_per_mm))
    axis = np.arange(-reach, reach + 1) / px_per_mm
    x, y = np.meshgrid(axis, axis)
    white = np.zeros_like(x)
    inside = np.zeros_like(x)
    turns = np.radians(np.arange(-TURN_DEG, TURN_DEG + 1, 5))
    for turn in turns:
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        ring = np.maximum(np.abs(u), np.abs(v))
        white += ring > half
        inside += (ring > half - cell) & (ring < half + white_mm)
    profile = cv2.GaussianBlur((white / len(turns)).astype(np.float32), (0, 0), px_per_mm / 3)
    counts = (inside / len(turns)).astype(np.float32)
    sides = []
    for across in (x, -x, y, -y, x + y, x - y, y - x, -x - y):
        seen_to = np.quantile(across[ring <= half], 1 - HIDDEN_SHARE)
        sides.append(np.where(across <= seen_to, counts, 0).astype(np.float32))
    return np.asarray(profile, dtype=np.float32), (counts, *sides)


def likeness(picture: Singles, weights: Singles, profile: Singles, counts: Singles) -> Singles:
    """Weighted correlation (-1…1) of a picture with a profile everywhere; -1 where too little is to be seen."""

    def summed(values: Singles, kernel: Singles) -> Singles:
        return np.asarray(
            cv2.filter2D(values, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT), dtype=np.float32
        )

    seen = picture * weights
    mass = np.maximum(summed(weights, counts), 1e-3)
    mean = summed(seen, counts) / mass
    spread = np.maximum(summed(seen * picture, counts) - mean**2 * mass, 0.0)
    template = summed(weights, counts * profile) / mass
    template_spread = np.maximum(summed(weights, counts * profile**2) - template**2 * mass, 1e-3)
    product = summed(seen, counts * profile) - mean * template * mass
    # At least three grey levels of contrast: a plain surface looks like nothing.
    like = product / np.sqrt(np.maximum(spread, 9.0 * mass) * template_spread)
    like[mass < 0.5 * counts.sum()] = -1.0
    return np.asarray(like, dtype=np.float32)


def print_places(
    gray: Gray,
    weights: Singles,
    region: Region,
    kind: Kind,
    pose: CameraPose,
    most: int = MOST_PLACES,
) -> list[tuple[float, float]]:
    """Pixels in `region` that look like an upright print of a kind, likeliest first, at `most` so many.

    `weights`: a picture of the region's size, 0 where something known lies.
    """
    picture = region.crop(gray)
    if min(picture.shape) < 8:
        return []
    middle = pose.intersect(((region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2), kind.height_mm)
    scale = float(np.sqrt(abs(np.linalg.det(pose.px_per_mm(middle)))))
    shrink = min(1.0, CARD_PX_PER_MM / scale)
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
    height, width = small.shape
    free = cv2.resize(weights, (width, height), interpolation=cv2.INTER_AREA)
    fx, fy = picture.shape[1] / width, picture.shape[0] / height
    profile, masks = _profile(round(scale / fx, 2), kind.side_mm, (kind.sticker_mm - kind.side_mm) / 2)
    centred = np.asarray(small - small.mean(), dtype=np.float32)
    seen = np.asarray(free, dtype=np.float32)
    like = likeness(centred, seen, profile, masks[0])
    for mask in masks[1:]:
        # Of less, more looks alike.
        like = np.maximum(like, likeness(centred, seen, profile, mask) - LESS_SEEN)
    apart = max(3, int(kind.side_mm * scale / fx * 0.5) | 1)
    peak = (like >= cv2.dilate(like, np.ones((apart, apart), np.uint8))) & (like > LIKE_A_PRINT)
    rows, columns = np.nonzero(peak)
    best = np.argsort(-like[rows, columns])[:most]
    return [
        (float((columns[n] + 0.5) * fx - 0.5 + region.x0), float((rows[n] + 0.5) * fy - 0.5 + region.y0))
        for n in best
    ]


@cache
def _turned_print(marker: int, side_px: float) -> tuple[Singles, ...]:
    """One print with a white cell around, in every turn, as it looks at a size."""
    fine = 8
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, 7 * fine)
    sheet = np.pad(print_, 3 * fine, constant_values=255).astype(np.float32)
    size = max(8, round(side_px * 8.4 / 7))
    scale = side_px / (7 * fine)
    turned = []
    for degrees in range(0, 360, TURN_STEP_DEG):
        turn = cv2.getRotationMatrix2D(((13 * fine - 1) / 2,) * 2, degrees, scale)
        turn = turn + np.array([[0.0, 0.0, 1.0]]) * ((size - 1) / 2 - (13 * fine - 1) / 2)
        soft = cv2.GaussianBlur(sheet, (0, 0), 0.4 / scale)
        picture = cv2.warpAffine(soft, turn, (size, size), flags=cv2.INTER_LINEAR, borderValue=255)
        turned.append(np.asarray(picture, dtype=np.float32))
    return tuple(turned)


def pattern_places(
    gray: Gray, region: Region, marker: int, side_mm: float, height_mm: float, pose: CameraPose
) -> list[tuple[float, float]]:
    """Pixels in `region` that look most like one print at any turn, likeliest first."""
    picture = region.crop(gray)
    middle = pose.intersect(((region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2), height_mm)
    scale = float(np.sqrt(abs(np.linalg.det(pose.px_per_mm(middle)))))
    shrink = min(1.0, SMALL_PX_PER_MM / scale)
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
    templates = _turned_print(marker, round(side_mm * scale * shrink, 1))
    size = templates[0].shape[0]
    if min(small.shape) < size:
        return []
    like = np.maximum.reduce([cv2.matchTemplate(small, one, cv2.TM_CCOEFF_NORMED) for one in templates])
    peak = (like >= cv2.dilate(like, np.ones((size // 2, size // 2), np.uint8))) & (like > LIKE_ONE_PRINT)
    rows, columns = np.nonzero(peak)
    best = np.argsort(-like[rows, columns])[:MOST_OF_ONE]
    half = (size - 1) / 2
    fx, fy = picture.shape[1] / small.shape[1], picture.shape[0] / small.shape[0]
    return [
        (
            float((columns[n] + half + 0.5) * fx - 0.5 + region.x0),
            float((rows[n] + half + 0.5) * fy - 0.5 + region.y0),
        )
        for n in best
    ]
