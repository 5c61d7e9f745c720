"""Where the board's grid lies in a camera picture, told by the pieces that were read in it.

A reading knows of each piece where it is on the table and where in the picture: enough of them give the projection
(direct linear transform: Hartley and Zisserman, Multiple View Geometry, 2nd edition, 7.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import Board
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting

Floats = NDArray[np.float64]

# The projection has eleven unknowns, and each piece gives two equations; fewer are no better than a plane.
_ENOUGH = 10
# Pieces that span less than this (mm, singular value of their places) tell nothing of what is beside them.
_SPAN_MM = 50.0
_SPAN_Z_MM = 12.0
# So well the pieces must lie on it, in px of the picture that was read.
_FITS_PX = 4.0
_STEPS = 72


class Projection:
    """From the table (mm) to the picture (px), by what lies there. `of` gives None where too little was read."""

    def __init__(self, matrix: Floats) -> None:
        self._matrix = matrix

    @classmethod
    def of(cls, reading: Reading) -> Projection | None:
        """The projection that brings all pieces of a reading to where they were seen."""
        pairs = list(_pairs(reading))
        if len(pairs) < 4:
            return None
        world = np.array([xyz for xyz, _ in pairs], dtype=np.float64)
        seen = np.array([px for _, px in pairs], dtype=np.float64)
        spread = np.linalg.svd(world - world.mean(axis=0), compute_uv=False)
        if spread[1] < _SPAN_MM:
            return None
        if len(pairs) >= _ENOUGH and spread[2] > _SPAN_Z_MM:
            found = cls(_solve(world, seen))
            if float(np.median(np.hypot(*(found.at(world) - seen).T))) < _FITS_PX:
                return found
        return cls._of_plane(world, seen)

    @classmethod
    def _of_plane(cls, world: Floats, seen: Floats) -> Projection | None:
        low = world[:, 2] < 25.0
        if (
            low.sum() < 4
            or np.linalg.svd(world[low] - world[low].mean(axis=0), compute_uv=False)[1] < _SPAN_MM
        ):
            return None
        found, _ = cv2.findHomography(world[low, :2], seen[low])
        if found is None:
            return None
        matrix = np.insert(np.asarray(found, dtype=np.float64), 2, 0.0, axis=1)
        return cls(matrix)

    def at(self, points_mm: Floats) -> Floats:
        """Points (n, 3) of the table in the picture, (n, 2); what lies behind the camera is nan."""
        spread = np.column_stack([points_mm, np.ones(len(points_mm))]) @ self._matrix.T
        depth = spread[:, 2:]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(
                np.where(depth * np.sign(self._matrix[2, 3]) > 1e-9, spread[:, :2] / depth, np.nan)
            )


def grid_lines(reading: Reading, board: Board) -> Iterator[Floats]:
    """The edges of rings and spaces as measured, line by line, (n, 3) in mm; undisturbed where nothing was measured."""
    poses = {pose.ring: pose for pose in reading.rings}
    for ring in range(1, board.rings + 1):
        pose = poses.get(ring)
        turn, shift = (0.0, (0.0, 0.0)) if pose is None else (pose.rotation_deg, pose.shift_mm)
        inner, outer = board.ring_radii(ring)
        height = board.ring_z(ring)

        def line(
            radii: Sequence[float],
            degrees: Sequence[float],
            turn: float = turn,
            shift: tuple[float, float] = shift,
            height: float = height,
        ) -> Floats:
            angles = np.radians(np.asarray(degrees) + turn)
            radius = np.asarray(radii)
            return np.column_stack(
                [
                    radius * np.cos(angles) + shift[0],
                    radius * np.sin(angles) + shift[1],
                    np.full(len(angles), height),
                ]
            )

        yield line([outer] * (_STEPS + 1), [360.0 * step / _STEPS for step in range(_STEPS + 1)])
        for column in range(board.columns):
            side = board.column_angle(column) + 180.0 / board.columns
            yield line([inner, outer], [side, side])


def space_mm(space: str, reading: Reading, board: Board) -> tuple[float, float, float]:
    """The middle of a space as its ring was measured to lie, in mm."""
    x, y, z = board.space_centre(space)
    pose = next((each for each in reading.rings if space != "top" and each.ring == int(space[1:])), None)
    if pose is None:
        return (x, y, z)
    c, s = math.cos(math.radians(pose.rotation_deg)), math.sin(math.radians(pose.rotation_deg))
    return (c * x - s * y + pose.shift_mm[0], s * x + c * y + pose.shift_mm[1], z)


def _pairs(reading: Reading) -> Iterator[tuple[tuple[float, float, float], tuple[float, float]]]:
    pieces: tuple[MiniSighting | TokenSighting | CardSighting, ...] = (
        *reading.minis,
        *reading.cards,
        *reading.tokens,
    )
    for piece in pieces:
        if len(piece.corners_px) == 4:
            u, v = np.mean(piece.corners_px, axis=0)
            yield piece.xyz_mm, (float(u), float(v))


def _solve(world: Floats, seen: Floats) -> Floats:
    """The 3 × 4 matrix of least algebraic error, points normalised before (Hartley)."""
    to_world, points = _normalised(world)
    to_picture, spots = _normalised(seen)
    rows = []
    for point, (u, v) in zip(points, spots, strict=True):
        x = [*point, 1.0]
        rows.append([*x, 0, 0, 0, 0, *(-u * each for each in x)])
        rows.append([0, 0, 0, 0, *x, *(-v * each for each in x)])
    matrix = np.linalg.svd(np.array(rows), full_matrices=False)[2][-1].reshape(3, 4)
    found = np.linalg.inv(to_picture) @ matrix @ to_world
    return np.asarray(found / np.linalg.norm(found[2, :3]), dtype=np.float64)


def _normalised(points: Floats) -> tuple[Floats, Floats]:
    """The similarity that brings points about the origin with mean distance 1, as a matrix, and what it makes of them."""
    middle = points.mean(axis=0)
    scale = 1.0 / max(float(np.linalg.norm(points - middle, axis=1).mean()), 1e-9)
    size = points.shape[1]
    matrix = np.eye(size + 1)
    matrix[:size, :size] *= scale
    matrix[:size, size] = -scale * middle
    return matrix, (points - middle) * scale
