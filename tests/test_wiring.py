"""What was measured of a controller's wiring is used when the table is played: switches, lights, lanes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

import pytest

from calibration.profile_base import Measured
from calibration.wiring_profile import (
    LANES,
    LIGHTS,
    SPACES,
    BadSwitch,
    LaneProfile,
    LightsProfile,
    ReedsProfile,
    ScoreboardProfile,
    SwitchFault,
)
from companion.service import TableService
from companion.signals.scoreboard import AxisMood
from companion.wiring import Motors, join, strip_of
from firmware_bridge.controller import Controller
from firmware_bridge.names import LED_NAMES
from firmware_bridge.virtual_controller import VirtualController
from firmware_bridge.virtual_wiring import LaneWiring, Wiring

MEASURED = Measured(at=datetime(2026, 1, 1, tzinfo=UTC), how="test")
# Switches and lights in another order, red and green exchanged; the first two axes exchanged, the second of them
# mounted the other way round and geared so that it goes twice as far.
WIRING = Wiring(
    reeds=tuple(reversed(range(97))),
    leds=tuple(reversed(range(105))),
    channels=(1, 0, 2),
    lanes=(
        LaneWiring(1, turned=True, endstop_north=True, scale=2.0, off_um=500),
        LaneWiring(0),
        *(LaneWiring(axis) for axis in (2, 3, 4)),
    ),
)


class Wired:
    """A wrongly wired board and its host, on a clock that the test sets."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.board = VirtualController(lambda: self.clock, wiring=WIRING, scan_period_s=0.0002)
        self.host = Controller(self.board.path)

    def pass_time(self, seconds: float) -> None:
        """Time passes, and both ends have said all there is to say."""
        self.host.wait_idle(5.0)
        self.clock += seconds
        self.board.set_reeds(frozenset())
        assert self.board.wait_idle(5.0)


@pytest.fixture
def wired() -> Iterator[Wired]:
    here = Wired()
    with here.board, here.host:
        here.host.wait_ready(10.0)
        yield here


def test_what_is_to_shine_at_a_place_shines_there_in_its_colour(wired: Wired) -> None:
    lights = LightsProfile(measured=MEASURED, places=tuple(reversed(LIGHTS)), channels="grb")
    strip = strip_of(wired.host, lights)
    assert strip is not None
    shown = [(0, 0, 0)] * len(LIGHTS)
    shown[LED_NAMES["c4"]], shown[LED_NAMES["seat 2"]] = (200, 10, 30), (0, 0, 90)
    strip.set_leds(tuple(shown))
    wired.pass_time(0.0)
    assert wired.board.lights == tuple(shown)
    assert strip_of(wired.host, None) is wired.host
    assert strip_of(None, lights) is None


def test_a_switch_is_the_space_it_lies_under_and_bad_ones_are_not_believed(wired: Wired) -> None:
    told: list[tuple[frozenset[str], frozenset[str]]] = []
    heard = asyncio.Event()

    class Table:
        """Hears what the switches say."""

        def take_switches(self, closed: frozenset[str], distrusted: frozenset[str]) -> None:
            told.append((closed, distrusted))
            if closed:
                heard.set()

        def controller_state(self, state: object) -> None:
            """Nothing to do with it."""

    bad = BadSwitch(space="b2", fault=SwitchFault.WEAK, trust=0.3)
    reeds = ReedsProfile(measured=MEASURED, spaces=("", *tuple(reversed(SPACES))[1:]), bad=(bad,))

    async def listen() -> None:
        join(wired.host, cast(TableService, Table()), simulated=True, wired=reeds)
        async with asyncio.timeout(10):
            wired.board.set_reeds(frozenset({SPACES.index("c4")}))
            await heard.wait()
        # The link's thread must not speak to a loop that has ended.
        wired.host.close()

    asyncio.run(listen())
    # Of the summit's switch nobody knows the number.
    assert told[-1] == (frozenset({"c4"}), frozenset({"b2", "top"}))


def test_a_cube_comes_to_its_place_whatever_axis_drives_it_and_whichever_way(wired: Wired) -> None:
    blue = LaneProfile(carries="blue", axis=1, scale=-2.0, offset_mm=180.5 - 2 * 180.0)
    green = LaneProfile(carries="green", axis=0)
    motors = Motors(wired.host, ScoreboardProfile(measured=MEASURED, lane=(blue, green)))
    for lane in range(len(LANES)):
        motors.home(lane)
    wired.pass_time(60.0)
    wired.pass_time(1.0)
    wanted = {0: -120.0, 1: 45.0, 2: 9.0, 3: -180.0, 4: 20.0}
    for lane, target in wanted.items():
        motors.move(lane, target)
    wired.pass_time(60.0)
    wired.pass_time(1.0)
    for lane, target in wanted.items():
        assert wired.board.carriages_um[lane] / 1000 == pytest.approx(target, abs=0.01)
    assert {lane: report.mood for lane, report in motors.reports().items()} == dict.fromkeys(
        wanted, AxisMood.READY
    )


def test_an_axis_that_drives_another_lane_is_not_taken_for_its_own(wired: Wired) -> None:
    motors = Motors(
        wired.host, ScoreboardProfile(measured=MEASURED, lane=(LaneProfile(carries="blue", axis=1),))
    )
    wired.host.query_axis()
    wired.pass_time(0.0)
    assert sorted(motors.reports()) == [0, 2, 3, 4]
