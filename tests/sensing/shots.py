"""Rendered tables with the exact truth of every print: the same table through any camera, in any light.

The picture comes noise-free from the simulated table; `Exposure` then does with it, in linear light, what lens,
hand, lamp and sensor do: focus, shake, glare, too little light, photon and read-out noise, tone curve, bytes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.virtual.layers import Look
from companion.virtual.layout import lay_out
from companion.virtual.optics import Optics, mount
from companion.virtual.picture import Picture
from companion.virtual.scene import Scene
from companion.virtual.textures import TABLES

Floats = NDArray[np.float64]
Light = NDArray[np.float32]

GAMMA = 2.2
# Eight miniatures, tokens of all kinds on and beside the board, sixteen cards: 48 prints and four of the frame.
POSITION = (
    "ze=a1,he=c2,ar=e3,at=g4,ha=i5,de=k6,po=m2,ap=o1 "
    "thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at/ze.ha.de.po.ap 0 2"
)


@dataclass(frozen=True, slots=True)
class Exposure:
    """How a picture was taken. Lengths in pixels, light as a share of white.

    `focus_px`: blur sigma; `shake_px`: how far the camera moved meanwhile, towards `shake_deg`. `photons`: how many
    white is worth, `read`: noise of reading out. `level`: how much of the light there is. `glare`: so many mirror
    images of a lamp, spread at random; `glare_px`: their radius.
    """

    focus_px: float = 0.5
    shake_px: float = 0.0
    shake_deg: float = 0.0
    photons: float = 4000.0
    read: float = 0.002
    level: float = 1.0
    glare: int = 0
    glare_px: float = 30.0

    def develop(self, light: Light, rng: np.random.Generator) -> Image:
        """The picture (h, w, 3) uint8 of a scene given as light (h, w, 3), 1 for white."""
        blurred = cv2.GaussianBlur(light, (0, 0), self.focus_px)
        if self.shake_px:
            blurred = cv2.filter2D(blurred, -1, _streak(self.shake_px, self.shake_deg))
        shown: Light = (np.asarray(blurred) * self.level).astype(np.float32)
        height, width = shown.shape[:2]
        for _ in range(self.glare):
            _burn(shown, rng.uniform(0, width), rng.uniform(0, height), self.glare_px * rng.uniform(0.6, 1.4))
        spread = np.sqrt(np.maximum(shown, 0) / np.float32(self.photons) + np.float32(self.read**2))
        shown += spread * rng.standard_normal(shown.shape, dtype=np.float32)
        return np.asarray(np.clip(shown, 0, 1) ** np.float32(1 / GAMMA) * 255 + 0.5, dtype=np.uint8)


def _streak(length: float, towards_deg: float) -> Light:
    """The path of a point while the camera shakes, as a filter."""
    fine, half = 8, math.ceil(length / 2) + 1
    size = (2 * half + 1) * fine
    middle, reach = (size - 1) / 2, length * fine / 2
    dx, dy = reach * math.cos(math.radians(towards_deg)), reach * math.sin(math.radians(towards_deg))
    path = np.zeros((size, size), np.float32)
    ends = [(round(middle + s * dx), round(middle + s * dy)) for s in (-1, 1)]
    cv2.line(path, ends[0], ends[1], 1.0, fine // 2)
    small = cv2.resize(path, (2 * half + 1, 2 * half + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), dtype=np.float32)


def _burn(light: Light, x: float, y: float, radius: float) -> None:
    """A lamp mirrored at a pixel: burnt out within `radius`, with a halo three times as wide."""
    reach = int(3 * radius)
    x0, y0 = max(0, int(x) - reach), max(0, int(y) - reach)
    x1, y1 = min(light.shape[1], int(x) + reach), min(light.shape[0], int(y) + reach)
    ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    away = np.hypot(xs - np.float32(x), ys - np.float32(y)) / np.float32(radius)
    light[y0:y1, x0:x1] += (1.6 * np.exp(-((away / 1.2) ** 4)) + 0.35 * np.exp(-((away / 1.3) ** 2)))[
        ..., None
    ]


@dataclass(frozen=True, eq=False, slots=True)
class Print:
    """One print of the truth: its id and corners (4, 2) px. `clear`: all of it is in the picture and uncovered."""

    id: int
    corners: Floats
    clear: bool

    @property
    def centre(self) -> tuple[float, float]:
        """Mean of the corners."""
        x, y = self.corners.mean(axis=0)
        return (float(x), float(y))

    @property
    def side_px(self) -> float:
        """Mean length of the sides."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).mean())


@dataclass(frozen=True, eq=False, slots=True)
class Shot:
    """A table as one camera sees it: its `light`, the prints on it (the frame's not among them), the camera."""

    light: Light
    prints: tuple[Print, ...]
    pose: CameraPose
    size: tuple[int, int] = field(default=(2304, 1296))

    def taken(self, exposure: Exposure, seed: int) -> Image:
        """A picture of it."""
        return exposure.develop(self.light, np.random.default_rng(seed))


