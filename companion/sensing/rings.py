"""How each ring of the board lies: its turn and shift, measured from the radial lines printed between its spaces.

Sixteen lines a ring, each seen over the ring's width. A line's distance from where an undisturbed print would
have it tells ρ·turn + shift across the line; sixteen directions give turn and shift by least squares, and what
the lines disagree by gives the uncertainty. Lines under pieces, hands or glare drop out.

Nobody knows how the next board is printed: dark lines, light ones, gold with a dark casing. Several kinds of line
are tried, and the one whose lines agree best is believed, provided that what it found is symmetric: the light
seam beside a dark line also agrees with itself, but lies beside the middle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from companion.games.above.box import Board
from companion.sensing.decoder import Singles
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Gray
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose

# The first look covers what glue by hand can do (4°, 3 mm against ring 1) and a nudged board.
WIDEST_TURN_DEG = 6.5
WIDEST_SHIFT_MM = 4.5
# Rows across the ring's width, in groups that are looked at as one.
ROWS = 9
GROUPS = 3
MARGIN_MM = 4.0
COARSE_STEP_MM = 0.4
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
PLAIN_SIGMA_MM = 0.1
FLOOR_DEG = 0.02
FLOOR_MM = 0.06
# A line's middle may be this far from the middle of what is seen of it.
OFF_MIDDLE_MM = 0.35


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


@dataclass(frozen=True, eq=False, slots=True)
class _Lines:
    """One look along the lines: offsets across in mm, weights, directions in rad, radii in mm, each (n,)."""

    offsets: Floats
    weights: Floats
    directions: Floats
    radii: Floats


class RingGauge:
    """Measures the rings of one board, and remembers by which kind of line each was measured best."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._kinds: dict[int, LineKind] = {}

    def measure(
        self, image: Image, pose: CameraPose, known: BoardPrint | None = None, only: int | None = None
    ) -> BoardPrint:
        """The rings' poses in the world from a BGR or grey picture; `only` one of them, where that is enough.

        With `known` poses only their neighbourhood is searched: rings creep, they do not jump. A ring that cannot
        be measured keeps its known pose, or is left out.
        """
        channels = _channels(image)
        poses: dict[int, RingPose] = dict(known.poses) if known else {}
        for ring in range(1, self._board.rings + 1) if only is None else (only,):
            start = poses.get(ring) if ring in self._kinds else None
            measured = self._near(channels, pose, ring, start) if start else None
            if measured is None:
                measured = self._anywhere(channels, pose, ring)
                # Rings creep; that one has jumped must be plain to see.
                if start and measured and measured.sigma_mm > PLAIN_SIGMA_MM:
                    continue
            if measured is not None:
                poses[ring] = measured
        return BoardPrint(poses)

    def _near(
        self, channels: dict[str, Gray], pose: CameraPose, ring: int, start: RingPose
    ) -> RingPose | None:
        estimate = np.array([math.radians(start.rotation_deg), *start.shift_mm])
        return _measured(channels, pose, self._board, ring, self._kinds[ring], estimate, (1.6, 1.2))

    def _anywhere(self, channels: dict[str, Gray], pose: CameraPose, ring: int) -> RingPose | None:
        found: list[tuple[float, RingPose, LineKind]] = []
        unrolled = {name: _unrolled(channel, pose, self._board, ring) for name, channel in channels.items()}
        for kind in LINE_KINDS:
            if kind.channel not in channels:
                continue
            estimate = _first_look(unrolled[kind.channel], self._board, ring, kind)
            measured = _measured(channels, pose, self._board, ring, kind, estimate, (2.4, 1.6, 1.6, 1.6))
            if measured is not None:
                found.append((measured.sigma_mm, measured, kind))
        if not found:
            return None
        found.sort(key=lambda item: item[0])
        _, best, kind = found[0]
        self._kinds[ring] = kind
        # Another kind of line that is as sure of something else makes both unsure.
        for sigma, other, _ in found[1:]:
            apart = abs(other.rotation_deg - best.rotation_deg)
            if sigma < 2.5 * best.sigma_mm and apart > 0.3:
                return replace(best, sigma_deg=max(best.sigma_deg, apart), sigma_mm=max(best.sigma_mm, 1.0))
        return best


