"""Every sheet, rendered from its PDF and read back as a camera would: all markers, at their size and place."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from calibration.charuco import CharucoSheet, SheetView, find_sheet
from calibration.stickers.prints import all_groups
from companion.games.above import box as above
from companion.games.olympeak import box as olympeak
from companion.sensing.markers import Gray, Marker, detect
from tests.calibration.running import run

DPI = 250
PX_MM = DPI / 25.4
# HARDWARE's sizes in mm, by marker id.
SIDES = {
    **dict.fromkeys(range(8), 36),
    **dict.fromkeys(range(8, 16), 14),
    **dict.fromkeys(range(16, 40), 10),
    **dict.fromkeys(range(40, 72), 18),
    **dict.fromkeys(range(72, 106), 16),
    **dict.fromkeys(range(106, 110), 8),
    **dict.fromkeys(range(110, 115), 10),
    **dict.fromkeys(range(115, 235), 16),
    **dict.fromkeys(range(235, 241), 14),
}


def rendered(file: Path, page: int) -> Gray:
    """A page in grey at DPI."""
    with pypdfium2.PdfDocument(file) as document:
        bitmap = document[page].render(scale=DPI / 72, grayscale=True)
        return np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width).astype(np.uint8)


@cache
def printed(folder: Path, paper: str) -> tuple[Path, dict]:  # type: ignore[type-arg]
    file = folder / f"{paper}.pdf"
    status, out, err = run("stickers", file, "--paper", paper, "--json")
    assert (status, err) == (0, "")
    return file, json.loads(out)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stickers")


def off(marker: Marker, side_mm: float, x_mm: float, y_mm: float) -> float:
    """How far a marker's sides and centre are from where they should be, in mm, at most."""
    corners = (marker.corners.astype(float) + 0.5) / PX_MM
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    # In OpenCV's order from the upper left corner: it stands upright.
    middle = corners.mean(axis=0)
    upright = corners[0] - middle + side_mm / 2
    return float(
        max(np.abs(sides - side_mm).max(), np.abs(middle - (x_mm, y_mm)).max(), np.abs(upright).max())
    )


@pytest.mark.parametrize("paper", ["A4", "Letter", "L7636", "5160"])
def test_every_marker_of_every_sheet_is_read_at_its_size_and_place(folder: Path, paper: str) -> None:
    file, said = printed(folder, paper)
    assert {sticker["id"]: sticker["side_mm"] for sticker in said["stickers"]} == SIDES
    for page in range(said["sheets"] - 1):
        wanted = {one["id"]: one for one in said["stickers"] if one["sheet"] == page + 1}
        found = detect(rendered(file, page))
        assert sorted(marker.id for marker in found) == sorted(wanted)
        for marker in found:
            one = wanted[marker.id]
            assert off(marker, one["side_mm"], one["x_mm"], one["y_mm"]) < 0.1, one


@pytest.mark.parametrize(
    ("paper", "square_mm", "size_mm"), [("A4", 40.0, (297, 210)), ("Letter", 38.0, (279.4, 215.9))]
)
def test_the_charuco_sheet_is_read_at_its_size(
    folder: Path, paper: str, square_mm: float, size_mm: tuple[float, float]
) -> None:
    file, said = printed(folder, paper)
    assert said["charuco"]["square_mm"] == square_mm
    gray = rendered(file, said["sheets"] - 1)
    assert gray.shape[::-1] == pytest.approx(np.array(size_mm) * PX_MM, abs=1.5)
    sheet = CharucoSheet(square_mm=square_mm, marker_mm=0.75 * square_mm)
    view = find_sheet(gray, sheet)
    assert isinstance(view, SheetView)
    assert (view.remark, view.ids) == ("", tuple(range(24)))
    mm = (view.pixels + 0.5) / PX_MM
    middle = np.array(size_mm) / 2
    assert np.abs(mm - middle - (view.points_mm[:, :2] - sheet.corners_mm.mean(axis=0)[:2])).max() < 0.1


def test_the_ruler_is_100_mm_long_both_ways(folder: Path) -> None:
    gray = rendered(printed(folder, "A4")[0], 0)
    across = gray[round(16.0 * PX_MM) - 2 : round(16.0 * PX_MM) + 3].min(axis=0) < 128
    runs = np.nonzero(across)[0]
    assert (runs[-1] - runs[0] + 1) / PX_MM == pytest.approx(100.15, abs=0.15)
    upright = gray[:, round(4.5 * PX_MM) - 2 : round(4.5 * PX_MM) + 3].min(axis=1) < 128
    runs = np.nonzero(upright)[0]
    assert (runs[-1] - runs[0] + 1) / PX_MM == pytest.approx(100.15, abs=0.15)


def test_nothing_lies_in_a_marker_s_quiet_zone(folder: Path) -> None:
    """One cell around every marker is white, but for the cutting line of stickers that are smaller than that."""
    file, said = printed(folder, "A4")
    narrow = {
        sticker.id
        for group in all_groups()
        for sticker in group.prints
        if sticker.trim_mm < sticker.side_mm * 9 / 7
    }
    for page in range(said["sheets"] - 1):
        gray = rendered(file, page)
        for one in said["stickers"]:
            if one["sheet"] != page + 1:
                continue
            half, quiet = one["side_mm"] / 2, one["side_mm"] / 7
            x0, x1, y0, y1 = (
                round((centre + way * (half + quiet - 0.15)) * PX_MM)
                for centre in (one["x_mm"], one["y_mm"])
                for way in (-1, 1)
            )
            box = gray[y0:y1, x0:x1].astype(float)
            edge = round((quiet - 0.3) * PX_MM)
            box[edge:-edge, edge:-edge] = 255
            # A cutting line is thin and pale: nothing that a detector could take for an edge.
            assert box.min() >= (150 if one["id"] in narrow or one["id"] in ROUND else 250), one


ROUND = {*range(8, 40), 110, *range(235, 241)}


def test_sizes_are_those_of_the_boxes() -> None:
    """The boxes' measures are what sight expects; the sheets follow them."""
    one, two = above.Table(), olympeak.Table()
    sides = {sticker.id: sticker.side_mm for group in all_groups() for sticker in group.prints}
    assert {sides[marker] for marker in above.MINI_BY_ID} == {one.mini_marker_mm}
    assert {sides[marker] for marker in above.TOKEN_BY_ID} == {one.token_marker_mm}
    assert {sides[marker] for marker in above.CARD_BY_ID} == {one.card_marker_mm}
    assert {sides[marker] for marker in olympeak.TILE_BY_ID} == {two.tile_marker_mm}
    assert {sides[marker] for marker in olympeak.CUBE_BY_ID} == {two.cube_marker_mm}
    assert {sides[marker] for marker in two_cards()} == {two.card_marker_mm}


def two_cards() -> set[int]:
    return {*olympeak.CARD_IDS.values(), *olympeak.CONTENDER_BY_ID, *olympeak.PLAYER_CARD_IDS}
