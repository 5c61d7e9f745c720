"""The assembly assistant: what is said while rings are turned and pushed, and when the next one's turn comes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.assembly import (
    PRESS_S,
    SHIFT_MM,
    STEADY_S,
    TURN_DEG,
    Assembly,
    Correction,
    Guide,
    Stage,
    correction,
    towards,
)
from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.sensing.reading import RingPose
from tests.sensing.photos import pose as view_of

NOTHING: Image = np.zeros((4, 4, 3), np.uint8)
POSE = view_of("09")


def lie(ring: int, turn: float = 0.0, x: float = 0.0, y: float = 0.0) -> RingPose:
    return RingPose(ring, turn, (x, y), 0.02, 0.06)


class Rings:
    """A gauge that sees the rings which the test lays."""

    def __init__(self) -> None:
        self.lying: dict[int, RingPose] = {}
        self.asked: list[int] = []

    def look(
        self, image: Image, pose: CameraPose, ring: int, expected: RingPose | None = None
    ) -> RingPose | None:
        self.asked.append(ring)
        return self.lying.get(ring)


class Table:
    """A board being put together, looked at twice a second."""

    def __init__(self, rings: int = 6) -> None:
        self.rings = Rings()
        self.assembly = Assembly(Board(rings=rings), self.rings)
        self.at = 100.0

    def look(self) -> Guide:
        self.at += 0.5
        return self.assembly.look(NOTHING, POSE, self.at)

    def looks(self, seconds: float) -> Iterator[Guide]:
        for _ in range(math.ceil(seconds / 0.5)):
            yield self.look()

    def lay(self, ring: int, turn: float = 0.0, x: float = 0.0, y: float = 0.0) -> None:
        self.rings.lying[ring] = lie(ring, turn, x, y)

    def finish(self, ring: int) -> None:
        """Lay a ring well and press it on."""
        first = self.rings.lying.get(1, lie(1))
        self.lay(ring, first.rotation_deg, *first.shift_mm)
        for _ in range(30):
            if self.look().ring > ring or self.assembly.laid >= ring:
                return
        raise AssertionError(f"ring {ring} was never finished")


@pytest.mark.parametrize(
    ("turn", "shift", "said"),
    [
        (-2.1, (0.0, 1.0), "ring 3: turn 2.1° clockwise, 1 mm north"),
        (2.1, (0.0, 0.0), "ring 3: turn 2.1° counter-clockwise"),
        (0.1, (-1.1, -1.1), "ring 3: 1.5 mm south-west"),
        (0.0, (2.9, 0.2), "ring 3: 3 mm east"),
        (0.1, (0.1, 0.1), "ring 3: lies well"),
    ],
)
def test_a_correction_is_said_in_turns_and_directions(
    turn: float, shift: tuple[float, float], said: str
) -> None:
    assert Correction(3, turn, shift).text == said


@given(turn=st.floats(-6, 6), x=st.floats(-4, 4), y=st.floats(-4, 4))
def test_doing_what_is_said_brings_the_ring_home(turn: float, x: float, y: float) -> None:
    needs = correction(lie(4, turn, x, y))
    assert turn + needs.turn_deg == pytest.approx(0)
    assert (x + needs.shift_mm[0], y + needs.shift_mm[1]) == pytest.approx((0, 0))
    assert needs.within == (abs(turn) <= TURN_DEG and math.hypot(x, y) <= SHIFT_MM)
    # What is not well never sounds well.
    assert needs.within or "lies well" not in needs.text


@given(angle=st.floats(0, 360))
def test_directions_are_those_of_a_map(angle: float) -> None:
    east, north = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    word = towards((east, north))
    assert ("north" in word) >= (north > 0.93)
    assert ("west" in word) >= (east < -0.93)
    assert not ("south" in word and north > 0.4)
    assert not ("east" in word and east < -0.4)


def test_a_ring_is_asked_for_corrected_and_pressed_on() -> None:
    table = Table()
    assert table.look() == Guide(Stage.LAY, 1)
    table.lay(1, turn=2.0, x=1.5)
    guide = table.look()
    assert (guide.stage, guide.text) == (Stage.ALIGN, "ring 1: turn 2.0° clockwise, 1.5 mm west")
    table.lay(1, turn=0.2, x=0.1)
    stages = [guide.stage for guide in table.looks(STEADY_S)]
    assert set(stages) == {Stage.ALIGN}
    assert table.look().stage is Stage.PRESS
    stages = [guide.stage for guide in table.looks(PRESS_S)]
    assert set(stages) == {Stage.PRESS}
    assert table.assembly.laid == 1
    assert table.look() == Guide(Stage.LAY, 2)


def test_rings_follow_ring_one_as_it_lies() -> None:
    table = Table()
    table.lay(1, turn=0.4, x=0.3, y=-0.3)
    while table.assembly.laid < 1:
        table.look()
    table.lay(2, turn=1.4, x=0.3, y=-0.3)
    guide = table.look()
    assert guide.correction is not None
    assert guide.correction.turn_deg == pytest.approx(-1.0)
    assert guide.correction.shift_mm == pytest.approx((0, 0))


def test_a_ring_that_moves_while_it_is_pressed_is_corrected_again() -> None:
    table = Table()
    table.lay(1)
    list(table.looks(STEADY_S + 1.0))
    assert table.look().stage is Stage.PRESS
    table.lay(1, turn=-1.2)
    assert table.look().stage is Stage.ALIGN
    table.lay(1)
    assert [guide.stage for guide in table.looks(STEADY_S)] == [Stage.ALIGN] * 3
    assert table.assembly.laid == 0


def test_a_hand_over_the_ring_does_not_finish_it() -> None:
    table = Table()
    table.lay(1)
    list(table.looks(STEADY_S))
    del table.rings.lying[1]
    assert table.look() == Guide(Stage.LAY, 1)
    table.lay(1)
    assert table.look().stage is Stage.ALIGN


def test_one_that_slips_later_is_called_back() -> None:
    table = Table()
    table.finish(1)
    table.finish(2)
    table.finish(3)
    table.lay(2, turn=2.0)
    guides = list(table.looks(2.0))
    slipped = next(guide for guide in guides if guide.stage is Stage.SLIPPED)
    assert slipped.text == "ring 2 has slipped: lift it. ring 2: turn 2.0° clockwise"
    assert table.assembly.laid == 1
    table.finish(2)
    # Ring 3 lies where it was and only needs to be confirmed.
    table.finish(3)
    assert table.look() == Guide(Stage.LAY, 4)


def test_a_ring_a_little_beyond_tolerance_has_not_slipped() -> None:
    table = Table()
    table.finish(1)
    table.lay(1, turn=TURN_DEG * 1.3)
    assert {guide.stage for guide in table.looks(3.0)} == {Stage.LAY}


def test_the_last_ring_ends_it() -> None:
    table = Table(rings=2)
    table.finish(1)
    table.finish(2)
    guide = table.look()
    assert (guide.stage, guide.text) == (Stage.DONE, "all rings are laid")
    assert sorted(table.assembly.seen.poses) == [1, 2]
