"""Was a sheet printed at its size? Markers whose distance is known show how large they really are.

The frame markers lie where a tape measure put them; their sides are as the printer made them. Seen together they
tell the printer's scale, whatever the camera's height.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from calibration.gate import Finding, held
from companion.games.above.box import Table
from companion.sensing.edges import sharpened
from companion.sensing.geometry import Camera, Floats
from companion.sensing.markers import Gray, Marker
from companion.sensing.registration import marker_square, solve_pose

# A print off by more than this is warned of, with the factor.
MOST_OFF = 0.02
WIDEST_OFF = 0.3


@dataclass(frozen=True, slots=True)
class PrintScale:
    """How large markers are printed: `factor` times their size, told by the markers `ids`."""

    factor: float
    ids: tuple[int, ...]


def print_scale(gray: Gray, markers: Iterable[Marker], lens: Camera, table: Table) -> PrintScale | None:
    """The printer's scale from two or more frame markers in one picture; None where fewer are seen."""
    centres = {marker: (x, y) for marker, x, y in table.frame_centres_mm}
    seen = [marker for marker in markers if marker.id in centres]
    ids = [marker.id for marker in seen]
    seen = [marker for marker in seen if ids.count(marker.id) == 1]
    if len(seen) < 2:
        return None
    corners = {marker.id: sharpened(gray, marker.corners) for marker in seen}

    def miss(factor: float) -> float:
        """How badly markers of this size explain the picture, in square pixels."""
        side = table.frame_marker_mm * factor
        world = np.concatenate([marker_square(*centres[marker], side) for marker in corners])
        pixels: Floats = np.concatenate(list(corners.values()))
        pose = solve_pose(world, pixels, lens)
        return float("inf") if pose is None else float(((pose.project(world) - pixels) ** 2).sum())

    factor = _lowest(miss, 1 - WIDEST_OFF, 1 + WIDEST_OFF)
    return None if factor is None else PrintScale(factor, tuple(sorted(corners)))


def _lowest(miss: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a function is lowest: on a grid, then on ever finer ones, then on a parabola."""
    step = (high - low) / 24
    best = min(np.arange(low, high + step / 2, step), key=miss)
    for _ in range(4):
        best = min((best + step * n / 3 for n in range(-3, 4)), key=miss)
        step /= 3
    left, middle, right = miss(best - step), miss(best), miss(best + step)
    bend = left - 2 * middle + right
    if not np.isfinite(bend) or bend <= 0:
        return None
    return float(best + np.clip(0.5 * (left - right) / bend, -1, 1) * step)


def judge_scale(scale: PrintScale, table: Table) -> Finding:
    """The printer's scale as a finding: more than 2 % off is warned of, with the factor."""
    size = table.frame_marker_mm * scale.factor
    return held(
        f"scale of the printed markers {', '.join(map(str, scale.ids))}",
        f"{100 * scale.factor:.1f} %",
        f"100 % ± {100 * MOST_OFF:g} %",
        good=abs(scale.factor - 1) <= MOST_OFF,
        bearable=True,
        advice=f"the printer scaled the sheet by a factor of {scale.factor:.3f} (markers of {size:.1f} mm, not "
        f"{table.frame_marker_mm:g} mm): print again at 100 %, without fitting to the page. If the sheet's ruler "
        "is right, the markers do not lie at their distances: measure these",
    )
