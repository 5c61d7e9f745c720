"""The first look for a print whose size is known: which of those that may lie there is it likest, and how does it lie?

The picture around a place is compared with every print that could lie there, in every turn and shift, by normalised
correlation: independent of light and contrast, and using every cell at once where a detector needs four clean edges
first. First with what all prints have in common, the frame; where that is to be seen, with each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker, dictionary
from companion.sensing.print_model import CELLS, WHOLE, Singles, part_of

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
    return _Patterns(_normal(rows[:, _seen(part)]), labels)


@cache
def _seen(part: int) -> NDArray[np.bool_]:
    """Which samples (n,) belong to a part."""
    return part_of(_grid()[0].tobytes(), part)


@cache
def _frames(ids: tuple[int, ...], parts: tuple[int, ...]) -> Singles:
    """What all prints have in common, the dark frame and the white around it: by part and focus (n, parts * focuses).

    Each a pattern of zero mean and unit length over its part, and 0 elsewhere.
    """
    rows, _ = _rows(ids)
    common = rows.reshape(len(ids), len(BLURS), 4, -1).mean(axis=(0, 2))
    patterns = np.zeros((common.shape[1], len(parts), len(BLURS)), np.float32)
    for n, part in enumerate(parts):
        seen = _seen(part)
        patterns[seen, n] = _normal(common[:, seen])
    return patterns.reshape(len(patterns), -1)


@cache
def _members(parts: tuple[int, ...]) -> Singles:
    """Which samples belong to which part, as columns (n, parts)."""
    return np.stack([_seen(part) for part in parts], axis=1).astype(np.float32)


_NOTHING = np.empty((0, 0), np.float32)


def _product(values: Singles, columns: Singles) -> Singles:
    """Samples (k, n) times columns (n, m).

    On one core: the linear algebra library would wake threads that cost more than they do.
    """
    return np.asarray(cv2.gemm(np.ascontiguousarray(values), columns, 1.0, _NOTHING, 0.0), dtype=np.float32)


def _spread(values: Singles, members: Singles) -> Singles:
    """How far samples (k, n) of grey values are from their mean over each part (k, parts), as a length.

    At least what a plain surface is.
    """
    counts = members.sum(axis=0)
    # Sums of squares of a print's samples are whole numbers that fit.
    square = _product(values * values, members) - _product(values, members) ** 2 / counts
    return np.asarray(np.sqrt(np.maximum(square, LEAST_SPREAD**2 * counts)), dtype=np.float32)


def _frame_fits(looks: Looks, ids: tuple[int, ...], parts: tuple[int, ...]) -> Singles:
    """How well the frame of a print fits by each part, in each pose at each place (parts, k, poses), -1…1."""
    count, poses, samples = looks.values.shape
    values = looks.values.reshape(count * poses, samples)
    fits = _product(values, _frames(ids, parts)).reshape(len(values), len(parts), len(BLURS)).max(axis=2)
    return np.ascontiguousarray((fits / _spread(values, _members(parts))).T).reshape(-1, count, poses)


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


def likeliest(
    looks: Looks, ids: tuple[int, ...], parts: tuple[int, ...] = (WHOLE,)
) -> dict[int, list[Marker | None]]:
    """By part of the prints that is compared: at each place the print among `ids` that correlates best there, roughly.

    None where none does.
    """
    frames = _frame_fits(looks, ids, parts)
    return {part: _likeliest(looks, ids, part, frames[n]) for n, part in enumerate(parts)}


def _likeliest(looks: Looks, ids: tuple[int, ...], part: int, frames: Singles) -> list[Marker | None]:
    """The likeliest prints by one part, where the frame fits so well in each pose (k, poses)."""
    count, poses = frames.shape
    framed = np.flatnonzero(frames.max(axis=1) >= (FRAME_FIT if part == WHOLE else FRAME_FIT_PARTLY))
    found: list[Marker | None] = [None] * count
    if not len(framed):
        return found
    best = np.argpartition(-frames[framed], min(BEST_POSES, poses - 1), axis=1)[:, :BEST_POSES]
    values = looks.values[framed[:, None], best].reshape(-1, looks.values.shape[2])
    patterns, members = _prints(ids, part), _members((part,))
    fits = _product(values[:, _seen(part)], patterns.columns) / _spread(values, members)
    fits = fits.reshape(len(framed), -1)
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


def framed(looks: Looks, ids: tuple[int, ...]) -> list[Marker]:
    """At each place where a print's frame fits best, as a marker with the first of the ids."""
    (frames,) = _frame_fits(looks, ids, (WHOLE,))
    best = looks.maps[frames.argmax(axis=1)].astype(np.float64)
    square = _SQUARE @ best[:, :, :2].transpose(0, 2, 1) + best[:, None, :, 2]
    corners = square @ looks.sides.transpose(0, 2, 1) + looks.middles[:, None]
    return [Marker(ids[0], one.astype(np.float32)) for one in corners]
