"""Sheets are planned so that nothing overlaps, nothing is lost, and what does not fit on a label is not cut."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from calibration.stickers.paper import A4, LABELS, LETTER, Labels, Page, PaperError, paper, parse_shift
from calibration.stickers.plan import Sheet, charuco_for, fits, plan
from calibration.stickers.prints import PrintsError, Shape, all_groups, groups_for

PAPERS = [A4, LETTER, *LABELS.values()]


def ids(sheets: tuple[Sheet, ...]) -> list[int]:
    return sorted(placed.sticker.id for sheet in sheets for placed in sheet.placed)


@pytest.mark.parametrize("on", PAPERS, ids=lambda on: on.name)
def test_every_sticker_lies_once_on_the_paper_and_on_no_other(on: Page | Labels) -> None:
    sheets = plan(all_groups(), on)
    assert ids(sheets) == list(range(241))
    for sheet in sheets:
        for placed in sheet.placed:
            half = placed.sticker.trim_mm / 2
            assert half + 3 < placed.x_mm < sheet.page.width_mm - half - 3
            assert half + 5 < placed.y_mm < sheet.page.height_mm - half - 5
        for one, other in itertools.combinations(sheet.placed, 2):
            apart = max(abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm))
            assert apart >= (one.sticker.trim_mm + other.sticker.trim_mm) / 2, (one, other)


@pytest.mark.parametrize("on", LABELS.values(), ids=lambda on: on.name)
def test_on_labels_lies_what_fits_each_on_its_own(on: Labels) -> None:
    for sheet in plan(all_groups(), on):
        if sheet.labels is None:
            assert not any(fits(placed.sticker, on) for placed in sheet.placed)
            continue
        taken = set()
        for placed in sheet.placed:
            half = placed.sticker.trim_mm / 2
            inside = [
                number
                for number in range(on.columns * on.rows)
                for x, y in [on.corner(number)]
                if x <= placed.x_mm - half
                and placed.x_mm + half <= x + on.width_mm
                and y <= placed.y_mm - half
                and placed.y_mm + half <= y + on.height_mm
            ]
            assert len(inside) == 1
            taken.update(inside)
        assert len(taken) == len(sheet.placed)


def test_a_game_gets_its_own_and_what_both_need() -> None:
    assert ids(plan(groups_for("above"), A4)) == [*range(72), *range(235, 241)]
    assert ids(plan(groups_for("olympeak"), A4)) == [*range(8), *range(72, 241)]
    assert ids(plan(groups_for("all"), A4)) == list(range(241))
    assert ids(plan(groups_for("above", ["tokens", "pucks"]), A4)) == [*range(16, 40), *range(235, 241)]


def test_stickers_leave_a_quiet_zone_of_one_cell_where_the_piece_is_large_enough() -> None:
    for group in all_groups():
        for sticker in group.prints:
            if sticker.shape is Shape.SQUARE and group.key != "scoreboard":
                assert sticker.trim_mm == pytest.approx(sticker.side_mm * 9 / 7, abs=0.001)
            # Even on the smallest piece half a cell is left at every side.
            assert sticker.trim_mm >= sticker.side_mm * 8 / 7


def test_a_charuco_sheet_fits_on_its_page() -> None:
    for page, square in ((A4, 40), (LETTER, 38), (Page("A5", 148, 210), 28)):
        sheet = charuco_for(page)
        assert sheet.square_mm == square
        assert sheet.columns * sheet.square_mm <= page.height_mm - 12
        assert sheet.rows * sheet.square_mm <= page.width_mm - 8


def test_paper_is_found_by_name_or_measures() -> None:
    assert paper("a4") is A4
    assert paper("Avery 5160") is LABELS["5160"]
    own = paper("A4:4x12:45.7x21.2:2.5x0")
    assert isinstance(own, Labels)
    assert own.margin_mm == LABELS["l7636"].margin_mm
    assert paper("letter:2x2:90x100") == Labels("letter:2x2:90x100", LETTER, 2, 2, 90.0, 100.0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("A3", "no paper called 'A3'; there are A4, Letter, L4732"),
        ("A4:4x12", "labels by their measures are written as"),
        ("A4:4x12:45", "labels by their measures are written as"),
        ("A4:ax12:45x20", "labels by their measures are written as"),
        ("A4:5x12:45.7x21.2", "do not fit on A4"),
        ("A4:0x12:45.7x21.2", "at least one label"),
    ],
)
def test_paper_that_is_not_known_is_named(name: str, said: str) -> None:
    with pytest.raises(PaperError) as caught:
        paper(name)
    assert said in str(caught.value)


def test_stickers_that_are_not_known_are_named() -> None:
    with pytest.raises(PrintsError, match="there are frame, spares, pucks"):
        groups_for("all", ["frames"])
    with pytest.raises(PrintsError, match="no game 'chess'"):
        groups_for("chess")


# Where published templates of these sheets have the first label: left and top in mm.
PUBLISHED = {
    "l4732": (11.0, 13.0),
    "l7651": (4.7, 10.9),
    "l7636": (9.7, 21.3),
    "l7160": (7.2, 15.1),
    "l7161": (7.4, 8.1),
    "5160": (4.76, 12.7),
    "5163": (3.97, 12.7),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_lie_where_published_templates_have_them(name: str) -> None:
    left, top = LABELS[name].corner(0)
    assert abs(left - PUBLISHED[name][0]) < 0.3
    assert abs(top - PUBLISHED[name][1]) < 0.7


def test_labels_are_shifted_as_asked_and_no_further() -> None:
    labels = LABELS["l7636"]
    moved = replace(labels, shift_mm=parse_shift("0.8,-1.2"))
    (x0, y0), (x1, y1) = labels.corner(7), moved.corner(7)
    assert (round(x1 - x0, 6), round(y1 - y0, 6)) == (0.8, -1.2)
    groups = groups_for("above", ["tokens"])
    before, after = plan(groups, labels)[0].placed[3], plan(groups, moved)[0].placed[3]
    assert round(after.x_mm - before.x_mm, 6) == 0.8
    for text in ("1", "a,b", "1,2,3", "nan,0"):
        with pytest.raises(PaperError, match="to the right and down"):
            parse_shift(text)
    with pytest.raises(PaperError, match="at most"):
        replace(labels, shift_mm=(9.0, 0.0))
