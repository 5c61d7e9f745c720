"""The radial lines printed between the spaces of a ring: where they are seen, and what lie of the ring they tell.

Sixteen lines a ring, each seen over the ring's width. A line's distance from where an undisturbed print would
have it tells ρ·turn + shift across the line; sixteen directions give turn and shift by least squares, and what
the lines disagree by gives the uncertainty. Lines under pieces, hands or glare drop out.

An estimate is (turn, shift x, shift y) in radians and mm, of a ring's print in the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.sensing.geometry import Floats
from companion.sensing.print_model import Singles
from companion.sensing.reading import RingPose
from companion.sensing.ring_view import RingView, cuts_of

# Rows across the ring's width for a glance.
FEW_ROWS = 5
FINE_STEP_MM = 0.2
# One strong figure must not outweigh fifteen lines: a line's contrast counts up to this many grey levels.
MOST_CONTRAST = 25.0
FEWEST_LINES = 6
# A line shows in all rows but a few, and there not much fainter than in the clearest.
FEWEST_ROWS = 7
ROW_SHARE = 0.35
# Measured on prints of both kinds, sharp, blurred and dark: true lines are within 0.16 mm in the median and more
# than three quarters within 0.35 mm; what chance finds is not.
MEDIAN_OFF_MM = 0.18
NEAR_MM = 0.35
NEAR_SHARE = 0.7
# Lines are found again where they were, and true ones agree to 0.09 mm at worst; letters and ornaments do not.
STILL_MOVING_MM = 0.1
WORST_SIGMA_MM = 0.12
FLOOR_DEG = 0.02
FLOOR_MM = 0.06
# A line's middle may be this far from the middle of what is seen of it.
OFF_MIDDLE_MM = 0.35
# Around the expected place a line may be looked for this far.
REACHES_MM = (1.6, 1.2)


@dataclass(frozen=True, slots=True)
class LineKind:
    """A way lines may be printed: in `channel` (grey or warm) darker or lighter than both sides.

    `half_mm` is half a line's width, `side_mm` how far beside it its surroundings are looked at.
    """

    channel: str
    lighter: bool
    half_mm: float
    side_mm: float


LINE_KINDS = (
    LineKind("grey", False, 0.5, 1.5),
    LineKind("grey", True, 0.3, 0.8),
    LineKind("grey", True, 0.5, 1.5),
    LineKind("warm", True, 0.4, 1.3),
    LineKind("warm", False, 0.4, 1.3),
)


@dataclass(frozen=True, slots=True)
class Range:
    """How far from where it is expected a ring is looked for, in degrees and mm, and in which steps."""

    turn_deg: float
    shift_mm: float
    turn_step_deg: float = 0.5
    shift_step_mm: float = 0.9


@dataclass(frozen=True, eq=False, slots=True)
class Lines:
    """One look along the lines: offsets across in mm, weights, directions in rad, radii in mm, each (n,)."""

    offsets: Floats
    weights: Floats
    directions: Floats
    radii: Floats


def stands_out(values: Singles, kind: LineKind, step_mm: float) -> Singles:
    """For every sample of the last axis: by how much it is darker (or lighter) than both of its sides."""
    # An even width would shift what it smooths by half a step.
    width = 2 * round(kind.half_mm / step_mm) + 1
    flat = np.ascontiguousarray(values.reshape(-1, values.shape[-1]))
    blurred = cv2.blur(flat, (width, 1), borderType=cv2.BORDER_REPLICATE)
    smooth = np.asarray(-blurred if kind.lighter else blurred, dtype=np.float32)
    away = max(1, round(kind.side_mm / step_mm))
    padded = np.pad(smooth, ((0, 0), (away, away)), mode="edge")
    depth = np.minimum(padded[:, : flat.shape[1]], padded[:, 2 * away :]) - smooth
    return np.asarray(np.clip(depth, 0.0, MOST_CONTRAST), dtype=np.float32).reshape(values.shape)


def measured(
    view: RingView, kind: LineKind, start: Floats, reaches: tuple[float, ...], search: Range, centre: Floats
) -> RingPose | None:
    """A ring's lie from one kind of line, from an estimate on; None if it has no such lines near `centre`."""
    fitted = fit_lines(view, kind, start, reaches)
    if fitted is None:
        return None
    estimate, step, covariance = fitted
    away = estimate - centre
    if abs(math.degrees(away[0])) > search.turn_deg + 1 or math.hypot(*away[1:]) > 2 * search.shift_mm:
        return None
    if not lines_at(view, kind, estimate, reaches[-1]):
        return None
    if not goes_across(view, estimate, kind):
        return None
    if abs(off_middle(view, estimate, kind)) > OFF_MIDDLE_MM:
        return None
    # An estimate that still moves has not arrived; and no print, lens or pose is better than the floor.
    sigma_turn = math.hypot(math.sqrt(covariance[0, 0]), step[0], math.radians(FLOOR_DEG))
    sigma_shift = math.hypot(
        math.sqrt((covariance[1, 1] + covariance[2, 2]) / 2),
        float(np.hypot(step[1], step[2])) / 1.4,
        FLOOR_MM,
    )
    if sigma_shift > WORST_SIGMA_MM or float(np.hypot(step[1], step[2])) > STILL_MOVING_MM:
        return None
    return RingPose(
        view.ring,
        math.degrees(estimate[0]),
        (float(estimate[1]), float(estimate[2])),
        math.degrees(sigma_turn),
        sigma_shift,
    )


