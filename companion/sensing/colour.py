"""The colours of pieces, measured against their own white: the cap of a miniature, the sticker of a token.

White lying right beside a colour, in the same light, makes the camera's white balance, the lamp and the shade of
a shelf drop out. Only what no known piece covers is looked at. Of a miniature near the board's middle nothing
but the cap is to be seen, and then nothing is said.

Light is taken as grey value to the power 2.2; a tint is light over that of white, (blue, green, red).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.reading import Point

GAMMA = 2.2
# Points of a miniature's base that must be in view, of about 280, before its colour is told.
FEWEST = 14
# Directions around a token of which its rim must be in view, of ROUND.
ROUND = 48
FEWEST_ROUND = 16
# Places from the sticker's edge outwards at which a rim is looked at.
RADII = 24
# Blur of a token's rim as it may be, in mm.
BLURS_MM = (0.15, 0.25, 0.35, 0.5, 0.7)
# A rim that fits no better than this (of white) is no rim.
WORST_FIT = 0.12
# What white differs by from white, for lack of a better one.
WHITE_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Cover:
    """Something round that hides what is behind it: its middle in the world and its radius, mm."""

    middle_mm: Point
    radius_mm: float


@dataclass(frozen=True, slots=True)
class Tint:
    """A colour against white: (blue, green, red), 1 for white; `sigma`: about how far off each may be."""

    bgr: tuple[float, float, float]
    sigma: float


@cache
def _light() -> NDArray[np.float32]:
    return np.asarray((np.arange(256) / 255.0) ** GAMMA, dtype=np.float32)


def to_light(picture: Image) -> NDArray[np.float32]:
    """A picture's light, of the same shape."""
    return _light()[picture]


def sampled(image: Image, pixels: Floats) -> Floats:
    """Light (..., 3) at pixels (..., 2) of a BGR picture."""
    flat = pixels.reshape(1, -1, 2).astype(np.float32)
    grey = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(_light()[grey], dtype=np.float64).reshape((*pixels.shape[:-1], 3))


def in_view(
    pixels: Floats, pose: CameraPose, covers: Sequence[Cover], spare_mm: float = 1.0
) -> NDArray[np.bool_]:
    """Which pixels (..., 2) lie in the picture and under none of the covers."""
    width, height = pose.camera.size
    x, y = pixels[..., 0], pixels[..., 1]
    seen = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    if not covers:
        return np.asarray(seen, dtype=np.bool_)
    # Each cover's middle and a point at its edge, along the picture's longer side.
    ends = np.array([[one.middle_mm, (one.middle_mm[0] + 10.0, *one.middle_mm[1:])] for one in covers])
    left, right, top, bottom = float(x.min()), float(x.max()), float(y.min()), float(y.max())
    for cover, (middle, beside) in zip(covers, pose.project(ends).tolist(), strict=True):
        reach = (cover.radius_mm + spare_mm) * math.dist(middle, beside) / 10.0
        if not (left - reach < middle[0] < right + reach and top - reach < middle[1] < bottom + reach):
            continue
        seen &= (x - middle[0]) ** 2 + (y - middle[1]) ** 2 > reach * reach
    return np.asarray(seen, dtype=np.bool_)


def beside(middle: Point, covers: Sequence[Cover], within_mm: float = 60.0) -> list[Cover]:
    """The covers near enough to a place to hide anything of it."""
    return [
        cover
        for cover in covers
        if 0.5 < math.hypot(cover.middle_mm[0] - middle[0], cover.middle_mm[1] - middle[1]) < within_mm
    ]


@cache
def _disc(radius: float, step: float = 0.75) -> Floats:
    axis = np.arange(-radius, radius + step / 2, step)
    x, y = np.meshgrid(axis, axis)
    inside = np.hypot(x, y) <= radius
    return np.stack([x[inside], y[inside]], axis=-1)


@cache
def _circles(radii: tuple[float, ...], count: int) -> Floats:
    """Points (count, len(radii), 2) on circles."""
    angle = np.arange(count) * (2 * math.pi / count)
    directions = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return np.asarray(directions[:, None] * np.array(radii)[:, None], dtype=np.float64)


def _around(middle: Point, offsets: Floats, lower: float = 0.0) -> Floats:
    """World points (..., 3) at offsets (..., 2) from a middle, on its level or so much lower."""
    level = np.full((*offsets.shape[:-1], 1), middle[2] - lower)
    return np.concatenate([offsets + np.array(middle[:2]), level], axis=-1)


def cap_white(image: Image, pose: CameraPose, cap: Point, table: Table) -> Floats | None:
    """Light (3,) of the white of a miniature's cap beside its marker; None in the dark.

    `cap`: the middle of the cap's upper side, in mm.
    """
    outer = table.mini_cap_mm / 2
    corner = table.mini_marker_mm / math.sqrt(2)
    rim = _circles((corner + 0.3 * (outer - corner), corner + 0.6 * (outer - corner)), 60)
    white = np.median(sampled(image, pose.project(_around(cap, rim))).reshape(-1, 3), axis=0)
    return white if white.min() > 0.002 else None


