"""Ring poses from printed lines, whatever the print; and none from what is no print."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.rings import RingGauge, measure_rings
from tests.sensing.photos import camera, photo, pose, truth

BOARD = Board()
# Counter-clockwise degrees and mm, ring 1 to 6.
TRUE = {
    1: (0.4, 0.5, -0.3),
    2: (3.9, -2.1, 2.0),
    3: (-4.0, 1.0, 2.8),
    4: (2.0, 0, 0),
    5: (-1, -2.9, 0),
    6: (4, 2.1, 2.1),
}
Colour = tuple[int, int, int]


@cache
def grain(sigma: float, blur: float) -> NDArray[np.float32]:
    """Patches, lighter and darker by `sigma` grey levels before they are blurred by so many pixels."""
    raw = np.random.default_rng(4).standard_normal((1296, 2304, 3), dtype=np.float32) * np.float32(sigma)
    return np.asarray(cv2.GaussianBlur(raw, (0, 0), blur), dtype=np.float32)


def drawn(
    ground: Colour, line: Colour, casing: Colour | None = None, view: CameraPose | None = None
) -> Image:
    """A board with nothing but its lines, each ring turned and shifted as TRUE says."""
    view = view or pose("05")
    image = np.clip(grain(40.0, 6.0) + np.array(ground, np.float32), 0, 255).astype(np.uint8)
    for ring, (turn_deg, sx, sy) in TRUE.items():
        inner, outer = BOARD.ring_radii(ring)
        for column in range(16):
            a = math.radians(90 + 11.25 - 22.5 * column + turn_deg)
            ends = [
                (r * math.cos(a) + sx, r * math.sin(a) + sy, BOARD.ring_z(ring))
                for r in (inner + 2, outer - 2)
            ]
            (x0, y0), (x1, y1) = (view.project(ends) * 64).round().astype(int)
            for colour, width in ((casing, 5), (line, 3 if casing is None else 2)):
                if colour is not None:
                    cv2.line(image, (x0, y0), (x1, y1), colour, width, cv2.LINE_AA, 6)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.uint8)


PRINTS: dict[str, tuple[Colour, Colour, Colour | None]] = {
    "dark lines": ((120, 130, 125), (40, 40, 40), None),
    "light lines on dark": ((50, 70, 40), (190, 200, 200), None),
    "gold lines of the ground's brightness": ((140, 110, 90), (40, 130, 170), None),
    "gold lines in a dark casing": ((90, 120, 80), (60, 170, 210), (30, 35, 40)),
    "blue lines on a warm ground": ((90, 140, 190), (190, 130, 80), None),
}


@pytest.mark.parametrize("look", PRINTS)
def test_every_ring_of_every_print_is_measured(look: str) -> None:
    measured = measure_rings(drawn(*PRINTS[look]), pose("05"), BOARD)
    assert sorted(measured.poses) == [1, 2, 3, 4, 5, 6]
    for ring, (turn, sx, sy) in TRUE.items():
        found = measured.poses[ring]
        assert found.rotation_deg == pytest.approx(turn, abs=0.2)
        assert math.dist(found.shift_mm, (sx, sy)) < 0.3
        assert found.sigma_deg < 0.2
        assert found.sigma_mm < 0.3


def test_grey_pictures_do() -> None:
    grey = np.asarray(cv2.cvtColor(photo("05"), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    measured = measure_rings(grey, pose("05"), BOARD)
    for ring, true in enumerate(truth("05")["rings"], start=1):
        assert measured.poses[ring].rotation_deg == pytest.approx(true["rotation_deg"], abs=0.1)


def test_a_board_without_lines_is_not_measured() -> None:
    texture = 120 + grain(90.0, 3.0)
    assert measure_rings(np.clip(texture, 0, 255).astype(np.uint8), pose("05"), BOARD).poses == {}


def test_what_cannot_be_measured_keeps_what_is_known() -> None:
    known = BoardPrint({2: RingPose(2, 1.5, (0.2, 0.1), 0.05, 0.1)})
    blank = np.full((1296, 2304, 3), 120, np.uint8)
    assert measure_rings(blank, pose("05"), BOARD, known).poses == known.poses


def test_half_a_board_under_a_cloth_costs_precision_not_truth() -> None:
    image = photo("05")
    image[:, :1000] = (90, 60, 60)
    measured = measure_rings(image, pose("05"), BOARD)
    assert len(measured.poses) >= 3
    for ring, found in measured.poses.items():
        true = truth("05")["rings"][ring - 1]
        assert found.rotation_deg == pytest.approx(true["rotation_deg"], abs=0.5)
        assert math.dist(found.shift_mm, true["shift_mm"]) < 1.0


def test_creep_is_followed_from_what_is_known() -> None:
    """Photographs 01 and 02 show one table whose rings have crept in between."""
    gauge = RingGauge(BOARD)
    before = gauge.measure(photo("01"), pose("01"))
    after = gauge.measure(photo("02"), pose("02"), before)
    only = gauge.measure(photo("02"), pose("02"), before, only=5)
    for ring, true in enumerate(truth("02")["rings"], start=1):
        assert after.poses[ring].rotation_deg == pytest.approx(true["rotation_deg"], abs=0.2)
        assert math.dist(after.poses[ring].shift_mm, true["shift_mm"]) < 0.5
    assert only.poses[5] == after.poses[5]
    assert only.poses[4] == before.poses[4]


def test_a_nudged_board_is_found_again() -> None:
    gauge = RingGauge(BOARD)
    known = gauge.measure(photo("08"), pose("08"))
    lens = camera("08")
    # Turned about the picture's middle by 2.5°: the board, as the unmoved pose sees it.
    turn = cv2.getRotationMatrix2D((lens.cx, lens.cy), 2.5, 1.0)
    nudged = np.asarray(cv2.warpAffine(photo("08"), turn, lens.size), dtype=np.uint8)
    again = gauge.measure(nudged, pose("08"), known)
    for ring in range(1, 7):
        turned = again.poses[ring].rotation_deg - known.poses[ring].rotation_deg
        assert turned == pytest.approx(2.5, abs=0.3)
