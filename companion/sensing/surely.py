"""Does a fit show its print, and no other? As a whole, by the part that is not covered, or beside what covers it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from companion.sensing.cells import DOUBTED, HALF_A_CELL, LIT, SHADED, SHARP, Fit, fitted
from companion.sensing.markers import Gray, Marker
from companion.sensing.print_model import (
    ACROSS,
    CELLS,
    FRAME,
    INSIDE,
    PARTS,
    SOFTNESS,
    Flags,
    bits,
    cells_across,
)

# A print correlates at least this well, also in heavy blur; by a part of it, that part.
AS_PRINT, AS_PART = 0.78, 0.9
# Of the frame's 24 cells so many may be covered while all cells inside show.
MOST_BROKEN = 12
# So many cells of a print that is partly covered must show, so much of its border on the covered side must not.
LEAST_SHOWN = 15
SEEN_BORDER, MOST_HIDDEN_BORDER, MOST_ODD = 0.5, 3, 3
# Two cells may be doubted together by this much of what one may be alone: true ones are by 0.73 at most, mostly by 0.2.
# In a sharp picture no cell shines into the next: there a cap beside a print may cast its shade over two of them.
TOGETHER, TOGETHER_SHARP = 0.8, 1.0
# In a blur wider than half a cell whatever is black, square and of the size resembles some print: there only a fit of
# the better half of true ones is believed (rms of its cells, two of them together).
SOFT_ROUGH, SOFT_TOGETHER = 0.15, 0.35
# Fifteen cells tell a print from the others of its box, not from every code there is in the world. A part is believed
# only if no two of its cells are in doubt together, true ones come to 0.25; in blur only if none is to speak of (rms);
# in more blur than this never.
PART_TOGETHER, PART_ROUGH, PART_SOFTEST = 0.3, 0.15, 0.5
# Where no more prints than this may lie a stranger is seldom like one of them, and blur is no hindrance.
FEW = 6
# With many prints that may lie there so few cells are like one of some stranger's in a thousand: then they must be
# like the print in every respect (correlation, rms of their doubt).
FEW_SHOWN, AS_FEW_SHOWN, FEW_SHOWN_ROUGH = 18, 0.92, 0.2
# What covers a print is a finger, a cap, a card's edge: plainer than this, in contrasts (rms of the cells' means).
PLAIN = 0.35

_WHOLE: Flags = np.ones((ACROSS, ACROSS), dtype=np.bool_)
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], dtype=np.float32)


def checked(gray: Gray, detected: Sequence[Marker], blur_px: float, steps: int = 2) -> list[Fit]:
    """Those of the detected markers that show their print in every cell, with exact corners."""
    good: dict[int, Fit] = {}
    left = list(range(len(detected)))
    for tone in (LIT, SHADED):
        fits = fitted(gray, [detected[n] for n in left], steps, tone=tone, blur_px=blur_px)
        good |= {n: fit for n, fit in zip(left, fits, strict=True) if surely(fit)}
        left = [n for n in left if n not in good]
    return [good[n] for n in sorted(good)]


def covered_part(fit: Fit, hidden: Flags | None = None) -> int:
    """The part that leaves out most of what does not show in a print fitted as a whole, or what is `hidden` (9, 9)."""
    strange = np.minimum(np.abs(fit.doubt), 2.0) if hidden is None else hidden.astype(np.float64)
    inner = strange[1:-1, 1:-1]
    return max(PARTS, key=lambda part: float((inner * np.sign(cells_across(part)[1:-1, 1:-1])).sum()))


def hidden_cells(marker: Marker, covers: Sequence[tuple[float, float, float]]) -> Flags:
    """Which cells (9, 9) of a print lie, or reach, under discs (x, y, radius) of the picture."""
    axis = (np.arange(ACROSS) - (ACROSS - 1) / 2) / CELLS
    middles = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 1, 2)
    warp = cv2.getPerspectiveTransform(_SQUARE, marker.corners.astype(np.float32))
    x, y = cv2.perspectiveTransform(middles, warp).reshape(ACROSS, ACROSS, 2).transpose(2, 0, 1)
    spare = marker.side_px / CELLS / 2
    hidden = np.zeros((ACROSS, ACROSS), dtype=np.bool_)
    for at_x, at_y, radius in covers:
        hidden |= np.hypot(x - at_x, y - at_y) < radius + spare
    return hidden


def surely(fit: Fit) -> bool:
    """Does a fit of a whole print show this print? Every cell inside the frame must, and most of the frame."""
    as_printed = fit.doubted == 0 and fit.odd == 0 and not fit.is_rough()
    if not as_printed or fit.correlation < AS_PRINT or fit.broken > MOST_BROKEN:
        return False
    if SOFTNESS[fit.soft][1] > HALF_A_CELL:
        return _roughness(fit, _WHOLE) <= SOFT_ROUGH and fit.together() <= SOFT_TOGETHER
    share = TOGETHER_SHARP if fit.softness < SHARP else TOGETHER
    return fit.together() <= share * fit.limit


def _roughness(fit: Fit, shown: Flags) -> float:
    """How much the cells `shown` (9, 9) inside the frame are doubted, root mean square."""
    doubt = fit.doubt[INSIDE][shown[INSIDE]]
    return float(np.sqrt(np.mean(doubt * doubt)))


def _plain(fit: Fit, shown: Flags, few: bool) -> bool:
    """Are the cells `shown` (9, 9) of a print in so little doubt that they may be believed without the rest?

    Those next to what covers it do not count: its edge lies across them. `few`: few prints may be there.
    """
    away = cells_across(fit.part)
    reach = float(away[INSIDE][shown[INSIDE]].max())
    clear = shown if shown[INSIDE].all() else shown & (away < reach - 0.5)
    roughness = _roughness(fit, shown)
    little = not few and int(shown[INSIDE].sum()) < FEW_SHOWN
    if little and (fit.correlation < AS_FEW_SHOWN or roughness > FEW_SHOWN_ROUGH):
        return False
    sharp = few or fit.softness < (SHARP if roughness > PART_ROUGH else PART_SOFTEST)
    return sharp and fit.together(clear) <= PART_TOGETHER


def surely_partly(fit: Fit, ids: Sequence[int]) -> bool:
    """Does a fit of a part of a print show this print, and no other of the `ids`, under a cover?

    Enough cells must show to tell it from all others in every turn, and beyond them something plain covers the print,
    its border too: a whole border around other cells is another print.
    """
    if fit.correlation < AS_PART:
        return False
    shown = fit.shown(fit.part)
    if (
        int(shown[INSIDE].sum()) < LEAST_SHOWN
        or fit.is_rough(shown)
        or not _plain(fit, shown, len(ids) <= FEW)
    ):
        return False
    if fit.doubted == 0:
        return fit.odd <= MOST_ODD and fit.broken <= MOST_BROKEN
    beyond = FRAME & ~shown
    if (FRAME & shown & ~fit.bordered()).sum() > MOST_HIDDEN_BORDER:
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
        and int(shown[INSIDE].sum()) >= LEAST_SHOWN
        and not fit.is_rough(shown)
        and fit.together(shown) <= DOUBTED
        and seen[INSIDE][shown[INSIDE]].all()
        and (~seen & shown & FRAME).sum() <= MOST_HIDDEN_BORDER
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
