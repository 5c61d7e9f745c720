"""Paper and label sheets: what fits where, in millimetres from the upper left corner."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.errors import CompanionError


class PaperError(CompanionError, ValueError):
    """There is no such paper. The message names those there are."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of plain paper, upright."""

    name: str
    width_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Labels:
    """A sheet of `columns` × `rows` labels of one size, `gap_mm` (across, down) apart, in the middle of its page.

    `shift_mm` (right, down): by how much the labels of this make, as this printer draws them in, lie beside that.
    """

    name: str
    page: Page
    columns: int
    rows: int
    width_mm: float
    height_mm: float
    gap_mm: tuple[float, float] = (0.0, 0.0)
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if (
            min(self.columns, self.rows) < 1
            or min(self.width_mm, self.height_mm) <= 0
            or min(self.gap_mm) < 0
        ):
            raise PaperError(f"{self.name}: a sheet has at least one label, and labels have a size.")
        if min(self.margin_mm) < 0:
            raise PaperError(
                f"{self.name}: {self.columns} × {self.rows} labels of {self.width_mm:g} × {self.height_mm:g} mm do "
                f"not fit on {self.page.name}."
            )

        if max(abs(shift) for shift in self.shift_mm) > MOST_SHIFT_MM:
            raise PaperError(
                f"{self.name}: labels are shifted by {MOST_SHIFT_MM:g} mm at most; by more it is another sheet, or "
                "printed fitted to the page instead of at 100 %."
            )

    @property
    def margin_mm(self) -> tuple[float, float]:
        """Paper left free at the left and at the top."""
        wide = self.columns * self.width_mm + (self.columns - 1) * self.gap_mm[0]
        high = self.rows * self.height_mm + (self.rows - 1) * self.gap_mm[1]
        return (self.page.width_mm - wide) / 2, (self.page.height_mm - high) / 2

    def corner(self, number: int) -> tuple[float, float]:
        """Upper left corner of label `number` from 0, row by row."""
        row, column = divmod(number, self.columns)
        left, top = (margin + shift for margin, shift in zip(self.margin_mm, self.shift_mm, strict=True))
        return (
            left + column * (self.width_mm + self.gap_mm[0]),
            top + row * (self.height_mm + self.gap_mm[1]),
        )


MOST_SHIFT_MM = 6.0


def parse_shift(text: str) -> tuple[float, float]:
    """Millimetres to the right and down, from `0.8,-1.2`. Raises PaperError."""
    words = text.split(",")
    try:
        right, down = (float(word) for word in words)
    except ValueError:
        raise PaperError(f"--shift {text}: write millimetres to the right and down, as 0.8,-1.2.") from None
    if not (math.isfinite(right) and math.isfinite(down)):
        raise PaperError(f"--shift {text}: write millimetres to the right and down, as 0.8,-1.2.")
    return right, down


A4 = Page("A4", 210.0, 297.0)
LETTER = Page("Letter", 215.9, 279.4)
PAGES = {page.name.lower(): page for page in (A4, LETTER)}
# By the names on their boxes; other makes have the same ones. Published templates put the first label where it is here,
# in the middle of the page, within 0.7 mm; makes and printers differ by as much again: `shift_mm`.
LABELS = {
    labels.name.lower(): labels
    for labels in (
        Labels("L4732", A4, 5, 16, 35.6, 16.9, (2.5, 0.0)),
        Labels("L7651", A4, 5, 13, 38.1, 21.2, (2.5, 0.0)),
        Labels("L7636", A4, 4, 12, 45.7, 21.2, (2.5, 0.0)),
        Labels("L7160", A4, 3, 7, 63.5, 38.1, (2.5, 0.0)),
        Labels("L7161", A4, 3, 6, 63.5, 46.6, (2.5, 0.0)),
        Labels("5160", LETTER, 3, 10, 66.675, 25.4, (3.175, 0.0)),
        Labels("5163", LETTER, 2, 5, 101.6, 50.8, (4.7625, 0.0)),
    )
}


def paper(name: str) -> Page | Labels:
    """Paper or label sheet by name, or labels by their measures: `A4:4x12:45.7x21.2:2.5x0`. Raises PaperError."""
    key = name.strip().lower().removeprefix("avery").strip()
    if key in PAGES:
        return PAGES[key]
    if key in LABELS:
        return LABELS[key]
    if ":" in key:
        return _measured(name, key)
    known = ", ".join([page.name for page in PAGES.values()] + [labels.name for labels in LABELS.values()])
    raise PaperError(
        f"there is no paper called {name!r}; there are {known}, or labels by their measures: "
        "A4:4x12:45.7x21.2:2.5x0 (columns x rows, width x height, gaps)."
    )


def _measured(name: str, key: str) -> Labels:
    parts = key.split(":")
    try:
        page = PAGES[parts[0]]
        columns, rows = (int(part) for part in parts[1].split("x"))
        width, height = (float(part) for part in parts[2].split("x"))
        across, down = (float(part) for part in parts[3].split("x")) if len(parts) > 3 else (0.0, 0.0)
    except (KeyError, ValueError, IndexError):
        raise PaperError(
            f"{name!r}: labels by their measures are written as A4:4x12:45.7x21.2:2.5x0 "
            "(paper, columns x rows, width x height, gaps in mm)."
        ) from None
    return Labels(name, page, columns, rows, width, height, (across, down))