def measure_rings(
    image: Image, pose: CameraPose, board: Board, known: BoardPrint | None = None
) -> BoardPrint:
    """The rings' poses in the world in one picture; what cannot be measured is left out or stays as `known`."""
    return RingGauge(board).measure(image, pose, known)


def _channels(image: Image) -> dict[str, Gray]:
    """The pictures lines are looked for in: grey, and how much warmer (red over blue) a pixel is."""
    if image.ndim == 2:
        return {"grey": image}
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    warm = cv2.transform(image, np.array([[-0.5, 0.0, 0.5, 128.0]], dtype=np.float32))
    return {"grey": np.asarray(grey, dtype=np.uint8), "warm": np.asarray(warm, dtype=np.uint8)}


@cache
def _line_angles(board: Board) -> Floats:
    """Directions (columns,) in radians of the lines between the spaces of an undisturbed ring."""
    return np.radians(90.0 + (0.5 - np.arange(board.columns)) * 360.0 / board.columns)


def _row_radii(board: Board, ring: int) -> Floats:
    inner, outer = board.ring_radii(ring)
    return np.linspace(inner + MARGIN_MM, outer - MARGIN_MM, ROWS)


def _values(channel: Gray, pose: CameraPose, x: Floats, y: Floats, z: float) -> Singles:
    """A channel's values at world points of one level."""
    points = np.stack([x, y, np.full_like(x, z)], axis=-1).reshape(-1, x.shape[-1], 3)
    uv = pose.project(points).astype(np.float32)
    values = cv2.remap(channel, uv[..., 0], uv[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, dtype=np.float32).reshape(x.shape)


def _stands_out(values: Singles, kind: LineKind, step_mm: float) -> Singles:
    """For every sample of the last axis: by how much it is darker (or lighter) than both of its sides."""
    # An even width would shift what it smooths by half a step.
    width = 2 * round(kind.half_mm / step_mm) + 1
    flat = values.reshape(-1, values.shape[-1])
    blurred = cv2.blur(flat, (width, 1), borderType=cv2.BORDER_REPLICATE)
    smooth = np.asarray(-blurred if kind.lighter else blurred, dtype=np.float32)
    away = max(1, round(kind.side_mm / step_mm))
    padded = np.pad(smooth, ((0, 0), (away, away)), mode="edge")
    depth = np.minimum(padded[:, : flat.shape[1]], padded[:, 2 * away :]) - smooth
    return np.asarray(np.clip(depth, 0.0, MOST_CONTRAST), dtype=np.float32).reshape(values.shape)


def _unrolled(channel: Gray, pose: CameraPose, board: Board, ring: int) -> Singles:
    """The ring as a strip (ROWS, around), going round from angle 0 counter-clockwise."""
    radii = _row_radii(board, ring)
    count = int(2 * math.pi * radii.mean() / COARSE_STEP_MM)
    angles = np.arange(count) * (2 * math.pi / count)
    x, y = radii[:, None] * np.cos(angles), radii[:, None] * np.sin(angles)
    return _values(channel, pose, x, y, board.ring_z(ring))


def _first_look(strip: Singles, board: Board, ring: int, kind: LineKind) -> Floats:
    """Turn (rad) and shift (mm) under which most contrast lies on the lines, to about 0.3° and 0.5 mm."""
    edge = 20
    wrapped = np.concatenate([strip[:, -edge:], strip, strip[:, :edge]], axis=1)
    contrast = _stands_out(wrapped, kind, COARSE_STEP_MM)
    contrast = np.asarray(cv2.GaussianBlur(contrast, (9, 1), 1.2), dtype=np.float32)[:, edge:-edge]
    groups = np.stack([rows.mean(axis=0) for rows in np.array_split(contrast, GROUPS)])
    radii = np.array([rows.mean() for rows in np.array_split(_row_radii(board, ring), GROUPS)])
    lines = _line_angles(board)
    turns = np.radians(np.arange(-WIDEST_TURN_DEG, WIDEST_TURN_DEG + 0.01, 0.5))
    steps = np.arange(-WIDEST_SHIFT_MM, WIDEST_SHIFT_MM + 0.01, 0.9)
    best = _best_on(groups, radii, lines, turns, steps, steps)
    for finer in (0.5, 0.25):
        turns = best[0] + np.radians(np.arange(-1, 1.01, 1.0) * finer * 0.5)
        offset = np.arange(-1, 1.01, 1.0) * finer * 0.9
        best = _best_on(groups, radii, lines, turns, best[1] + offset, best[2] + offset)
    return best


def _best_on(
    contrast: Singles, radii: Floats, lines: Floats, turns: Floats, xs: Floats, ys: Floats
) -> Floats:
    """The (turn, shift x, shift y) of a grid whose lines gather most contrast."""
    turn, sx, sy = (grid.ravel() for grid in np.meshgrid(turns, xs, ys, indexing="ij"))
    count = contrast.shape[1]
    directions = lines[:, None] + turn
    across = -sx * np.sin(directions) + sy * np.cos(directions)
    total = np.zeros(len(turn), np.float32)
    for row, radius in enumerate(radii):
        at = np.rint((directions + across / radius) * (count / (2 * math.pi))).astype(np.int64) % count
        total += contrast[row][at].sum(axis=0)
    k = int(np.argmax(total))
    return np.array([turn[k], sx[k], sy[k]])


def _measured(
    channels: dict[str, Gray],
    pose: CameraPose,
    board: Board,
    ring: int,
    kind: LineKind,
    estimate: Floats,
    reaches: tuple[float, ...],
) -> RingPose | None:
    """A ring's pose from one kind of line, from an estimate (turn, x, y) on; None if it has no such lines."""
    channel = channels[kind.channel]
    step, covariance = np.zeros(3), np.eye(3)
    for reach in reaches:
        seen = _along_lines(channel, pose, board, ring, estimate, reach, kind)
        solved = _solve(seen)
        if solved is None:
            return None
        step, covariance = solved
        estimate = estimate + step
    shift = float(np.hypot(estimate[1], estimate[2]))
    if abs(math.degrees(estimate[0])) > WIDEST_TURN_DEG + 1 or shift > 2 * WIDEST_SHIFT_MM:
        return None
    if not _agree(_along_lines(channel, pose, board, ring, estimate, reaches[-1], kind)):
        return None
    if not _goes_across(channel, pose, board, ring, estimate, kind):
        return None
    if abs(_off_middle(channel, pose, board, ring, estimate)) > OFF_MIDDLE_MM:
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
        ring,
        math.degrees(estimate[0]),
        (float(estimate[1]), float(estimate[2])),
        math.degrees(sigma_turn),
        sigma_shift,
    )


