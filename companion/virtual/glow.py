"""Lights under the board as a camera sees them: a bright core where the light comes through, a halo in the cardboard."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.virtual.boxes import Box
from companion.virtual.layers import Look
from companion.virtual.optics import Optics
from companion.virtual.picture import Picture
from companion.virtual.textures import Image

Pixel = tuple[int, int, int]
Point = tuple[float, float, float]

# Widths (sigma) in mm of core and halo; what each adds to the picture at full brightness, in levels of 255.
CORE_MM, HALO_MM = 2.3, 7.5
CORE_LEVELS, HALO_LEVELS = 330.0, 42.0
REACH_MM = 18.0


class Glow:
    """The light of lamps at `places` (x, y, z) in mm, seen through one lens."""

    def __init__(self, optics: Optics, places: Sequence[Point]) -> None:
        self.optics = optics
        self._kernels = [_kernel(optics, place) for place in places]
        shown = [box for box, _ in self._kernels if box[0] < box[2] and box[1] < box[3]]
        self.box: Box = (
            min((box[0] for box in shown), default=0),
            min((box[1] for box in shown), default=0),
            max((box[2] for box in shown), default=0),
            max((box[3] for box in shown), default=0),
        )

    def veil(self, lights: Sequence[Pixel]) -> Image:
        """What these lights add in `box`: (h, w, 4) uint8, BGR and an opacity of 0."""
        left, top, right, bottom = self.box
        light = np.zeros((bottom - top, right - left, 3), np.float32)
        for (box, kernel), (red, green, blue) in zip(self._kernels, lights, strict=True):
            if red or green or blue:
                target = light[box[1] - top : box[3] - top, box[0] - left : box[2] - left]
                target += kernel[:, :, None] * (np.array([blue, green, red], np.float32) / 255)
        veil = np.zeros((*light.shape[:2], 4), np.uint8)
        veil[:, :, :3] = np.clip(light, 0, 255)
        return veil


def _kernel(optics: Optics, place: Point) -> tuple[Box, NDArray[np.float32]]:
    (u, v) = optics.project([place])[0]
    scale = optics.scale_at(place[2])
    reach = math.ceil(REACH_MM * scale)
    width, height = optics.size
    left, top = max(0, int(u) - reach), max(0, int(v) - reach)
    right, bottom = max(left, min(width, int(u) + reach + 1)), max(top, min(height, int(v) + reach + 1))
    ys, xs = np.mgrid[top:bottom, left:right].astype(np.float32)
    square = ((xs - np.float32(u)) ** 2 + (ys - np.float32(v)) ** 2) / np.float32(scale**2)
    core = np.float32(CORE_LEVELS) * np.exp(-square / np.float32(2 * CORE_MM**2))
    halo = np.float32(HALO_LEVELS) * np.exp(-square / np.float32(2 * HALO_MM**2))
    return (left, top, right, bottom), (core + halo).astype(np.float32)


class LitPicture(Picture):
    """A table of Above whose board is lit from below. `places`: where the lights are; `lights`: how they shine now."""

    def __init__(
        self,
        look: Look,
        table: Table,
        places: Callable[[], Sequence[Point]],
        lights: Callable[[], Sequence[Pixel]],
    ) -> None:
        super().__init__(look, table)
        self._places = places
        self._lights = lights
        self._glow: Glow | None = None
        self._at: tuple[Point, ...] = ()

    def _shining(self, optics: Optics) -> list[tuple[Box, Image]]:
        lights = self._lights()
        if not any(map(any, lights)):
            return []
        places = tuple(self._places())
        if self._glow is None or self._glow.optics is not optics or places != self._at:
            self._glow, self._at = Glow(optics, places), places
        return [(self._glow.box, self._glow.veil(lights))]
