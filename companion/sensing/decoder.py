"""Reading prints that are small, dim, blurred or in glare, where it is known how large they must be.

The likeliest print of the first look is fitted and read cell by cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.sensing.cells import LIT, SHADED, UNCOVERED, Fit, fitted
from companion.sensing.first_look import SHIFT_STEP, framed, likeliest, looks_at
from companion.sensing.geometry import Floats
from companion.sensing.markers import Gray, Marker
from companion.sensing.print_model import BORDER, PARTS, WHOLE
from companion.sensing.surely import covered_part, hidden_cells, surely, surely_beside, surely_partly

# A border this well seen is a print's, whatever is inside; around its middle, in sides, there is nothing else.
AS_BORDER = 0.85
REACHES = 0.8


def _within(marker: Marker, place: Sequence[float]) -> bool:
    """Does a place lie on a print?"""
    return math.dist(marker.centre, place) < REACHES * marker.side_px


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
    seen = [(n, one) for n, one in enumerate(likeliest(looks, ids)[WHOLE]) if one is not None]
    covered: dict[int, dict[int, Marker]] = {}
    for tone in (LIT, SHADED):
        fits = fitted(gray, [marker for _, marker in seen], tone=tone, blur_px=blur_px)
        for (n, _), fit in zip(seen, fits, strict=True):
            if surely(fit):
                found[n] = fit
                continue
            # What of a print is covered is known, or told by how it does not fit.
            if tone == LIT:
                covered.setdefault(covered_part(fit), {})[n] = fit.marker
            hidden = hidden_cells(fit.marker, covers)
            if hidden[1:-1, 1:-1].any():
                # What covers it casts its shadow on it, too.
                part = covered_part(fit, hidden)
                (beside,) = fitted(gray, [fit.marker], part=part, tone=tone, blur_px=blur_px)
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
    left = [n for n in left if found[n] is None]
    if left:
        for part, likely in likeliest(looks.only(left), ids, PARTS).items():
            these = {n: one for n, one in zip(left, likely, strict=True) if one and found[n] is None}
            for n, fit in _partly(gray, these, part, ids, blur_px).items():
                found[n] = fit
    return found


def _partly(
    gray: Gray, looks: dict[int, Marker], part: int, ids: tuple[int, ...], blur_px: float
) -> dict[int, Fit]:
    """Those prints that surely show by one part."""
    fits = fitted(gray, list(looks.values()), part=part, blur_px=blur_px)
    return {n: fit for n, fit in zip(looks, fits, strict=True) if surely_partly(fit, ids)}
