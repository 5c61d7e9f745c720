"""The link finds the board, keeps it, and says in one sentence why there is none."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.errors import ControllerTimeoutError, LinkAbsentError, ProtocolError
from firmware_bridge.faults import Fault
from firmware_bridge.frames import Frame, Kind, pack_frame
from firmware_bridge.link import LinkState, LinkStatus
from firmware_bridge.protocol import VERSION, ResetCause, encode

from .conftest import PATIENCE_S, QUICK_LINK, BarePort, BoardFactory, HostFactory, eventually
from .wires import a_hello


def states(host: Controller) -> list[LinkStatus]:
    """Collects every state from now on."""
    seen: list[LinkStatus] = []
    host.on_state(seen.append)
    return seen


def absent_reason(host: Controller) -> str:
    eventually(lambda: host.status.state is LinkState.ABSENT, "absence")
    return host.status.reason


# No board ------------------------------------------------------------------------------------------------


def test_a_missing_port_is_waited_for(make_host: HostFactory) -> None:
    host = make_host("/dev/no-such-controller", start=False)
    seen = states(host)
    host.start()
    with pytest.raises(ControllerTimeoutError, match="there is no /dev/no-such-controller; connect"):
        host.wait_ready(0.3)
    assert [status.state for status in seen] == [LinkState.ABSENT]
    assert host.idle


def test_commands_without_a_board_say_why(make_host: HostFactory) -> None:
    host = make_host("/dev/no-such-controller")
    eventually(lambda: host.status.state is LinkState.ABSENT)
    with pytest.raises(LinkAbsentError, match="there is no /dev/no-such-controller"):
        host.home_axis()
    host.set_leds([(1, 2, 3)] * 105)  # kept for later, no error
    assert not host.leds_acknowledged
    assert host.idle


def test_a_silent_port(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    assert f"the board at {bare_port.path} says nothing; press its reset button" in absent_reason(host)
    assert bare_port.read() == b""


def test_a_login_console_is_named(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    while host.status.state is not LinkState.ABSENT:
        bare_port.write(b"\r\nraspberrypi login: ")
    assert "a login console" in absent_reason(host)
    assert bare_port.read() == b""


def test_noise_is_named(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    while host.status.state is not LinkState.ABSENT:
        bare_port.write(bytes(range(128, 256)))
    assert "is not readable; check the cable" in absent_reason(host)
    assert bare_port.read() == b""


def test_other_firmware_is_refused_with_the_remedy(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    hello = encode(a_hello(version=VERSION + 1))
    while host.status.state is not LinkState.ABSENT:
        bare_port.write(b"\x00" + pack_frame(Frame(Kind.LOOSE, 0, 0, 0, hello)))
    assert "carries firmware for another protocol" in absent_reason(host)
    assert bare_port.read() == b""


def test_a_board_that_does_not_hear_is_named(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    hello = b"\x00" + pack_frame(Frame(Kind.LOOSE, 0, 0, 0, encode(a_hello())))
    while host.status.state is not LinkState.ABSENT:
        bare_port.write(hello)
        threading.Event().wait(0.01)
    assert "talks but does not answer" in absent_reason(host)
    assert bare_port.read() != b""


def test_a_second_host_is_told_that_the_port_is_in_use(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    first = make_host(board.path)
    first.wait_ready(PATIENCE_S)
    second = make_host(board.path)
    # Both are in this one process, which is not named to itself.
    assert "another program uses" in absent_reason(second)
    assert first.ready
    first.close()
    second.wait_ready(PATIENCE_S)


@contextlib.contextmanager
def reader(program: str, path: str) -> Iterator[subprocess.Popen[str]]:
    """Another program that has opened the port; it says so, and stays until it is ended."""
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield process
        finally:
            process.kill()


LOCKS = (
    "import sys, serial; p = serial.Serial(sys.argv[1], exclusive=True); print('open', flush=True); input()"
)
STEALS = """
import contextlib, os, select, sys
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
print("open", flush=True)
while True:
    select.select([fd], [], [])
    with contextlib.suppress(BlockingIOError):
        os.read(fd, 4096)