def _agree(lines: _Lines) -> bool:
    """Do the lines lie where the estimate has them? Chance finds a third of them near, print nearly all."""
    counted = lines.weights > 0.3
    if counted.sum() < 2 * FEWEST_LINES:
        return False
    off = np.abs(lines.offsets[counted])
    return bool(np.median(off) <= MEDIAN_OFF_MM and (off < NEAR_MM).mean() >= NEAR_SHARE)


def _goes_across(
    channel: Gray, pose: CameraPose, board: Board, ring: int, estimate: Floats, kind: LineKind
) -> bool:
    """Do the lines go all the way across the ring? A row of letters or ornaments does not."""
    reach = 1.6
    margin = kind.side_mm + kind.half_mm + FINE_STEP_MM
    across = np.arange(-reach - margin, reach + margin + FINE_STEP_MM / 2, FINE_STEP_MM)
    contrast = _stands_out(_across_lines(channel, pose, board, ring, estimate, across), kind, FINE_STEP_MM)
    distance = np.abs(across)
    on_line = contrast[..., distance <= 0.4].mean(axis=(0, 2))
    beside = contrast[..., (distance > 0.9) & (distance <= reach)].mean(axis=(0, 2))
    excess = np.sort(on_line - beside)[::-1]
    return bool((excess >= ROW_SHARE * excess[2]).sum() >= FEWEST_ROWS)


