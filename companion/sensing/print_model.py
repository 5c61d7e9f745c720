"""What a print of the dictionary looks like: cell by cell, as a whole or in part, at each softness.

A print is a sum of dark cells, each softened alike; its light is sampled at places given in sides, the middle 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.markers import dictionary

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CELLS = 7
# With the white around it.
ACROSS = CELLS + 2
# Samples per cell and side; prints are softened finer than that, with so many cells around.
_SUB = 3
_FINE, _SPARE = 6, 2
# How soft a print may be, as blur in cells along and across a direction (degrees): from in focus to a blur as wide as
# a cell, and shaken by up to two and a half cells.
SOFTNESS = (
    *((blur, blur, 0.0) for blur in (0.1, 0.25, 0.4, 0.55, 0.75, 1.0)),
    *((along, 0.2, towards) for along in (0.45, 0.75) for towards in (0.0, 45.0, 90.0, 135.0)),
)
# A print may be seen in part: all but what lies beyond a line in one of eight directions, 0 being the whole.
WHOLE, PARTS = 0, tuple(range(1, 9))
SEEN_SHARE = 0.6
# Its border alone: the outer half of the frame and the white around it, alike for all prints.
BORDER = 9

# The cells inside the frame, and the frame's own.
INSIDE = (slice(2, -2), slice(2, -2))
FRAME = np.zeros((ACROSS, ACROSS), dtype=np.bool_)
FRAME[1:-1, 1:-1] = True
FRAME[INSIDE] = False


@cache
def sample_places() -> tuple[Singles, Flags]:
    """Sample places (n, 2) in sides, the middle 0, and which of the square they are.

    Round stickers have no white at the square's far corners.
    """
    axis = (np.arange(ACROSS * _SUB) + 0.5) / _SUB - ACROSS / 2
    x, y = np.meshgrid(axis, axis)
    inside = np.hypot(x, y) < 5.15
    return (np.stack([x[inside], y[inside]], axis=1) / CELLS).astype(np.float32), inside


def _direction(part: int) -> Floats:
    """Where the covered side of a part is, as (x, y) in the print."""
    turn = np.radians(45.0 * (part - 1))
    return np.array([np.cos(turn), np.sin(turn)])


@cache
def cells_across(part: int) -> Floats:
    """How far each cell's middle (9, 9) is towards the covered side, in cells."""
    axis = np.arange(ACROSS) - (ACROSS - 1) / 2
    x, y = np.meshgrid(axis, axis)
    dx, dy = _direction(part)
    return np.asarray(x * dx + y * dy, dtype=np.float64)


@cache
def part_of(places: bytes, part: int) -> Flags:
    """Which of some places (n, 2 float32, as bytes) belong to a part."""
    at = np.frombuffer(places, dtype=np.float32).reshape(-1, 2)
    if part == WHOLE:
        return np.ones(len(at), dtype=np.bool_)
    if part == BORDER:
        return np.asarray(np.abs(at).max(axis=1) * CELLS > (CELLS - 1) / 2)
    across = at @ _direction(part)
    return np.asarray(across <= np.quantile(across, SEEN_SHARE))


@cache
def samples_of(part: int) -> Flags:
    return part_of(sample_places()[0].tobytes(), part)


@cache
def _level_of(part: int) -> Singles:
    """Orthonormal columns (n, 3): even light and its slopes."""
    places = sample_places()[0][samples_of(part)]
    basis, _ = np.linalg.qr(np.column_stack([np.ones(len(places)), places.astype(np.float64)]))
    return basis.astype(np.float32)


def without_slope(values: Singles, part: int) -> Singles:
    """Values (..., n) without their mean and slope."""
    level = _level_of(part)
    return np.asarray(values - (values @ level) @ level.T, dtype=np.float32)