"""


def test_a_program_that_has_locked_the_port_is_named(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    with reader(LOCKS, board.path) as other:
        host = make_host(board.path)
        assert f"(process {other.pid}) uses {board.path} too" in absent_reason(host)
    host.wait_ready(PATIENCE_S)


def test_a_program_that_takes_away_the_boards_bytes_is_named(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path, timing=replace(QUICK_LINK, quality_s=0.2))
    host.wait_ready(PATIENCE_S)
    seen = states(host)
    with reader(STEALS, board.path) as other:
        named = f"(process {other.pid}) uses {board.path} too, and takes away what the board says"
        pictures = itertools.count()

        def told() -> bool:
            host.set_leds([(next(pictures) % 250, 1, 1)] * 105)
            return any(named in status.trouble or named in status.reason for status in seen)

        eventually(told, "the other reader's name")
    eventually(lambda: host.ready and host.leds_acknowledged and not host.status.trouble, "a good link")


def test_a_port_that_takes_nothing_ends_in_a_sentence_and_not_in_waiting(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    seen = states(host)
    fd = os.open(board.path, os.O_RDWR | os.O_NOCTTY)
    try:
        termios.tcflow(fd, termios.TCOOFF)  # the driver takes no more bytes, as with a hung USB adapter
        host.set_leds([(7, 7, 7)] * 105)
        eventually(lambda: any("takes no more data" in status.reason for status in seen), "the time-out")
        termios.tcflow(fd, termios.TCOON)
    finally:
        os.close(fd)
    eventually(lambda: host.ready and host.leds_acknowledged)


# Opening -------------------------------------------------------------------------------------------------


def test_nothing_is_written_to_a_board_that_is_starting(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board(reset_on_open=True, boot_s=0.25)
    host = make_host(board.path)
    hello = host.wait_ready(PATIENCE_S)
    assert hello.reset_cause is ResetCause.EXTERNAL
    assert board.eaten_bytes == 0


def test_ready_is_reported_with_the_port(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path, start=False)
    seen = states(host)
    host.start()
    host.wait_ready(PATIENCE_S)
    assert [status.state for status in seen] == [LinkState.CONNECTING, LinkState.READY]
    assert seen[-1].port == board.path
    assert board.path in seen[-1].reason


def test_an_old_session_is_taken_over(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board(reeds=frozenset({5}))
    first = make_host(board.path)
    first.wait_ready(PATIENCE_S)
    first.close()
    second = make_host(board.path)
    second.wait_ready(PATIENCE_S)
    assert second.snapshot == frozenset({5})


# Losing and finding again ---------------------------------------------------------------------------------


def test_unplugged_and_plugged_in_under_another_number(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board(reeds=frozenset({1, 2}))
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    before = os.path.realpath(board.path)
    seen = states(host)
    events: list[ReedEvent] = []
    host.on_reeds(lambda news, _: events.extend(news))
    board.inject(Fault.UNPLUG)
    eventually(lambda: host.status.state is LinkState.ABSENT)
    assert "was unplugged; connect" in seen[-1].reason or "there is no" in seen[-1].reason
    occupied = BarePort()  # takes the number that has become free
    board.set_reeds(frozenset({2, 3}))
    board.clear(Fault.UNPLUG)
    eventually(lambda: host.ready and host.snapshot == frozenset({2, 3}), "the snapshot")
    assert os.path.realpath(board.path) != before
    assert [(event.index, event.closed, event.missed) for event in events] == [
        (1, False, True),
        (3, True, True),
    ]
    occupied.close()


@pytest.mark.parametrize("at_byte", [1, 2, 3, 5, 8, 12, 15, 16])
@pytest.mark.parametrize("fault", [Fault.RESET_MIDFRAME, Fault.UNPLUG_MIDFRAME])
def test_cut_off_at_any_byte(
    make_board: BoardFactory, make_host: HostFactory, fault: Fault, at_byte: int
) -> None:
    board = make_board()
    host = make_host(board.path)
    boots = host.wait_ready(PATIENCE_S).boot_count
    host.set_leds([(9, 9, 9)] * 105)
    host.wait_idle(PATIENCE_S)
    board.inject(fault, at_byte=at_byte)
    board.set_reeds(frozenset({7}))  # its report is the message that is cut off
    if fault is Fault.UNPLUG_MIDFRAME:
        eventually(lambda: not host.ready)
        board.clear(fault)
    eventually(lambda: host.ready and host.identity is not None and host.identity.boot_count > boots)
    eventually(
        lambda: host.snapshot == frozenset({7}) and board.leds[0] == (9, 9, 9), "the same state as before"
    )
    host.wait_idle(PATIENCE_S)
    assert host.leds_acknowledged


def test_unplugged_again_and_again_while_pictures_flow(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    for round_ in range(5):
        host.wait_ready(PATIENCE_S)
        for n in range(20):
            host.set_leds([(round_, n, k) for k in range(105)])
        board.inject(Fault.UNPLUG)
        eventually(lambda: not host.ready)
        board.clear()
    eventually(lambda: host.ready and host.leds_acknowledged)
    assert board.leds == tuple((4, 19, k) for k in range(105))


def test_a_board_that_falls_silent_is_absent_and_comes_back(
    make_board: BoardFactory, make_host: HostFactory
) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    seen = states(host)
    board.inject(Fault.LINK_SILENT)
    eventually(lambda: host.status.state is LinkState.ABSENT)
    assert "the board has said nothing for" in seen[0].reason
    assert "says nothing; press its reset button" in host.status.reason
    assert host.idle
    board.clear()
    host.wait_ready(PATIENCE_S)


@pytest.mark.parametrize("fault", [Fault.DROP_BYTES, Fault.CORRUPT_BYTES, Fault.DOUBLE_BYTES, Fault.NOISE])
def test_a_bad_wire_only_delays(make_board: BoardFactory, make_host: HostFactory, fault: Fault) -> None:
    board = make_board(seed=5)
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    got: list[ReedEvent] = []
    host.on_reeds(lambda news, _: got.extend(news))
    board.inject(fault, rate=0.005)
    for n in range(15):
        board.set_reeds(frozenset({n, 96 - n}))
        host.set_leds([(n, k, 0) for k in range(105)])
        assert board.wait_idle(PATIENCE_S)
    eventually(lambda: host.ready and host.leds_acknowledged and host.snapshot == frozenset({14, 82}))
    closed: set[int] = set()
    for event in got:  # every event is a real change, none twice
        assert event.closed is (event.index not in closed)
        closed ^= {event.index}
    assert closed == {14, 82}
    spoilt = host.counters.damaged_frames + host.counters.peer_damaged_frames + board.counters.damaged_frames
    assert spoilt > 0
    assert board.leds == tuple((14, k, 0) for k in range(105))


# Commands and closing -------------------------------------------------------------------------------------


def test_what_does_not_fit_is_refused_at_once(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    with pytest.raises(ProtocolError, match="300 does not fit into u8"):
        host.home_axis(300)
    with pytest.raises(ProtocolError, match="brightness"):
        host.set_led_limits(256, 100)
    with pytest.raises(ProtocolError, match="debounce_ms"):
        host.set_scan(-1)


def test_closing_is_quick_final_and_repeatable(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.close()
    host.close()
    assert host.status == LinkStatus(LinkState.ABSENT, "the link has been closed.", None)
    assert not [thread for thread in threading.enumerate() if thread.name == "table-link"]
    host.set_leds([(0, 0, 0)] * 105)
    with pytest.raises(LinkAbsentError):
        host.stop_axis()


def test_a_link_that_was_never_started_closes(make_host: HostFactory) -> None:
    host = make_host("/dev/no-such-controller", start=False)
    host.close()
    assert host.status.state is LinkState.ABSENT
