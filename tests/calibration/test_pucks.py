"""Pucks on named spaces measure a ring whose print cannot be read."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.pucks import (
    PUCK_HEIGHT_MM,
    PUCK_MARKER_MM,
    PucksError,
    better_of,
    parse_pucks,
    ring_poses,
)
from calibration.rings import RingsFailed, rings_of
from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.sensing.markers import Marker, dictionary
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.registration import marker_square
from tests.sensing.photos import camera, photo, pose, truth

BOARD = Board()
POSE = pose("09")


def lying(
    space: str, turn_deg: float, shift: tuple[float, float], off: tuple[float, float] = (0, 0)
) -> tuple[float, float, float]:
    """Where the middle of a puck's print is when its ring lies so, and the puck `off` the space's middle."""
    x, y, z = BOARD.space_centre(space)
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return (c * x - s * y + shift[0] + off[0], s * x + c * y + shift[1] + off[1], z + PUCK_HEIGHT_MM)


def seen(puck: int, at: tuple[float, float, float], view: CameraPose = POSE) -> Marker:
    return Marker(puck, view.project(marker_square(at[0], at[1], PUCK_MARKER_MM, at[2])).astype(np.float32))


@given(turn=st.floats(-5, 5), x=st.floats(-4, 4), y=st.floats(-4, 4), ring=st.integers(1, 6))
def test_pucks_on_their_spaces_give_turn_and_shift(turn: float, x: float, y: float, ring: int) -> None:
    laid = {235: f"b{ring}", 236: f"g{ring}", 240: f"m{ring}"}
    markers = [seen(puck, lying(space, turn, (x, y))) for puck, space in laid.items()]
    found = ring_poses(markers, laid, POSE, BOARD).poses
    assert list(found) == [ring]
    assert found[ring].rotation_deg == pytest.approx(turn, abs=0.01)
    assert found[ring].shift_mm == pytest.approx((x, y), abs=0.02)


def test_sigma_says_how_well_people_lay_pucks() -> None:
    """Three hundred pairs of pucks, each laid a little off: the errors are as large as their sigmas say."""
    rng = np.random.default_rng(3)
    laid = {235: "a3", 236: "i3"}
    turns, shifts = [], []
    for _ in range(300):
        markers = [
            seen(puck, lying(space, 2.0, (1.0, 0.5), tuple(rng.normal(0, 0.8, 2))))
            for puck, space in laid.items()
        ]
        found = ring_poses(markers, laid, POSE, BOARD).poses[3]
        turns.append((found.rotation_deg - 2.0) / found.sigma_deg)
        shifts.append(math.dist(found.shift_mm, (1.0, 0.5)) / found.sigma_mm / math.sqrt(2))
    assert 0.6 < np.sqrt(np.mean(np.square(turns))) < 1.3
    assert 0.6 < np.sqrt(np.mean(np.square(shifts))) < 1.3


def test_pucks_that_disagree_make_it_unsure() -> None:
    laid = {235: "a2", 236: "e2", 237: "i2", 238: "m2"}
    good = [seen(puck, lying(space, 0.0, (0, 0))) for puck, space in laid.items()]
    bad = [*good[:3], seen(238, lying("m2", 0.0, (0, 0), (6, 3)))]
    sure, unsure = (ring_poses(markers, laid, POSE, BOARD).poses[2] for markers in (good, bad))
    assert unsure.sigma_deg > 2 * sure.sigma_deg
    assert unsure.sigma_mm > 2 * sure.sigma_mm


@pytest.mark.parametrize(
    ("laid", "lies", "said"),
    [
        ({235: "a3"}, {235: "a3"}, "ring 3 needs two pucks"),
        ({235: "a6", 236: "b6"}, {235: "a6", 236: "b6"}, "at least 60 mm apart"),
        ({235: "a3", 236: "i3"}, {235: "a3"}, "puck 236 on i3 is not seen"),
        ({235: "a3", 236: "i3"}, {235: "a3", 236: "j3"}, "does it lie on another space"),
    ],
)
def test_pucks_that_measure_nothing_are_named(laid: dict[int, str], lies: dict[int, str], said: str) -> None:
    markers = [seen(puck, lying(space, 0.0, (0, 0))) for puck, space in lies.items()]
    with pytest.raises(PucksError, match=said):
        ring_poses(markers, laid, POSE, BOARD)


def test_a_puck_seen_twice_is_not_believed() -> None:
    markers = [
        seen(235, lying("a3", 0, (0, 0))),
        seen(235, lying("c3", 0, (0, 0))),
        seen(236, lying("i3", 0, (0, 0))),
    ]
    with pytest.raises(PucksError, match="puck 235 on a3 is seen twice"):
        ring_poses(markers, {235: "a3", 236: "i3"}, POSE, BOARD)


def test_pucks_are_written_as_number_and_space() -> None:
    assert parse_pucks(["235=a3", " 240 = P6 "], BOARD) == {235: "a3", 240: "p6"}
    for text, said in (
        ("234=a3", "numbers 235 to 240"),
        ("a3=235", "numbers 235 to 240"),
        ("235=q3", "no space 'q3'"),
        ("235=a7", "no space 'a7'"),
        ("235", "no space ''"),
    ):
        with pytest.raises(PucksError, match=said):
            parse_pucks([text], BOARD)
    with pytest.raises(PucksError, match="one space"):
        parse_pucks(["235=a3", "236=a3"], BOARD)


def test_the_surer_measure_wins() -> None:
    lines = BoardPrint({1: RingPose(1, 0.0, (0, 0), 0.03, 0.1), 2: RingPose(2, 1.0, (0, 0), 0.9, 1.0)})
    pucks = BoardPrint(
        {
            1: RingPose(1, 0.3, (0, 0), 0.3, 0.6),
            2: RingPose(2, 2.0, (0, 0), 0.3, 0.6),
            5: RingPose(5, 3.0, (0, 0), 0.3, 0.6),
        }
    )
    assert {ring: pose.rotation_deg for ring, pose in better_of(lines, pucks).poses.items()} == {
        1: 0.0,
        2: 2.0,
        5: 3.0,
    }


def painted_over(image: Image, ring: int) -> Image:
    """The photograph with a ring's print worn off, and two pucks on it."""
    inner, outer = BOARD.ring_radii(ring)
    around = np.linspace(0, 2 * math.pi, 200)
    for radius, colour in ((outer - 1, (96, 116, 126)), (inner - 2, None)):
        ends = POSE.project(
            np.stack([radius * np.cos(around), radius * np.sin(around), np.full(200, BOARD.ring_z(ring))], 1)
        )
        if colour is None:
            mask = np.zeros(image.shape[:2], np.uint8)
            cv2.fillPoly(mask, [ends.astype(np.int32)], 255)
            image = np.where(mask[..., None] > 0, photo("09"), image).astype(np.uint8)
        else:
            cv2.fillPoly(image, [ends.astype(np.int32)], colour)
    return image