def camera_of(optics: Optics) -> Camera:
    """A simulated lens as sight takes it."""
    k = optics.matrix
    return Camera(
        float(k[0, 0]),
        float(k[1, 1]),
        float(k[0, 2]),
        float(k[1, 2]),
        tuple(float(c) for c in optics.distortion),
        optics.size,
    )


def pose_of(optics: Optics) -> CameraPose:
    """A simulated camera's true pose as sight takes it."""
    return CameraPose(camera_of(optics), optics.rotation, np.asarray(optics.translation, dtype=np.float64))


def viewpoint(plain: Optics, away: float = 1.0, tilt_deg: float = 0.0, towards_deg: float = 0.0) -> Optics:
    """The camera `away` times as far, and tilted: it looks at the table's middle from the side.

    Tilted, it goes back until all four frame markers are in the picture.
    """
    table = Table()
    half = table.frame_marker_mm / 2 + 6
    corners = [
        (x + dx, y + dy, 0.0)
        for _, x, y in table.frame_centres_mm
        for dx in (-half, half)
        for dy in (-half, half)
    ]
    tilt, towards = math.radians(tilt_deg), math.radians(towards_deg)
    axis = np.array([math.sin(tilt) * math.cos(towards), math.sin(tilt) * math.sin(towards), math.cos(tilt)])
    tip = np.asarray(
        cv2.Rodrigues(np.array([-math.sin(towards), math.cos(towards), 0.0]) * tilt)[0], dtype=np.float64
    )
    rotation = plain.rotation @ tip.T
    distance = float(plain.centre_mm[2]) * away
    while True:
        optics = Optics(plain.matrix, plain.distortion, rotation, -rotation @ (axis * distance), plain.size)
        pixels = optics.project(corners)
        if pixels.min() > 3 and (pixels < np.array(plain.size) - 4).all():
            return optics
        distance *= 1.02


class RenderedAbove:
    """A table of Above with all its pieces, laid out by chance."""

    def __init__(self, seed: int, position: str = POSITION) -> None:
        rng = random.Random(seed)
        self.table = Table()
        # Seen from nearly straight above, and so that everything is in the picture.
        self.scene = Scene(rng, self.table, mount(rng, self.table))
        self.plain = self.scene.optics
        lay_out(self.scene, position)
        look = Look(
            table=TABLES[seed % len(TABLES)],
            seed=seed,
            defocus_px=0.5,
            noise=0.0,
            falloff=rng.uniform(0.15, 0.4),
            gamma=GAMMA,
        )
        self._picture = Picture(look, self.table)

    def clear_away(self) -> None:
        """All pieces off the table."""
        for piece in self.scene.pieces():
            self.scene.put(piece.name, piece.pose.__class__(0.0, 0.0, 900.0), held=True)

    def shot(self, optics: Optics | None = None) -> Shot:
        """The table through a camera; the one it was laid out under if none is given."""
        self.scene.optics = optics or self.plain
        drawn = self._picture.draw(self.scene.snapshot())
        curve = np.asarray((np.arange(256) / 255.0) ** GAMMA, dtype=np.float32)
        light = np.asarray(cv2.LUT(drawn, curve), dtype=np.float32)
        return Shot(light, tuple(self._prints()), pose_of(self.scene.optics), self.scene.optics.size)

    def _prints(self) -> Iterable[Print]:
        optics, table = self.scene.optics, self.table
        lying = [piece for piece in self.scene.pieces() if not piece.held]
        around = np.linspace(0, math.tau, 25)[:-1]
        circle = np.stack([np.cos(around), np.sin(around), np.zeros(24)], axis=1)
        covers: dict[str, NDArray[np.float32]] = {}
        for piece in lying:
            if piece.kind == "mini":
                foot = circle * (table.mini_base_mm / 2)
                cap = circle * (table.mini_cap_mm / 2) + (0, 0, table.mini_height_mm)
                local = np.concatenate([foot, cap]) @ piece.pose.frame().T
                outline = optics.project(local + np.array([piece.pose.x, piece.pose.y, piece.pose.z]))
                hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
                covers[piece.name] = np.asarray(hull, dtype=np.float32)
        for piece in lying:
            corners = optics.project(piece.marker_corners(table))
            middle = corners.mean(axis=0)
            # With the white around it.
            wide = (middle + (corners - middle) * 9 / 7).astype(np.float32)
            inside = wide.min() > 0 and bool((wide < np.array(optics.size) - 1).all())
            covered = any(
                cv2.intersectConvexConvex(wide, hull)[0] > 0.0
                for name, hull in covers.items()
                if name != piece.name
            )
            yield Print(piece.marker, corners, inside and not covered)


@cache
def rendered_above(seed: int) -> RenderedAbove:
    """A table, made once."""
    return RenderedAbove(seed)
