"""The sheets as PDF: vectors only, every marker one path, so that no printer blurs it or lets seams show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fpdf import FPDF

from calibration.charuco import CharucoSheet, marker_corners_mm
from calibration.stickers.fingerprint import cells
from calibration.stickers.paper import Page
from calibration.stickers.plan import Placed, Sheet, caption
from calibration.stickers.prints import Shape

RULER_MM = 100
CUT_GREY, CUT_MM = 170, 0.1
SCALING = "Print at 100 %, not fitted to the page. These lines must be 100 mm long."


def sheets_pdf(sheets: Sequence[Sheet], charuco: tuple[Page, CharucoSheet] | None, mark: str) -> bytes:
    """A PDF of the sheets, and of the ChArUco sheet last; `mark` stands on every page."""
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_creator("Olympus companion")
    pdf.set_title("Markers for Above and OlymPeak")
    count = len(sheets) + (charuco is not None)
    for number, sheet in enumerate(sheets, start=1):
        pdf.add_page(format=(sheet.page.width_mm, sheet.page.height_mm))
        _sheet(pdf, sheet, f"{mark}   sheet {number} of {count}")
    if charuco is not None:
        page, board = charuco
        pdf.add_page(format=(page.height_mm, page.width_mm))
        _charuco(pdf, page, board, f"{mark}   sheet {count} of {count}")
    return bytes(pdf.output())


def _sheet(pdf: FPDF, sheet: Sheet, foot: str) -> None:
    if sheet.ruler_mm is not None:
        x, y = sheet.ruler_mm
        _ruler(pdf, x, y, upright=False)
        _text(pdf, x + RULER_MM + 10, y + 2.5, SCALING, 6)
        _text(pdf, x + RULER_MM + 10, y + 5.5, foot, 6)
    if sheet.labels is None:
        _ruler(pdf, 4.5, (sheet.page.height_mm - RULER_MM) / 2, upright=True)
    for heading in sheet.headings:
        _text(pdf, heading.x_mm, heading.y_mm, heading.text, 8, bold=True)
    for placed in sheet.placed:
        _sticker(pdf, placed)


def _sticker(pdf: FPDF, placed: Placed) -> None:
    """A marker within its cutting line, its name beside or under it."""
    sticker = placed.sticker
    pdf.set_draw_color(CUT_GREY)
    pdf.set_line_width(CUT_MM)
    half = sticker.trim_mm / 2
    if sticker.shape is Shape.ROUND:
        pdf.circle(placed.x_mm, placed.y_mm, half, style="D")
    else:
        pdf.rect(placed.x_mm - half, placed.y_mm - half, sticker.trim_mm, sticker.trim_mm, style="D")
    marker_path(pdf, cells(sticker.id), placed.x_mm, placed.y_mm, sticker.side_mm)
    if placed.name_beside:
        _text(pdf, placed.name_x_mm, placed.name_y_mm - 0.4, sticker.name, 5)
        _text(pdf, placed.name_x_mm, placed.name_y_mm + 2.0, str(sticker.id), 5)
        return
    _text(pdf, placed.name_x_mm, placed.name_y_mm, caption(sticker), 5, centred=True)


def marker_path(pdf: FPDF, black: Any, x_mm: float, y_mm: float, side_mm: float) -> None:
    """The black cells (n, n) of a marker with its centre at (x, y), as one filled path."""
    cell = side_mm / len(black)
    left, top = x_mm - side_mm / 2, y_mm - side_mm / 2
    boxes = []
    for row, line in enumerate(black):
        column = 0
        while column < len(line):
            end = column
            while end < len(line) and line[end]:
                end += 1
            if end > column:
                boxes.append((left + column * cell, top + row * cell, (end - column) * cell, cell))
            column = max(end, column + 1)
    _fill(pdf, boxes)


def _fill(pdf: FPDF, boxes: Sequence[tuple[float, float, float, float]]) -> None:
    """Boxes (x, y, width, height) filled black as one path: no seam shows between neighbours."""
    with pdf.new_path() as path:
        path.style.fill_color = "#000000"
        path.style.stroke_color = None
        path.style.intersection_rule = "nonzero"
        for x, y, width, height in boxes:
            path.rectangle(x, y, width, height)


def _ruler(pdf: FPDF, x: float, y: float, *, upright: bool) -> None:
    """A ruler of 100 mm with its upper left end at (x, y): a tick each millimetre."""
    pdf.set_draw_color(0)
    pdf.set_line_width(0.15)

    def line(a: float, b: float, c: float, d: float) -> None:
        """From `a` along and `b` across the ruler to `c` and `d`."""
        if upright:
            pdf.line(x + b, y + a, x + d, y + c)
        else:
            pdf.line(x + a, y + b, x + c, y + d)

    line(0, 0, RULER_MM, 0)
    for tick in range(RULER_MM + 1):
        line(tick, 0, tick, 3.0 if tick % 10 == 0 else 2.0 if tick % 5 == 0 else 1.2)
    if not upright:
        for tick in range(0, RULER_MM + 1, 10):
            _text(pdf, x + tick, y + 5.5, f"{tick}" + " mm" * (tick == RULER_MM), 5, centred=True)


def _charuco(pdf: FPDF, page: Page, board: CharucoSheet, foot: str) -> None:
    """The ChArUco sheet, lying, in the middle of its page."""
    wide, high = board.columns * board.square_mm, board.rows * board.square_mm
    left, top = (page.height_mm - wide) / 2, (page.width_mm - high) / 2
    corners = marker_corners_mm(board)
    white = {tuple(quad.mean(axis=0) // board.square_mm) for quad in corners.values()}
    _fill(
        pdf,
        [
            (left + column * board.square_mm, top + row * board.square_mm, board.square_mm, board.square_mm)
            for row in range(board.rows)
            for column in range(board.columns)
            if (column, row) not in white
        ],
    )
    for marker, quad in corners.items():
        x, y = quad.mean(axis=0)
        marker_path(pdf, cells(marker, board.dictionary), left + x, top + y, board.marker_mm)
    said = (
        f"{board.said} of {board.square_mm:g} mm, markers {board.marker_mm:g} mm, {board.dictionary}. Print at 100 %: "
        f"the board is {wide:g} mm wide and {high:g} mm high. Glue it to something flat.   {foot}"
    )
    _text(pdf, left, page.width_mm - top + 3.4, said, 5.5)
    _ruler(pdf, max(1.0, left / 2 - 2), (page.width_mm - RULER_MM) / 2, upright=True)


def _text(
    pdf: FPDF, x: float, y: float, text: str, size_pt: float, *, bold: bool = False, centred: bool = False
) -> None:
    """Text on a base line; letters that the font lacks are left out of names by their authors."""
    pdf.set_font("Helvetica", "B" if bold else "", size_pt)
    pdf.set_text_color(0)
    width = pdf.get_string_width(text)
    pdf.text(x - width / 2 if centred else x, y, text)
