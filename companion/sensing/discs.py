"""White round things where no marker was read: a cap or a sticker whose print is smudged, glaring or gone.

With the camera's pose known, a cap and a sticker have a known size at every place. A place counts only if the
white ends all around at that distance from one middle; how white, is known from the whites of what was read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.colour import Cover, in_view, sampled, to_light
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Gray
from companion.sensing.print_model import Singles
from companion.sensing.reading import Point
from companion.sensing.region import Region

SEARCH_PX_PER_MM = 1.5
# Directions in which an edge is looked for.
ROUND = 48
# Of the directions in view so many must show the edge, and so many must be in view.
EDGE_SHARE = 0.8
LEAST_IN_VIEW = 0.5
# The edge may be this far (mm) from the circle, and the circle's radius this far from what it must be.
EDGE_MM = 0.7
RADIUS_MM = 0.9
# Light inside the edge against the white known there, and how much more it is than outside, in parts of white.
DIMMEST, BRIGHTEST = 0.45, 1.8
LEAST_STEP = 0.12
# White has no colour: channels differ by no more than this share.
COLOURLESS = 0.22
# How far a coloured disc's channels may be off against its strongest, and that one's logarithm.
HUE_SIGMA = 0.16
LEVEL_SIGMA = 0.5
# What is darker than this (of white) has no colour.
DARK = 0.02
# The first look: how much brighter than around (of white) a place must be, and how many are looked at closely.
FIRST_STEP = 0.1
MOST = 30


@dataclass(frozen=True, slots=True)
class Disc:
    """A white disc: its middle in the picture and in the world (mm, on the level it was taken to be at)."""

    centre_px: tuple[float, float]
    middle_mm: Point


@dataclass(frozen=True, eq=False, slots=True)
class Whites:
    """The light (n, 3) of white at places (n, 2) in the picture, from which it is guessed everywhere."""

    at_px: Floats
    light: Floats

    def near(self, x: float, y: float) -> Floats:
        """The light (3,) of white at a pixel: that of the nearest whites, weighted by nearness."""
        away = np.hypot(self.at_px[:, 0] - x, self.at_px[:, 1] - y) + 60.0
        weights = away**-2.0
        return np.asarray((weights[:, None] * self.light).sum(axis=0) / weights.sum(), dtype=np.float64)


def find_discs(
    image: Image,
    gray: Gray,
    region: Region,
    pose: CameraPose,
    radius_mm: float,
    level_mm: float,
    covers: Sequence[Cover],
    whites: Whites,
) -> list[Disc]:
    """White discs of a radius in a region of the picture, on about a level, and under none of the covers."""
    found: list[Disc] = []
    for x, y in _first_look(gray, region, pose, radius_mm, level_mm, whites):
        disc = disc_at(image, pose, (x, y), radius_mm, level_mm, covers, whites)
        if disc is None:
            continue
        if all(math.dist(disc.middle_mm, other.middle_mm) > radius_mm for other in found):
            found.append(disc)
    return found


def disc_at(
    image: Image,
    pose: CameraPose,
    at_px: tuple[float, float],
    radius_mm: float,
    level_mm: float,
    covers: Sequence[Cover],
    whites: Whites,
) -> Disc | None:
    """The white disc about a pixel, its middle to a quarter of a millimetre; None if none is there."""
    x, y, _ = (float(value) for value in pose.intersect(at_px, level_mm))
    edges = _Edges(image, pose, radius_mm, level_mm, covers)
    for _ in range(3):
        step = edges.step(x, y)
        if step is None:
            return None
        x, y = x + step[0], y + step[1]
        if math.hypot(*step) < 0.1:
            break
    u, v = (float(value) for value in pose.project((x, y, level_mm)))
    if not edges.is_disc(x, y, whites.near(u, v)):
        return None
    return Disc((u, v), (x, y, level_mm))


def alike(image: Image, region: Region, whites: Whites, bgr: Floats) -> Image:
    """A picture of the whole's size that is the whiter the more the region's colour is like a tint (3,) of white.

    Where it is as white as a disc all over, a disc of that colour lies. Elsewhere it is black.
    """
    crop = image[region.y0 : region.y1, region.x0 : region.x1]
    white = whites.near((region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2)
    tint = to_light(crop) / white.astype(np.float32) + np.float32(DARK)
    wanted = bgr.astype(np.float32) + np.float32(DARK)
    level = tint.max(axis=2)
    hue = tint / level[..., None] - wanted / wanted.max()
    lighter = np.log(level / wanted.max())
    like = np.exp(-((hue * hue).sum(axis=2) / (2 * HUE_SIGMA**2) + lighter * lighter / (2 * LEVEL_SIGMA**2)))
    picture = np.zeros_like(image)
    picture[region.y0 : region.y1, region.x0 : region.x1] = np.rint(255 * like ** (1 / 2.2))[..., None]
    return picture


class _Edges:
    """Edges from light to dark, looked for outwards from a middle."""

    def __init__(
        self, image: Image, pose: CameraPose, radius: float, level: float, covers: Sequence[Cover]
    ) -> None:
        self._image, self._pose, self._level, self._covers = image, pose, level, covers
        self._radius = radius
        angle = np.arange(ROUND) * (2 * math.pi / ROUND)
        self._directions = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        self._radii = np.arange(radius - 2.4, radius + 2.41, 0.3)

    def _look(self, x: float, y: float) -> tuple[Floats, NDArray[np.bool_]]:
        """Light (ROUND, radii, 3) around a middle, and which directions are in view."""
        points = self._directions[:, None] * self._radii[:, None] + np.array([x, y])
        level = np.full((*points.shape[:-1], 1), self._level)
        pixels = self._pose.project(np.concatenate([points, level], axis=-1))
        seen = in_view(pixels, self._pose, self._covers, 0.5).all(axis=1)
        return sampled(self._image, pixels), np.asarray(seen, dtype=np.bool_)

    def step(self, x: float, y: float) -> tuple[float, float] | None:
        """How far (mm) the middle of the edges is from a guess; None where there are not enough."""
        light, seen = self._look(x, y)
        at, clear = self._edges(light)
        good = clear & seen
        if good.sum() < ROUND // 3:
            return None
        design = np.column_stack([self._directions[good], np.ones(int(good.sum()))])
        weights = np.ones(len(design))
        solved = np.zeros(3)
        for _ in range(4):
            weighted = design * weights[:, None]
            normal = weighted.T @ design
            if abs(np.linalg.det(normal)) < 1e-6:
                return None
            solved = np.linalg.solve(normal, weighted.T @ (at[good] - self._radius))
            off = np.abs(at[good] - self._radius - design @ solved)
            weights = 1.0 / (1.0 + (off / 0.4) ** 2)
        return (float(solved[0]), float(solved[1]))

    def is_disc(self, x: float, y: float, white: Floats) -> bool:
        """Does white end all around this middle, at the right distance?"""
        light, seen = self._look(x, y)
        if seen.mean() < LEAST_IN_VIEW:
            return False
        light = light / white
        at, clear = self._edges(light)
        typical = float(np.median(at[seen]))
        on_edge = clear & (np.abs(at - typical) < EDGE_MM)
        if abs(typical - self._radius) > RADIUS_MM or on_edge[seen].mean() < EDGE_SHARE:
            return False
        inside = light[:, (self._radii > typical - 1.3) & (self._radii < typical - 0.4)].mean(axis=1)[seen]
        outside = light[:, (self._radii > typical + 0.6)].mean(axis=1)[seen]
        middle = np.median(inside, axis=0)
        level = float(middle.mean())
        if not DIMMEST < level < BRIGHTEST or np.ptp(middle) > COLOURLESS * level:
            return False
        return bool(np.median(inside.mean(axis=1) - outside.mean(axis=1)) > LEAST_STEP)

    def _edges(self, light: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Where (mm from the middle) light falls most in each direction, and whether it plainly does."""
        grey = light.mean(axis=2)
        fall = grey[:, :-2] - grey[:, 2:]
        steepest = fall.argmax(axis=1)
        rows = np.arange(len(fall))
        low, high = np.maximum(steepest - 1, 0), np.minimum(steepest + 1, fall.shape[1] - 1)
        top, before, after = fall[rows, steepest], fall[rows, low], fall[rows, high]
        bend = np.minimum(before - 2 * top + after, -1e-9)
        at = self._radii[1:-1][steepest] + np.clip(0.5 * (before - after) / bend, -1, 1) * 0.3
        return at, np.asarray(top > 0.25 * np.maximum(grey.max(axis=1), 1e-6), dtype=np.bool_)


