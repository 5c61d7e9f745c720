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

from companion.sensing.markers import Corners, Gray, Marker
from companion.sensing.print_model import (
    ACROSS,
    BORDER,
    CELLS,
    FRAME,
    INSIDE,
    SOFTNESS,
    WHOLE,
    Flags,
    Floats,
    Singles,
    bits,
    cell_likeness,
    cell_of_sample,
    cell_patterns,
    cells_across,
    changes_of,
    lacking_light,
    model_of,
    sample_places,
    samples_of,
    without_slope,
)

# From here on the picture would rather have a cell the other way round: a wrong one comes to 0.7 and more unless the
# blur is heavy, a right one to 0.5 at most. So far off the other way is no print, either.
DOUBTED = 0.6
ODD = 1.2
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
# So much more than the picture as a whole a print may be blurred, and by so many pixels more.
BLUR_FACTOR, BLUR_MORE_PX = 1.5, 0.4
# Up to here softness, which is known in steps only, is the picture's.
AS_BLURRED = 1.2
# From so many of the border's 24 cells on a print is not covered.
UNCOVERED = 20

_INNER: Flags = np.zeros((ACROSS, ACROSS), dtype=np.bool_)
_INNER[INSIDE] = True
_UNLIT: Floats = np.zeros((ACROSS, ACROSS))
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
    soft: int

    def together(self, shown: Flags | None = None) -> float:
        """Of two cells inside the frame, `shown` (9, 9) if given, the doubt at which they change places together.

        0 as printed, 1 as with both the other way round, for the two that the picture would likest have so. Blur
        mixes neighbours: two that are wrong are in little doubt each, since each hides the other.
        """
        cells = np.flatnonzero(_INNER if shown is None else _INNER & shown)
        alike = cell_likeness(self.soft)[np.ix_(cells, cells)]
        sign = np.where(bits(self.marker.id).ravel()[cells], -1.0, 1.0)
        doubt, alone = self.doubt.ravel()[cells], np.diag(alike)
        pull = doubt * alone
        cost = alone[:, None] + alone[None] + 2 * alike * np.outer(sign, sign)
        both = (pull[:, None] + pull[None]) / np.maximum(cost, 1e-9)
        return float(np.max(both, where=~np.eye(len(cells), dtype=np.bool_), initial=-1.0))

    def is_rough(self, shown: Flags | None = None) -> bool:
        """Are the cells inside the frame, or those of them that are `shown` (9, 9), too much in doubt together?"""
        inside = self.doubt[INSIDE] if shown is None else self.doubt[INSIDE][shown[INSIDE]]
        return float(np.mean(inside * inside)) > self.roughest**2

    @property
    def doubted(self) -> int:
        """How many of the 25 cells inside the frame the picture would rather have the other way round."""
        return int((self.doubt[INSIDE] > self.limit).sum())

    @property
    def odd(self) -> int:
        """How many of the 25 cells inside the frame are like nothing printed."""
        return int((np.abs(self.doubt[INSIDE]) > ODD).sum())

    @property
    def broken(self) -> int:
        """How many of the frame's 24 cells do not show."""
        return int((self.doubt[FRAME] > self.limit).sum())

    def shown(self, part: int) -> Flags:
        """Which cells (9, 9) lie before the first one inside the frame, from a part's side, that does not show."""
        away = cells_across(part)
        hidden = away[INSIDE][np.abs(self.doubt[INSIDE]) > self.limit]
        return np.asarray(away < (hidden.min() - 1e-6 if len(hidden) else np.inf))

    def bordered(self) -> Flags:
        """Of which frame cells (9, 9) frame and white around show as printed; False elsewhere."""
        as_printed = np.abs(self.doubt) <= self.limit
        shows = as_printed & FRAME
        for edge, beside in (((1, slice(None)), (0, slice(None))), ((-2, slice(None)), (-1, slice(None)))):
            shows[edge] &= as_printed[beside]
            shows.T[edge] &= as_printed.T[beside]
        return np.asarray(shows & FRAME)


