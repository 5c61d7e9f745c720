"""The walk through every part of a table controller, with the owner watching."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress

from .controller import Controller, ReedEvent
from .errors import ControllerTimeoutError
from .monitor import reed_name
from .protocol import LEDS, REEDS, Capability, Message, Part, SelfTestDone, SelfTestFailure

ANSWER_S = 2.0
LIT = (60, 60, 60)
DARK = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class SelfTestReport:
    """How many parts were tested and, in words, which failed."""

    tested: int
    failures: tuple[str, ...]


def run_self_test(
    controller: Controller, console: Console, *, wait_s: float, magnet_s: float
) -> SelfTestReport:
    """Test a started controller. Raises ControllerTimeoutError when it does not answer at all."""
    answers: queue.SimpleQueue[Message] = queue.SimpleQueue()
    forget = controller.on_message(answers.put)
    try:
        fitted = controller.wait_ready(wait_s).capabilities
        tested, failures = _ask_board(controller, answers)
        with Progress(console=console, transient=True) as progress:
            if Capability.LEDS in fitted:
                _walk_leds(controller, progress)
            if Capability.REEDS in fitted and magnet_s > 0:
                failures += _walk_reeds(controller, progress, magnet_s)
    finally:
        forget()
    return SelfTestReport(tested, tuple(failures))


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
            failures.append(f"{(answer.part.name or 'part').lower()} {answer.index}: {answer.text}")
        elif isinstance(answer, SelfTestDone):
            return answer.tested, failures
    raise ControllerTimeoutError(f"the controller did not finish its self-test; {controller.status.reason}")


def _walk_leds(controller: Controller, progress: Progress) -> None:
    """Each LED alone, so that a dark or wrongly ordered one is seen. The board cannot see it."""
    task = progress.add_task("every LED lights once, in order: watch for a dark one", total=LEDS)
    for lit in range(LEDS):
        controller.set_leds([LIT if n == lit else DARK for n in range(LEDS)])
        controller.wait_idle(ANSWER_S)
        progress.advance(task)
    controller.set_leds([DARK] * LEDS)
    controller.wait_idle(ANSWER_S)


def _walk_reeds(controller: Controller, progress: Progress, magnet_s: float) -> list[str]:
    """Every switch must close once while the owner passes a magnet over the board."""
    changes: queue.SimpleQueue[tuple[ReedEvent, ...]] = queue.SimpleQueue()
    forget = controller.on_reeds(lambda events, _: changes.put(events))
    task = progress.add_task("pass a magnet over every space", total=REEDS)
    never = set(range(REEDS)) - (controller.snapshot or frozenset())
    until = time.monotonic() + magnet_s
    try:
        while never and (left := until - time.monotonic()) > 0:
            try:
                events = changes.get(timeout=left)
            except queue.Empty:
                break
            never -= {event.index for event in events if event.closed}
            progress.update(task, completed=REEDS - len(never))
    finally:
        forget()
    return [f"reed {reed_name(index)}: did not close" for index in sorted(never)]
