"""Sheets that a printer scaled are noticed by markers of known distance."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.gate import Judgement
from calibration.print_scale import judge_scale, print_scale
from companion.games.above.box import Table
from companion.sensing.geometry import Camera
from companion.sensing.markers import Gray, detect, dictionary
from companion.sensing.registration import marker_square
from tests.sensing.photos import camera, photo, pose

TABLE = Table()


def printed(factor: float) -> Gray:
    """A bare table with frame markers printed at `factor` times their size, as photograph 05's camera sees it."""
    view = pose("05")
    light = np.full((1296, 2304), 0.16)
    for marker, x, y in TABLE.frame_centres_mm:
        art = cv2.aruco.generateImageMarker(dictionary(), marker, 7)
        art = cv2.copyMakeBorder(art, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=235)
        art = np.kron(np.where(art > 127, 0.85, 0.01), np.ones((24, 24)))
        side = TABLE.frame_marker_mm * factor * 9 / 7
        corners = view.project(marker_square(x, y, side)).astype(np.float32)
        size = art.shape[0]
        onto = cv2.getPerspectiveTransform(
            np.array(
                [[-0.5, -0.5], [size - 0.5, -0.5], [size - 0.5, size - 0.5], [-0.5, size - 0.5]], np.float32
            ),
            corners,
        )
        big = cv2.warpPerspective(art, onto, (2304, 1296), flags=cv2.INTER_LINEAR)
        there = cv2.warpPerspective(np.ones_like(art), onto, (2304, 1296))
        light = np.where(there > 0.5, big, light)
    # Lenses blur light, not its grey values.
    return np.asarray(255 * cv2.GaussianBlur(light, (0, 0), 0.7) ** (1 / 2.2), dtype=np.uint8)


@pytest.mark.parametrize("factor", [0.93, 0.97, 1.0, 1.04])
def test_the_factor_is_told(factor: float) -> None:
    gray = printed(factor)
    found = print_scale(gray, detect(gray), camera("05"), TABLE)
    assert found is not None
    assert found.ids == (0, 1, 2, 3)
    assert found.factor == pytest.approx(factor, abs=0.006)
    finding = judge_scale(found, TABLE)
    assert finding.judgement is (Judgement.GOOD if factor == 1.0 else Judgement.DOUBTFUL)
    assert (f"factor of {found.factor:.3f}" in finding.advice) is (factor != 1.0)


@pytest.mark.parametrize("name", ["01", "05", "06", "07", "09"])
def test_photographed_markers_are_of_their_size(name: str) -> None:
    gray = np.asarray(cv2.cvtColor(photo(name), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = print_scale(gray, detect(gray), camera(name), TABLE)
    assert found is not None
    assert found.factor == pytest.approx(1.0, abs=0.005)


def test_two_markers_are_enough_and_one_is_not() -> None:
    gray = printed(0.95)
    markers = detect(gray)
    lens: Camera = camera("05")
    two = print_scale(gray, [marker for marker in markers if marker.id in (0, 2)], lens, TABLE)
    assert two is not None
    assert two.factor == pytest.approx(0.95, abs=0.01)
    assert print_scale(gray, markers[:1], lens, TABLE) is None
