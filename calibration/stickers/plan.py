"""Which sticker lies where on which sheet, in millimetres from the sheet's upper left corner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calibration.charuco import CharucoSheet
from calibration.stickers.paper import A4, Labels, Page
from calibration.stickers.prints import Group, Print

# Printers leave the edge of the paper white; the head of a sheet holds its title and the ruler.
MARGIN_MM = 12.0
HEAD_MM = 26.0
GAP_MM = 3.0
NAME_MM = 3.2
HEADING_MM = 6.0
# The width of a letter of a name, about.
LETTER_MM = 0.95
# A sticker keeps this far from its label's edge; the label is white beyond it.
LABEL_EDGE_MM = 0.3
# A label sheet's ruler needs this much free paper at its top.
RULER_ROOM_MM = 10.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A sticker with its centre; its name stands at (name_x_mm, name_y_mm), centred, or to the right of it."""

    sticker: Print
    x_mm: float
    y_mm: float
    name_x_mm: float
    name_y_mm: float
    name_beside: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of text above stickers that belong together."""

    text: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of stickers. `ruler_mm`: where the ruler's upper left end lies, None where there is no room."""

    page: Page
    placed: tuple[Placed, ...]
    headings: tuple[Heading, ...] = ()
    labels: Labels | None = None
    ruler_mm: tuple[float, float] | None = None


def plan(groups: Sequence[Group], paper: Page | Labels) -> tuple[Sheet, ...]:
    """The sheets for all stickers: on labels those that fit there, the others on plain paper of the same size."""
    if isinstance(paper, Page):
        return tuple(_plain(groups, paper))
    fitting = [sticker for group in groups for sticker in group.prints if fits(sticker, paper)]
    others = [
        Group(group.key, group.title, group.game, rest)
        for group in groups
        if (rest := tuple(sticker for sticker in group.prints if not fits(sticker, paper)))
    ]
    return (*_labelled(fitting, paper), *_plain(others, paper.page))


def fits(sticker: Print, labels: Labels) -> bool:
    """Does a sticker fit on a label?"""
    return sticker.trim_mm + 2 * LABEL_EDGE_MM <= min(labels.width_mm, labels.height_mm)


def _labelled(stickers: Sequence[Print], labels: Labels) -> Iterator[Sheet]:
    each = labels.columns * labels.rows
    left, top = labels.margin_mm
    for begin in range(0, len(stickers), each):
        placed = []
        for number, sticker in enumerate(stickers[begin : begin + each]):
            x, y = labels.corner(number)
            middle = y + labels.height_mm / 2
            # In the label's middle where no room is for a name beside it.
            room = labels.width_mm - sticker.trim_mm - 2 * LABEL_EDGE_MM
            beside = room > 6.0
            centre = x + LABEL_EDGE_MM + sticker.trim_mm / 2 if beside else x + labels.width_mm / 2
            placed.append(Placed(sticker, centre, middle, centre + sticker.trim_mm / 2 + 1.0, middle, beside))
        ruler = (left, top - RULER_ROOM_MM + 1.0) if top >= RULER_ROOM_MM + 2 else None
        yield Sheet(labels.page, tuple(placed), (), labels, ruler)


def _plain(groups: Iterable[Group], page: Page) -> Iterator[Sheet]:
    flow = _Flow(page)
    for group in groups:
        yield from flow.add(group)
    yield from flow.end()


class _Flow:
    """Fills plain sheets line by line."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._placed: list[Placed] = []
        self._headings: list[Heading] = []
        self._y = HEAD_MM

    def add(self, group: Group) -> Iterator[Sheet]:
        """Place a group below what is there; yields the sheets that become full."""
        rows = list(self._rows(group.prints))
        for number, row in enumerate(rows):
            height = max(sticker.trim_mm for sticker in row) + NAME_MM + GAP_MM
            heading = HEADING_MM if number == 0 else 0.0
            if self._y + heading + height > self._page.height_mm - MARGIN_MM and self._placed:
                yield from self.end()
            if number == 0 or not self._placed:
                self._headings.append(Heading(group.title, MARGIN_MM, self._y + 3.0))
                self._y += HEADING_MM
            self._put(row)
            self._y += height

    def end(self) -> Iterator[Sheet]:
        """The sheet as it is, unless it is empty."""
        if self._placed:
            yield Sheet(
                self._page, tuple(self._placed), tuple(self._headings), None, (MARGIN_MM, MARGIN_MM + 4.0)
            )
        self._placed, self._headings, self._y = [], [], HEAD_MM

    def _rows(self, stickers: Iterable[Print]) -> Iterator[list[Print]]:
        """Stickers by lines: as many as fit, all of one size."""
        row: list[Print] = []
        wide = 0.0
        for sticker in stickers:
            if row and (
                wide + _width(sticker) > self._page.width_mm - 2 * MARGIN_MM
                or row[0].trim_mm != sticker.trim_mm
            ):
                yield row
                row, wide = [], 0.0
            row.append(sticker)
            wide += _width(sticker) + GAP_MM
        if row:
            yield row

    def _put(self, row: Sequence[Print]) -> None:
        x = MARGIN_MM
        for sticker in row:
            centre, middle = x + _width(sticker) / 2, self._y + sticker.trim_mm / 2
            self._placed.append(Placed(sticker, centre, middle, centre, middle + sticker.trim_mm / 2 + 2.2))
            x += _width(sticker) + GAP_MM


def _width(sticker: Print) -> float:
    """Room a sticker takes across: its own width, or that of its name."""
    return max(sticker.trim_mm, LETTER_MM * len(caption(sticker)))


def caption(sticker: Print) -> str:
    """What stands under a sticker: its name and its marker's number."""
    return f"{sticker.name}  {sticker.id}"


def charuco_for(page: Page) -> CharucoSheet:
    """The ChArUco sheet for a page: the usual one, or one that is a little smaller where that does not fit."""
    if page == A4:
        return CharucoSheet()
    square = 2.0 * int(min((page.height_mm - 12) / 7, (page.width_mm - 8) / 5) / 2)
    return CharucoSheet(square_mm=square, marker_mm=0.75 * square)