def fit_lines(
    view: RingView, kind: LineKind, start: Floats, reaches: tuple[float, ...]
) -> tuple[Floats, Floats, Floats] | None:
    """Estimate, last step (3,) and covariance (3, 3) after as many looks as reaches (mm); None on too few lines."""
    estimate, step, covariance = start, np.zeros(3), np.eye(3)
    for reach in reaches:
        solved = _solve(_along_lines(view, estimate, reach, kind))
        if solved is None:
            return None
        step, covariance = solved
        estimate = estimate + step
    return estimate, step, covariance


def lines_at(view: RingView, kind: LineKind, estimate: Floats, reach: float = REACHES_MM[-1]) -> bool:
    """Do the lines lie where the estimate has them? Chance finds a third of them near, print nearly all."""
    return all_lines_at([view], kind, [estimate], reach)[0]


def all_lines_at(
    views: Sequence[RingView], kind: LineKind, estimates: Sequence[Floats], reach: float = REACHES_MM[-1]
) -> list[bool]:
    """The same of several rings of one picture, which together cost little more than one."""
    offsets, weights = _offsets(views, estimates, reach, kind)
    return [_agree(off, weight) for off, weight in zip(offsets, weights, strict=True)]


def _agree(offsets: Floats, weights: Floats) -> bool:
    """Are lines (n,) as near to where they are expected as only print is?"""
    counted = weights > 0.3
    if counted.sum() < 2 * FEWEST_LINES:
        return False
    off = np.abs(offsets[counted])
    return bool(np.median(off) <= MEDIAN_OFF_MM and (off < NEAR_MM).mean() >= NEAR_SHARE)


def goes_across(view: RingView, estimate: Floats, kind: LineKind) -> bool:
    """Do the lines go all the way across the ring? A row of letters or ornaments does not."""
    reach = 1.6
    margin = kind.side_mm + kind.half_mm + FINE_STEP_MM
    across = np.arange(-reach - margin, reach + margin + FINE_STEP_MM / 2, FINE_STEP_MM)
    cuts, seen = view.cuts(estimate, across, kind.channel)
    contrast = stands_out(cuts, kind, FINE_STEP_MM)
    distance = np.abs(across)
    share = np.maximum(seen.sum(axis=0), 1.0)
    on_line = (contrast[..., distance <= 0.4].mean(axis=2) * seen).sum(axis=0) / share
    beside = (contrast[..., (distance > 0.9) & (distance <= reach)].mean(axis=2) * seen).sum(axis=0) / share
    excess = np.sort(on_line - beside)[::-1]
    return bool((excess >= ROW_SHARE * excess[2]).sum() >= FEWEST_ROWS)


def off_middle(view: RingView, estimate: Floats, kind: LineKind) -> float:
    """How far from the estimated lines the middle lies about which their mean look is symmetric, in mm."""
    across = np.arange(-4.0, 4.01, FINE_STEP_MM)
    cuts, seen = view.cuts(estimate, across, kind.channel)
    in_view = seen.any(axis=1)
    cuts = cuts[in_view]
    look = np.median(cuts.mean(axis=1) - cuts.mean(axis=(1, 2))[:, None], axis=0)
    look = look - np.polyval(np.polyfit(across, look, 1), across)
    half = round(2.4 / FINE_STEP_MM)
    best, where = -math.inf, 0.0
    for middle in range(half, len(across) - half):
        part = look[middle - half : middle + half + 1]
        part = part - part.mean()
        energy = float(part @ part[::-1])
        if energy > best:
            best, where = energy, float(across[middle])
    return where


