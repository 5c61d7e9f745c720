"""The ChArUco sheet in a picture: its corners, whichever OpenCV, and which sheet it really is."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.charuco import CharucoSheet, SheetError, SheetMissed, SheetView, as_corners, find_sheet
from tests.calibration.sheets import drawn

SHEET = CharucoSheet()


def found(asked: CharucoSheet, real: CharucoSheet, *, tilt_deg: float = 20.0) -> SheetView:
    view = find_sheet(drawn(real, tilt_deg)[0], asked)
    assert isinstance(view, SheetView), view
    return view


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 40.0])
def test_all_corners_are_found_to_a_fraction_of_a_pixel(tilt_deg: float) -> None:
    picture, truth = drawn(SHEET, tilt_deg)
    view = find_sheet(picture, SHEET)
    assert isinstance(view, SheetView)
    assert (view.sheet, view.remark, view.size) == (SHEET, "", (1152, 648))
    assert view.ids == tuple(range(24))
    misses = np.linalg.norm(view.pixels - truth, axis=1)
    assert np.sqrt((misses**2).mean()) < 0.25
    assert misses.max() < 0.6
    assert view.points_mm[7] == pytest.approx([80.0, 80.0, 0.0])


def test_a_sheet_that_reaches_out_of_the_picture_gives_the_corners_inside() -> None:
    picture, truth = drawn(SHEET, 15.0, centre=(0.8, 0.75), wide=0.55)
    view = find_sheet(picture, SHEET)
    assert isinstance(view, SheetView)
    assert 6 <= len(view.ids) < 24
    assert np.abs(view.pixels - truth[list(view.ids)]).max() < 0.5


@pytest.mark.parametrize("size", [(7, 5), (5, 7), (8, 6), (11, 8)])
def test_rows_and_columns_swapped_is_named(size: tuple[int, int]) -> None:
    view = found(CharucoSheet(size[1], size[0]), CharucoSheet(*size))
    assert view.sheet == CharucoSheet(*size)
    assert "rows and columns are swapped" in view.remark
    assert f"{size[0]} × {size[1]} squares" in view.remark


@pytest.mark.parametrize("size", [(7, 6), (8, 6)])
@pytest.mark.parametrize("legacy", [False, True])
def test_the_other_layout_is_named(size: tuple[int, int], legacy: bool) -> None:
    real = CharucoSheet(*size, legacy=legacy)
    view = found(CharucoSheet(*size, legacy=not legacy), real)
    assert view.sheet == real
    assert len(view.ids) == real.corner_count
    assert ("in the layout before OpenCV 4.6" in view.remark) is legacy


@pytest.mark.parametrize("asked", [(6, 4), (4, 6)])
def test_inner_corners_counted_for_squares_are_named(asked: tuple[int, int]) -> None:
    view = found(CharucoSheet(*asked), SHEET)
    assert view.sheet == SHEET
    assert "board size mismatch" in view.remark
    assert f"{asked[0]} × {asked[1]} is the number of its inner corners" in view.remark


def test_any_other_size_is_told() -> None:
    view = found(CharucoSheet(12, 9), CharucoSheet(9, 6))
    assert view.sheet == CharucoSheet(9, 6)
    assert (
        view.remark == "board size mismatch: the sheet in the picture has 9 × 6 squares, not 12 × 9 squares"
    )


def test_markers_that_lie_on_no_sheet_are_a_mismatch() -> None:
    picture, _ = drawn(CharucoSheet(7, 6), 0.0)
    # The right half comes above the left one: a sheet cut up and glued together wrongly.
    mixed = np.ascontiguousarray(np.roll(picture, picture.shape[1] // 2, axis=1)[::-1, ::-1])
    mixed[:, 576:] = picture[:, 576:]
    missed = find_sheet(mixed, SHEET)
    assert isinstance(missed, SheetMissed)
    assert "board size mismatch" in missed.reason


def test_a_picture_without_a_sheet_says_so() -> None:
    missed = find_sheet(np.full((648, 1152), 120, np.uint8), SHEET, "empty.jpg")
    assert isinstance(missed, SheetMissed)
    assert missed.name == "empty.jpg"
    assert "no markers of the sheet (DICT_4X4_50)" in missed.reason


@pytest.mark.parametrize(
    ("corners", "ids"),
    [
        (np.array([[[3.0, 4.0]], [[1.0, 2.0]]], np.float32), np.array([[7], [2]], np.int32)),
        (np.array([[3.0, 4.0], [1.0, 2.0]], np.float32), np.array([7, 2], np.int32)),
    ],
    ids=["OpenCV 4", "OpenCV 5"],
)
def test_corners_of_either_shape_are_read_alike(corners: np.ndarray, ids: np.ndarray) -> None:
    read_ids, pixels = as_corners(corners, ids)
    assert read_ids.tolist() == [2, 7]
    assert pixels.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("nothing", [(None, None), (None, np.zeros((0, 1))), ((), ())])
def test_nothing_found_is_no_corner(nothing: tuple[object, object]) -> None:
    ids, pixels = as_corners(*nothing)
    assert (ids.shape, pixels.shape) == ((0,), (0, 2))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"columns": 1}, "1 × 5 squares"),
        ({"marker_mm": 40.0}, "do not fit into squares"),
        ({"dictionary": "DICT_9X9"}, "no dictionary 'DICT_9X9'"),
    ],
)
def test_a_sheet_that_cannot_exist_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(SheetError, match=said):
        CharucoSheet(**wrong)  # type: ignore[arg-type]
