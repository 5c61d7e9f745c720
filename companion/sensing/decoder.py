"""Reading one marker that is small, dim, blurred or in glare, where it is known how large it must be.

The picture around a place is compared with every print that could lie there, in every turn, shift and focus, by
normalised correlation: independent of light and contrast, and using every cell at once where a detector needs
four clean edges first. It answers with a print, how well it fits, and how much better than the next one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.geometry import Floats
from companion.sensing.markers import Corners, Gray, dictionary

Singles = NDArray[np.float32]

CELLS = 7
# Focus of the print as blur in cells: sharp, and clearly out of focus.
BLURS = (0.28, 0.6)
# Of a print partly hidden by something unknown at least this share must be seen.
SEEN_SHARE = 0.6
# A first look that fits less is not followed up: a true print's is 0.6 and more.
COARSE_FIT = 0.45
# Finalists of the coarse search that are looked at closely.
FINALISTS = 3
# With more ids than this, only so many poses are compared with each: those in which a print's frame fits best.
# Where no frame fits at all there is no print: a true one's fits by 0.65 and more.
MANY_IDS = 40
BEST_POSES = 12
FRAME_FIT = 0.55
# Of less, more looks alike.
FRAME_FIT_PARTLY = 0.7


@dataclass(frozen=True, eq=False, slots=True)
class Decoded:
    """A print recognised: id, `corners` (4, 2) px, correlation `fit` (-1…1), `lead` over the next id.

    `seen` is the share of the print the fit was taken over: 1 unless part of it was taken as hidden.
    """

    id: int
    corners: Corners
    fit: float
    lead: float
    seen: float = 1.0


@cache
def _grid(sub: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Sample places (n, 2) in units of the marker's side (x right, y down, middle 0), and which belong.

    `sub` samples per cell and side; 2 see edges inside cells, 1 is enough for a first look.
    """
    count = (CELLS + 2) * sub
    axis = (np.arange(count) + 0.5) / sub - (CELLS + 2) / 2
    x, y = np.meshgrid(axis, axis)
    # The round stickers have no white at the square's far corners.
    inside = np.hypot(x, y) < 5.15
    return np.stack([x[inside], y[inside]], axis=1) / CELLS, inside


@dataclass(frozen=True, eq=False, slots=True)
class _Patterns:
    """Zero-mean unit-length patterns as columns (n, m), their squares, and each column's (id, quarter turns)."""

    columns: Singles
    squares: Singles
    labels: NDArray[np.int_]

    def turned(self, quarter: int) -> _Patterns:
        """Only those in one quarter turn."""
        which = self.labels[:, 1] == quarter
        columns = np.ascontiguousarray(self.columns[:, which])
        return _Patterns(columns, columns**2, self.labels[which])


@cache
def _templates(ids: tuple[int, ...], sub: int) -> _Patterns:
    """The patterns of the ids in four turns and each focus."""
    _, inside = _grid(sub)
    fine = 8
    rows: list[Singles] = []
    labels: list[tuple[int, int]] = []
    size = (CELLS + 2) * sub
    for marker in ids:
        print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS * fine)
        sheet = np.pad(print_, 2 * fine, constant_values=255)
        for blur in BLURS:
            soft = cv2.GaussianBlur(sheet.astype(np.float32), (0, 0), blur * fine)
            cells = cv2.resize(soft[fine:-fine, fine:-fine], (size, size), interpolation=cv2.INTER_AREA)
            for turn in range(4):
                pattern = np.rot90(cells, turn)[inside]
                pattern = pattern - pattern.mean()
                rows.append((pattern / np.linalg.norm(pattern)).astype(np.float32))
                labels.append((marker, turn))
    columns = np.ascontiguousarray(np.stack(rows).T)
    return _Patterns(columns, columns**2, np.array(labels))


@cache
def _frames(ids: tuple[int, ...]) -> _Patterns:
    """What all prints have in common, one pattern a focus: the dark frame and the white around it."""
    columns = _templates(ids, 1).columns
    common = columns.reshape(len(columns), len(ids), len(BLURS), 4).mean(axis=(1, 3))
    common = np.ascontiguousarray(common / np.linalg.norm(common, axis=0), dtype=np.float32)
    return _Patterns(common, common**2, np.zeros((len(BLURS), 2), dtype=np.int_))


@cache
def _template(marker: int, quarter: int) -> _Patterns:
    """One id in one quarter turn and each focus, finely."""
    return _templates((marker,), 2).turned(quarter)


