"""Markers spoiled in a picture: smudged by a thumb, lost, glaring, or the whole sticker gone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import TOKEN_COLOURS
from companion.sensing.frames import Image

Corners = NDArray[np.float64]
GREY = (96, 104, 112)


def _middle(corners: Corners) -> tuple[tuple[int, int], float]:
    x, y = corners.mean(axis=0)
    side = float(np.linalg.norm(corners[0] - corners[1]))
    return (round(float(x)), round(float(y))), side


def _around(image: Image, corners: Corners, how: Callable[[Image, Corners], Image]) -> Image:
    """The picture with `how` done to what is around a marker: farther away nothing changes."""
    (u, v), side = _middle(corners)
    reach = int(2 * side) + 8
    x, y = max(0, u - reach), max(0, v - reach)
    out = image.copy()
    out[y : v + reach, x : u + reach] = how(image[y : v + reach, x : u + reach], corners - (x, y))
    return out


def _mixed(image: Image, share: NDArray[np.float32], colour: NDArray[np.float64]) -> Image:
    return np.clip(image * (1 - share[..., None]) + colour * share[..., None], 0, 255).astype(np.uint8)


def smudged(image: Image, corners: Corners) -> Image:
    """Something brownish grey rubbed over the print; the white around it stays."""
    return _around(image, corners, _smudged)


def _smudged(image: Image, corners: Corners) -> Image:
    middle, side = _middle(corners)
    share = np.zeros(image.shape[:2], np.float32)
    cv2.circle(share, middle, int(side * 0.62), 0.9, -1)
    share = np.asarray(cv2.GaussianBlur(share, (0, 0), side * 0.08), dtype=np.float32)
    light = 0.5 + float(image[middle[1], middle[0]].mean()) / 240
    return _mixed(image, share, np.array(GREY) * light)


def blank(image: Image, corners: Corners) -> Image:
    """The print is gone; its white paper is there."""
    centre = corners.mean(axis=0)
    sides = (corners + np.roll(corners, -1, axis=0)) / 2
    margin = np.round(centre + (sides - centre) * 1.12).astype(int)
    white = np.median([image[y, x] for x, y in margin], axis=0)
    out = image.copy()
    outline = np.round(centre + (corners - centre) * 1.06).astype(np.int32)
    cv2.fillConvexPoly(out, outline, tuple(float(value) for value in white))
    return out


def glaring(image: Image, corners: Corners) -> Image:
    """A small lamp mirrors in the print and burns it out."""
    return _around(image, corners, _glaring)


def _glaring(image: Image, corners: Corners) -> Image:
    middle, side = _middle(corners)
    share = np.zeros(image.shape[:2], np.float32)
    cv2.circle(share, middle, int(side * 0.45), 1.0, -1)
    share = np.asarray(cv2.GaussianBlur(share, (0, 0), side * 0.18), dtype=np.float32)
    return np.clip(image * (1 - 0.3 * share[..., None]) + 300 * share[..., None], 0, 255).astype(np.uint8)


def bare(image: Image, corners: Corners, token: str) -> Image:
    """A token whose sticker came off: all of it has its colour. The marker is 10 wide, the token ⌀ 16."""
    return _around(image, corners, partial(_bare, token=token))


def _bare(image: Image, corners: Corners, token: str) -> Image:
    _, side = _middle(corners)
    share = np.zeros(image.shape[:2], np.float32)
    x, y = corners.mean(axis=0)
    cv2.circle(share, (round(x * 16), round(y * 16)), round(side * 0.79 * 16), 1.0, -1, cv2.LINE_AA, 4)
    share = np.asarray(cv2.GaussianBlur(share, (0, 0), 0.7), dtype=np.float32)
    centre = corners.mean(axis=0)
    sides = (corners + np.roll(corners, -1, axis=0)) / 2
    margin = np.round(centre + (sides - centre) * 1.12).astype(int)
    white = np.median([image[y, x] for x, y in margin], axis=0) / 255.0
    print_ = (np.array(TOKEN_COLOURS[token][::-1]) / 255.0) ** 2.2 * 0.85 + 0.02
    return _mixed(image, share, 255.0 * (print_ * white**2.2) ** (1 / 2.2))


SPOILT: dict[str, Callable[[Image, Corners], Image]] = {
    "smudged": smudged,
    "blank": blank,
    "glaring": glaring,
}