def _first_look(
    gray: Gray, region: Region, pose: CameraPose, radius_mm: float, level_mm: float, whites: Whites
) -> list[tuple[float, float]]:
    """Pixels in a region around which it is brighter within a radius than beyond, the plainest first."""
    picture = region.crop(gray)
    if min(picture.shape) < 16:
        return []
    middle = ((region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2)
    scale = math.sqrt(abs(float(np.linalg.det(pose.px_per_mm(pose.intersect(middle, level_mm))))))
    shrink = min(1.0, SEARCH_PX_PER_MM / scale)
    small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32)
    fx, fy = picture.shape[1] / small.shape[1], picture.shape[0] / small.shape[0]
    inside, outside = _rings(radius_mm * scale / fx, scale / fx)
    border = cv2.BORDER_REPLICATE
    brighter = cv2.filter2D(small, cv2.CV_32F, inside - outside, borderType=border)
    bright = cv2.filter2D(small, cv2.CV_32F, inside, borderType=border)
    white = float(whites.near(*middle).mean() ** (1 / 2.2)) * 255.0
    apart = max(3, int(radius_mm * scale / fx) | 1)
    peak = (brighter >= cv2.dilate(brighter, np.ones((apart, apart), np.uint8))) & (
        brighter > FIRST_STEP * white
    )
    peak &= bright > 0.6 * white
    rows, columns = np.nonzero(peak)
    best = np.argsort(-brighter[rows, columns])[:MOST]
    return [
        (
            float((columns[n] + 0.5) * fx - 0.5 + region.x0),
            float((rows[n] + 0.5) * fy - 0.5 + region.y0),
        )
        for n in best
    ]


def _rings(radius: float, px_per_mm: float) -> tuple[Singles, Singles]:
    """Kernels that take the mean just within and just beyond a radius, in pixels."""
    reach = math.ceil(radius + 2.2 * px_per_mm)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(x, y)
    inside = ((away > radius - 1.4 * px_per_mm) & (away < radius - 0.2 * px_per_mm)).astype(np.float32)
    outside = ((away > radius + 0.5 * px_per_mm) & (away < radius + 2.0 * px_per_mm)).astype(np.float32)
    return inside / inside.sum(), outside / outside.sum()
