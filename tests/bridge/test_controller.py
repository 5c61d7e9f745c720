"""The device object: threads, coalescing, idleness, and what is kept over a reconnect."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from firmware_bridge.controller import Controller
from firmware_bridge.faults import Fault
from firmware_bridge.link import LinkState
from firmware_bridge.protocol import LEDS, AxisState, EmergencyState, Message, StopSource
from firmware_bridge.wire import Pixel

from .conftest import PATIENCE_S, BoardFactory, HostFactory, eventually


class Gate:
    """An LED callback that holds the board's thread until it is opened."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.reached = threading.Event()
        self.pictures: list[tuple[Pixel, ...]] = []

    def __call__(self, pixels: tuple[Pixel, ...]) -> None:
        self.pictures.append(pixels)
        self.reached.set()
        self.opened.wait(PATIENCE_S)


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.opened.set()


def plain(value: int) -> list[Pixel]:
    return [(value, value, value)] * LEDS


def test_the_latest_picture_wins_and_nobody_waits(
    make_board: BoardFactory, make_host: HostFactory, gate: Gate
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    board.on_leds(gate)
    sent: list[tuple[Pixel, ...]] = []
    host.on_led_sent(lambda pixels, _: sent.append(pixels))
    for value in range(1, 100):
        host.set_leds(plain(value))
        if value == 1:
            assert gate.reached.wait(PATIENCE_S)
    assert not host.leds_acknowledged
    assert not host.idle
    gate.opened.set()
    host.wait_idle(PATIENCE_S)
    assert gate.pictures == sent == [tuple(plain(1)), tuple(plain(99))]
    assert host.leds_acknowledged


def test_the_same_picture_is_not_sent_again(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    sent: list[float] = []
    host.on_led_sent(lambda _, at: sent.append(at))
    for _ in range(5):
        host.set_leds(plain(4))
        host.wait_idle(PATIENCE_S)
    assert len(sent) == 1


def test_the_table_clock_stamps_what_happens(make_board: BoardFactory, make_host: HostFactory) -> None:
    table_time = [1000.0]
    board = make_board(now=lambda: table_time[0])
    host = make_host(board.path, clock=lambda: table_time[0])
    host.wait_ready(PATIENCE_S)
    stamps: list[float] = []
    host.on_led_sent(lambda _, at: stamps.append(at))
    host.on_reeds(lambda events, _: stamps.extend(event.at for event in events))
    boards: list[int] = []
    host.on_reeds(lambda events, _: boards.extend(event.board_ms for event in events))
    host.set_leds(plain(1))
    host.wait_idle(PATIENCE_S)
    table_time[0] += 60.0
    board.set_reeds(frozenset({1}))
    assert board.wait_idle(PATIENCE_S)
    assert stamps == [1000.0, 1060.0]
    assert boards == [60_000]


def test_table_time_may_jump_by_hours_while_nothing_is_in_flight(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    table_time = [0.0]
    board = make_board(now=lambda: table_time[0])
    host = make_host(board.path, clock=lambda: table_time[0])
    host.wait_ready(PATIENCE_S)
    for n in range(30):
        table_time[0] += 3600.0
        board.set_reeds(frozenset({n}))
        assert board.wait_idle(PATIENCE_S)
        assert host.snapshot == frozenset({n})
        host.set_leds(plain(n))
        host.wait_idle(PATIENCE_S)
        assert board.leds == tuple(plain(n))
    assert host.counters.sessions == 1


def test_idle_board_means_everything_was_handed_over(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    heard: list[int] = []
    host.on_reeds(lambda events, _: heard.extend(event.index for event in events))
    for n in range(97):
        board.set_reeds(frozenset({n}) | frozenset(range(n)))
        assert not board.idle or heard[-1:] == [n]
        assert board.wait_idle(PATIENCE_S)
        assert heard == list(range(n + 1))


def test_callbacks_run_in_the_links_thread(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path, start=False)
    names: set[str] = set()

    def note(*_: object) -> None:
        names.add(threading.current_thread().name)

    host.on_state(note)
    host.on_reeds(note)
    host.on_led_sent(note)
    host.on_message(note)
    host.start()
    host.wait_ready(PATIENCE_S)
    host.set_leds(plain(1))
    host.query_axis()
    host.wait_idle(PATIENCE_S)
    eventually(lambda: len(host.axes) == 5)
    assert names == {"table-link"}


def test_a_removed_callback_is_not_called(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    kept: list[object] = []
    dropped: list[object] = []
    host.on_reeds(lambda events, _: kept.append(events))
    remove = host.on_reeds(lambda events, _: dropped.append(events))
    remove()
    board.set_reeds(frozenset({1}))
    assert board.wait_idle(PATIENCE_S)
    assert len(kept) == 1
    assert dropped == []


def test_settings_and_limits_are_given_to_the_board_that_returns(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.set_led_limits(51, 4000)
    host.set_scan(1)
    host.set_leds(plain(100))
    host.wait_ready(PATIENCE_S)
    for _ in range(2):
        eventually(lambda: host.ready and host.idle)
        assert board.leds == tuple(plain(100))
        assert board.emitted_leds == tuple(plain(20))
        board.inject(Fault.UNPLUG)
        eventually(lambda: not host.ready)
        board.clear()
        eventually(lambda: host.ready)


def test_the_state_before_the_start_is_absent(make_host: HostFactory) -> None:
    host = make_host("/dev/no-such-controller", start=False)
    assert host.status.state is LinkState.ABSENT
    assert host.identity is None
    assert host.snapshot is None
    assert host.leds_acknowledged
    assert host.idle


def test_axis_reports_are_forgotten_with_the_board(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.home_axis()
    eventually(lambda: len(host.axes) == 5)
    assert {axis.state for axis in host.axes.values()} == {AxisState.HOMING}
    boots = host.identity.boot_count if host.identity else 0
    board.reset()
    eventually(lambda: host.ready and host.identity is not None and host.identity.boot_count > boots)
    assert host.axes == {}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_callback_that_fails_ends_in_absent_and_not_in_silence(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)

    def fail(*_: object) -> None:
        raise RuntimeError("a mistake in the program")

    host.on_reeds(fail)
    board.set_reeds(frozenset({1}))
    eventually(lambda: "thread has failed" in host.status.reason)
    assert host.status.state is LinkState.ABSENT
    assert host.idle


def test_a_controller_is_a_context_manager(make_board: BoardFactory) -> None:
    board = make_board()
    with Controller(board.path) as host:
        host.wait_ready(PATIENCE_S)
    assert not host.ready


def test_the_boards_own_emergency_button_stops_until_it_is_turned_out_and_released(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.home_axis(2)
    eventually(lambda: host.axes.get(2) is not None and host.axes[2].state is AxisState.HOMING)
    board.press_emergency()
    eventually(lambda: host.emergency_source is StopSource.BUTTON)
    eventually(lambda: host.axes[2].state is AxisState.FAILED)
    answers: list[Message] = []
    host.on_message(answers.append)
    host.emergency_release()
    eventually(lambda: EmergencyState(True, StopSource.BUTTON) in answers, "the refusal")
    board.press_emergency(False)
    host.emergency_release()
    eventually(lambda: not host.emergency)


def test_a_board_that_restarts_has_forgotten_the_stop_and_says_so(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    boots = host.wait_ready(PATIENCE_S).boot_count
    host.emergency_stop()
    eventually(lambda: host.emergency)
    board.reset()
    eventually(lambda: host.ready and host.identity is not None and host.identity.boot_count > boots)
    host.wait_idle(PATIENCE_S)
    assert not host.emergency
