"""Every cell of a print, read: does the picture show this print, and no other, and where exactly?

A print is a sum of dark cells, each softened alike. The sum is fitted to the picture: softness, contrast and the
light's slope across the print, and the four corners by least squares. What then remains over a cell says whether
the picture would rather have that cell the other way round: its doubt, 0 as printed, 1 as the opposite. Two prints
of the dictionary differ in six cells and more, so cell by cell a print is told from whatever else looks like one;
by its likeness as a whole it is not, since the frame, which all have, is half of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.markers import Corners, Gray, Marker, dictionary

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CELLS = 7
# With the white around it.
_ACROSS = CELLS + 2
# Samples per cell and side.
_SUB = 3
# How soft a print may be, as blur in cells along and across a direction (degrees): from in focus to a blur as wide as
# a cell, and shaken by up to two and a half cells.
SOFTNESS = (
    *((blur, blur, 0.0) for blur in (0.1, 0.25, 0.4, 0.55, 0.75, 1.0)),
    *((along, 0.2, towards) for along in (0.45, 0.75) for towards in (0.0, 45.0, 90.0, 135.0)),
)
# From here on the picture would rather have a cell the other way round: a wrong one comes to 0.7 and more unless the
# blur is heavy, a right one to 0.5 at most. So far off the other way is no print, either.
DOUBTED = 0.6
ODD = 1.2
# A print correlates at least this well, also in heavy blur; by a part of it, that part.
AS_PRINT, AS_PART = 0.78, 0.9
# The camera's tone curve: blur and half-covered pixels mix light, not grey values.
GAMMA = 2.2
# Tones (powers of the grey value) in which prints are read: as light; and, where that does not do, with the dark
# raised, so that the edge of a shadow across a print is little against the print's own contrast. Blur tells less there.
LIT, SHADED = GAMMA, 0.5
_LIMIT = {LIT: DOUBTED, SHADED: 0.8 * DOUBTED}
_PART_LIMIT = 0.5
# What the cells of a true print are doubted by, root mean square, is mostly less than 0.1, 0.4 where the blur is half as
# wide as a cell. Nested squares, windows and pips, doubted in no single cell, have 0.26 and more, and need more blur
# than that, or than the picture has: for what is so soft it must be less. So it must for what is as good as sharp.
ROUGH, SHARP_AND_ROUGH, SOFT_AND_ROUGH = 0.42, 0.3, 0.22
SHARP, HALF_A_CELL = 0.3, 0.6
# How far corners may be off at first, in sides: shift; size, turn and shear; perspective.
_PRIORS = (0.05, 0.05, 0.08, 0.08, 0.08, 0.08, 0.02, 0.02)
# By a part much less is told, and what is not seen must not be made to fit; a border is square or nearly so.
_PART_PRIORS = (0.05, 0.05, 0.03, 0.03, 0.03, 0.03, 0.005, 0.005)
_BORDER_PRIORS = (0.05, 0.05, 0.08, 0.08, 0.08, 0.08, 0.005, 0.005)
STEPS = 3
# Of the frame's 24 cells so many may be covered while all cells inside show.
MOST_BROKEN = 12
# A print may be seen in part: all but what lies beyond a line in one of eight directions, 0 being the whole.
WHOLE, PARTS = 0, tuple(range(1, 9))
SEEN_SHARE = 0.6
# Its border alone: the outer half of the frame and the white around it, alike for all prints.
BORDER = 9
# So much more than the picture as a whole a print may be blurred, and by so many pixels more.
BLUR_FACTOR, BLUR_MORE_PX = 1.5, 0.4
# Up to here softness, which is known in steps only, is the picture's.
AS_BLURRED = 1.2
# So many cells of a print that is partly covered must show, so much of its border on the covered side must not.
LEAST_SHOWN = 15
SEEN_BORDER, MOST_HIDDEN_BORDER, MOST_ODD = 0.5, 3, 3
# From so many of the border's 24 cells on a print is not covered.
UNCOVERED = 20
# What covers a print is a finger, a cap, a card's edge: plainer than this, in contrasts (rms of the cells' means).
PLAIN = 0.35

_INSIDE = (slice(2, -2), slice(2, -2))
_FRAME = np.zeros((_ACROSS, _ACROSS), dtype=np.bool_)
_FRAME[1:-1, 1:-1] = True
_FRAME[_INSIDE] = False

_UNLIT: Floats = np.zeros((_ACROSS, _ACROSS))
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], dtype=np.float32)


@cache
def _curve(tone: float) -> Singles:
    """What each grey value counts in a tone, 0…1."""
    return np.asarray((np.arange(256) / 255.0) ** tone, dtype=np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """A print fitted to a picture, as a whole or by one part of it.

    `marker`: with the fitted corners. `doubt` (9, 9): by cell, the white around the print included. `softness`: blur
    in cells, the stronger way. `contrast`: light between black and white, of the most a picture holds.
    `correlation` (-1…1) with the picture. `light` (9, 9): where only a part was fitted, each cell's mean, in
    contrasts. `limit`: from where on a cell is doubted. `roughest`: how much all together may be.
    """

    marker: Marker
    doubt: Floats
    softness: float
    contrast: float
    correlation: float
    part: int
    light: Floats
    limit: float
    roughest: float

    def is_rough(self, shown: Flags | None = None) -> bool:
        """Are the cells inside the frame, or those of them that are `shown` (9, 9), too much in doubt together?"""
        inside = self.doubt[_INSIDE] if shown is None else self.doubt[_INSIDE][shown[_INSIDE]]
        return float(np.mean(inside * inside)) > self.roughest**2

    @property
    def doubted(self) -> int:
        """How many of the 25 cells inside the frame the picture would rather have the other way round."""
        return int((self.doubt[_INSIDE] > self.limit).sum())

    @property
    def odd(self) -> int:
        """How many of the 25 cells inside the frame are like nothing printed."""
        return int((np.abs(self.doubt[_INSIDE]) > ODD).sum())

    @property
    def broken(self) -> int:
        """How many of the frame's 24 cells do not show."""
        return int((self.doubt[_FRAME] > self.limit).sum())

    def shown(self, part: int) -> Flags:
        """Which cells (9, 9) lie before the first one inside the frame, from a part's side, that does not show."""
        away = _cells_across(part)
        hidden = away[_INSIDE][np.abs(self.doubt[_INSIDE]) > self.limit]
        return np.asarray(away < (hidden.min() - 1e-6 if len(hidden) else np.inf))

    def bordered(self) -> Flags:
        """Of which frame cells (9, 9) frame and white around show as printed; False elsewhere."""
        as_printed = np.abs(self.doubt) <= self.limit
        shows = as_printed & _FRAME
        for edge, beside in (((1, slice(None)), (0, slice(None))), ((-2, slice(None)), (-1, slice(None)))):
            shows[edge] &= as_printed[beside]
            shows.T[edge] &= as_printed.T[beside]
        return np.asarray(shows & _FRAME)