@cache
def _rays(part: int) -> Floats:
    """The sample places of a part, (3, n), as perspectives take them."""
    places = sample_places()[0][samples_of(part)].astype(np.float64)
    return np.ascontiguousarray(np.column_stack([places, np.ones(len(places))]).T)


def _light_at(gray: Gray, warps: Floats, part: int, tone: float) -> Singles:
    """The light (k, n) in a tone at a part of prints given by the perspective (k, 3, 3) from the unit square."""
    flat = warps @ _rays(part)
    pixels = (flat[:, :2] / flat[:, 2:]).astype(np.float32)
    values = cv2.remap(gray, pixels[:, 0], pixels[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
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
    here = samples_of(part)
    places = sample_places()[0][here]
    x, y = places[:, 0], places[:, 1]
    models = [model_of(marker.id, part) for marker in markers]
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
        seen = without_slope(_light_at(gray, warps, part, tone), part)
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
        changes = np.empty((len(markers), 8, len(places)), np.float32)
        for n, marker in enumerate(markers):
            rightwards, downwards = changes_of(marker.id, int(soft[n]))
            changes[n, 0], changes[n, 1] = rightwards[here], downwards[here]
        right, down = changes[:, 0], changes[:, 1]
        changes[:, 2], changes[:, 3], changes[:, 4], changes[:, 5] = right * x, right * y, down * x, down * y
        outward = changes[:, 2] + changes[:, 5]
        changes[:, 6], changes[:, 7] = outward * x, outward * y
        changes = without_slope(changes, part) * -slope[:, None, None]
        warps = warps @ _correction(shown, changes, left, priors)
    fits = []
    for n, marker in enumerate(markers):
        corners = cv2.perspectiveTransform(_SQUARE.reshape(-1, 1, 2).astype(np.float64), best_warps[n])
        likeness = float(best[n]) if part == WHOLE and tone == LIT else None
        moved = Marker(marker.id, corners.reshape(4, 2).astype(np.float32), likeness)
        soft_n, gain_n = int(softness[n]), max(float(gain[n]), 1e-9)
        left_n, light = rest[n], _UNLIT
        if part != WHOLE:
            left_n, light = _beyond(gray, best_warps[n], marker.id, part, tone, soft_n, gain_n)
        cells, squares = cell_patterns(soft_n)
        doubt = (cells @ left_n) / (gain_n * squares) * np.where(bits(marker.id).ravel(), -1, 1)
        fits.append(
            Fit(
                moved,
                doubt.reshape(ACROSS, ACROSS).astype(np.float64),
                SOFTNESS[soft_n][0],
                float(gain[n]),
                float(best[n]),
                part,
                light,
                _LIMIT[tone] if part in (WHOLE, BORDER) else _PART_LIMIT,
                _roughest(soft_n, as_soft[n], tone),
                soft_n,
            )
        )
    return fits


def _roughest(softness: int, picture: float, tone: float) -> float:
    """How much the cells of a print may be doubted together, at a softness, in a picture as soft as that (cells)."""
    along, across, _ = SOFTNESS[softness]
    if tone == SHADED and across > HALF_A_CELL:
        # With the dark raised blur tells too little: nothing is believed that is so soft.
        return 0.0
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
    seen = samples_of(part)
    light = _light_at(gray, warp[None], WHOLE, tone)[0]
    left = light + gain * lacking_light(marker, softness)
    left = (left - left[seen].mean()).astype(np.float32)
    sums = np.bincount(cell_of_sample(), light, ACROSS**2)
    counts = np.bincount(cell_of_sample(), minlength=ACROSS**2)
    return left, (sums / np.maximum(counts, 1) / gain).reshape(ACROSS, ACROSS)


def agreement(gray: Gray, corners: Corners, marker: int) -> float:
    """Correlation (-1…1) of the picture inside four corners (4, 2) with a marker's print, at its best softness."""
    return fitted(gray, [Marker(marker, corners)], steps=0)[0].correlation
