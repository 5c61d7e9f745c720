"""Reading prints that are small, dim, blurred or in glare, where it is known how large they must be.

The picture around a place is compared with every print that could lie there, in every turn and shift, by normalised
correlation: independent of light and contrast, and using every cell at once where a detector needs four clean edges
first. First with what all prints have in common, the frame; where that is to be seen, with each of them. The best
one is fitted and read cell by cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.cells import LIT, SHADED, UNCOVERED, Fit, fitted
from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker, dictionary
from companion.sensing.print_model import BORDER, CELLS, PARTS, WHOLE, part_of
from companion.sensing.surely import covered_part, hidden_cells, surely, surely_beside, surely_partly

Singles = NDArray[np.float32]

# Focus of the print as blur in cells: sharp, and clearly out of focus.
BLURS = (0.28, 0.6)
# Where no frame fits at all there is no print: a true one's fits by 0.65 and more. Of less, more looks alike.
FRAME_FIT = 0.5
FRAME_FIT_PARTLY = 0.7
# So many poses, those in which a frame fits best, are compared with each print.
BEST_POSES = 12
# The best print of the first look must fit by this to be looked at closely: a true one's fits by 0.6 and more.
COARSE_FIT = 0.45
COARSE_FIT_PARTLY = 0.7
# A border this well seen is a print's, whatever is inside; around its middle, in sides, there is nothing else.
AS_BORDER = 0.85
REACHES = 0.8
# Steps of the first look: turn in degrees, shift in sides.
TURN_STEP_DEG = 7.5
SHIFT_STEP = 0.07
# Two grey levels of contrast at least: a plain surface correlates with nothing.
LEAST_SPREAD = 2.0


@cache
def _grid() -> tuple[Singles, NDArray[np.bool_]]:
    """Sample places (n, 2) in units of the marker's side (x right, y down, middle 0), and which belong."""
    axis = np.arange(CELLS + 2) - (CELLS + 1) / 2
    x, y = np.meshgrid(axis, axis)
    # The round stickers have no white at the square's far corners.
    inside = np.hypot(x, y) < 5.15
    return (np.stack([x[inside], y[inside]], axis=1) / CELLS).astype(np.float32), inside


@dataclass(frozen=True, eq=False, slots=True)
class _Patterns:
    """Zero-mean unit-length patterns as columns (n, m), and each column's (id, quarter turns)."""

    columns: Singles
    labels: NDArray[np.int_]


