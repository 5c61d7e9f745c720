"""Spaces from markers: heights, measured rings, beside the board, and honest doubt."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.box import Board, Table
from companion.sensing.geometry import CameraPose
from companion.sensing.hidden import all_spaces
from companion.sensing.markers import Marker
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import RingPose
from tests.sensing.draws import Drawn, People, draw, unreliable
from tests.sensing.photos import pose

TABLE = Table()
VIEW = pose("05")
STRAIGHT = BoardPrint({ring: RingPose(ring, 0.0, (0.0, 0.0), 0.02, 0.05) for ring in range(1, 8)})


def seen_at(number: int, x: float, y: float, z: float, view: CameraPose = VIEW) -> Marker:
    """The marker of a piece whose print's middle is at a world point."""
    half = 5.0
    square = [
        [x - half, y + half, z],
        [x + half, y + half, z],
        [x + half, y - half, z],
        [x - half, y - half, z],
    ]
    return Marker(number, view.project(square).astype(np.float32))


@settings(max_examples=150)
@given(
    space=st.sampled_from(all_spaces(TABLE)),
    off=st.floats(0, 4),
    direction=st.floats(0, math.tau),
    mini=st.booleans(),
)
def test_a_piece_up_to_4_mm_off_is_surely_on_its_space(
    space: str, off: float, direction: float, mini: bool
) -> None:
    x, y, z = Board().space_centre(space)
    height = TABLE.mini_height_mm if mini else TABLE.token_height_mm
    marker = seen_at(
        8 if mini else 16, x + off * math.cos(direction), y + off * math.sin(direction), z + height
    )
    spaces, xyz = place(marker, VIEW, TABLE, STRAIGHT)
    assert spaces[0][0] == space
    assert spaces[0][1] > 0.97
    assert xyz[2] == pytest.approx(z + height)
    assert sum(p for _, p in spaces) <= 1 + 1e-9


def test_on_the_innermost_ring_a_turned_and_shifted_print_decides() -> None:
    """4° and 3 mm of the ring and 4 mm of the piece are more than half a space of ring 6."""
    turned = RingPose(6, 4.0, (-2.77, 1.15), 0.05, 0.1)
    rings = BoardPrint({**STRAIGHT.poses, 6: turned})
    x, y, z = Board().space_centre("b6")
    a = math.radians(4.0)
    x, y = x * math.cos(a) - y * math.sin(a) - 2.77, x * math.sin(a) + y * math.cos(a) + 1.15
    # Pushed another 4 mm counter-clockwise, away from b towards a.
    direction = math.atan2(y, x) + math.pi / 2
    x, y = x + 4 * math.cos(direction), y + 4 * math.sin(direction)
    marker = seen_at(16, x, y, z + 2)
    spaces, _ = place(marker, VIEW, TABLE, rings)
    assert spaces[0][0] == "b6"
    assert spaces[0][1] > 0.97
    blind, _ = place(marker, VIEW, TABLE, STRAIGHT)
    assert blind[0][0] == "a6"
    unmeasured, _ = place(marker, VIEW, TABLE, BoardPrint())
    assert unmeasured[0][1] < 0.9


def test_half_way_between_two_spaces_is_told_as_half_and_half() -> None:
    board = Board()
    angle = math.radians(90 - 11.25)
    radius = 190 - 25 * 3.5
    marker = seen_at(16, radius * math.cos(angle), radius * math.sin(angle), board.ring_z(4) + 2)
    spaces, _ = place(marker, VIEW, TABLE, STRAIGHT)
    assert {space for space, _ in spaces[:2]} == {"a4", "b4"}
    assert spaces[0][1] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("direction", range(0, 360, 30))
@pytest.mark.parametrize(("number", "height"), [(8, 35.0), (16, 2.0)])
def test_beside_the_board_is_no_space(direction: int, number: int, height: float) -> None:
    a = math.radians(direction)
    spaces, xyz = place(seen_at(number, 201 * math.cos(a), 201 * math.sin(a), height), VIEW, TABLE, STRAIGHT)
    assert spaces == ()
    assert math.hypot(xyz[0], xyz[1]) == pytest.approx(201, abs=0.2)
    assert xyz[2] == height


def test_a_miniature_anywhere_on_the_summit_is_on_it() -> None:
    for x, y in ((0, 0), (12, -9), (-20, 15)):
        spaces, _ = place(seen_at(10, x, y, 56.0), VIEW, TABLE, STRAIGHT)
        assert spaces[0][0] == "top"
        assert spaces[0][1] > 0.8


def test_poses_are_told_against_ring_one() -> None:
    nudged = BoardPrint(
        {
            1: RingPose(1, 10.0, (5.0, 0.0), 0.02, 0.05),
            2: RingPose(2, 12.0, (5.0, 1.0), 0.03, 0.05),
        }
    )
    first, second = nudged.against_ring_one()
    assert (first.rotation_deg, first.shift_mm) == (0.0, (0.0, 0.0))
    assert second.rotation_deg == pytest.approx(2.0)
    assert second.shift_mm == pytest.approx((math.sin(math.radians(10)), math.cos(math.radians(10))))
    assert second.sigma_deg > 0.03


def test_an_unmeasured_ring_is_straight_and_says_how_unsure_it_is() -> None:
    assert BoardPrint().of(3).rotation_deg == 0.0
    assert BoardPrint().of(3).sigma_deg > 2
    assert BoardPrint().against_ring_one() == ()


# --- probabilities come true ---------------------------------------------------------------------------------

USUAL = People(careful=0.8, careless=0.15)
NOBODY_CARES = People(careful=0.0, careless=0.0)


@pytest.mark.parametrize(("people", "ring_known"), [(USUAL, True), (USUAL, False), (NOBODY_CARES, True)])
def test_probabilities_come_true_as_often_as_they_say(people: People, ring_known: bool) -> None:
    rng = random.Random(11)
    drawn = [draw(rng, people, ring_known) for _ in range(3000)]
    assert unreliable(drawn) == []
    # And they are worth something: mostly there is no doubt.
    sure = [one for one in drawn if one.said and one.said[0][1] > 0.95]
    assert len(sure) > (0.9 if people is USUAL else 0.5) * len(drawn)


def test_who_puts_pieces_within_four_millimetres_is_always_understood() -> None:
    rng = random.Random(5)
    drawn = [draw(rng, People(1.0, 0.0), True) for _ in range(3000)]
    assert all(one.said and one.said[0][0] == one.space for one in drawn)
    assert sorted(one.said[0][1] for one in drawn)[30] > 0.99


def test_doubt_of_this_kind_is_worth_having() -> None:
    """Whoever is surer, or less sure, than is right is found out."""
    rng = random.Random(7)
    drawn = [draw(rng, NOBODY_CARES, False) for _ in range(3000)]

    def bent(power: float) -> list[Drawn]:
        out = []
        for one in drawn:
            weights = [(space, p**power) for space, p in one.said]
            total = sum(p for _, p in weights) or 1.0
            out.append(Drawn(one.space, tuple((space, p / total) for space, p in weights)))
        return out

    assert unreliable(bent(2.5))
    assert unreliable(bent(0.3))