def _across_lines(
    channel: Gray, pose: CameraPose, board: Board, ring: int, estimate: Floats, across: Floats
) -> Singles:
    """Values (lines, ROWS, across) on short cuts across the lines, where the estimate (turn, x, y) has them."""
    directions = _line_angles(board) + estimate[0]
    radii = _row_radii(board, ring)
    cos, sin = np.cos(directions)[:, None, None], np.sin(directions)[:, None, None]
    x = estimate[1] + radii[None, :, None] * cos - across * sin
    y = estimate[2] + radii[None, :, None] * sin + across * cos
    return _values(channel, pose, x, y, board.ring_z(ring))


def _off_middle(channel: Gray, pose: CameraPose, board: Board, ring: int, estimate: Floats) -> float:
    """How far from the estimated lines the middle lies about which their mean look is symmetric, in mm."""
    across = np.arange(-4.0, 4.01, FINE_STEP_MM)
    cuts = _across_lines(channel, pose, board, ring, estimate, across)
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


def _along_lines(
    channel: Gray,
    pose: CameraPose,
    board: Board,
    ring: int,
    estimate: Floats,
    reach: float,
    kind: LineKind,
) -> _Lines:
    """How far each line lies from where the estimate has it, in the inner and the outer half of the ring."""
    margin = kind.side_mm + kind.half_mm + FINE_STEP_MM
    across = np.arange(-reach - margin, reach + margin + FINE_STEP_MM / 2, FINE_STEP_MM)
    cuts = _across_lines(channel, pose, board, ring, estimate, across)
    inside = np.abs(across) <= reach + 1e-9
    contrast, across = _stands_out(cuts, kind, FINE_STEP_MM)[..., inside], across[inside]
    directions = _line_angles(board) + estimate[0]
    radii = _row_radii(board, ring)
    offsets, weights, at = [], [], []
    for half in (slice(0, ROWS // 2), slice(ROWS // 2 + 1, ROWS)):
        profile = cv2.GaussianBlur(np.ascontiguousarray(contrast[:, half].mean(axis=1)), (11, 1), 1.5)
        peak = profile.argmax(axis=1)
        inner = np.clip(peak, 1, profile.shape[1] - 2)
        rows = np.arange(len(profile))
        low, top, high = profile[rows, inner - 1], profile[rows, inner], profile[rows, inner + 1]
        bend = np.minimum(low - 2 * top + high, -1e-6)
        found = across[inner] + np.clip(0.5 * (low - high) / bend, -1, 1) * FINE_STEP_MM
        # How much the peak stands out of the rest of its own cut.
        rest = np.median(profile, axis=1)
        stands = np.where((peak == inner) & (top > 1.0), (top - rest) / (rest + 2.0), 0.0)
        offsets.append(found)
        weights.append(np.clip(stands, 0.0, 3.0))
        at.append(np.full(len(directions), radii[half].mean()))
    return _Lines(
        np.concatenate(offsets),
        np.concatenate(weights),
        np.concatenate([directions, directions]),
        np.concatenate(at),
    )


def _solve(lines: _Lines) -> tuple[Floats, Floats] | None:
    """Robust least squares for (turn, x, y) with its covariance (3, 3); None on too few lines."""
    design = np.column_stack([lines.radii, -np.sin(lines.directions), np.cos(lines.directions)])
    counted = lines.weights > 0.3
    if counted.sum() < 2 * FEWEST_LINES:
        return None
    weights = lines.weights.copy()
    solution, scale = np.zeros(3), 1.0
    for _ in range(8):
        weighted = design * weights[:, None]
        normal = weighted.T @ design
        if np.linalg.cond(normal) > 1e9:
            return None
        solution = np.linalg.solve(normal, weighted.T @ lines.offsets)
        residual = lines.offsets - design @ solution
        scale = max(0.08, 1.48 * float(np.median(np.abs(residual[counted]))))
        # Tukey's weights: what lies far off is no line at all.
        far = np.clip(np.abs(residual) / (4.0 * scale), 0.0, 1.0)
        weights = lines.weights * (1 - far**2) ** 2
        if (weights > 0.2).sum() < 2 * FEWEST_LINES:
            return None
    used = design[weights > 0.2]
    normal = used.T @ used
    if np.linalg.cond(normal) > 1e9:
        return None
    return solution, np.linalg.inv(normal) * scale**2