def _normal(rows: Singles) -> Singles:
    """Rows (m, n) without their mean, of unit length, as columns (n, m)."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return np.ascontiguousarray(flat.T, dtype=np.float32)


@cache
def _rows(ids: tuple[int, ...]) -> tuple[Singles, NDArray[np.int_]]:
    """What the ids show in four turns and each focus (m, n), and the (id, quarter turns) of each row."""
    _, inside = _grid()
    fine = 8
    rows: list[Singles] = []
    labels: list[tuple[int, int]] = []
    for marker in ids:
        print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS * fine)
        sheet = np.pad(print_, 2 * fine, constant_values=255)
        for blur in BLURS:
            soft = cv2.GaussianBlur(sheet.astype(np.float32), (0, 0), blur * fine)
            cells = cv2.resize(soft[fine:-fine, fine:-fine], inside.shape, interpolation=cv2.INTER_AREA)
            for turn in range(4):
                rows.append(np.asarray(np.rot90(cells, turn)[inside], dtype=np.float32))
                labels.append((marker, turn))
    return np.stack(rows), np.array(labels)


@cache
def _prints(ids: tuple[int, ...], part: int) -> _Patterns:
    """The patterns of the ids, over one part of them."""
    rows, labels = _rows(ids)
    return _Patterns(_normal(rows[:, part_of(_grid()[0].tobytes(), part)]), labels)


@cache
def _frames(ids: tuple[int, ...], part: int) -> _Patterns:
    """What all prints have in common, one pattern a focus: the dark frame and the white around it."""
    rows, _ = _rows(ids)
    common = rows.reshape(len(ids), len(BLURS), 4, -1).mean(axis=(0, 2))
    common = np.asarray(common[:, part_of(_grid()[0].tobytes(), part)], dtype=np.float32)
    return _Patterns(_normal(common), np.zeros((len(BLURS), 2), dtype=np.int_))


_NOTHING = np.empty((0, 0), np.float32)


def _correlation(values: Singles, patterns: _Patterns) -> Singles:
    """Correlation (k, m) of samples (k, n) with patterns.

    On one core: the linear algebra library would wake threads that cost more than they do.
    """
    spread = np.linalg.norm(values - values.mean(axis=1, keepdims=True), axis=1)
    floor = LEAST_SPREAD * np.sqrt(values.shape[1])
    product = cv2.gemm(np.ascontiguousarray(values), patterns.columns, 1.0, _NOTHING, 0.0)
    return np.asarray(product / np.maximum(spread, floor)[:, None], dtype=np.float32)


@cache
def _poses(reach: float) -> tuple[Singles, Singles]:
    """Of the first look: affine maps (p, 2, 3) from the unit square, and sample places (p, n, 2), in sides."""
    count = max(1, round(reach / SHIFT_STEP))
    steps = np.arange(-count, count + 1) * SHIFT_STEP
    dx, dy = (values.ravel() for values in np.meshgrid(steps, steps))
    turns = np.radians(np.arange(0.0, 90.0, TURN_STEP_DEG))
    grid = np.zeros((len(turns), len(dx), 2, 3), np.float32)
    for n, turn in enumerate(turns):
        grid[n, :, :, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        grid[n, :, 0, 2], grid[n, :, 1, 2] = dx, dy
    maps = grid.reshape(-1, 2, 3)
    unit = np.column_stack([_grid()[0], np.ones(len(_grid()[0]))]).astype(np.float32)
    return maps, unit @ maps.transpose(0, 2, 1)


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, eq=False, slots=True)
class Looks:
    """What the picture shows at some places in every pose of the first look.

    `values` (k, poses, n): the samples. `middles` (k, 2) px; `sides` (k, 2, 2): a marker's side to the right and down,
    in pixels, for a print that is not turned. `maps` (poses, 2, 3): the poses, in sides.
    """

    values: Singles
    middles: Singles
    sides: Singles
    maps: Singles

    def only(self, places: Sequence[int]) -> Looks:
        """Those at some of the places."""
        return Looks(self.values[places], self.middles[places], self.sides[places], self.maps)


def looks_at(
    gray: Gray, places: Sequence[Sequence[float]], px_per_side: Sequence[Floats], reach: float = SHIFT_STEP
) -> Looks:
    """The samples at places (x, y) px, where a print's middle may be `reach` sides off."""
    maps, unit = _poses(reach)
    middles = np.asarray(places, dtype=np.float32)
    sides = np.stack(px_per_side).astype(np.float32)
    pixels = np.matmul(unit[None], sides.transpose(0, 2, 1)[:, None]) + middles[:, None, None]
    count = unit.shape[1]
    flat = pixels.reshape(-1, count, 2)
    # A picture has at most 32767 rows.
    values = [
        cv2.remap(gray, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for rows in np.array_split(flat, -(-len(flat) // 30000))
    ]
    shown = np.concatenate(values).astype(np.float32).reshape(len(middles), -1, count)
    return Looks(shown, middles, sides, maps)


def likeliest(looks: Looks, ids: tuple[int, ...], part: int = WHOLE) -> list[Marker | None]:
    """At each place the print among `ids` that correlates best there, roughly; None where none does.

    `part`: which part of the prints is compared.
    """
    seen = part_of(_grid()[0].tobytes(), part)
    count, poses = looks.values.shape[:2]
    values = looks.values[:, :, seen].reshape(count * poses, -1)
    frames = _correlation(values, _frames(ids, part)).max(axis=1).reshape(count, poses)
    framed = np.flatnonzero(frames.max(axis=1) >= (FRAME_FIT if part == WHOLE else FRAME_FIT_PARTLY))
    found: list[Marker | None] = [None] * count
    if not len(framed):
        return found
    best = np.argpartition(-frames[framed], min(BEST_POSES, poses - 1), axis=1)[:, :BEST_POSES]
    rows = (framed[:, None] * poses + best).ravel()
    patterns = _prints(ids, part)
    fits = _correlation(values[rows], patterns).reshape(len(framed), -1)
    least = COARSE_FIT if part == WHOLE else COARSE_FIT_PARTLY
    for n, place in enumerate(framed):
        top = int(fits[n].argmax())
        if fits[n, top] < least:
            continue
        pose, column = divmod(top, len(patterns.labels))
        marker, quarter = (int(value) for value in patterns.labels[column])
        turn = looks.maps[best[n, pose]].astype(np.float64)
        # np.rot90 turns counter-clockwise in the picture: the printed top left moves to the bottom left.
        square = np.roll(_SQUARE, quarter, axis=0) @ turn[:, :2].T + turn[:, 2]
        corners = square @ looks.sides[place].astype(np.float64).T + looks.middles[place]
        found[place] = Marker(marker, corners.astype(np.float32))
    return found


def _within(marker: Marker, place: Sequence[float]) -> bool:
    """Does a place lie on a print?"""
    return math.dist(marker.centre, place) < REACHES * marker.side_px


def framed(looks: Looks, ids: tuple[int, ...]) -> list[Marker]:
    """At each place where a print's frame fits best, as a marker with the first of the ids."""
    count, poses, samples = looks.values.shape
    frames = _correlation(looks.values.reshape(count * poses, samples), _frames(ids, WHOLE)).max(axis=1)
    best = looks.maps[frames.reshape(count, poses).argmax(axis=1)].astype(np.float64)
    square = _SQUARE @ best[:, :, :2].transpose(0, 2, 1) + best[:, None, :, 2]
    corners = square @ looks.sides.transpose(0, 2, 1) + looks.middles[:, None]
    return [Marker(ids[0], one.astype(np.float32)) for one in corners]


def read(
    gray: Gray,
    places: Sequence[Sequence[float]],
    px_per_side: Sequence[Floats],
    ids: tuple[int, ...],
    blur_px: float,
    *,
    partly: bool = True,
    reach: float = SHIFT_STEP,
    others: list[Marker] | None = None,
    covers: Sequence[tuple[float, float, float]] = (),
) -> list[Fit | None]:
    """At each place (x, y) px the print of `ids` that surely is there; None where none is.

    `px_per_side`: for each place (2, 2), a marker's side to the right and down, in pixels, for a print that is not
    turned. `blur_px`: how much the picture is blurred. `partly`: also a print one side of which is covered; but not
    where `others`, whole prints of other cells, are; those that are met are added to them. `reach`: how far off the
    middle may be, in sides. `covers`: discs (x, y, radius) px that are known to hide what is below.
    """
    found: list[Fit | None] = [None] * len(places)
    if not places:
        return found
    looks = looks_at(gray, places, px_per_side, reach)
    seen = [(n, one) for n, one in enumerate(likeliest(looks, ids)) if one is not None]
    covered: dict[int, dict[int, Marker]] = {}
    for tone in (LIT, SHADED):
        fits = fitted(gray, [marker for _, marker in seen], tone=tone, blur_px=blur_px)
        for (n, _), fit in zip(seen, fits, strict=True):
            if surely(fit):
                found[n] = fit
            elif tone == LIT:
                # What of a print is covered is known, or told by how it does not fit.
                covered.setdefault(covered_part(fit), {})[n] = fit.marker
                hidden = hidden_cells(fit.marker, covers)
                if hidden[1:-1, 1:-1].any():
                    (beside,) = fitted(gray, [fit.marker], part=covered_part(fit, hidden), blur_px=blur_px)
                    found[n] = beside if surely_beside(beside, hidden, ids) else None
        seen = [(n, marker) for n, marker in seen if found[n] is None]
    left = [n for n, one in enumerate(found) if one is None]
    if not partly or not left:
        return found
    # A whole border with other cells within is another print, not a covered one.
    borders = fitted(gray, framed(looks.only(left), ids), part=BORDER, blur_px=blur_px)
    others = others if others is not None else []
    others += [
        fit.marker for fit in borders if fit.correlation >= AS_BORDER and fit.bordered().sum() >= UNCOVERED
    ]
    left = [n for n in left if not any(_within(one, places[n]) for one in others)]
    for part in PARTS:
        these = {n: marker for n, marker in covered.get(part, {}).items() if n in left and found[n] is None}
        for n, fit in _partly(gray, these, part, ids, blur_px).items():
            found[n] = fit
    for part in PARTS:
        left = [n for n in left if found[n] is None]
        if left:
            likely = zip(left, likeliest(looks.only(left), ids, part), strict=True)
            these = {n: one for n, one in likely if one is not None}
            for n, fit in _partly(gray, these, part, ids, blur_px).items():
                found[n] = fit
    return found


def _partly(
    gray: Gray, looks: dict[int, Marker], part: int, ids: tuple[int, ...], blur_px: float
) -> dict[int, Fit]:
    """Those prints that surely show by one part."""
    fits = fitted(gray, list(looks.values()), part=part, blur_px=blur_px)
    return {n: fit for n, fit in zip(looks, fits, strict=True) if surely_partly(fit, ids)}
