"""The scoreboard as people lay it down: where it lies, and where the cubes stand on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.olympeak.box import CUBE_IDS, ROUND_MARKER_ID
from companion.sensing.olympeak.prints import Placed
from companion.sensing.olympeak.scoreboard import BoardLie, board_lie, cubes_on, round_on
from tests.sensing.olympeak.placing import TABLE, print_at


def lying(turn_deg: float, dx: float, dy: float) -> BoardLie:
    """A board turned about the table's middle, then shifted."""
    a = np.radians(turn_deg)
    return BoardLie(np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]), np.array([dx, dy]), 4)


def corners(lie: BoardLie) -> list[Placed]:
    return [print_at(marker, *lie.on_table(x, y)) for marker, x, y in TABLE.scoreboard_corners_mm]


def cube(contender: str, place: int, lie: BoardLie, off: tuple[float, float] = (0.0, 0.0)) -> Placed:
    x, y = TABLE.cube_centre(contender, place)
    return print_at(CUBE_IDS[contender], *lie.on_table(x + off[0], y + off[1]))


@given(
    st.floats(-3.0, 3.0),
    st.floats(-12.0, 12.0),
    st.floats(-12.0, 12.0),
    st.tuples(*[st.integers(-5, 35)] * 4),
    st.floats(-3.0, 3.0),
)
def test_cubes_are_read_wherever_the_board_lies(
    turn: float, dx: float, dy: float, places: tuple[int, ...], off: float
) -> None:
    lie = lying(turn, dx, dy)
    placed = corners(lie)
    placed += [
        cube(contender, place, lie, (off, -off)) for contender, place in zip(CUBE_IDS, places, strict=True)
    ]
    found = cubes_on(placed, board_lie(placed, TABLE), TABLE)
    assert [(one.contender, one.place) for one in found] == list(zip(CUBE_IDS, places, strict=True))
    assert all(one.offset == pytest.approx(-off / 9, abs=1e-6) for one in found)


def test_two_corners_are_enough() -> None:
    lie = lying(1.5, 6, -8)
    seen = board_lie(corners(lie)[1:3], TABLE)
    assert seen.corners == 2
    assert seen.on_table(265, 100) == pytest.approx(lie.on_table(265, 100), abs=1e-6)


def test_one_corner_tells_the_shift_and_none_the_usual_place() -> None:
    assert board_lie(corners(lying(0, 5, 3))[:1], TABLE).on_table(265, 0) == pytest.approx([270, 3])
    assert board_lie([], TABLE).on_table(265, 0) == pytest.approx([265, 0])


def test_a_corner_that_came_off_is_voted_out() -> None:
    lie = lying(0, 2, 2)
    placed = corners(lie)
    placed[3] = print_at(placed[3].id, placed[3].at[0] + 9, placed[3].at[1] - 12)
    seen = board_lie(placed, TABLE)
    assert seen.corners == 3
    assert seen.on_table(300, -150) == pytest.approx(lie.on_table(300, -150), abs=1e-6)


def test_a_board_put_away_is_not_the_board_in_play() -> None:
    assert board_lie(corners(lying(0, -200, 0)), TABLE).corners == 0


def test_a_cube_beside_its_lane_or_beyond_the_end_is_not_on_the_board() -> None:
    lie = board_lie([], TABLE)
    beside = cube("blue", 7, lie, (25.0, 0.0))
    beyond = cube("red", 35, lie, (0.0, 16.0))
    at_the_end = cube("green", -5, lie, (0.0, -4.0))
    assert [(one.contender, one.place) for one in cubes_on([beside, beyond, at_the_end], lie, TABLE)] == [
        ("green", -5)
    ]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_round_is_the_spot_nearest(number: int) -> None:
    lie = board_lie([], TABLE)
    x, y = TABLE.round_centre(number)
    assert round_on([print_at(ROUND_MARKER_ID, x + 2, y - 4)], lie, TABLE) == number


def test_a_round_marker_elsewhere_shows_no_round() -> None:
    lie = board_lie([], TABLE)
    x, y = TABLE.round_centre(1)
    assert round_on([print_at(ROUND_MARKER_ID, x - 30, y)], lie, TABLE) is None
    assert round_on([print_at(ROUND_MARKER_ID, x, y - 14)], lie, TABLE) is None
    assert round_on([], lie, TABLE) is None
