"""The scoreboard: a cube that stands elsewhere for a while was moved by hand, one that a look mistakes was not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.referee.olympeak.scoreboard import Scoreboard
from companion.sensing.olympeak.reading import CubeSighting, OlympeakReading

STANDING = {"blue": 11, "green": 7, "red": 3}


def reading(at: float, **cubes: int) -> OlympeakReading:
    return OlympeakReading(
        at, cubes=tuple(CubeSighting(c, p, 0.0, (0.0, 0.0, 0.0)) for c, p in cubes.items())
    )


@pytest.fixture
def board() -> Scoreboard:
    """Everything stands where it belongs, and was seen there."""
    watched = Scoreboard()
    watched.expect(STANDING)
    assert watched.look(reading(0.0, **STANDING), {}) == ()
    return watched


def test_a_cube_that_stands_elsewhere_is_told_once(board: Scoreboard) -> None:
    looks = [board.look(reading(1.0 + n, **STANDING | {"blue": 9}), {}) for n in range(6)]
    assert [len(told) for told in looks] == [0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize("apart", [0.1, 2.5, 30.0])
def test_two_looks_that_mistake_a_cube_move_none(board: Scoreboard, apart: float) -> None:
    for at in (1.0, 1.0 + apart):
        assert board.look(reading(at, **STANDING | {"blue": 9}), {}) == ()
    assert board.look(reading(2.0 + apart, **STANDING), {}) == ()


def test_of_two_cubes_in_one_colour_neither_tells_anything(board: Scoreboard) -> None:
    for n in range(6):
        seen = reading(1.0 + n, **STANDING)
        mistaken = tuple(
            replace(cube, contender="blue") if cube.contender == "green" else cube for cube in seen.cubes
        )
        assert board.look(replace(seen, cubes=mistaken), {}) == ()
        assert board.seen == STANDING
