"""Guidance for measuring the lens live: takes a view when the sheet is held still, and says where to hold it next.

Every ninth of the picture is to be covered, and the sheet tilted to all four sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.charuco import CharucoSheet, SheetMissed, SheetView
from calibration.lens_gate import CELL_CORNERS, CELLS, USUAL_VIEWS, cell_words, coverage
from companion.sensing.geometry import Camera, Floats

# Between two pictures the corners of a sheet held still move by less than this, in pixels of a picture 2304 wide.
STILL_PX = 1.5
REFERENCE_WIDTH = 2304
# Tilts that count, in degrees; and how near to a side, in degrees around.
LEAST_TILT_DEG, MOST_TILT_DEG = 12.0, 45.0
WISHED_TILT_DEG = 25.0
SIDE_DEG = 50.0
# A view must bring something new, or be so different from every one that was tilted to the same side: mean shift of
# its corners as a share of the picture's width.
NEW_SHARE = 0.06
SIDES = ("right", "bottom", "left", "top")


@dataclass(frozen=True, slots=True)
class HoldSheet:
    """Where to hold the sheet: its middle in the picture as shares (0 to 1), its `side` raised by `tilt_deg`."""

    x: float
    y: float
    side: str
    tilt_deg: float


@dataclass(frozen=True, eq=False, slots=True)
class Guided:
    """What a picture brought: was it `taken`, the sentence to say, and where to hold the sheet next."""

    taken: bool
    text: str
    wish: HoldSheet
    share: float
    done: bool


def raised(view: SheetView, lens: Camera) -> Floats:
    """Where the sheet's nearer side is in the picture, (2,), as long as the sine of its tilt; lens roughly known."""
    _, turn, _ = cv2.solvePnP(view.points_mm, view.pixels, lens.matrix, lens.coefficients)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    normal = rotation[:, 2] * (1.0 if rotation[2, 2] > 0 else -1.0)
    return np.asarray(normal[:2], dtype=np.float64)


def side_of(lean: Floats) -> str | None:
    """The side a sheet is raised at; None if it is tilted too little, too much, or towards a corner."""
    tilt = math.degrees(math.asin(min(1.0, float(np.hypot(*lean)))))
    if not LEAST_TILT_DEG <= tilt <= MOST_TILT_DEG:
        return None
    around = math.degrees(math.atan2(lean[1], lean[0])) % 360
    nearest = round(around / 90) % 4
    off = abs((around - 90 * nearest + 180) % 360 - 180)
    return SIDES[nearest] if off <= SIDE_DEG else None


class Collector:
    """Collects views of a sheet from picture after picture. `views` holds those taken."""

    def __init__(self, sheet: CharucoSheet) -> None:
        self.views: list[SheetView] = []
        self._sheet = sheet
        self._before: SheetView | None = None
        self._counts: Floats = np.zeros((CELLS, CELLS))
        self._sides: list[str | None] = []

    @property
    def done(self) -> bool:
        """Every part of the picture is covered, the sheet was tilted to all sides, and there are views enough."""
        return not self._open_cells() and not self._open_sides() and len(self.views) >= USUAL_VIEWS

    @property
    def counts(self) -> Floats:
        """Corners in each cell of the picture (CELLS, CELLS), over all views taken."""
        return self._counts

    def see(self, found: SheetView | SheetMissed, moving_ok: bool = False) -> Guided:
        """Take one picture in; `moving_ok`: pictures do not follow each other (a folder of them)."""
        if isinstance(found, SheetMissed):
            self._before = None
            return self._guided(False, f"{found.reason[0].upper()}{found.reason[1:]}.")
        still = moving_ok or self._is_still(found)
        self._before = found
        if not still:
            return self._guided(False, "Hold it still.")
        side = side_of(raised(found, Camera.assumed(found.size)))
        if not self._brings_something(found, side):
            return self._guided(False, "")
        self.views.append(found)
        self._counts = self._counts + coverage(found.pixels, found.size)
        self._sides.append(side)
        return self._guided(True, "Taken.")

    def _is_still(self, found: SheetView) -> bool:
        before = self._before
        if before is None:
            return False
        both = sorted(set(before.ids) & set(found.ids))
        if len(both) < len(found.ids) // 2:
            return False
        moved = _of(found, both) - _of(before, both)
        limit = STILL_PX * max(found.size) / REFERENCE_WIDTH
        return bool(np.linalg.norm(moved, axis=1).mean() <= limit)

    def _brings_something(self, found: SheetView, side: str | None) -> bool:
        here = coverage(found.pixels, found.size)
        new_cell = ((self._counts < CELL_CORNERS) & (here >= CELL_CORNERS)).any()
        if new_cell or (side is not None and side not in self._sides):
            return True
        if side is None:
            return False
        alike = [view for view, tilted in zip(self.views, self._sides, strict=True) if tilted == side]
        return all(_apart(found, view) > NEW_SHARE * max(found.size) for view in alike)

    def _open_cells(self) -> list[tuple[int, int]]:
        return [(int(row), int(column)) for row, column in np.argwhere(self._counts < CELL_CORNERS)]

    def _open_sides(self) -> list[str]:
        return [side for side in SIDES if side not in self._sides]

    def _guided(self, taken: bool, text: str) -> Guided:
        wish = self._wish()
        where = cell_words(min(CELLS - 1, int(wish.y * CELLS)), min(CELLS - 1, int(wish.x * CELLS)))
        told = (
            "All views are taken."
            if self.done
            else f"Hold the sheet into the picture's {where}, its {wish.side} side raised by about {wish.tilt_deg:g}°."
        )
        covered = (CELLS**2 - len(self._open_cells())) / CELLS**2
        tilted = 1 - len(self._open_sides()) / len(SIDES)
        counted = min(1.0, len(self.views) / USUAL_VIEWS)
        return Guided(taken, f"{text} {told}".strip(), wish, (covered + tilted + counted) / 3, self.done)

    def _wish(self) -> HoldSheet:
        """The open part of the picture nearest to where the sheet is, tilted to a side that is still open."""
        open_cells = self._open_cells()
        row, column = (
            self._nearest(open_cells) if open_cells else (len(self.views) % 3, len(self.views) // 3 % 3)
        )
        open_sides = self._open_sides()
        side = open_sides[0] if open_sides else SIDES[len(self.views) % len(SIDES)]
        # The sheet's middle is kept away from the edge, or half of it is out of the picture.
        x, y = ((0.3, 0.5, 0.7)[index] for index in (column, row))
        return HoldSheet(x, y, side, WISHED_TILT_DEG)

    def _nearest(self, cells: Iterable[tuple[int, int]]) -> tuple[int, int]:
        if self._before is None:
            return next(iter(cells))
        x, y = self._before.pixels.mean(axis=0) / np.array(self._before.size) * CELLS - 0.5
        return min(cells, key=lambda cell: math.hypot(cell[0] - y, cell[1] - x))


def _of(view: SheetView, ids: Iterable[int]) -> Floats:
    place = {corner: n for n, corner in enumerate(view.ids)}
    return view.pixels[[place[corner] for corner in ids]]


def _apart(one: SheetView, other: SheetView) -> float:
    """How far two views' corners lie apart on average, in pixels."""
    both = sorted(set(one.ids) & set(other.ids))
    return (
        float("inf") if not both else float(np.linalg.norm(_of(one, both) - _of(other, both), axis=1).mean())
    )