@cache
def _half_masks(sub: int) -> Singles:
    """Weights (8, n): a print of which one side, in eight directions, is hidden but for SEEN_SHARE."""
    unit, _ = _grid(sub)
    masks = []
    for turn in np.radians(np.arange(0, 360, 45)):
        across = unit @ np.array([np.cos(turn), np.sin(turn)])
        masks.append((across <= np.quantile(across, SEEN_SHARE)).astype(np.float32))
    return np.stack(masks)


def _sample(picture: Singles, places: Floats) -> Singles:
    """Values (k, n) of a float picture at places (k, n, 2) px."""
    values = cv2.remap(
        picture,
        places[..., 0].astype(np.float32),
        places[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values, dtype=np.float32)


_NOTHING = np.empty((0, 0), np.float32)


def _product(a: Singles, b: Singles) -> Singles:
    """Matrix product on one core: the linear algebra library would wake threads that cost more than they do."""
    return np.asarray(cv2.gemm(a, b, 1.0, _NOTHING, 0.0), dtype=np.float32)


def _correlation(values: Singles, weights: Singles | None, patterns: _Patterns) -> Singles:
    """Weighted correlation (k, m) of samples (k, n) with patterns; weights (k, n), (1, n), or None for equal ones."""
    # Two grey levels of contrast at least: a plain surface correlates with nothing.
    if weights is None:
        centred = values - values.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
        floor = 2.0 * math.sqrt(values.shape[1])
        return np.asarray(_product(centred, patterns.columns) / np.maximum(spread, floor), dtype=np.float32)
    mass = np.maximum(weights.sum(axis=1, keepdims=True), 1e-3)
    centred = values - (values * weights).sum(axis=1, keepdims=True) / mass
    weighted = centred * weights
    spread = np.sqrt((weighted * centred).sum(axis=1, keepdims=True))
    mean = _product(weights, patterns.columns) / mass
    pattern_spread = np.sqrt(np.maximum(_product(weights, patterns.squares) - mean**2 * mass, 1e-9))
    # `weighted` sums to nothing, so the patterns' means drop out of the product.
    scale = np.maximum(spread, 2.0 * np.sqrt(mass)) * pattern_spread
    return np.asarray(_product(weighted, patterns.columns) / scale, dtype=np.float32)


def _rotations(degrees: Floats) -> Floats:
    turn = np.radians(degrees)
    return np.stack(
        [np.stack([np.cos(turn), -np.sin(turn)], -1), np.stack([np.sin(turn), np.cos(turn)], -1)], -2
    )


@cache
def _coarse_poses(reach_sides: float) -> tuple[Floats, Floats, Floats]:
    """Turns (t,), shifts (s, 2) in sides, and sample places (t·s, n, 2) in sides, of the first look."""
    steps = np.arange(-1, 1.01, 0.5) * reach_sides
    dx, dy = np.meshgrid(steps, steps)
    shifts = np.stack([dx.ravel(), dy.ravel()], 1)
    turns = np.arange(0.0, 90.0, 7.5)
    unit, _ = _grid(1)
    turned = np.einsum("tij,nj->tni", _rotations(turns), unit)
    places = (turned[:, None] + shifts[None, :, None]).reshape(-1, len(unit), 2)
    return turns, shifts, places


def decode(
    gray: Singles,
    centre_px: Sequence[float],
    px_per_side: Floats,
    ids: tuple[int, ...],
    weights: Singles | None = None,
    partly_hidden: bool = False,
    reach_sides: float = 0.14,
) -> Decoded | None:
    """The print among `ids` that fits best around `centre_px` in a float picture.

    `px_per_side`: (2, 2), the marker's side to the right and down, in pixels, for a print that is not turned.
    `weights`: a picture, 0 where something known covers the print. `partly_hidden`: also try that one side of
    the print is covered by something unknown. `reach_sides`: how far off its middle may be, in sides. None if
    nothing at all correlates or too little of the print is to be seen.
    """
    middle = np.asarray(centre_px, dtype=np.float64)
    patterns = _templates(ids, 1)
    labels = patterns.labels
    turns, shifts, places = _coarse_poses(reach_sides)
    flat = places @ px_per_side.T + middle
    values = _sample(gray, flat)
    seen = None if weights is None else _sample(weights, flat)
    best_by_id: dict[int, tuple[float, int, int, int]] = {}
    for number, mask in enumerate(_half_masks(1) if partly_hidden else (None,)):
        weight = seen
        if mask is not None:
            weight = mask[None] if seen is None else seen * mask
        usable = np.ones(len(values), dtype=bool)
        if seen is not None and weight is not None:
            share = 1.0 if mask is None else float(mask.mean())
            usable = weight.mean(axis=1) >= SEEN_SHARE * 0.8 * share
        poses = np.arange(len(values))
        if len(ids) > MANY_IDS:
            framed = np.where(usable, _correlation(values, weight, _frames(ids)).max(axis=1), -1.0)
            if framed.max() < (FRAME_FIT if mask is None else FRAME_FIT_PARTLY):
                continue
            poses = np.argsort(-framed)[:BEST_POSES]
            weight = weight if weight is None or len(weight) == 1 else weight[poses]
        fits = _correlation(values[poses], weight, patterns)
        fits[~usable[poses]] = -1.0
        rows = fits.argmax(axis=0)
        top = fits[rows, np.arange(len(labels))]
        rows = poses[rows]
        for column, (marker, _) in enumerate(labels):
            if int(marker) not in best_by_id or top[column] > best_by_id[int(marker)][0]:
                best_by_id[int(marker)] = (float(top[column]), int(rows[column]), column, number)
    ranked = sorted(best_by_id.items(), key=lambda item: -item[1][0])
    if not ranked or ranked[0][1][0] < COARSE_FIT:
        return None
    refined: list[tuple[float, int, Floats, float]] = []
    for marker, (_, row, column, number) in ranked[:FINALISTS]:
        start = (turns[row // len(shifts)], *shifts[row % len(shifts)])
        mask = _half_masks(2)[number] if partly_hidden else None
        refined.append(
            _refine(gray, weights, mask, middle, px_per_side, marker, int(labels[column, 1]), start)
        )
    refined.sort(key=lambda item: -item[0])
    fit, best, corners, share = refined[0]
    others = [item[0] for item in refined[1:]] + [item[1][0] for item in ranked[FINALISTS : FINALISTS + 1]]
    return Decoded(best, corners.astype(np.float32), fit, fit - max([*others, 0.0]), share)


def _refine(
    gray: Singles,
    weights: Singles | None,
    mask: Singles | None,
    middle: Floats,
    px_per_side: Floats,
    marker: int,
    quarter: int,
    start: tuple[float, float, float],
) -> tuple[float, int, Floats, float]:
    """Fit, id, corners and seen share of one print near one pose, by shrinking steps in turn, shift and size."""
    unit, _ = _grid(2)
    pattern = _template(marker, quarter)
    best = (-1.0, *start, 1.0)
    share = 1.0
    span, move, grow = 3.5, 0.05, 0.05
    for _ in range(3):
        options = np.array(
            [
                (best[1] + a * span, best[2] + b * move, best[3] + c * move, best[4])
                for a in (-1, 0, 1)
                for b in (-1, 0, 1)
                for c in (-1, 0, 1)
            ]
            + [(best[1], best[2], best[3], best[4] + d * grow) for d in (-1, 1)]
        )
        turned = (unit @ _rotations(options[:, 0]).transpose(0, 2, 1)) * options[:, 3, None, None]
        flat = (turned + options[:, None, 1:3]) @ px_per_side.T + middle
        values = _sample(gray, flat)
        weight = None if weights is None else _sample(weights, flat)
        if mask is not None:
            weight = mask[None] if weight is None else weight * mask
        fits = _correlation(values, weight, pattern).max(axis=1)
        k = int(np.argmax(fits))
        if fits[k] > best[0]:
            a, b, c, d = (float(value) for value in options[k])
            best = (float(fits[k]), a, b, c, d)
            share = 1.0 if weight is None else float(weight[min(k, len(weight) - 1)].mean())
        span, move, grow = span * 0.5, move * 0.5, grow * 0.6
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    # np.rot90 turns counter-clockwise in the picture: the printed top left moves to the bottom left.
    square = np.roll(square, quarter, axis=0)
    corners = (square * best[4]) @ _rotations(np.array([best[1]]))[0].T + np.array([best[2], best[3]])
    return best[0], marker, corners @ px_per_side.T + middle, share


def agreement(gray: Gray, corners: Corners, marker: int) -> float:
    """Correlation (-1…1) of the picture inside the four corners with a marker's print."""
    unit, _ = _grid(2)
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    places = cv2.perspectiveTransform(unit.reshape(-1, 1, 2), warp.astype(np.float64)).reshape(1, -1, 2)
    x0, y0 = np.maximum(np.floor(places.min(axis=(0, 1))).astype(int) - 2, 0)
    x1, y1 = np.ceil(places.max(axis=(0, 1))).astype(int) + 3
    crop = gray[y0 : max(y1, y0 + 2), x0 : max(x1, x0 + 2)]
    if crop.size == 0:
        return -1.0
    values = _sample(crop.astype(np.float32), places - np.array([x0, y0]))
    return float(_correlation(values, None, _template(marker, 0)).max())
