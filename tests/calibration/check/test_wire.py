"""What the preflight sees of a controller: a quiet one is fit, flickering switches and a lost board are named."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from calibration.check.wire import WireWatch
from calibration.gate import Finding, Judgement
from firmware_bridge.controller import ReedEvent
from firmware_bridge.events import Counters
from firmware_bridge.link import LinkState, LinkStatus
from firmware_bridge.protocol import (
    AxisFault,
    AxisState,
    AxisStatus,
    Capability,
    Hello,
    Knowledge,
    ResetCause,
)

ALL = Capability.REEDS | Capability.LEDS | Capability.AXES


@dataclass
class Board:
    """A controller as far as the watch looks at it."""

    capabilities: Capability = ALL
    ready: bool = True
    emergency: bool = False
    counters: Counters = field(default_factory=Counters)
    axes: dict[int, AxisStatus] = field(default_factory=dict)
    status: LinkStatus = field(default_factory=lambda: LinkStatus(LinkState.READY, "connected"))
    asked: int = 0

    def __post_init__(self) -> None:
        self.listeners: list[Any] = []

    @property
    def identity(self) -> Hello:
        return Hello(1, 2, 3, 4, ResetCause.EXTERNAL, 5, self.capabilities, 105, 97, 5, 63, "olympus 1")

    def on_reeds(self, callback: Any) -> Any:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def query_axis(self) -> None:
        self.asked += 1


def watched(board: Board) -> WireWatch:
    return WireWatch(board)  # type: ignore[arg-type]


def told(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.what: finding for finding in findings}


def test_a_quiet_board_is_fit() -> None:
    board = Board()
    watch = watched(board)
    watch.ask()
    board.listeners[0]((ReedEvent(4, True, 0.0, 0, missed=True),), frozenset({4}))
    found = watch.findings(0.02)
    assert all(finding.judgement is Judgement.GOOD for finding in found)
    assert [finding.what for finding in found] == [
        "controller",
        "errors on the wire",
        "lights answer within",
        "switches that change while nothing moves",
        "motors",
    ]
    assert (board.asked, board.listeners) == (1, [])


def test_flickering_switches_are_named() -> None:
    board = Board()
    watch = watched(board)
    for index in (6, 96, 6):
        board.listeners[0]((ReedEvent(index, True, 0.0, 0),), frozenset({index}))
    found = told(watch.findings(0.02))["switches that change while nothing moves"]
    assert (found.seen, found.judgement) == ("2 (b1, top)", Judgement.DOUBTFUL)
    watch = watched(board)
    for index in range(20):
        board.listeners[0]((ReedEvent(index, True, 0.0, 0),), frozenset())
    found = told(watch.findings(0.02))["switches that change while nothing moves"]
    assert found.judgement is Judgement.BAD
    assert "and 14 more" in found.seen


def test_errors_on_the_wire_count_from_when_it_is_watched() -> None:
    board = Board(counters=Counters(damaged_frames=40, sent_frames=1000))
    watch = watched(board)
    board.counters.sent_frames += 300
    assert told(watch.findings(0.02))["errors on the wire"].good
    watch = watched(board)
    board.counters.peer_damaged_frames += 2
    board.counters.received_frames += 300
    assert told(watch.findings(0.02))["errors on the wire"].judgement is Judgement.DOUBTFUL
    watch = watched(board)
    board.counters.repeated_frames += 30
    board.counters.received_frames += 300
    assert told(watch.findings(0.02))["errors on the wire"].judgement is Judgement.BAD


def test_a_board_that_does_not_answer_says_why() -> None:
    board = Board(ready=False, status=LinkStatus(LinkState.ABSENT, "/dev/x has gone; connect the cable."))
    (found,) = watched(board).findings(None)
    assert (found.judgement, found.advice) == (Judgement.BAD, "/dev/x has gone; connect the cable.")


def test_what_the_board_does_not_have_is_not_fitted() -> None:
    found = told(watched(Board(Capability.LEDS)).findings(None))
    assert found["switches under the board"].judgement is Judgement.NOT_FITTED
    assert found["moving cubes"].judgement is Judgement.NOT_FITTED
    assert found["lights answer within"].judgement is Judgement.BAD


def test_motors_and_emergency_stop_are_told() -> None:
    stuck = AxisStatus(1, AxisState.FAILED, Knowledge.UNKNOWN, AxisFault.ENDSTOP_STUCK, 0, 0)
    found = told(watched(Board(axes={1: stuck}, emergency=True)).findings(0.02))
    assert "free the switch" in found["motor of axis 1 (Y)"].advice
    assert found["emergency stop"].judgement is Judgement.BAD
