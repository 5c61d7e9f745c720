"""The walk through every part of a table controller, with the owner watching."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress

from .controller import Controller, ReedEvent
from .errors import BridgeError, ControllerTimeoutError, LinkAbsentError
from .limits import LANES_UM
from .names import LED_NAMES, axis_name, axis_trouble, led_name, reed_name
from .protocol import (
    LEDS,
    REEDS,
    AxisState,
    AxisStatus,
    Capability,
    ErrorReport,
    Message,
    Part,
    SelfTestDone,
    SelfTestFailure,
)

ANSWER_S = 2.0
# How often it is looked whether the controller is still there while it says nothing.
LOOK_S = 0.1
# Longer than any axis takes from one end of its lane to the other and back.
TRAVEL_S = 60.0
LIT = (60, 60, 60)
DARK = (0, 0, 0)
# An axis is to stand this near to where it was sent.
NEAR_MM = 0.1

# What the owner says of the lights: the names of those that stayed dark.
AskDark = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """How many parts were tested and, in words, which failed."""

    tested: int
    failures: tuple[str, ...]


def run_self_test(
    controller: Controller,
    console: Console,
    *,
    wait_s: float,
    magnet_s: float,
    pace_s: float = 0.0,
    axes: bool = True,
    travel_s: float = TRAVEL_S,
    ask_dark: AskDark = tuple,
) -> SelfTestReport:
    """Test a started controller. Raises ControllerTimeoutError when it does not answer at all, LinkAbsentError when it
    goes away, or restarts, while axes move. Whatever ends the walk, no axis goes on moving.

    `magnet_s`: time to pass a magnet over every space, 0 leaves the reeds to the board. `pace_s`: how long
    each LED is lit. `axes`: move the axes to both ends of their lanes, `travel_s` at most a way. `ask_dark`: asks
    the owner, after the walk, which lights stayed dark.
    """
    answers: queue.SimpleQueue[Message] = queue.SimpleQueue()
    forget = controller.on_message(answers.put)
    try:
        fitted = controller.wait_ready(wait_s).capabilities
        tested, failures = _ask_board(controller, answers)
        with Progress(console=console, transient=True) as progress:
            if Capability.LEDS in fitted:
                _walk_leds(controller, progress, pace_s)
        if Capability.LEDS in fitted:
            failures += [f"LED {name}: stays dark" for name in ask_dark()]
        with Progress(console=console, transient=True) as progress:
            if Capability.REEDS in fitted and magnet_s > 0:
                failures += _walk_reeds(controller, progress, magnet_s)
            if Capability.AXES in fitted and axes:
                failures += _walk_axes(controller, answers, progress, travel_s)
    finally:
        forget()
    return SelfTestReport(tested, tuple(failures))


def dark_names(said: str) -> tuple[list[str], list[str]]:
    """The lights that the owner named (`c4, top, seat 3`), and the words that name none."""
    known: list[str] = []
    unknown: list[str] = []
    for word in said.replace(";", ",").split(","):
        name = " ".join(word.lower().split())
        if name:
            (known if name in LED_NAMES else unknown).append(name)
    return known, unknown


def _ask_board(controller: Controller, answers: queue.SimpleQueue[Message]) -> tuple[int, list[str]]:
    controller.self_test(Part.LEDS | Part.REEDS | Part.AXES)
    failures: list[str] = []
    until = time.monotonic() + ANSWER_S
    while (left := until - time.monotonic()) > 0:
        try:
            answer = answers.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(answer, SelfTestFailure):
            failures.append(f"{_part_name(answer)}: {answer.text}")
        elif isinstance(answer, SelfTestDone):
            return answer.tested, failures
    raise ControllerTimeoutError(f"the controller did not finish its self-test; {controller.status.reason}")


def _part_name(failure: SelfTestFailure) -> str:
    if failure.part == Part.REEDS and failure.index < REEDS:
        return f"reed {reed_name(failure.index)}"
    if failure.part == Part.LEDS and failure.index < LEDS:
        return f"LED {led_name(failure.index)}"
    if failure.part == Part.AXES:
        return axis_name(failure.index)
    return f"part {failure.index}"


def _walk_leds(controller: Controller, progress: Progress, pace_s: float) -> None:
    """Each LED alone, so that a dark or wrongly ordered one is seen. The board cannot see it."""
    task = progress.add_task("every LED lights once, in order: watch for a dark one", total=LEDS)
    pause = threading.Event()
    for lit in range(LEDS):
        controller.set_leds([LIT if n == lit else DARK for n in range(LEDS)])
        controller.wait_idle(ANSWER_S)
        pause.wait(pace_s)
        progress.update(task, advance=1, description=f"watch for a dark LED: {led_name(lit)}")
    controller.set_leds([DARK] * LEDS)
    controller.wait_idle(ANSWER_S)


def _walk_reeds(controller: Controller, progress: Progress, magnet_s: float) -> list[str]:
    """Every switch must close and open once while the owner passes a magnet over the empty board."""
    changes: queue.SimpleQueue[tuple[ReedEvent, ...]] = queue.SimpleQueue()
    forget = controller.on_reeds(lambda events, _: changes.put(events))
    task = progress.add_task("pass a magnet over every space of the empty board", total=REEDS)
    closed_once = set(controller.snapshot or frozenset())
    opened_once = set(range(REEDS)) - closed_once
    until = time.monotonic() + magnet_s
    try:
        while len(closed_once & opened_once) < REEDS and (left := until - time.monotonic()) > 0:
            try:
                events = changes.get(timeout=left)
            except queue.Empty:
                break
            for event in events:
                (closed_once if event.closed else opened_once).add(event.index)
            progress.update(task, completed=len(closed_once & opened_once))
    finally:
        forget()
    return [
        f"reed {reed_name(index)}: {'stays closed' if index not in opened_once else 'did not close'}"
        for index in range(REEDS)
        if index not in closed_once or index not in opened_once
    ]


def _walk_axes(
    controller: Controller, answers: queue.SimpleQueue[Message], progress: Progress, travel_s: float
) -> list[str]:
    """Each axis alone: to its endstop, to the far end of its lane, and to the middle."""
    try:
        return _walk_each(controller, answers, progress, travel_s)
    finally:
        # Also when a person has interrupted because something moves that must not.
        with contextlib.suppress(BridgeError):
            controller.stop_axis()
            controller.wait_idle(ANSWER_S)


def _walk_each(
    controller: Controller, answers: queue.SimpleQueue[Message], progress: Progress, travel_s: float
) -> list[str]:
    controller.query_axis()
    here: dict[int, AxisStatus] = {}
    until = time.monotonic() + ANSWER_S
    count = controller.identity.axes if controller.identity else 0
    while len(here) < count and time.monotonic() < until:
        status = _next_status(controller, answers, None, until)
        if isinstance(status, AxisStatus):
            here[status.axis] = status
    silent = [f"{axis_name(axis)}: does not say where it is" for axis in range(count) if axis not in here]
    task = progress.add_task("every axis moves: keep hands away", total=len(here))
    failures = []
    for axis in sorted(here):
        progress.update(task, description=f"{axis_name(axis)} moves: keep hands away")
        trouble = _walk_axis(controller, answers, axis, travel_s)
        if trouble:
            controller.stop_axis(axis)
            failures.append(f"{axis_name(axis)}: {trouble}")
        progress.advance(task)
    return silent + failures


def _walk_axis(
    controller: Controller, answers: queue.SimpleQueue[Message], axis: int, travel_s: float
) -> str:
    south, north = LANES_UM[axis] if axis < len(LANES_UM) else LANES_UM[0]
    controller.home_axis(axis)
    trouble = _arrived(controller, answers, axis, None, travel_s)
    for target_mm in (north / 1000, (south + north) / 2000):
        if trouble:
            return trouble
        controller.move_axis(axis, target_mm)
        trouble = _arrived(controller, answers, axis, target_mm, travel_s)
    return trouble


def _arrived(
    controller: Controller,
    answers: queue.SimpleQueue[Message],
    axis: int,
    target_mm: float | None,
    travel_s: float,
) -> str:
    """Wait for the axis to come to rest: what is wrong then, or nothing."""
    until = time.monotonic() + travel_s
    while (status := _next_status(controller, answers, axis, until)) is not None:
        if isinstance(status, ErrorReport):
            return f"was refused: {status.text}"
        if status.state is AxisState.FAILED:
            return axis_trouble(status) or "failed"
        if status.state is AxisState.OFF:
            at_mm = status.position_um / 1000
            if target_mm is not None and abs(at_mm - target_mm) > NEAR_MM:
                return f"stands at {at_mm:.1f} mm instead of {target_mm:.1f} mm"
            return ""
    return f"did not arrive within {travel_s:g} s"


def _next_status(
    controller: Controller, answers: queue.SimpleQueue[Message], axis: int | None, until: float
) -> AxisStatus | ErrorReport | None:
    sessions = controller.counters.sessions
    while (left := until - time.monotonic()) > 0:
        if not controller.ready:
            raise LinkAbsentError(controller.status.reason)
        if controller.counters.sessions != sessions:
            raise LinkAbsentError(
                "it restarted while its axes were being tested; check the power supply and the cable."
            )
        try:
            answer = answers.get(timeout=min(left, LOOK_S))
        except queue.Empty:
            continue
        if isinstance(answer, ErrorReport) or (
            isinstance(answer, AxisStatus) and axis in (None, answer.axis)
        ):
            return answer
    return None
