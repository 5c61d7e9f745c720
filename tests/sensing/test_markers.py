"""The adapter over the marker detector: both shapes of its answers, the picture's edge, prints once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from companion.sensing import markers
from companion.sensing.markers import Gray, Marker, Thoroughness, as_markers, detect, dictionary, merge_prints

QUADS = [np.arange(8, dtype=np.float32).reshape(1, 4, 2), np.arange(8, 16, dtype=np.float32).reshape(1, 4, 2)]


@pytest.mark.parametrize(
    "ids",
    [np.array([3, 17], dtype=np.int32), np.array([[3], [17]], dtype=np.int32)],
    ids=["OpenCV 5: (N,)", "OpenCV 4: (N, 1)"],
)
def test_both_shapes_of_ids_are_understood(ids: np.ndarray) -> None:
    found = as_markers(QUADS, ids)
    assert [marker.id for marker in found] == [3, 17]
    assert found[1].corners.shape == (4, 2)
    assert found[1].corners[0].tolist() == [8.0, 9.0]


def test_nothing_found_is_no_marker() -> None:
    assert as_markers((), None) == []
    assert as_markers((), np.empty((0, 1), np.int32)) == []


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_detect_hands_on_what_either_version_answers(mocker: MockerFixture, shape: tuple[int, ...]) -> None:
    pad = markers.EDGE_PADDING_PX
    quad = np.array([[[50, 50], [90, 50], [90, 90], [50, 90]]], dtype=np.float32)
    detector = mocker.Mock(spec=["detectMarkers"])
    detector.detectMarkers.return_value = ([quad], np.full(shape, 21, np.int32), [])
    mocker.patch.object(markers, "_detectors", return_value=(detector,))
    (found,) = detect(np.zeros((200, 200), np.uint8), Thoroughness(windows=(99,)))
    assert found.id == 21
    assert found.corners[0].tolist() == [50 - pad, 50 - pad]


def sheet(marker: int, at: tuple[int, int], side: int = 42, size: tuple[int, int] = (400, 300)) -> Gray:
    picture = np.full((size[1], size[0]), 200, np.uint8)
    x, y = at
    picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary(), marker, side)
    return picture


@pytest.mark.parametrize("at", [(8, 120), (351, 120), (180, 7), (180, 252)])
def test_a_print_near_the_pictures_edge_is_found(at: tuple[int, int]) -> None:
    found = detect(sheet(12, at))
    assert [marker.id for marker in found] == [12]
    assert found[0].corners[0] == pytest.approx(at, abs=1.2)


def test_corners_are_in_printed_order() -> None:
    picture = np.ascontiguousarray(np.rot90(sheet(30, (150, 100)), 1))
    (found,) = detect(picture)
    # Turned counter-clockwise: the printed top left is now at the bottom left.
    low, high = found.corners.min(axis=0), found.corners.max(axis=0)
    assert found.corners[0] == pytest.approx((low[0], high[1]), abs=1.5)


def marker(number: int, x: float, y: float, side: float = 20.0) -> Marker:
    corners = np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)
    return Marker(number, corners)


def test_one_print_found_twice_is_one_and_two_prints_of_one_id_are_two() -> None:
    merged = merge_prints([marker(16, 0, 0), marker(16, 2, 1), marker(16, 100, 0), marker(17, 1, 1)])
    assert [(m.id, m.corners[0][0]) for m in merged] == [(16, 0.0), (16, 100.0), (17, 1.0)]


def test_the_middle_is_where_the_diagonals_cross() -> None:
    corners = np.array([[0, 0], [10, 0], [8, 10], [2, 10]], np.float32)
    x, y = Marker(1, corners).centre
    assert x == pytest.approx(5.0)
    assert y == pytest.approx(6.25)


def test_a_find_in_an_enlarged_crop_is_put_back_in_place() -> None:
    moved = marker(5, 19.5, 39.5, 40).moved(100, 200, scale=2.0)
    assert moved.corners[0].tolist() == [109.5, 219.5]
    assert moved.side_px == pytest.approx(20.0)
