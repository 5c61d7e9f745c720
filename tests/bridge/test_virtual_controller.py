"""The virtual board: switches, lights, axes and the faults that have a name, one test each."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable

import pytest

from firmware_bridge.faults import ENDSTOP_FAULTS, Fault, spoil
from firmware_bridge.limits import HOLD_MS, LED_MA, NO_HOST_LIT_MS, NO_HOST_PERIOD_MS
from firmware_bridge.protocol import LEDS, AxisFault, AxisMove, AxisState, Knowledge, ReedChange
from firmware_bridge.virtual_axis import Ramp, VirtualAxis
from firmware_bridge.virtual_board import ALL_DARK, NO_HOST
from firmware_bridge.virtual_controller import VirtualController
from firmware_bridge.virtual_matrix import FLICKER_PERIOD_S, VirtualMatrix, seen_by_matrix

from .conftest import PATIENCE_S, BoardFactory, HostFactory, eventually

# Faults of the wire and the cable are in test_link.


def test_every_fault_has_a_test() -> None:
    tests = {
        *(Fault.LINK_SILENT, Fault.UNPLUG, Fault.UNPLUG_MIDFRAME, Fault.RESET_MIDFRAME),  # test_link
        *(Fault.DROP_BYTES, Fault.CORRUPT_BYTES, Fault.DOUBLE_BYTES, Fault.NOISE),  # test_link, and below
        *(Fault.REED_STUCK, Fault.REED_DEAD, Fault.REED_FLICKER),  # below
        *ENDSTOP_FAULTS,  # below
    }
    assert tests == set(Fault)


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (Fault.DROP_BYTES, lambda out: len(out) < 900),
        (Fault.DOUBLE_BYTES, lambda out: len(out) > 1100),
        (Fault.NOISE, lambda out: len(out) > 1100),
        (Fault.CORRUPT_BYTES, lambda out: len(out) == 1000 and 100 < sum(byte != 7 for byte in out) < 300),
    ],
)
def test_wire_faults_do_what_they_say(fault: Fault, check: Callable[[bytes], bool]) -> None:
    assert check(spoil(bytes((7,)) * 1000, {fault: 0.2}, random.Random(1)))
    assert spoil(b"abc", {}, random.Random(1)) == b"abc"


# Switches ------------------------------------------------------------------------------------------------


def test_a_switch_must_stay_for_the_debounce_time() -> None:
    matrix = VirtualMatrix(3)
    seen = frozenset({8})
    assert matrix.scan(seen, 10) == []
    assert matrix.scan(seen, 11) == []
    assert matrix.scan(frozenset(), 12) == []  # it bounced
    assert [matrix.scan(seen, at) for at in (13, 14)] == [[], []]
    assert matrix.scan(seen, 15) == [ReedChange(13, 8, True)]
    assert matrix.settled
    assert matrix.closed == seen


def test_a_weak_magnet_flickers_in_table_time() -> None:
    faulty = {Fault.REED_FLICKER: frozenset({5})}
    closed = frozenset({5, 6})
    states = {seen_by_matrix(closed, faulty, n * FLICKER_PERIOD_S / 10) for n in range(10)}
    assert states == {closed, frozenset({6})}


def test_stuck_and_dead_switches(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board(reeds=frozenset({1, 2}))
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    board.inject(Fault.REED_STUCK, reeds=frozenset({50}))
    eventually(lambda: host.snapshot == frozenset({1, 2, 50}))
    board.inject(Fault.REED_DEAD, reeds=frozenset({2}))
    eventually(lambda: host.snapshot == frozenset({1, 50}))
    board.set_reeds(frozenset())
    eventually(lambda: host.snapshot == frozenset({50}))
    board.clear()
    eventually(lambda: host.snapshot == frozenset())


def test_a_flickering_switch_is_reported_again_and_again(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board(reeds=frozenset({9}))
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    heard: list[bool] = []
    host.on_reeds(lambda events, _: heard.extend(event.closed for event in events if event.index == 9))
    board.inject(Fault.REED_FLICKER, reeds=frozenset({9}))
    eventually(lambda: len(heard) >= 4)
    assert heard[0] is False
    assert all(one is not two for one, two in itertools.pairwise(heard))


def test_more_changes_than_fit_end_in_a_snapshot(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    snapshots: list[bool] = []
    host.on_reeds(lambda events, _: snapshots.append(any(event.missed for event in events)))
    board.set_reeds(frozenset(range(97)))  # the queue holds 64
    eventually(lambda: host.snapshot == frozenset(range(97)))
    assert snapshots[-1] is True


@pytest.mark.parametrize("closed", [{97}, {-1}])
def test_switches_that_do_not_exist_are_refused(make_board: BoardFactory, closed: set[int]) -> None:
    with pytest.raises(ValueError, match="0…96"):
        make_board().set_reeds(frozenset(closed))


# Lights --------------------------------------------------------------------------------------------------


def test_the_current_stays_within_the_budget(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.set_led_limits(255, 1000)
    host.set_leds([(255, 255, 255)] * LEDS)
    host.wait_ready(PATIENCE_S)
    host.wait_idle(PATIENCE_S)
    drawn = sum(map(sum, board.emitted_leds)) / 255 * LED_MA
    assert 900 < drawn <= 1000
    host.set_leds([(255, 0, 0)] * 10 + [(0, 0, 0)] * (LEDS - 10))
    host.wait_idle(PATIENCE_S)
    assert board.emitted_leds[0] == (255, 0, 0)  # 200 mA need no dimming


def test_no_host_is_shown_until_one_comes_and_after_it_went(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    assert board.leds == NO_HOST
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.set_leds([(1, 1, 1)] * LEDS)
    host.wait_idle(PATIENCE_S)
    assert board.leds != NO_HOST
    assert board.connected
    host.close()
    eventually(lambda: board.leds == NO_HOST)
    assert not board.connected


def test_the_sign_of_no_host_goes_on_and_off_in_table_time(make_board: BoardFactory) -> None:
    table_time = [0.0]
    board = make_board(now=lambda: table_time[0])
    for _ in range(2):
        table_time[0] += NO_HOST_LIT_MS / 1000
        eventually(lambda: board.leds == ALL_DARK, "darkness")
        table_time[0] += (NO_HOST_PERIOD_MS - NO_HOST_LIT_MS) / 1000
        eventually(lambda: board.leds == NO_HOST, "light")


def test_a_host_that_wished_for_darkness_does_not_hide_that_it_has_gone(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.set_led_limits(0, 1000)
    host.wait_idle(PATIENCE_S)
    host.close()
    eventually(lambda: board.emitted_leds == NO_HOST)


def test_a_removed_led_callback_is_not_called(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    seen: list[object] = []
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    remove = board.on_leds(seen.append)
    host.set_leds([(1, 1, 1)] * LEDS)
    host.wait_idle(PATIENCE_S)
    remove()
    host.set_leds([(2, 1, 1)] * LEDS)
    host.wait_idle(PATIENCE_S)
    assert seen == [tuple([(1, 1, 1)] * LEDS)]


# Axes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [100.0, -100.0, 90_000.0, -90_000.0, 0.0])
def test_a_ramp_is_smooth_bounded_and_arrives(distance: float) -> None:
    ramp = Ramp(distance, speed=40_000, acceleration=200_000)
    steps = 2000
    places = [ramp.at(ramp.duration * n / steps) for n in range(steps + 1)]
    assert places[0] == 0
    assert places[-1] == distance
    if distance:
        dt = ramp.duration / steps
        speeds = [(two - one) / dt for one, two in itertools.pairwise(places)]
        assert max(map(abs, speeds)) <= 40_000 * 1.001
        changes = [abs(two - one) / dt for one, two in itertools.pairwise(speeds)]
        assert max(changes) <= 200_000 * 1.01


def test_an_axis_stopped_on_its_way_stays_there() -> None:
    axis = VirtualAxis(0, -180_000, 180_000, start_um=0)
    axis.home(0.0)
    assert axis.tick(axis.arrives_at)
    axis.move(AxisMove(0, 0, 40_000, 200_000), 100.0)
    halfway = (100.0 + axis.arrives_at - HOLD_MS / 1000) / 2
    assert axis.position_um(halfway) == pytest.approx(-90_000, abs=1)
    assert axis.stop(halfway)
    assert not axis.stop(halfway + 1)
    assert axis.position_um(halfway + 60) == pytest.approx(-90_000, abs=1)


def test_axes_move_in_table_time(make_board: BoardFactory, make_host: HostFactory) -> None:
    table_time = [0.0]
    board = make_board(now=lambda: table_time[0])
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.home_axis(1)
    eventually(lambda: 1 in host.axes)
    assert board.wait_idle(PATIENCE_S)  # a moving axis does not hold table time
    assert board.axes[1].position_um == host.axes[1].position_um != -180_000
    table_time[0] += 60.0
    eventually(lambda: host.axes[1].position_um == -180_000, "arrival")


@pytest.mark.parametrize("fault", ENDSTOP_FAULTS)
@pytest.mark.parametrize("start_um", [0, -20_000, 20_000])
def test_each_broken_endstop_is_found_when_homing_within_the_lane(fault: Fault, start_um: int) -> None:
    axis = VirtualAxis(4, -20_000, 20_000, start_um)
    axis.home(0.0, ENDSTOP_FAULTS[fault])
    places = [axis.position_um(n / 10) for n in range(100)]
    assert -25_000 <= min(places) < max(places) <= 25_000
    assert axis.status(axis.arrives_at - 0.001).knowledge is Knowledge.UNKNOWN
    assert axis.tick(axis.arrives_at)
    failed = axis.status(60.0)
    assert (failed.state, failed.fault) == (AxisState.FAILED, ENDSTOP_FAULTS[fault])
    assert failed.knowledge is Knowledge.UNKNOWN
    assert not axis.stop(61.0)
    assert axis.status(61.0) == failed  # a stop is no remedy
    axis.home(62.0)
    assert axis.tick(axis.arrives_at)
    mended = axis.status(99.0)
    assert (mended.fault, mended.position_um, mended.knowledge) == (
        AxisFault.NONE,
        -20_000,
        Knowledge.ASSUMED,
    )


def test_a_stop_in_the_moment_after_homing_leaves_the_place_known_well_enough() -> None:
    axis = VirtualAxis(4, -20_000, 20_000, 0)
    axis.home(0.0)
    held = axis.arrives_at - HOLD_MS / 2000
    assert axis.status(held).knowledge is Knowledge.KNOWN
    assert axis.stop(held)
    assert axis.status(held).knowledge is Knowledge.ASSUMED


def test_an_endstop_stays_broken_over_a_restart_until_it_is_mended(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    table_time = [0.0]
    board = make_board(now=lambda: table_time[0])
    board.inject(Fault.ENDSTOP_MISSING, axes=frozenset({2}))
    board.reset()
    host = make_host(board.path)

    def home() -> dict[int, AxisFault]:
        host.wait_ready(PATIENCE_S)
        host.home_axis()
        eventually(lambda: {status.state for status in board.axes} == {AxisState.HOMING}, "setting out")
        # What the host knows of an earlier homing does not count.
        eventually(lambda: {status.state for status in host.axes.values()} == {AxisState.HOMING}, "told")
        table_time[0] += 60.0
        eventually(lambda: all(status.state is not AxisState.HOMING for status in host.axes.values()))
        return {axis: status.fault for axis, status in host.axes.items() if status.fault}

    assert home() == {2: AxisFault.ENDSTOP_MISSING}
    board.clear(Fault.ENDSTOP_MISSING)
    assert home() == {}


# The port ------------------------------------------------------------------------------------------------


def test_the_port_and_its_folder_vanish_on_close() -> None:
    board = VirtualController()
    board.start()
    folder = os.path.dirname(board.path)
    assert os.path.exists(board.path)
    board.close()
    board.close()
    assert not os.path.exists(folder)


def test_a_board_without_a_host_is_idle(make_board: BoardFactory) -> None:
    board = make_board()
    board.set_reeds(frozenset({1}))
    assert not board.idle
    assert board.wait_idle(PATIENCE_S)
    assert board.idle