def body_tint(
    image: Image, pose: CameraPose, cap: Point, covers: Sequence[Cover], table: Table
) -> Tint | None:
    """The colour of a miniature's base against its cap; None if too little of the base is to be seen.

    `covers`: what may hide it, the caps of other miniatures above all.
    """
    white = cap_white(image, pose, cap, table)
    if white is None:
        return None
    # A leaning miniature's foot is not quite below its cap.
    base = _around(cap, _disc(table.mini_base_mm / 2 - 1.2), table.mini_height_mm - 2.0)
    pixels = pose.project(base)
    seen = in_view(pixels, pose, [Cover(cap, table.mini_cap_mm / 2), *beside(cap, covers)])
    if seen.sum() < FEWEST:
        return None
    light = sampled(image, pixels[seen]) / white
    middle = np.median(light, axis=0)
    # Neighbouring points share their noise; a few see a neighbour's colour.
    sigma = 0.003 + 1.5 * float(np.median(np.abs(light - middle))) / math.sqrt(seen.sum() / 6)
    return Tint((float(middle[0]), float(middle[1]), float(middle[2])), sigma)


def rim_tint(
    image: Image, pose: CameraPose, top: Point, covers: Sequence[Cover], table: Table
) -> Tint | None:
    """The colour of a token's rim against its sticker; None if no rim is to be seen there.

    The rim is half a millimetre wide: its colour is what is missing between a blurred sticker and a blurred ground.
    `top`: the middle of the token's upper side, in mm.
    """
    outer = table.token_diameter_mm / 2
    sticker = outer - 0.5
    inside = _circles(tuple(np.linspace(0.78, 0.92, 4) * sticker), ROUND)
    white = _brightest(sampled(image, pose.project(_around(top, inside))).reshape(-1, 3))
    if white.min() <= 0.002:
        return None
    first, last = sticker - 0.5, outer + 2.5
    # Along a few millimetres pixels lie evenly.
    ends = pose.project(_around(top, _circles((first, last), ROUND)))
    steps = np.linspace(0.0, 1.0, RADII)[:, None]
    pixels = ends[:, :1] * (1 - steps) + ends[:, 1:] * steps
    seen = in_view(pixels, pose, beside(top, covers)).all(axis=1)
    if seen.sum() < FEWEST_ROUND:
        return None
    profile = sampled(image, pixels[seen]).mean(axis=0) / white
    in_sticker, shapes, solvers = _rim_shapes(sticker, outer, first, last)
    rest = profile - in_sticker[:, :, None]
    found = solvers @ rest
    misses = ((shapes @ found - rest) ** 2).mean(axis=(1, 2))
    best = int(misses.argmin())
    miss = math.sqrt(float(misses[best]))
    if miss > WORST_FIT:
        return None
    blue, green, red = (float(value) for value in found[best, 0])
    return Tint((blue, green, red), 0.04 + miss)


def face_tint(image: Image, pose: CameraPose, top: Point, white: Floats, table: Table) -> Tint:
    """The colour of a token without its sticker against the white (3,) known there."""
    face = _around(top, _disc(table.token_diameter_mm / 2 - 1.5))
    light = sampled(image, pose.project(face)) / white
    middle = np.median(light, axis=0)
    return Tint((float(middle[0]), float(middle[1]), float(middle[2])), 0.05)


def _brightest(light: Floats) -> Floats:
    """The mean light (3,) of the brightest fifth."""
    brightest = np.argsort(light.sum(axis=-1))[math.ceil(WHITE_SHARE * (len(light) - 1)) :]
    return np.asarray(light[brightest].mean(axis=0), dtype=np.float64)


@cache
def _rim_shapes(sticker: float, outer: float, first: float, last: float) -> tuple[Floats, Floats, Floats]:
    """By blur, from the middle outwards: the sticker (b, RADII), rim and ground (b, RADII, 2), solvers (b, 2, RADII)."""
    radii = np.linspace(first, last, RADII)
    in_sticker = np.stack([_edge(radii, sticker, blur) for blur in BLURS_MM])
    in_token = np.stack([_edge(radii, outer, blur) for blur in BLURS_MM])
    columns = np.stack([in_token - in_sticker, 1 - in_token], axis=2)
    return in_sticker, columns, np.asarray(np.linalg.pinv(columns), dtype=np.float64)


def _edge(radii: Floats, at: float, blur: float) -> Floats:
    """1 inside, 0 outside of a circle, blurred."""
    scaled = (radii - at) / (blur * math.sqrt(2))
    return np.array([0.5 * math.erfc(value) for value in scaled])
