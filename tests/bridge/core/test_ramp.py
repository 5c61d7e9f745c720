"""The firmware's ramps against the physics they stand for."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.limits import MAX_ACCELERATION_UM_S2, MAX_SPEED_UM_S, START_SPEED_UM_S, STEPS_PER_MM
from firmware_bridge.protocol import AxisHome, AxisMove, AxisState, AxisStatus
from firmware_bridge.virtual_axis import Ramp

from .core import CoreBoard, CoreHost

ROUND = 4


@pytest.fixture(scope="module")
def host() -> CoreHost:
    """With a homed axis."""
    made = CoreHost(CoreBoard())
    made.connect()
    made.session.send(AxisHome(ROUND))
    wait(made)
    return made


def wait(host: CoreHost) -> AxisStatus:
    while True:
        host.step(5)
        for message in host.messages:
            if isinstance(message, AxisStatus) and message.state is AxisState.OFF:
                host.events.clear()
                return message


@settings(max_examples=30)
@given(
    target_um=st.integers(-20_000, 20_000),
    speed=st.integers(1_000, 2 * MAX_SPEED_UM_S),
    gain=st.integers(10_000, 2 * MAX_ACCELERATION_UM_S2),
)
def test_a_move_is_the_ramp_that_was_asked_for(host: CoreHost, target_um: int, speed: int, gain: int) -> None:
    board = host.board
    start = board.place(ROUND)
    host.session.send(AxisMove(ROUND, target_um, speed, gain))
    places = [start]
    while not any(isinstance(m, AxisStatus) and m.state is AxisState.OFF for m in host.messages):
        host.step()
        places.append(board.place(ROUND))
    host.events.clear()
    assert abs(places[-1] * 1000 / STEPS_PER_MM - target_um) < 12.5
    steps = [abs(two - one) for one, two in itertools.pairwise(places)]
    assert sum(steps) == abs(places[-1] - start)  # never back
    top = min(speed, MAX_SPEED_UM_S) * STEPS_PER_MM / 1e6
    assert max(steps) <= top + 1
    # It takes as long as the ideal ramp, less what it saves by starting and ending at a small speed.
    moving = next((n for n, place in enumerate(places) if place == places[-1]), 0)
    distance = (places[-1] - start) * 1000 / STEPS_PER_MM
    ideal = Ramp(distance, min(speed, MAX_SPEED_UM_S), min(gain, MAX_ACCELERATION_UM_S2)).duration * 1000
    saved = 2 * START_SPEED_UM_S / min(gain, MAX_ACCELERATION_UM_S2) * 1000
    assert 0.95 * (ideal - saved) - 40 <= moving <= 1.05 * ideal + 40


def test_a_long_move_speeds_up_and_slows_down_evenly(host: CoreHost) -> None:
    host.session.send(AxisMove(ROUND, -20_000, 50_000, 400_000))
    wait(host)
    host.session.send(AxisMove(ROUND, 20_000, 50_000, 200_000))
    places = [host.board.place(ROUND)]
    while places[-1] < 20 * STEPS_PER_MM:
        host.step(10)
        places.append(host.board.place(ROUND))
    speeds = [(two - one) / STEPS_PER_MM * 100 for one, two in itertools.pairwise(places)]  # mm/s
    assert max(speeds) == pytest.approx(50, rel=0.03)
    changes = [two - one for one, two in itertools.pairwise(speeds)]
    assert max(changes[1:]) <= 200 * 0.010 + 2.6  # two steps of rounding
    assert min(changes[1:-1]) >= -200 * 0.010 - 2.6
