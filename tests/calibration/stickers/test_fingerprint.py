"""The fingerprint of the drawn markers: that of the stickers in use, and any changed cell changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from calibration.stickers import fingerprint
from calibration.stickers.fingerprint import FINGERPRINT, DrawnOtherwise, cells, check_fingerprint


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Markers are drawn anew, and no changed one is remembered."""
    fingerprint._bits.cache_clear()
    yield
    fingerprint._bits.cache_clear()


def drawn_otherwise(mocker: MockerFixture, change: Callable[[Any], Any], only: int) -> None:
    real = cv2.aruco.generateImageMarker

    def draw(dictionary: Any, marker: int, side: int) -> Any:
        image = real(dictionary, marker, side)
        return change(image) if marker == only else image

    mocker.patch.object(cv2.aruco, "generateImageMarker", draw)


def test_this_opencv_draws_the_stickers_in_use() -> None:
    assert check_fingerprint() == FINGERPRINT


@pytest.mark.parametrize("change", [np.rot90, np.fliplr, lambda image: np.where(np.eye(7) > 0, 255, image)])
def test_one_marker_drawn_otherwise_is_refused(mocker: MockerFixture, change: Callable[[Any], Any]) -> None:
    drawn_otherwise(mocker, change, 77)
    with pytest.raises(DrawnOtherwise, match=r"stickers printed now would not fit"):
        check_fingerprint()


def test_cells_are_those_of_the_marker() -> None:
    # Zeus's miniature, marker 8, as it is on the box of stickers.
    assert ["".join("#" if black else "." for black in row) for row in cells(8)] == [
        "#######",
        "#.#####",
        "#..#.##",
        "#..####",
        "##.##.#",
        "#.##.##",
        "#######",
    ]
    assert cells(0, "DICT_4X4_50").shape == (6, 6)