@cache
def _places() -> tuple[Singles, Flags]:
    """Sample places (n, 2) in sides, the middle 0, and which of the square they are.

    Round stickers have no white at the square's far corners.
    """
    axis = (np.arange(_ACROSS * _SUB) + 0.5) / _SUB - _ACROSS / 2
    x, y = np.meshgrid(axis, axis)
    inside = np.hypot(x, y) < 5.15
    return (np.stack([x[inside], y[inside]], axis=1) / CELLS).astype(np.float32), inside


def _direction(part: int) -> Floats:
    """Where the covered side of a part is, as (x, y) in the print."""
    turn = np.radians(45.0 * (part - 1))
    return np.array([np.cos(turn), np.sin(turn)])


@cache
def _cells_across(part: int) -> Floats:
    """How far each cell's middle (9, 9) is towards the covered side, in cells."""
    axis = np.arange(_ACROSS) - (_ACROSS - 1) / 2
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
def _seen(part: int) -> Flags:
    return part_of(_places()[0].tobytes(), part)


@cache
def _level(part: int) -> Singles:
    """Orthonormal columns (n, 3): even light and its slopes."""
    places = _places()[0][_seen(part)]
    basis, _ = np.linalg.qr(np.column_stack([np.ones(len(places)), places.astype(np.float64)]))
    return basis.astype(np.float32)


