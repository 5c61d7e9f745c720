"""All lines of a ring taken together: a pattern that shows plainly where hardly one of its lines does.

The contrast on all sixteen lines is summed for every turn and shift the ring may have. Where the true one stands
out clearly from all others, it is the ring's, even if blur, noise or glare leave no single line to be measured.
Measured on 888 rings that are hard to read: with a lead of 2.5 and more not one was wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.geometry import Floats
from companion.sensing.print_model import Singles
from companion.sensing.reading import RingPose
from companion.sensing.ring_lines import (
    OFF_MIDDLE_MM,
    LineKind,
    Range,
    fit_lines,
    goes_across,
    off_middle,
    stands_out,
)
from companion.sensing.ring_view import COARSE_STEP_MM, RingView

# Rows across the ring's width are looked at as one in so many groups.
GROUPS = 3
# A pattern is plain with this lead; lies further apart than this are not the same one.
PLAIN_LEAD = 2.5
SAME_MM = 3.0
# A finer look goes on from the best of a coarser one in these shares of its step.
FINER = (0.5, 0.25, 0.125)
# The lines of a plain pattern, as far as they can be made out, lie no further from it than this.
AGREE_DEG, AGREE_MM = 0.3, 0.7
REACHES_MM = (1.6, 1.2, 1.2)
# Measured on such rings: the pattern alone is right to this, the lines of one to this at best.
PATTERN_DEG, PATTERN_MM = 0.12, 0.25
LOOSE_DEG, LOOSE_MM = 0.05, 0.12


@dataclass(frozen=True, eq=False, slots=True)
class Pattern:
    """The likeliest estimate of a ring, and how far it leads before any other, in standard deviations of all."""

    estimate: Floats
    lead: float


def first_look(view: RingView, kind: LineKind, centre: Floats, search: Range) -> Pattern:
    """The estimate around `centre` under which most contrast lies on the lines, to about 0.2° and 0.3 mm."""
    edge = 20
    strip = view.strip(kind.channel)
    wrapped = np.concatenate([strip[:, -edge:], strip, strip[:, :edge]], axis=1)
    contrast = stands_out(wrapped, kind, COARSE_STEP_MM)
    contrast = np.asarray(cv2.GaussianBlur(contrast, (9, 1), 1.2), dtype=np.float32)[:, edge:-edge]
    groups = np.stack([rows.mean(axis=0) for rows in np.array_split(contrast, GROUPS)])
    radii = np.array([rows.mean() for rows in np.array_split(view.radii, GROUPS)])
    turns = np.radians(np.arange(-search.turn_deg, search.turn_deg + 0.01, search.turn_step_deg))
    steps = np.arange(-search.shift_mm, search.shift_mm + 0.01, search.shift_step_mm)
    grid = _grid(centre, turns, steps)
    totals = _totals(groups, radii, view.directions, grid)
    best = grid[int(totals.argmax())]
    apart = np.hypot((grid[:, 0] - best[0]) * view.radii.mean(), np.hypot(*(grid[:, 1:] - best[1:]).T))
    others = totals[apart > SAME_MM]
    spread = float(totals.std())
    lead = float(totals.max() - others.max()) / spread if len(others) and spread > 0 else 0.0
    nearby = np.arange(-1, 1.01, 1.0)
    for finer in FINER:
        grid = _grid(
            best,
            np.radians(nearby * finer * search.turn_step_deg),
            nearby * finer * search.shift_step_mm,
        )
        best = grid[int(_totals(groups, radii, view.directions, grid).argmax())]
    return Pattern(best, lead)


def _grid(centre: Floats, turns: Floats, steps: Floats) -> Floats:
    """Estimates (n, 3) around one: these turns (rad), and these steps (mm) in x and y."""
    axes = np.meshgrid(centre[0] + turns, centre[1] + steps, centre[2] + steps, indexing="ij")
    return np.stack([axis.ravel() for axis in axes], axis=1)


def _totals(contrast: Singles, radii: Floats, lines: Floats, grid: Floats) -> Singles:
    """How much contrast (n,) lies on the lines under each estimate of a grid (n, 3)."""
    turn, sx, sy = grid.T
    count = contrast.shape[1]
    directions = lines[:, None] + turn
    across = -sx * np.sin(directions) + sy * np.cos(directions)
    total = np.zeros(len(turn), np.float32)
    for row, radius in enumerate(radii):
        at = np.rint((directions + across / radius) * (count / (2 * math.pi))).astype(np.int64) % count
        total += contrast[row][at].sum(axis=0)
    return total


def measured_as_pattern(view: RingView, kind: LineKind, pattern: Pattern) -> RingPose | None:
    """A ring's lie from a plain pattern whose lines are too poor to be measured by themselves; None if it is not plain.

    Its sigma says that it is no more than that.
    """
    if pattern.lead < PLAIN_LEAD:
        return None
    fitted = fit_lines(view, kind, pattern.estimate, REACHES_MM)
    if fitted is not None and agree(fitted[0], pattern.estimate) and goes_across(view, fitted[0], kind):
        estimate, step, covariance = fitted
        sigma_turn = math.hypot(math.sqrt(covariance[0, 0]), step[0], math.radians(LOOSE_DEG))
        sigma_shift = math.hypot(
            math.sqrt((covariance[1, 1] + covariance[2, 2]) / 2), float(np.hypot(*step[1:])) / 1.4, LOOSE_MM
        )
    elif goes_across(view, pattern.estimate, kind):
        estimate, sigma_turn, sigma_shift = pattern.estimate, math.radians(PATTERN_DEG), PATTERN_MM
    else:
        return None
    # The seam beside a line is a pattern, too.
    if abs(off_middle(view, estimate, kind)) > OFF_MIDDLE_MM:
        return None
    return RingPose(
        view.ring,
        math.degrees(estimate[0]),
        (float(estimate[1]), float(estimate[2])),
        math.degrees(sigma_turn),
        sigma_shift,
    )


def agree(one: Floats, other: Floats) -> bool:
    """Are two estimates of one ring the same within what lines and pattern differ by?"""
    return bool(
        abs(math.degrees(one[0] - other[0])) <= AGREE_DEG and math.hypot(*(one[1:] - other[1:])) <= AGREE_MM
    )


def same_place(one: Floats, other: Floats, view: RingView) -> bool:
    """Do two estimates mean the same lines, if not the same place on them?"""
    return math.hypot((one[0] - other[0]) * float(view.radii.mean()), *(one[1:] - other[1:])) <= SAME_MM
