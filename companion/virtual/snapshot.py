"""A moment of the simulated table: how the rings lie, where the hands are, everything a picture shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from companion.virtual.faults import Fault
from companion.virtual.optics import Optics
from companion.virtual.piece import Piece


@dataclass(frozen=True, slots=True)
class Ring:
    """How a ring really lies: turned counter-clockwise (degrees) and shifted (mm) against the frame."""

    rotation_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the undisturbed board lies."""
        c, s = math.cos(math.radians(self.rotation_deg)), math.sin(math.radians(self.rotation_deg))
        return (c * x - s * y + self.shift_mm[0], s * x + c * y + self.shift_mm[1])

    def to_print(self, x: float, y: float) -> tuple[float, float]:
        """Which point of the undisturbed board lies at (x, y)."""
        c, s = math.cos(math.radians(self.rotation_deg)), math.sin(math.radians(self.rotation_deg))
        x, y = x - self.shift_mm[0], y - self.shift_mm[1]
        return (c * x + s * y, -s * x + c * y)


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand over the table: finger tips and elbow (x, y, z) in mm; `look` chooses skin and sleeve."""

    tip: tuple[float, float, float]
    elbow: tuple[float, float, float]
    look: int = 0
    right: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a picture shows, at one moment. `rings[r - 1]` is ring r; the summit disc is the last."""

    pieces: Mapping[str, Piece]
    rings: tuple[Ring, ...]
    hands: tuple[HandPose, ...]
    optics: Optics
    faults: frozenset[Fault]