def _spread(softness: tuple[float, float, float], fine: int) -> Singles:
    """A softness as a filter, at so many pixels a cell."""
    along, across, towards = softness
    reach = math.ceil(3 * max(along, across) * fine)
    x, y = np.meshgrid(np.arange(-reach, reach + 1) / fine, np.arange(-reach, reach + 1) / fine)
    turn = math.radians(towards)
    u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    weights = np.exp(-0.5 * ((u / along) ** 2 + (v / across) ** 2))
    return np.asarray(weights / weights.sum(), dtype=np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class _Cell:
    """What one white cell, softened, adds to samples anywhere around it, at each softness.

    All cells are alike, and a sample's distance from one is whole samples: each (s, m, m) is seen through the window
    that has the cell at its place. The changes are to the right and down, per side.
    """

    light: Singles
    right: Singles
    down: Singles


@cache
def _cell() -> _Cell:
    # As far to every side as the farthest cell of a print is.
    across = 2 * ACROSS - 1
    edge, middle = _SPARE * _FINE, (ACROSS - 1 + _SPARE) * _FINE
    white = np.zeros(2 * [(across + 2 * _SPARE) * _FINE], np.float32)
    white[middle : middle + _FINE, middle : middle + _FINE] = 1.0
    per_side = np.float32(_FINE * CELLS / 2)

    def sampled(fine: Singles) -> Singles:
        part = np.ascontiguousarray(fine[edge:-edge, edge:-edge])
        small = cv2.resize(part, 2 * (across * _SUB,), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.float32)

    light, right, down = [], [], []
    for softness in SOFTNESS:
        soft = np.asarray(cv2.filter2D(white, cv2.CV_32F, _spread(softness, _FINE)), dtype=np.float32)
        light.append(sampled(soft))
        right.append(sampled((np.roll(soft, -1, 1) - np.roll(soft, 1, 1)) * per_side))
        down.append(sampled((np.roll(soft, -1, 0) - np.roll(soft, 1, 0)) * per_side))
    return _Cell(np.stack(light), np.stack(right), np.stack(down))


def _at(cell: Singles, row: int, column: int) -> Singles:
    """Of something around a cell (..., m, m) the samples (..., 27, 27) of a print that has it at row and column."""
    top, left = ((ACROSS - 1 - at) * _SUB for at in (row, column))
    return cell[..., top : top + ACROSS * _SUB, left : left + ACROSS * _SUB]


def _sum_of(cells: Flags, cell: Singles) -> Singles:
    """What several cells (9, 9) together add to the samples (..., n)."""
    _, inside = sample_places()
    total = np.zeros((*cell.shape[:-2], *inside.shape), np.float32)
    for row, column in np.argwhere(cells):
        total += _at(cell, row, column)
    return np.asarray(total[..., inside], dtype=np.float32)


@cache
def bits(marker: int) -> Flags:
    """Which of a print's cells (9, 9), its frame and the white around included, are white."""
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS)
    return np.pad(np.asarray(print_ > 127), 1, constant_values=True)


@lru_cache(maxsize=256)
def lacking_light(marker: int, softness: int) -> Singles:
    """What a print's black cells would add to the samples (n,) if they were white, at one softness."""
    return _sum_of(~bits(marker), _cell().light[softness])


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A print by one part, at each softness: values without slope (s, n), and their lengths."""

    values: Singles
    lengths: Singles


@lru_cache(maxsize=256)
def model_of(marker: int, part: int) -> Model:
    value = -_sum_of(~bits(marker), _cell().light)[:, samples_of(part)]
    flat = without_slope(value, part)
    return Model(flat, np.linalg.norm(flat, axis=1).astype(np.float32))


@lru_cache(maxsize=512)
def changes_of(marker: int, softness: int) -> tuple[Singles, Singles]:
    """How a whole print's values (n,) at one softness change to the right and down, per side."""
    black, cell = ~bits(marker), _cell()
    return -_sum_of(black, cell.right[softness]), -_sum_of(black, cell.down[softness])


@cache
def cell_patterns(softness: int) -> tuple[Singles, Singles]:
    """Cells at one softness without slope (81, n), and their squared lengths; of corners beyond the sticker none."""
    light, (_, inside) = _cell().light[softness], sample_places()
    each = np.stack([_at(light, *at)[inside] for at in np.ndindex(ACROSS, ACROSS)])
    flat = without_slope(each, WHOLE)
    squares = (flat * flat).sum(axis=1)
    squares[squares < 0.2 * squares.max()] = np.inf
    return flat, squares


@cache
def cell_likeness(softness: int) -> Floats:
    """How much of each cell every other one shows (81, 81) at one softness: the products of their patterns."""
    flat, _ = cell_patterns(softness)
    return np.asarray(flat @ flat.T, dtype=np.float64)


@cache
def cell_of_sample() -> NDArray[np.int_]:
    """The cell (0…80) each sample (n,) lies in."""
    _, inside = sample_places()
    row, column = np.nonzero(inside)
    return np.asarray(row // _SUB * ACROSS + column // _SUB)
