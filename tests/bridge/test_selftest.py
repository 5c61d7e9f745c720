"""The walk through every part: what works is passed, what does not is named."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import pytest
from rich.console import Console

from firmware_bridge import selftest
from firmware_bridge.controller import Controller
from firmware_bridge.errors import ControllerTimeoutError, LinkAbsentError
from firmware_bridge.faults import Fault
from firmware_bridge.protocol import REEDS, AxisState
from firmware_bridge.selftest import SelfTestReport, dark_names, run_self_test
from firmware_bridge.virtual_controller import VirtualController

from .conftest import PATIENCE_S, BarePort, BoardFactory, HostFactory, eventually

SILENT = Console(quiet=True)


def walked(
    host: Controller, *, magnet_s: float = 0.0, axes: bool = False, travel_s: float = 5.0
) -> SelfTestReport:
    return run_self_test(host, SILENT, wait_s=PATIENCE_S, magnet_s=magnet_s, axes=axes, travel_s=travel_s)


@contextlib.contextmanager
def magnet(board: VirtualController) -> Iterator[None]:
    """A hand that passes a magnet over every space, again and again."""
    tired = threading.Event()

    def pass_it() -> None:
        while not tired.is_set():
            for index in range(REEDS):
                board.set_reeds(frozenset({index}))
                board.wait_idle(PATIENCE_S)
            board.set_reeds(frozenset())

    hand = threading.Thread(target=pass_it)
    hand.start()
    try:
        yield
    finally:
        tired.set()
        hand.join()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (None, ()),
        (Fault.REED_DEAD, ("reed c2: did not close", "reed top: did not close")),
        (Fault.REED_STUCK, ("reed c2: stays closed", "reed top: stays closed")),
    ],
)
def test_the_walk_over_the_reeds(
    make_board: BoardFactory, make_host: HostFactory, fault: Fault | None, said: tuple[str, ...]
) -> None:
    board = make_board()
    if fault is not None:
        board.inject(fault, reeds=frozenset({13, 96}))
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    with magnet(board):
        # With nothing wrong it ends by itself, long before its time is over.
        report = walked(host, magnet_s=PATIENCE_S if fault is None else 1.5)
    assert report.failures == said


def test_an_axis_that_does_not_arrive_is_named(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board(now=lambda: 5.0)  # a board whose time stands still
    host = make_host(board.path)
    report = walked(host, axes=True, travel_s=0.1)
    assert len(report.failures) == 5
    assert report.failures[4] == "axis 4 (E1): did not arrive within 0.1 s"


def test_a_stopped_axis_is_named_with_the_remedy(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board(now=lambda: 400 * time.monotonic())
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    host.emergency_stop()
    report = walked(host, axes=True)
    assert report.failures[-1].startswith("axis 4 (E1): was refused: release the emergency stop")


class Interrupted(Exception):
    """As a person's Ctrl-C arrives in the middle."""


def test_whatever_ends_the_walk_no_axis_goes_on_moving(
    make_board: BoardFactory, make_host: HostFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = make_board(now=lambda: 5.0)
    host = make_host(board.path)
    set_out: list[int] = []

    def interrupted(*_: object) -> None:
        eventually(lambda: any(axis.state is AxisState.HOMING for axis in board.axes), "setting out")
        set_out.append(1)
        raise Interrupted

    monkeypatch.setattr("firmware_bridge.selftest._arrived", interrupted)
    with pytest.raises(Interrupted):
        walked(host, axes=True)
    assert set_out
    assert {axis.state for axis in board.axes} == {AxisState.OFF}


def test_an_axis_that_does_not_arrive_is_stopped(make_board: BoardFactory, make_host: HostFactory) -> None:
    board = make_board(now=lambda: 5.0)
    host = make_host(board.path)
    assert len(walked(host, axes=True, travel_s=0.1).failures) == 5
    assert {axis.state for axis in board.axes} == {AxisState.OFF}


@pytest.mark.parametrize("fault", [Fault.UNPLUG, Fault.LINK_SILENT, None])
def test_a_board_that_goes_away_while_axes_move_ends_the_walk_at_once(
    make_board: BoardFactory, make_host: HostFactory, fault: Fault | None
) -> None:
    board = make_board(now=lambda: 5.0)
    host = make_host(board.path)

    def pull() -> None:
        eventually(lambda: any(axis.state is AxisState.HOMING for axis in board.axes), "setting out")
        if fault is None:
            board.reset()
        else:
            board.inject(fault)

    hand = threading.Thread(target=pull)
    hand.start()
    began = time.monotonic()
    with pytest.raises(LinkAbsentError):
        walked(host, axes=True, travel_s=60.0)
    hand.join()
    assert time.monotonic() - began < 20


def test_a_board_that_falls_silent_ends_the_walk(
    make_board: BoardFactory, make_host: HostFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "ANSWER_S", 0.3)
    board = make_board()
    host = make_host(board.path)
    host.wait_ready(PATIENCE_S)
    board.inject(Fault.LINK_SILENT)
    with pytest.raises(ControllerTimeoutError, match="did not finish its self-test"):
        walked(host)


def test_no_board_at_all_is_the_links_own_sentence(make_host: HostFactory, bare_port: BarePort) -> None:
    host = make_host(bare_port.path)
    with pytest.raises(ControllerTimeoutError, match="says nothing; press its reset button"):
        run_self_test(host, SILENT, wait_s=1.0, magnet_s=0.0)


def test_lights_are_named_as_people_write_them() -> None:
    assert dark_names(" C4,top ; seat  3,") == (["c4", "top", "seat 3"], [])
    assert dark_names("c4, c7, moon") == (["c4"], ["c7", "moon"])
    assert dark_names("") == ([], [])
