"""The camera as glass: intrinsics, pose, projection of points and the ray behind every pixel."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.virtual.boxes import Box

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Optics:
    """A pinhole with radial distortion above the table. Pose as in OpenCV (world → camera)."""

    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats
    size: tuple[int, int] = (2304, 1296)

    @property
    def centre_mm(self) -> Floats:
        """Where the lens is, world millimetres, shape (3,)."""
        centre: Floats = -self.rotation.T @ self.translation
        return centre

    def project(self, points_mm: Sequence[Sequence[float]] | Floats) -> Floats:
        """Picture coordinates (n, 2) of world points (n, 3); (0, 0) is the centre of the top left pixel."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        rvec, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(points, rvec, self.translation, self.matrix, self.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def scale_at(self, z_mm: float) -> float:
        """Pixels per millimetre straight below the lens at height `z_mm`."""
        return float(self.matrix[0, 0] / (self.centre_mm[2] - z_mm))

    def ray_slopes(self, box: Box) -> NDArray[np.float32]:
        """World direction of the ray of every pixel in a box as (dx/dz, dy/dz), shape (h, w, 2)."""
        left, top, right, bottom = box
        fx, fy = self.matrix[0, 0], self.matrix[1, 1]
        cx, cy = self.matrix[0, 2], self.matrix[1, 2]
        grid_x, grid_y = np.meshgrid(
            (np.arange(left, right, dtype=np.float32) - np.float32(cx)) / np.float32(fx),
            (np.arange(top, bottom, dtype=np.float32) - np.float32(cy)) / np.float32(fy),
        )
        # Radial terms only, undone by fixed-point iteration; three rounds are exact to 1e-6 here.
        k1, k2 = np.float32(self.distortion[0]), np.float32(self.distortion[1])
        x, y = grid_x, grid_y
        for _ in range(3):
            square = x * x + y * y
            stretch = 1 + square * (k1 + square * k2)
            x, y = grid_x / stretch, grid_y / stretch
        turn = self.rotation.astype(np.float32)
        depth = turn[0, 2] * x + turn[1, 2] * y + turn[2, 2]
        across = turn[0, 0] * x + turn[1, 0] * y + turn[2, 0]
        along = turn[0, 1] * x + turn[1, 1] * y + turn[2, 1]
        return np.stack([across / depth, along / depth], axis=-1)


def mount(
    rng: random.Random,
    table: Table | None = None,
    tilt_deg: float = 5.0,
    size: tuple[int, int] = (2304, 1296),
) -> Optics:
    """A camera as people mount it: about 620 mm up, tilted by up to `tilt_deg`, all corners in view."""
    table = table or Table()
    unit = size[0] / 2304
    corners = []
    half = table.frame_marker_mm / 2 + 5
    for _, x, y in table.frame_centres_mm:
        corners += [(x + dx, y + dy, 0.0) for dx in (-half, half) for dy in (-half, half)]
    while True:
        matrix = np.array(
            [
                [1774.0 * unit, 0, (1151.5 + rng.uniform(-9, 9)) * unit],
                [0, 1774.0 * unit, (647.5 + rng.uniform(-7, 7)) * unit],
                [0, 0, 1],
            ]
        )
        distortion = np.array([-0.045, 0.0, 0.0, 0.0, 0.0])
        lean, towards = math.radians(rng.uniform(0.3, tilt_deg)), rng.uniform(0, math.tau)
        roll = math.radians(rng.uniform(-2.2, 2.2))
        tip, _ = cv2.Rodrigues(np.array([lean * math.cos(towards), lean * math.sin(towards), 0.0]))
        spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, roll]))
        rotation = np.asarray(tip @ spin @ np.diag([1.0, -1.0, -1.0]), dtype=np.float64)
        axis = rotation[2]
        height = rng.uniform(612, 630)
        aim = np.array([rng.uniform(-9, 9), rng.uniform(-7, 7), 0.0])
        centre = aim + axis * (height / axis[2])
        optics = Optics(matrix, distortion, rotation, -rotation @ centre, size)
        pixels = optics.project(corners)
        if pixels.min() > 4 * unit and (pixels < np.array(size) - 1 - 4 * unit).all():
            return optics


def bumped(optics: Optics, shift_mm: tuple[float, float], turn_deg: float) -> Optics:
    """The same camera after somebody knocked against its arm."""
    spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(turn_deg)]))
    rotation = np.asarray(spin @ optics.rotation, dtype=np.float64)
    centre = optics.centre_mm + np.array([shift_mm[0], shift_mm[1], 0.0])
    return Optics(optics.matrix, optics.distortion, rotation, -rotation @ centre, optics.size)
