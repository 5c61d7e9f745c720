"""How far rings have crept since the profile was written."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.sensing.place import BoardPrint

# Creep is told where it is this many sigma, and more than so much: less is measuring.
SIGMAS = 3.0
LEAST_DEG = 0.1
LEAST_MM = 0.2


@dataclass(frozen=True, slots=True)
class Creep:
    """A ring that has moved against ring 1: by `turn_deg` counter-clockwise and `shift_mm` (x, y)."""

    ring: int
    turn_deg: float
    shift_mm: tuple[float, float]

    @property
    def text(self) -> str:
        """In words."""
        way = "counter-clockwise" if self.turn_deg > 0 else "clockwise"
        return (
            f"ring {self.ring} has crept by {abs(self.turn_deg):.2f}° {way} and "
            f"{math.hypot(*self.shift_mm):.1f} mm since it was measured"
        )


def crept(before: BoardPrint, now: BoardPrint) -> tuple[Creep, ...]:
    """The rings that lie otherwise than before, for sure; those measured only once are left out."""
    known = {pose.ring: pose for pose in before.against_ring_one()}
    found = []
    for pose in now.against_ring_one():
        old = known.get(pose.ring)
        if old is None or pose.ring == 1:
            continue
        turn = pose.rotation_deg - old.rotation_deg
        shift = (pose.shift_mm[0] - old.shift_mm[0], pose.shift_mm[1] - old.shift_mm[1])
        turned = abs(turn) > max(LEAST_DEG, SIGMAS * math.hypot(pose.sigma_deg, old.sigma_deg))
        moved = math.hypot(*shift) > max(LEAST_MM, SIGMAS * math.hypot(pose.sigma_mm, old.sigma_mm))
        if turned or moved:
            found.append(Creep(pose.ring, turn, shift))
    return tuple(found)