def _without_slope(values: Singles, part: int) -> Singles:
    """Values (..., n) without their mean and slope."""
    level = _level(part)
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


@cache
def _cell_images(softness: tuple[float, float, float]) -> tuple[Singles, Singles, Singles]:
    """What one white cell adds to the samples (81, n), and how that changes to the right and down, per side."""
    fine, spare = 6, 2
    blur = _spread(softness, fine)
    size = (_ACROSS + 2 * spare) * fine
    _, inside = _places()
    values: list[Singles] = []
    rights: list[Singles] = []
    downs: list[Singles] = []
    per_side = fine * CELLS / 2
    for row in range(_ACROSS):
        for column in range(_ACROSS):
            cell = np.zeros((size, size), np.float32)
            top, left = (row + spare) * fine, (column + spare) * fine
            cell[top : top + fine, left : left + fine] = 1.0
            soft = np.asarray(cv2.filter2D(cell, cv2.CV_32F, blur), dtype=np.float32)
            right = (np.roll(soft, -1, 1) - np.roll(soft, 1, 1)) * np.float32(per_side)
            down = (np.roll(soft, -1, 0) - np.roll(soft, 1, 0)) * np.float32(per_side)
            for images, one in ((values, soft), (rights, right), (downs, down)):
                part = np.ascontiguousarray(one[spare * fine : -spare * fine, spare * fine : -spare * fine])
                small = cv2.resize(part, inside.shape, interpolation=cv2.INTER_AREA)
                images.append(np.asarray(small, dtype=np.float32)[inside])
    return np.stack(values), np.stack(rights), np.stack(downs)


@cache
def bits(marker: int) -> Flags:
    """Which of a print's cells (9, 9), its frame and the white around included, are white."""
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, CELLS)
    return np.pad(np.asarray(print_ > 127), 1, constant_values=True)


@dataclass(frozen=True, eq=False, slots=True)
class _Model:
    """A print by one part, at each softness: values without slope (s, n), their lengths, changes right and down."""

    values: Singles
    lengths: Singles
    right: Singles
    down: Singles


@cache
def _model(marker: int, part: int) -> _Model:
    black, seen = ~bits(marker).ravel(), _seen(part)
    images = [_cell_images(softness) for softness in SOFTNESS]
    value, right, down = (
        np.stack([-one[n][black].sum(axis=0)[seen] for one in images]).astype(np.float32) for n in range(3)
    )
    flat = _without_slope(value, part)
    return _Model(flat, np.linalg.norm(flat, axis=1).astype(np.float32), right, down)


@cache
def _cells(softness: int) -> tuple[Singles, Singles]:
    """Cells at one softness without slope (81, n), and their squared lengths; of corners beyond the sticker none."""
    flat = _without_slope(_cell_images(SOFTNESS[softness])[0], WHOLE)
    squares = (flat * flat).sum(axis=1)
    squares[squares < 0.2 * squares.max()] = np.inf
    return flat, squares


