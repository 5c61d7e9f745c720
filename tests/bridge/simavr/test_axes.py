"""Five motors of the real firmware: homing with good and bad endstops, moves, stops, and all at once."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge.limits import (
    AGREEMENT_UM,
    LANES_UM,
    MAX_SPEED_UM_S,
    OVERSHOOT_UM,
    STEP_RATE_HZ,
    STEPS_PER_MM,
    TRAVEL_MARGIN_UM,
)
from firmware_bridge.protocol import (
    ALL_AXES,
    AXES,
    AxisFault,
    AxisHome,
    AxisMove,
    AxisQuery,
    AxisState,
    AxisStatus,
    AxisStop,
    EmergencyRelease,
    EmergencyState,
    EmergencyStop,
    ErrorCode,
    ErrorReport,
    Knowledge,
    LedShow,
    ReedChange,
    StopSource,
)

from .chip import CHIP_HZ, Chip, Endstop
from .host import ChipHost

ROUND = 4  # the short lane
SOUTH_MM, NORTH_MM = (place / 1000 for place in LANES_UM[ROUND])


def is_still(status: AxisStatus) -> bool:
    return status.state in (AxisState.OFF, AxisState.FAILED)


def home(host: ChipHost, axis: int = ROUND) -> AxisStatus:
    """Home an axis; what it says in the end."""
    host.send(AxisHome(axis))
    return host.answer(AxisStatus, lambda status: status.axis == axis and is_still(status), limit_s=60.0)


def move(host: ChipHost, target_mm: float, axis: int = ROUND, speed: int = 50, gain: int = 400) -> AxisStatus:
    """Move an axis; what it says in the end."""
    host.send(AxisMove(axis, round(1000 * target_mm), 1000 * speed, 1000 * gain))
    return host.answer(AxisStatus, lambda status: status.axis == axis and is_still(status))


def no_pulse_was_wrong(chip: Chip) -> bool:
    """Every pulse came while its motor was on, and was long enough."""
    return all(carriage.faults == 0 for carriage in chip.carriages)


# Homing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start_mm", [10.0, -20.0, -19.9, 20.0, -22.0])
def test_homing_ends_at_the_endstop_wherever_it_began(chip: Chip, host: ChipHost, start_mm: float) -> None:
    chip.push(ROUND, start_mm)
    host.pass_time(0.02)
    homed = home(host)
    assert (homed.state, homed.knowledge, homed.fault) == (AxisState.OFF, Knowledge.ASSUMED, AxisFault.NONE)
    assert homed.position_um == LANES_UM[ROUND][0]
    carriage = chip.carriages[ROUND]
    assert carriage.place_mm == pytest.approx(SOUTH_MM, abs=0.03)  # two steps
    assert not carriage.powered
    assert no_pulse_was_wrong(chip)


def test_a_homed_axis_knows_its_place_until_its_motor_goes_off(host: ChipHost) -> None:
    host.send(AxisHome(ROUND))
    seen: list[Knowledge] = []
    while not seen or seen[-1] is not Knowledge.ASSUMED:
        host.send(AxisQuery(ROUND))
        seen.append(host.answer(AxisStatus).knowledge)
        host.pass_time(0.02)
    assert [knowledge for knowledge, _ in itertools.groupby(seen)] == [
        Knowledge.UNKNOWN,
        Knowledge.KNOWN,
        Knowledge.ASSUMED,
    ]


@pytest.mark.parametrize(
    ("kind", "start_mm", "fault"),
    [
        (Endstop.MISSING, 0.0, AxisFault.ENDSTOP_MISSING),
        (Endstop.MISSING, -20.0, AxisFault.ENDSTOP_MISSING),
        (Endstop.STUCK, 0.0, AxisFault.ENDSTOP_STUCK),
        (Endstop.STUCK, -20.0, AxisFault.ENDSTOP_STUCK),
        (Endstop.INVERTED, 0.0, AxisFault.ENDSTOP_INVERTED),
        (Endstop.INVERTED, -20.0, AxisFault.ENDSTOP_INVERTED),
    ],
)
def test_each_broken_endstop_has_its_own_name_and_ends_within_bounded_travel(
    chip: Chip, host: ChipHost, kind: Endstop, start_mm: float, fault: AxisFault
) -> None:
    chip.set_endstop(ROUND, kind)
    chip.push(ROUND, start_mm)
    host.pass_time(0.02)
    failed = home(host)
    assert (failed.state, failed.knowledge, failed.fault) == (AxisState.FAILED, Knowledge.UNKNOWN, fault)
    carriage = chip.carriages[ROUND]
    lane_mm = NORTH_MM - SOUTH_MM
    assert carriage.steps <= (lane_mm + TRAVEL_MARGIN_UM / 1000 + 20) * STEPS_PER_MM
    assert not carriage.powered
    assert no_pulse_was_wrong(chip)
    chip.set_endstop(ROUND, Endstop.FINE)
    assert home(host).fault is AxisFault.NONE


def test_noise_on_an_endstop_is_no_endstop(chip: Chip, host: ChipHost) -> None:
    host.send(AxisHome(ROUND))
    host.pass_time(0.3)
    chip.disturb_endstop(ROUND, 0.02)
    failed = host.answer(AxisStatus, is_still)
    assert (failed.state, failed.fault) == (AxisState.FAILED, AxisFault.ENDSTOP_DISAGREES)
    assert chip.carriages[ROUND].place_mm > SOUTH_MM + AGREEMENT_UM / 1000


def test_a_spike_shorter_than_the_debounce_time_changes_nothing(chip: Chip, host: ChipHost) -> None:
    host.send(AxisHome(ROUND))
    for _ in range(5):
        host.pass_time(0.15)
        chip.disturb_endstop(ROUND, 0.001)
    assert host.answer(AxisStatus, is_still).position_um == LANES_UM[ROUND][0]
    assert chip.carriages[ROUND].place_mm == pytest.approx(SOUTH_MM, abs=0.03)


def test_an_endstop_that_breaks_while_homing_is_stuck(chip: Chip, host: ChipHost) -> None:
    chip.push(ROUND, SOUTH_MM + 2)
    host.send(AxisHome(ROUND))
    host.until(lambda: chip.carriages[ROUND].place_mm <= SOUTH_MM)
    chip.set_endstop(ROUND, Endstop.STUCK)
    assert host.answer(AxisStatus, is_still).fault is AxisFault.ENDSTOP_STUCK


# Moves -----------------------------------------------------------------------------------------------------


def test_moves_end_exactly_where_they_were_sent(chip: Chip, host: ChipHost) -> None:
    home(host)
    for target in (20.0, -20.0, 0.0, 0.025, -0.025, 0.0, 15.5, 15.51):
        there = move(host, target)
        assert there.position_um == pytest.approx(1000 * target, abs=12.5)  # one step
        assert there.target_um == round(1000 * target)
        assert (there.knowledge, there.state) == (Knowledge.ASSUMED, AxisState.OFF)
        carriage = chip.carriages[ROUND]
        assert carriage.place_mm == pytest.approx(target, abs=0.02)
        assert not carriage.powered
    assert no_pulse_was_wrong(chip)


@pytest.mark.parametrize(
    ("speed", "gain", "seconds"),
    [
        (50, 400, 40 / 50 + 50 / 400),
        (20, 200, 40 / 20 + 20 / 200),
        (50, 50, 2 * (40 / 50) ** 0.5),  # too short to reach its speed
        (4_000_000, 4_000_000, 40 / 50 + 0.05),  # brought within the limits
    ],
)
def test_a_move_takes_as_long_as_its_speed_and_acceleration_say(
    chip: Chip, host: ChipHost, speed: int, gain: int, seconds: float
) -> None:
    home(host)
    began = host.now
    move(host, 20.0, speed=speed, gain=gain)
    assert host.now - began == pytest.approx(seconds + 0.17, rel=0.05, abs=0.03)  # and the hold
    fastest = CHIP_HZ / chip.carriages[ROUND].shortest_period / STEPS_PER_MM
    assert fastest <= min(speed, MAX_SPEED_UM_S / 1000) * 1.35 + 30 * (speed < 30)


def test_a_carriage_pushed_by_hand_stops_at_the_endstop_instead_of_pressing(
    chip: Chip, host: ChipHost
) -> None:
    home(host)
    move(host, 15.0)
    chip.push(ROUND, -10.0)
    failed = move(host, -19.0)
    assert (failed.state, failed.fault) == (AxisState.FAILED, AxisFault.ENDSTOP_DISAGREES)
    assert failed.knowledge is Knowledge.UNKNOWN
    assert chip.carriages[ROUND].place_mm > SOUTH_MM - 0.5


@pytest.mark.parametrize(
    ("message", "code", "detail"),
    [
        (AxisMove(ROUND, 0, 50_000, 100_000), ErrorCode.NOT_HOMED, ROUND),
        (AxisMove(ROUND, LANES_UM[ROUND][1] + OVERSHOOT_UM + 1, 1, 1), ErrorCode.OUT_OF_RANGE, 25_001),
        (AxisMove(ROUND, -(2**31), 1, 1), ErrorCode.OUT_OF_RANGE, -(2**31)),
        (AxisMove(ROUND, 0, 0, 100_000), ErrorCode.OUT_OF_RANGE, 0),
        (AxisMove(ROUND, 0, 50_000, 0), ErrorCode.OUT_OF_RANGE, 0),
        (AxisMove(AXES, 0, 50_000, 100_000), ErrorCode.OUT_OF_RANGE, AXES),
        (AxisMove(ALL_AXES, 0, 50_000, 100_000), ErrorCode.OUT_OF_RANGE, ALL_AXES),
        (AxisHome(AXES), ErrorCode.OUT_OF_RANGE, AXES),
        (AxisStop(200), ErrorCode.OUT_OF_RANGE, 200),
        (AxisQuery(254), ErrorCode.OUT_OF_RANGE, 254),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_moves(
    chip: Chip,
    host: ChipHost,
    message: AxisMove | AxisHome | AxisStop | AxisQuery,
    code: ErrorCode,
    detail: int,
) -> None:
    host.send(message)
    report = host.answer(ErrorReport)
    assert (report.code, report.message_id, report.detail) == (code, message.SPEC.id, detail)
    host.pass_time(0.1)
    assert [carriage.steps for carriage in chip.carriages] == [0] * AXES


def test_a_moving_axis_is_busy(host: ChipHost) -> None:
    home(host)
    host.send(AxisMove(ROUND, 20_000, 10_000, 100_000))
    host.send(AxisMove(ROUND, 0, 10_000, 100_000))
    assert host.answer(ErrorReport).code is ErrorCode.BUSY
    host.send(AxisHome(ROUND))
    assert host.answer(ErrorReport).code is ErrorCode.BUSY
    assert host.answer(AxisStatus, is_still).position_um == 20_000


# Stops -----------------------------------------------------------------------------------------------------


def test_a_stopped_axis_slows_down_and_knows_where_it_is(chip: Chip, host: ChipHost) -> None:
    home(host)
    host.send(AxisMove(ROUND, 20_000, 50_000, 200_000))
    host.pass_time(0.3)
    host.send(AxisStop(ROUND))
    stopped = host.answer(AxisStatus, is_still)
    assert (stopped.state, stopped.knowledge) == (AxisState.OFF, Knowledge.ASSUMED)
    assert SOUTH_MM < stopped.position_um / 1000 < NORTH_MM
    assert chip.carriages[ROUND].place_mm == pytest.approx(stopped.position_um / 1000, abs=0.03)
    assert move(host, 0.0).position_um == 0


def test_stopped_while_homing_it_is_lost(host: ChipHost) -> None:
    host.send(AxisHome(ROUND))
    host.pass_time(0.2)
    host.send(AxisStop(ALL_AXES))
    stopped = host.answer(AxisStatus, lambda status: status.axis == ROUND and is_still(status))
    assert stopped.knowledge is Knowledge.UNKNOWN
    host.send(AxisMove(ROUND, 0, 50_000, 100_000))
    assert host.answer(ErrorReport).code is ErrorCode.NOT_HOMED


def test_a_host_that_falls_silent_stops_every_motor(chip: Chip, host: ChipHost) -> None:
    host.send(AxisHome(0))
    host.settle()
    before = chip.carriages[0].steps
    chip.exchange(1.9)
    running = chip.carriages[0]
    assert running.powered
    assert running.steps > before
    chip.exchange(0.6)
    stopped = chip.carriages[0]
    assert not stopped.powered
    chip.exchange(1.0)
    assert chip.carriages[0].steps == stopped.steps


def test_the_emergency_stop_cuts_the_power_within_milliseconds(chip: Chip, host: ChipHost) -> None:
    host.send(AxisHome(ALL_AXES))
    host.pass_time(0.5)
    assert all(carriage.powered for carriage in chip.carriages)
    host.session.send_loose(EmergencyStop())
    host.step()
    assert not any(carriage.powered for carriage in chip.carriages)
    steps = [carriage.steps for carriage in chip.carriages]
    assert host.answer(EmergencyState) == EmergencyState(True, StopSource.HOST)
    host.send(AxisHome(0))
    assert host.answer(ErrorReport).code is ErrorCode.EMERGENCY_STOPPED
    host.pass_time(0.2)
    assert [carriage.steps for carriage in chip.carriages] == steps
    host.send(EmergencyRelease())
    assert host.answer(EmergencyState) == EmergencyState(False, StopSource.NONE)
    host.send(AxisMove(0, 0, 50_000, 100_000))
    assert host.answer(ErrorReport).code is ErrorCode.NOT_HOMED


def test_the_button_stops_and_cannot_be_overruled(chip: Chip, host: ChipHost) -> None:
    chip.set_button(closed=True)
    host.pass_time(0.2)
    host.send(AxisHome(0))
    host.pass_time(0.3)
    assert chip.carriages[0].powered
    chip.set_button(closed=False)
    assert host.answer(EmergencyState) == EmergencyState(True, StopSource.BUTTON)
    assert not chip.carriages[0].powered
    host.send(EmergencyRelease())
    assert host.answer(EmergencyState) == EmergencyState(True, StopSource.BUTTON)
    chip.set_button(closed=True)
    host.pass_time(0.1)
    host.send(EmergencyRelease())
    assert host.answer(EmergencyState) == EmergencyState(False, StopSource.NONE)


# All at once -------------------------------------------------------------------------------------------------


def test_five_axes_at_full_speed_lights_and_switches_at_once_lose_nothing(chip: Chip, host: ChipHost) -> None:
    for axis in range(AXES):
        chip.push(axis, LANES_UM[axis][0] / 1000 + 1)
    host.send(AxisHome(ALL_AXES))
    for _ in range(AXES):
        host.answer(AxisStatus, is_still)
    before = [carriage.steps for carriage in chip.carriages]
    way_mm = 40
    for axis in range(AXES):
        host.send(AxisMove(axis, LANES_UM[axis][0] + 1000 * way_mm, 50_000, 1_000_000))
    closed: frozenset[int] = frozenset()
    told: list[tuple[int, bool]] = []
    for number in range(150):  # a change every 5 ms, a picture every 50
        index = number * 7 % 97
        closed = closed ^ {index}
        told.append((index, index in closed))
        chip.set_reeds(closed)
        if number % 10 == 0:
            host.send(LedShow(0, ((number % 256, 1, 2),) * 35))
        host.pass_time(0.005)
    host.until(lambda: not any(carriage.powered for carriage in chip.carriages))
    host.settle()
    changes = [message for message in host.messages if isinstance(message, ReedChange)]
    assert [(change.index, change.closed) for change in changes] == told
    stamps = [change.at_ms for change in changes]
    assert stamps == sorted(stamps)
    for axis, carriage in enumerate(chip.carriages):
        assert carriage.steps - before[axis] == way_mm * STEPS_PER_MM
        assert carriage.place_mm == pytest.approx(LANES_UM[axis][0] / 1000 + way_mm, abs=0.03)
        # At full speed every fourth tick is a step; LEDs being written may shift one by a tick.
        assert carriage.shortest_period > 2.5 * CHIP_HZ / STEP_RATE_HZ
    assert no_pulse_was_wrong(chip)
    assert chip.overruns == 0
    assert chip.strip.faults == 0
