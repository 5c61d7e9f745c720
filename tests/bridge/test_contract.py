"""What every table controller does, whatever it is made of: the same tests for each back end."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.limits import MAX_BUDGET_MA
from firmware_bridge.link import LinkState
from firmware_bridge.protocol import (
    AXES,
    LEDS,
    REEDS,
    TABLE_HASH,
    VERSION,
    AxisFault,
    AxisMove,
    AxisState,
    AxisStatus,
    Capability,
    EmergencyState,
    ErrorCode,
    ErrorReport,
    Knowledge,
    LedLimits,
    Message,
    Part,
    ScanOrder,
    SelfTestDone,
    Settings,
    StopSource,
)
from tests.installed import do_without

from .conftest import PATIENCE_S, eventually
from .contract import BACK_ENDS, Bench

T = TypeVar("T")


@pytest.fixture(params=BACK_ENDS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = BACK_ENDS[request.param]()
    if isinstance(made, str):
        if request.param == "real":
            pytest.skip(made)
        do_without(made)
    yield made
    made.close()


@pytest.fixture
def host(bench: Bench) -> Iterator[Controller]:
    with Controller(bench.port) as controller:
        controller.wait_ready(PATIENCE_S)
        yield controller


@pytest.fixture
def news(host: Controller) -> queue.SimpleQueue[Message]:
    """Every message beside reeds, as it arrives."""
    arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
    host.on_message(arrived.put)
    return arrived


def needed(hands: T | None, bench: Bench) -> T:
    """The hands a test needs, or a skip with the reason."""
    if hands is None:
        pytest.skip(f"the {bench.name} controller has no hands for this")
    return hands


def answer(
    news: queue.SimpleQueue[Message], kind: type[T], accept: Callable[[T], bool] = lambda _: True
) -> T:
    """The next message of this kind that is acceptable."""
    while True:
        message = news.get(timeout=PATIENCE_S)
        if isinstance(message, kind) and accept(message):
            return message


def picture(seed: int) -> list[tuple[int, int, int]]:
    return [((seed * n) % 256, seed % 256, n) for n in range(LEDS)]


def test_it_says_who_it_is(host: Controller) -> None:
    hello = host.identity
    assert hello is not None
    assert (hello.version, hello.table_hash) == (VERSION, TABLE_HASH)
    assert (hello.leds, hello.reeds) == (LEDS, REEDS)
    assert hello.boot_count > 0
    assert hello.receive_bytes >= 256
    assert Capability.REEDS | Capability.LEDS in hello.capabilities


def test_a_session_begins_with_all_switches(host: Controller) -> None:
    assert host.snapshot is not None


def test_every_switch_is_reported_once_closed_and_once_open(bench: Bench, host: Controller) -> None:
    set_reeds = needed(bench.set_reeds, bench)
    events: list[ReedEvent] = []
    host.on_reeds(lambda new, _: events.extend(new))
    for index in range(REEDS):
        set_reeds(frozenset({index}))
        eventually(lambda index=index: host.snapshot == frozenset({index}), f"switch {index}")  # type: ignore[misc]
    set_reeds(frozenset())
    eventually(lambda: host.snapshot == frozenset())
    assert sorted(event.index for event in events if event.closed) == list(range(REEDS))
    assert sorted(event.index for event in events if not event.closed) == list(range(REEDS))
    assert not any(event.missed for event in events)
    stamps = [event.board_ms for event in events]
    assert stamps == sorted(stamps)


def test_all_switches_at_once(bench: Bench, host: Controller) -> None:
    set_reeds = needed(bench.set_reeds, bench)
    for closed in (frozenset(range(REEDS)), frozenset[int](), frozenset(range(0, REEDS, 2))):
        set_reeds(closed)
        eventually(lambda closed=closed: host.snapshot == closed)  # type: ignore[misc]


def test_pictures_are_shown_and_acknowledged(bench: Bench, host: Controller) -> None:
    for seed in range(1, 12):
        host.set_leds(picture(seed))
        assert not host.idle or host.leds_acknowledged
        host.wait_idle(PATIENCE_S)
        assert host.leds_acknowledged
        if bench.shown is not None:
            assert bench.shown() == tuple(picture(seed))


def test_pictures_and_switches_do_not_disturb_each_other(bench: Bench, host: Controller) -> None:
    set_reeds, shown = needed(bench.set_reeds, bench), needed(bench.shown, bench)
    events: list[ReedEvent] = []
    host.on_reeds(lambda new, _: events.extend(new))
    for n in range(40):
        host.set_leds(picture(n))
        set_reeds(frozenset({n}))
        eventually(lambda n=n: host.snapshot == frozenset({n}))  # type: ignore[misc]
    host.wait_idle(PATIENCE_S)
    assert shown() == tuple(picture(39))
    assert [event.index for event in events if event.closed] == list(range(40))


def test_brightness_and_budget_are_accepted(host: Controller) -> None:
    host.set_led_limits(100, 900)
    host.set_leds(picture(3))
    host.wait_idle(PATIENCE_S)
    assert host.leds_acknowledged


def test_more_current_than_the_supply_gives_is_refused(
    host: Controller, news: queue.SimpleQueue[Message]
) -> None:
    host.set_led_limits(255, MAX_BUDGET_MA + 1)
    report = answer(news, ErrorReport)
    assert (report.code, report.message_id) == (ErrorCode.SUPPLY_LIMITED, LedLimits.SPEC.id)
    assert report.detail == MAX_BUDGET_MA + 1


def test_settings_are_confirmed(host: Controller, news: queue.SimpleQueue[Message]) -> None:
    host.set_scan(4, ScanOrder.COLUMNS)
    assert answer(news, Settings) == Settings(4, ScanOrder.COLUMNS)


def test_impossible_settings_are_refused(host: Controller, news: queue.SimpleQueue[Message]) -> None:
    host.set_scan(0)
    report = answer(news, ErrorReport)
    assert (report.code, report.message_id, report.detail) == (ErrorCode.OUT_OF_RANGE, Settings.SPEC.id, 0)


def test_the_self_test_ends(host: Controller, news: queue.SimpleQueue[Message]) -> None:
    host.self_test(Part.LEDS | Part.REEDS)
    done = answer(news, SelfTestDone)
    assert done.parts == Part.LEDS | Part.REEDS
    assert done.tested == LEDS + REEDS


def test_after_a_reset_the_table_is_as_before(bench: Bench, host: Controller) -> None:
    reset = needed(bench.reset, bench)
    set_reeds, shown = needed(bench.set_reeds, bench), needed(bench.shown, bench)
    set_reeds(frozenset({3, 4}))
    host.set_leds(picture(7))
    eventually(lambda: host.snapshot == frozenset({3, 4}))
    host.wait_idle(PATIENCE_S)
    assert host.identity is not None
    boots = host.identity.boot_count
    reset()
    eventually(lambda: host.identity is not None and host.identity.boot_count == boots + 1, "the restart")
    eventually(lambda: shown() == tuple(picture(7)), "the picture")
    assert host.status.state is LinkState.READY
    assert host.snapshot == frozenset({3, 4})


def test_without_a_host_the_picture_goes_out(bench: Bench, host: Controller) -> None:
    shown = needed(bench.shown, bench)
    host.set_leds(picture(5))
    host.wait_idle(PATIENCE_S)
    host.close()
    eventually(lambda: shown() != tuple(picture(5)), "no host")


# Axes, where there are any -------------------------------------------------------------------------------


@pytest.fixture
def axes(host: Controller) -> Controller:
    assert host.identity is not None
    if Capability.AXES not in host.identity.capabilities:
        pytest.skip("this controller has no axes")
    return host


def test_an_axis_refuses_to_move_before_it_is_homed(
    axes: Controller, news: queue.SimpleQueue[Message]
) -> None:
    axes.move_axis(0, 0.0)
    report = answer(news, ErrorReport)
    assert (report.code, report.detail) == (ErrorCode.NOT_HOMED, 0)


def test_an_axis_homes_and_moves_to_its_place(axes: Controller, news: queue.SimpleQueue[Message]) -> None:
    axes.home_axis(4)
    assert answer(news, AxisStatus).state is AxisState.HOMING
    homed = answer(news, AxisStatus)
    assert (homed.state, homed.position_um, homed.knowledge) == (AxisState.OFF, -20_000, Knowledge.ASSUMED)
    axes.move_axis(4, -15.0, speed_mm_s=100, acceleration_mm_s2=1000)
    assert answer(news, AxisStatus).state is AxisState.MOVING
    there = answer(news, AxisStatus)
    assert (there.state, there.position_um) == (AxisState.OFF, -15_000)
    assert axes.axes[4] == there


def test_every_axis_says_where_it_is_when_asked(axes: Controller, news: queue.SimpleQueue[Message]) -> None:
    axes.query_axis()
    assert [answer(news, AxisStatus).axis for _ in range(AXES)] == list(range(AXES))


def test_a_moving_axis_is_busy_until_it_is_stopped(
    axes: Controller, news: queue.SimpleQueue[Message]
) -> None:
    axes.home_axis(0)
    assert answer(news, AxisStatus).state is AxisState.HOMING
    axes.move_axis(0, 0.0)
    report = answer(news, ErrorReport)
    assert (report.code, report.message_id, report.detail) == (ErrorCode.BUSY, AxisMove.SPEC.id, 0)
    axes.stop_axis(0)
    stopped = answer(news, AxisStatus, lambda status: status.state is AxisState.OFF)
    assert stopped.knowledge is Knowledge.UNKNOWN


@pytest.mark.parametrize(("axis", "place"), [(4, 26.0), (4, -26.0), (5, 0.0)])
def test_places_that_do_not_exist_are_refused(
    axes: Controller, news: queue.SimpleQueue[Message], axis: int, place: float
) -> None:
    axes.move_axis(axis, place)
    assert answer(news, ErrorReport).code is ErrorCode.OUT_OF_RANGE


def test_the_emergency_stop_stops_and_must_be_released(
    axes: Controller, news: queue.SimpleQueue[Message]
) -> None:
    axes.home_axis(0)
    answer(news, AxisStatus)
    axes.emergency_stop()
    assert answer(news, AxisStatus).state is AxisState.FAILED
    assert answer(news, EmergencyState) == EmergencyState(True, StopSource.HOST)
    assert axes.emergency
    axes.home_axis(0)
    assert answer(news, ErrorReport).code is ErrorCode.EMERGENCY_STOPPED
    axes.emergency_release()
    assert answer(news, EmergencyState) == EmergencyState(False, StopSource.NONE)
    axes.stop_axis(0)
    still = answer(news, AxisStatus)
    assert (still.state, still.fault) == (AxisState.FAILED, AxisFault.EMERGENCY_STOPPED)
    axes.home_axis(0)
    assert answer(news, AxisStatus).state is AxisState.HOMING
    axes.stop_axis()
    assert answer(news, AxisStatus).state in (AxisState.OFF, AxisState.STOPPING)
    axes.query_axis(0)
    assert answer(news, AxisStatus).knowledge is Knowledge.UNKNOWN