@cache
def _cell_of() -> NDArray[np.int_]:
    """The cell (0…80) each sample (n,) lies in."""
    _, inside = _places()
    row, column = np.nonzero(inside)
    return np.asarray(row // _SUB * _ACROSS + column // _SUB)


def _light_at(gray: Gray, warps: Floats, places: Singles, tone: float) -> Singles:
    """The light (k, n) in a tone at places of prints given by the perspective (k, 3, 3) from the unit square."""
    flat = np.column_stack([places, np.ones(len(places))]) @ warps.transpose(0, 2, 1)
    pixels = (flat[..., :2] / flat[..., 2:]).astype(np.float32)
    values = cv2.remap(
        gray, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(_curve(tone)[values], dtype=np.float32)


def fitted(
    gray: Gray,
    markers: Sequence[Marker],
    steps: int = STEPS,
    part: int = WHOLE,
    tone: float = LIT,
    blur_px: float = math.inf,
) -> list[Fit]:
    """The prints fitted to a grey picture, in the same order, with so many steps of correcting the corners.

    Corners may be off by a twentieth of a side. Many are fitted together at little more than the cost of one.
    `blur_px`: how much the picture is blurred as a whole; no print is blurred much more.
    """
    if not markers:
        return []
    places = _places()[0][_seen(part)]
    x, y = places[:, 0], places[:, 1]
    models = [_model(marker.id, part) for marker in markers]
    values = np.stack([model.values for model in models])
    lengths = np.stack([model.lengths for model in models])
    rows = np.arange(len(markers))
    warps: Floats = np.stack(
        [cv2.getPerspectiveTransform(_SQUARE, m.corners.astype(np.float32)) for m in markers]
    ).astype(np.float64)
    best_warps, best = warps.copy(), np.full(len(markers), -2.0)
    softness, gain = np.zeros(len(markers), dtype=np.int_), np.zeros(len(markers), np.float32)
    rest = np.zeros((len(markers), len(places)), np.float32)
    priors = {WHOLE: _PRIORS, BORDER: _BORDER_PRIORS}.get(part, _PART_PRIORS)
    softest = np.array([(BLUR_FACTOR * blur_px + BLUR_MORE_PX) * CELLS / m.side_px for m in markers])
    as_soft = [(AS_BLURRED * blur_px + BLUR_MORE_PX) * CELLS / marker.side_px for marker in markers]
    too_soft = np.array([soft[0] for soft in SOFTNESS]) > np.maximum(softest, SOFTNESS[1][0])[:, None]
    for step in range(steps + 1):
        seen = _without_slope(_light_at(gray, warps, places, tone), part)
        products = np.matmul(values, seen[:, :, None])[:, :, 0] / lengths
        soft = np.where(too_soft, -np.inf, products).argmax(axis=1)
        fit = products[rows, soft] / np.maximum(np.linalg.norm(seen, axis=1), 1e-9)
        slope = products[rows, soft] / lengths[rows, soft]
        shown = values[rows, soft]
        left = seen - slope[:, None] * shown
        better = fit > best
        best[better], best_warps[better] = fit[better], warps[better]
        softness[better], gain[better], rest[better] = soft[better], slope[better], left[better]
        if step == steps:
            break
        right = np.stack([model.right[s] for model, s in zip(models, soft, strict=True)])
        down = np.stack([model.down[s] for model, s in zip(models, soft, strict=True)])
        outward = right * x + down * y
        changes = np.stack(
            [right, down, right * x, right * y, down * x, down * y, outward * x, outward * y], axis=1
        )
        changes = _without_slope(changes, part) * -slope[:, None, None]
        warps = warps @ _correction(shown, changes, left, priors)
    fits = []
    for n, marker in enumerate(markers):
        corners = cv2.perspectiveTransform(_SQUARE.reshape(-1, 1, 2).astype(np.float64), best_warps[n])
        moved = Marker(marker.id, corners.reshape(4, 2).astype(np.float32))
        soft_n, gain_n = int(softness[n]), max(float(gain[n]), 1e-9)
        left_n, light = rest[n], _UNLIT
        if part != WHOLE:
            left_n, light = _beyond(gray, best_warps[n], marker.id, part, tone, soft_n, gain_n)
        cells, squares = _cells(soft_n)
        doubt = (cells @ left_n) / (gain_n * squares) * np.where(bits(marker.id).ravel(), -1, 1)
        fits.append(
            Fit(
                moved,
                doubt.reshape(_ACROSS, _ACROSS).astype(np.float64),
                SOFTNESS[soft_n][0],
                float(gain[n]),
                float(best[n]),
                part,
                light,
                _LIMIT[tone] if part in (WHOLE, BORDER) else _PART_LIMIT,
                _roughest(soft_n, as_soft[n]),
            )
        )
    return fits


def _roughest(softness: int, picture: float) -> float:
    """How much the cells of a print may be doubted together, at a softness, in a picture as soft as that (cells)."""
    along, across, _ = SOFTNESS[softness]
    if along > picture or across > HALF_A_CELL:
        return SOFT_AND_ROUGH
    return SHARP_AND_ROUGH if along < SHARP else ROUGH


def _correction(shown: Singles, changes: Singles, left: Singles, priors: Sequence[float]) -> Floats:
    """The change of perspective (k, 3, 3) that takes most of what is `left`, within what corners are off."""
    design = np.concatenate([shown[:, None], changes], axis=1).astype(np.float64)
    noise = (left.astype(np.float64) ** 2).mean(axis=1)
    prior = np.concatenate([[0.0], 1.0 / np.square(priors)])
    normal = design @ design.transpose(0, 2, 1)
    normal += noise[:, None, None] * np.diag(prior) + 1e-9 * np.eye(9)
    move = np.linalg.solve(normal, design @ left[:, :, None].astype(np.float64))[:, 1:, 0]
    turn = np.zeros((len(move), 3, 3))
    turn[:, 0] = np.stack([1 + move[:, 2], move[:, 3], move[:, 0]], axis=1)
    turn[:, 1] = np.stack([move[:, 4], 1 + move[:, 5], move[:, 1]], axis=1)
    turn[:, 2] = np.stack([-move[:, 6], -move[:, 7], np.ones(len(move))], axis=1)
    return turn


def _beyond(
    gray: Gray, warp: Floats, marker: int, part: int, tone: float, softness: int, gain: float
) -> tuple[Singles, Floats]:
    """What is left of the whole of a print (n,) once what a part of it says is taken off; and the cells' light."""
    places, _ = _places()
    seen = _seen(part)
    light = _light_at(gray, warp[None], places, tone)[0]
    left = light + gain * _cell_images(SOFTNESS[softness])[0][~bits(marker).ravel()].sum(axis=0)
    left = (left - left[seen].mean()).astype(np.float32)
    sums = np.bincount(_cell_of(), light, _ACROSS**2)
    counts = np.bincount(_cell_of(), minlength=_ACROSS**2)
    return left, (sums / np.maximum(counts, 1) / gain).reshape(_ACROSS, _ACROSS)


def checked(gray: Gray, detected: Sequence[Marker], blur_px: float, steps: int = 2) -> list[Fit]:
    """Those of the detected markers that show their print in every cell, with exact corners."""
    good: dict[int, Fit] = {}
    left = list(range(len(detected)))
    for tone in (LIT, SHADED):
        fits = fitted(gray, [detected[n] for n in left], steps, tone=tone, blur_px=blur_px)
        good |= {n: fit for n, fit in zip(left, fits, strict=True) if surely(fit)}
        left = [n for n in left if n not in good]
    return [good[n] for n in sorted(good)]


def agreement(gray: Gray, corners: Corners, marker: int) -> float:
    """Correlation (-1…1) of the picture inside four corners (4, 2) with a marker's print, at its best softness."""
    return fitted(gray, [Marker(marker, corners)], steps=0)[0].correlation


def covered_part(fit: Fit, hidden: Flags | None = None) -> int:
    """The part that leaves out most of what does not show in a print fitted as a whole, or what is `hidden` (9, 9)."""
    strange = np.minimum(np.abs(fit.doubt), 2.0) if hidden is None else hidden.astype(np.float64)
    inner = strange[1:-1, 1:-1]
    return max(PARTS, key=lambda part: float((inner * np.sign(_cells_across(part)[1:-1, 1:-1])).sum()))


def hidden_cells(marker: Marker, covers: Sequence[tuple[float, float, float]]) -> Flags:
    """Which cells (9, 9) of a print lie, or reach, under discs (x, y, radius) of the picture."""
    axis = (np.arange(_ACROSS) - (_ACROSS - 1) / 2) / CELLS
    middles = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 1, 2)
    warp = cv2.getPerspectiveTransform(_SQUARE, marker.corners.astype(np.float32))
    x, y = cv2.perspectiveTransform(middles, warp).reshape(_ACROSS, _ACROSS, 2).transpose(2, 0, 1)
    spare = marker.side_px / CELLS / 2
    hidden = np.zeros((_ACROSS, _ACROSS), dtype=np.bool_)
    for at_x, at_y, radius in covers:
        hidden |= np.hypot(x - at_x, y - at_y) < radius + spare
    return hidden


def surely(fit: Fit) -> bool:
    """Does a fit of a whole print show this print? Every cell inside the frame must, and most of the frame."""
    as_printed = fit.doubted == 0 and fit.odd == 0 and not fit.is_rough()
    return as_printed and fit.correlation >= AS_PRINT and fit.broken <= MOST_BROKEN


def surely_partly(fit: Fit, ids: Sequence[int]) -> bool:
    """Does a fit of a part of a print show this print, and no other of the `ids`, under a cover?

    Enough cells must show to tell it from all others in every turn, and beyond them something plain covers the print,
    its border too: a whole border around other cells is another print.
    """
    if fit.correlation < AS_PART:
        return False
    shown = fit.shown(fit.part)
    if int(shown[_INSIDE].sum()) < LEAST_SHOWN or fit.is_rough(shown):
        return False
    if fit.doubted == 0:
        return fit.odd <= MOST_ODD and fit.broken <= MOST_BROKEN
    beyond = _FRAME & ~shown
    if (_FRAME & shown & ~fit.bordered()).sum() > MOST_HIDDEN_BORDER:
        return False
    if fit.bordered()[beyond].sum() > SEEN_BORDER * beyond.sum():
        return False
    covered = ~shown & (fit.light > 0)
    if float(fit.light[covered].std()) > PLAIN:
        return False
    return nearest_other(fit.marker.id, tuple(ids), shown[1:-1, 1:-1].tobytes()) >= 2


def surely_beside(fit: Fit, hidden: Flags, ids: Sequence[int]) -> bool:
    """Does a fit of a part of a print show this print, and no other of the `ids`, where it is not `hidden`?"""
    shown = ~hidden
    seen = np.abs(fit.doubt) <= DOUBTED
    return bool(
        fit.correlation >= AS_PART
        and int(shown[_INSIDE].sum()) >= LEAST_SHOWN
        and not fit.is_rough(shown)
        and seen[_INSIDE][shown[_INSIDE]].all()
        and (~seen & shown & _FRAME).sum() <= MOST_HIDDEN_BORDER
        and nearest_other(fit.marker.id, tuple(ids), shown[1:-1, 1:-1].tobytes()) >= 2
    )


@cache
def nearest_other(marker: int, ids: tuple[int, ...], shown: bytes) -> int:
    """In how many of the cells that are `shown` ((7, 7) flags as bytes) the likest other print differs."""
    cells = np.frombuffer(shown, dtype=np.bool_)
    own = bits(marker)[1:-1, 1:-1].ravel()[cells]
    least = int(cells.sum())
    for other in ids:
        square = bits(other)[1:-1, 1:-1]
        for turn in range(4):
            if other == marker and turn == 0:
                continue
            least = min(least, int((np.rot90(square, turn).reshape(-1)[cells] != own).sum()))
    return least