def with_puck(image: Image, puck: int, at: tuple[float, float, float]) -> Image:
    art = np.kron(cv2.aruco.generateImageMarker(dictionary(), puck, 7), np.ones((20, 20), np.uint8))
    art = cv2.copyMakeBorder(np.clip(art, 25, 230), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=230)
    corners = POSE.project(marker_square(at[0], at[1], PUCK_MARKER_MM * 9 / 7, at[2])).astype(np.float32)
    size = art.shape[0] - 0.5
    onto = cv2.getPerspectiveTransform(
        np.array([[-0.5, -0.5], [size, -0.5], [size, size], [-0.5, size]], np.float32), corners
    )
    warped = cv2.warpPerspective(art, onto, (image.shape[1], image.shape[0]), flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full_like(art, 255), onto, (image.shape[1], image.shape[0]))[..., None]
    return np.where(there > 127, warped[..., None], image).astype(np.uint8)


def test_a_worn_ring_is_measured_by_its_pucks_and_the_others_by_their_lines() -> None:
    true = truth("09")["rings"]
    image = painted_over(photo("09"), 3)
    for puck, space in ((235, "c3"), (236, "k3")):
        image = with_puck(image, puck, lying(space, true[2]["rotation_deg"], tuple(true[2]["shift_mm"])))
    without = rings_of(image, camera("09"))
    assert isinstance(without, BoardPrint)
    assert 3 not in without.poses
    measured = rings_of(image, camera("09"), pucks={235: "c3", 236: "k3"})
    assert isinstance(measured, BoardPrint)
    assert sorted(measured.poses) == [1, 2, 3, 4, 5, 6]
    for ring, pose_ in measured.poses.items():
        assert pose_.rotation_deg == pytest.approx(true[ring - 1]["rotation_deg"], abs=0.2)
        assert math.dist(pose_.shift_mm, true[ring - 1]["shift_mm"]) < 0.5
    failed = rings_of(image, camera("09"), pucks={235: "c3", 237: "k3"})
    assert isinstance(failed, RingsFailed)
    assert "puck 237 on k3 is not seen" in failed.reason
