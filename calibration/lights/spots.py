"""Finds the lights in the pictures of a blinked code: where each shines, and how brightly.

Every pixel reads its own code word. Pixels that read one light's word and lie together are its spot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lights.code import position_of
from companion.sensing.frames import Image

Field = NDArray[np.float32]

# A pixel reads a word if every digit changes it by so many levels, and by such a share of the digit that does most.
LEAST_LEVELS = 9.0
LEAST_SHARE = 0.4
# Fewer pixels than this are noise; of a picture 2304 wide.
LEAST_PIXELS = 24
REFERENCE_WIDTH = 2304
SMOOTH_PX = 1.1
# From here on a picture does not become brighter.
BURNT = 245


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a light shines: the middle (x, y) in pixels of the whole picture, its `levels` at the brightest place.

    `full`: the picture could not have become brighter there.
    """

    position: int
    at: tuple[float, float]
    levels: float
    full: bool = False


def differences(pairs: Sequence[tuple[Image, Image]], still: NDArray[np.bool_]) -> Field:
    """How much brighter each pixel is with a digit than with its opposite: (digits, h, w), in levels.

    `still`: pixels that no light reaches, by which a room that grew brighter or darker between the two is told.
    """
    told = []
    for on, off in pairs:
        first, second = (_grey(image) for image in (on, off))
        here, there = float(first[still].mean()), float(second[still].mean())
        told.append(first - second * np.float32(here / max(there, 1.0)))
    return np.stack(told)


def _grey(image: Image) -> Field:
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SMOOTH_PX)
    return np.asarray(grey, dtype=np.float32)


def brightest(pairs: Sequence[tuple[Image, Image]]) -> NDArray[np.uint8]:
    """Each pixel's greatest grey value in any of the pictures, (h, w)."""
    greys = [cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) for pair in pairs for image in pair]
    return np.asarray(np.max(greys, axis=0), dtype=np.uint8)


def spots(told: Field, top: NDArray[np.uint8], origin: tuple[int, int], width: int) -> dict[int, Spot]:
    """The lights by position on the strip, from `differences` and what `brightest` says.

    `origin`: where their pixel (0, 0) is in the picture, `width` of the whole picture in pixels.
    """
    size = np.abs(told)
    weakest, strongest = size.min(axis=0), size.max(axis=0)
    read = (weakest >= LEAST_LEVELS) & (weakest >= LEAST_SHARE * strongest)
    words = np.zeros(read.shape, np.int32)
    for bit, digit in enumerate(told):
        words |= (digit > 0).astype(np.int32) << bit
    least = max(3.0, LEAST_PIXELS * (width / REFERENCE_WIDTH) ** 2)
    found: dict[int, Spot] = {}
    rows, columns = np.nonzero(read)
    there = words[rows, columns]
    order = np.argsort(there, kind="stable")
    numbers, starts = np.unique(there[order], return_index=True)
    for number, pixels in zip(numbers, np.split(order, starts[1:]), strict=True):
        position = position_of(int(number))
        if position is None:
            continue
        # Only the part of the picture in which the word was read at all.
        left, upper = int(columns[pixels].min()), int(rows[pixels].min())
        part = slice(upper, int(rows[pixels].max()) + 1), slice(left, int(columns[pixels].max()) + 1)
        mask = (read[part] & (words[part] == number)).astype(np.uint8)
        spot = _brightest(position, mask, weakest[part], (left + origin[0], upper + origin[1]), least)
        if spot is not None:
            x, y = round(spot.at[0] - origin[0]), round(spot.at[1] - origin[1])
            full = bool(top[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].max(initial=0) >= BURNT)
            found[position] = replace(spot, full=full)
    return found


def _brightest(
    position: int, mask: NDArray[np.uint8], weight: Field, origin: tuple[int, int], least: float
) -> Spot | None:
    """The brightest patch of a mask as a spot, None if all are too small; reflections may be larger, never brighter."""
    count, patches_of, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    labels = np.asarray(patches_of, dtype=np.int32)
    patches = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= least]
    if not patches:
        return None
    best = max(patches, key=lambda n: float((weight * (labels == n)).max()))
    part = weight * (labels == best)
    ys, xs = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    total = float(part.sum())
    at = (float((xs * part).sum()) / total + origin[0], float((ys * part).sum()) / total + origin[1])
    return Spot(position, at, float(part.max()))


def colours(
    shown: Mapping[str, Image], dark: Image, found: Mapping[int, Spot], reach_px: float
) -> dict[int, str]:
    """Which colours each light shows when red, green and blue are sent, as `rgb` or `grb`; doubtful ones left out.

    `shown`: the pictures with the whole strip in the colour sent, by its letter `r`, `g`, `b`.
    """
    told: dict[int, str] = {}
    for position, spot in found.items():
        gains = np.array(
            [_gain(shown[letter], dark, spot, reach_px) for letter in "rgb"]
        )  # sent × seen (r, g, b)
        if gains.max(initial=0.0) < LEAST_LEVELS or (gains.max(axis=1) <= 0).any():
            continue
        # A camera's white balance favours a colour whatever is sent: each seen colour is compared with itself.
        share = gains / np.maximum(gains.max(axis=0, keepdims=True), 1e-6)
        order = share.argmax(axis=1)
        if len(set(order.tolist())) == 3:
            told[position] = "".join("rgb"[n] for n in order)
    return told


def _gain(lit: Image, dark: Image, spot: Spot, reach_px: float) -> NDArray[np.float64]:
    """By how much red, green and blue grew around a spot, in levels."""
    x, y, reach = round(spot.at[0]), round(spot.at[1]), max(1, round(reach_px))
    rows, columns = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    grown = lit[rows, columns].astype(np.float64) - dark[rows, columns].astype(np.float64)
    return np.asarray(grown.reshape(-1, 3).mean(axis=0)[::-1], dtype=np.float64)