def _along_lines(view: RingView, estimate: Floats, reach: float, kind: LineKind) -> Lines:
    """How far each line lies from where the estimate has it, in the inner and the outer half of the ring."""
    (offsets,), (weights,) = _offsets([view], [estimate], reach, kind)
    directions = view.directions + estimate[0]
    return Lines(
        offsets,
        weights,
        np.concatenate([directions, directions]),
        np.repeat([view.radii[half].mean() for half in _halves(len(view.radii))], len(directions)),
    )


def _halves(rows: int) -> tuple[slice, slice]:
    """The inner and the outer of so many rows, without the middle one."""
    return slice(0, rows // 2), slice(rows // 2 + 1, rows)


def _offsets(
    views: Sequence[RingView], estimates: Sequence[Floats], reach: float, kind: LineKind
) -> tuple[Floats, Floats]:
    """How far (mm) each ring's lines lie from where the estimates have them, and weights: (rings, 2 · lines) each.

    First all lines in the inner half of their ring, then all in the outer half.
    """
    margin = kind.side_mm + kind.half_mm + FINE_STEP_MM
    across = np.arange(-reach - margin, reach + margin + FINE_STEP_MM / 2, FINE_STEP_MM)
    cuts, seen = cuts_of(views, estimates, across, kind.channel)
    inside = np.abs(across) <= reach + 1e-9
    contrast, across = stands_out(cuts, kind, FINE_STEP_MM)[..., inside], across[inside]
    halves = _halves(cuts.shape[1])
    means = np.concatenate([contrast[:, half].mean(axis=1) for half in halves])
    in_view = np.concatenate([seen[:, half].min(axis=1) for half in halves])
    profile = np.asarray(cv2.GaussianBlur(means, (11, 1), 1.5), dtype=np.float32)
    peak = profile.argmax(axis=1)
    inner = np.minimum(np.maximum(peak, 1), profile.shape[1] - 2)
    rows = np.arange(len(profile))
    low, top, high = profile[rows, inner - 1], profile[rows, inner], profile[rows, inner + 1]
    bend = np.minimum(low - 2 * top + high, -1e-6)
    off_peak = np.minimum(np.maximum(0.5 * (low - high) / bend, -1.0), 1.0)
    # How much the peak stands out of the rest of its own cut.
    rest = _medians(profile)
    stands = np.where((peak == inner) & (top > 1.0), (top - rest) / (rest + 2.0), 0.0)
    offsets = across[inner] + off_peak * FINE_STEP_MM
    weights = np.minimum(np.maximum(stands, 0.0), 3.0) * in_view
    return _by_ring(offsets, len(views)), _by_ring(weights, len(views))


def _by_ring(values: Floats, rings: int) -> Floats:
    """What was told of all rings' inner halves, then of all outer ones, ring by ring."""
    return np.asarray(values.reshape(2, rings, -1).swapaxes(0, 1).reshape(rings, -1))


def _medians(rows: Singles) -> Singles:
    """The median of each row (n, m), for few short rows faster than NumPy's."""
    ordered, half = np.sort(rows, axis=1), rows.shape[1] // 2
    return np.asarray(ordered[:, half] if rows.shape[1] % 2 else ordered[:, half - 1 : half + 1].mean(axis=1))


def _solve(lines: Lines) -> tuple[Floats, Floats] | None:
    """Robust least squares for (turn, x, y) with its covariance (3, 3); None on too few lines."""
    design = np.column_stack([lines.radii, -np.sin(lines.directions), np.cos(lines.directions)])
    counted = lines.weights > 0.3
    if counted.sum() < 2 * FEWEST_LINES:
        return None
    weights = lines.weights.copy()
    solution, scale = np.zeros(3), 1.0
    for _ in range(8):
        weighted = design * weights[:, None]
        before = solution
        try:
            solution = np.linalg.solve(weighted.T @ design, weighted.T @ lines.offsets)
        except np.linalg.LinAlgError:
            return None
        residual = lines.offsets - design @ solution
        off = np.sort(np.abs(residual[counted]))
        scale = max(0.08, 1.48 * float(off[len(off) // 2]))
        # Tukey's weights: what lies far off is no line at all.
        far = np.clip(np.abs(residual) / (4.0 * scale), 0.0, 1.0)
        weights = lines.weights * (1 - far**2) ** 2
        if (weights > 0.2).sum() < 2 * FEWEST_LINES:
            return None
        if np.abs((solution - before) * (100.0, 1.0, 1.0)).max() < 1e-3:
            break
    used = design[weights > 0.2]
    normal = used.T @ used
    if np.linalg.cond(normal) > 1e9:
        return None
    return solution, np.linalg.inv(normal) * scale**2
