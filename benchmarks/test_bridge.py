"""The controller's figures: the real firmware in a simulated chip, at 250 000 baud.

A delay is the chip's time, in steps of 0.1 ms, plus the processor time that Python took for its part: what an
undisturbed computer would show. Next to it stands the same in real time, through pyserial and a pseudo-terminal,
as this computer with all that it has to do besides shows it.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from benchmarks.conftest import Notes
from firmware_bridge.controller import Controller
from firmware_bridge.leds import led_messages
from firmware_bridge.limits import LANES_UM, STEPS_PER_MM
from firmware_bridge.protocol import (
    ALL_AXES,
    AXES,
    LEDS,
    REEDS,
    AxisHome,
    AxisMove,
    AxisState,
    AxisStatus,
    LedPixels,
    LedShow,
    ReedChange,
)
from tests.bridge.simavr.chip import CHIP_HZ, Chip, missing
from tests.bridge.simavr.host import ChipHost
from tests.bridge.wires import LossyWire

PART = "the controller, its firmware in a simulated chip"
PATIENCE_S = 30.0
HOUR_S = 3600.0


@pytest.fixture
def chip() -> Iterator[Chip]:
    if reason := missing():
        pytest.skip(reason)
    with Chip() as made:
        yield made


def percentiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Median, 95th percentile and the worst."""
    ordered = sorted(seconds)
    return ordered[len(ordered) // 2], ordered[int(0.95 * (len(ordered) - 1))], ordered[-1]


def in_words(seconds: Sequence[float]) -> tuple[str, str]:
    """Milliseconds, for people: what nearly all come to, and of how many the middle and the worst."""
    half, most, worst = (1000 * value for value in percentiles(seconds))
    return f"p95 {most:.1f} ms", f"p50 {half:.1f}, worst {worst:.1f} ms of {len(seconds)}"


class Stopwatch:
    """Steps a host until something has come, and says how long that took from `began` on, on the chip's clock."""

    def __init__(self, chip: Chip) -> None:
        self.host = ChipHost(chip, slice_s=0.0001)
        self.host.connect()
        self.host.events.clear()

    def until(self, came: Callable[[], bool], began: float) -> float:
        end = self.host.now + PATIENCE_S
        while not came():
            assert self.host.now < end
            before = time.thread_time()
            self.host.step()
            worked = time.thread_time() - before
        return self.host.now - began + worked


def test_reed_to_event(benchmark: Any, notes: Notes, chip: Chip) -> None:
    watch, dice, delays = Stopwatch(chip), random.Random(2), list[float]()
    host = watch.host

    def close_and_open() -> None:
        for number in range(400):
            host.pass_time(0.004 + dice.randrange(10) / 10_000)
            host.events.clear()
            chip.set_reeds(frozenset({number % REEDS} if number % 2 == 0 else ()))
            delays.append(watch.until(lambda: bool(host.messages), host.now))

    benchmark.pedantic(close_and_open, rounds=1)
    swift = percentiles(delays)[1] < 0.004
    notes.note("a reed closes → event in Python", "p95 under 4 ms", *in_words(delays), met=swift)


def test_reed_to_event_in_real_time(benchmark: Any, notes: Notes, chip: Chip) -> None:
    delays: list[float] = []
    came, at = threading.Event(), [0.0]

    def hear(events: Sequence[object], closed: frozenset[int]) -> None:
        if events:
            at[0] = time.monotonic()
            came.set()

    def close_and_open() -> None:
        for number in range(400):
            came.clear()
            chip.set_reeds(frozenset({number % REEDS} if number % 2 == 0 else ()), jitter_s=0.003)
            assert came.wait(PATIENCE_S)
            began = chip.reeds_set_at
            assert began is not None
            delays.append(at[0] - began)

    chip.run()
    with Controller(chip.path) as host:
        host.wait_ready(PATIENCE_S)
        host.on_reeds(hear)
        benchmark.pedantic(close_and_open, rounds=1)
    notes.note("the same in real time, here and now", "", *in_words(delays))


def any_picture(dice: random.Random) -> list[tuple[int, int, int]]:
    """All 105 LEDs, every one changed."""
    return [(dice.randrange(20), dice.randrange(20), dice.randrange(1, 20)) for _ in range(LEDS)]


def test_full_picture_to_acknowledgement(benchmark: Any, notes: Notes, chip: Chip) -> None:
    watch, dice, delays = Stopwatch(chip), random.Random(1), list[float]()
    host = watch.host

    def show() -> None:
        for _ in range(100):
            host.pass_time(dice.randrange(10) / 1000)
            picture, began = any_picture(dice), host.now
            for message in led_messages(None, picture):
                host.send(message)
            delays.append(watch.until(lambda: host.session.idle, began))
            assert chip.leds == tuple(picture)

    benchmark.pedantic(show, rounds=1)
    assert chip.strip.faults == 0
    swift = percentiles(delays)[2] < 0.020
    notes.note("all 105 LEDs changed → acknowledged", "all under 20 ms", *in_words(delays), met=swift)


def test_full_picture_in_real_time(benchmark: Any, notes: Notes, chip: Chip) -> None:
    dice, delays = random.Random(1), list[float]()

    def show() -> None:
        for _ in range(200):
            picture = any_picture(dice)
            began = time.monotonic()
            host.set_leds(picture)
            host.wait_idle(PATIENCE_S)
            delays.append(time.monotonic() - began)
            assert host.leds_acknowledged

    chip.run()
    with Controller(chip.path) as host:
        host.wait_ready(PATIENCE_S)
        benchmark.pedantic(show, rounds=1)
    notes.note("the same in real time, here and now", "", *in_words(delays))


def is_still(status: AxisStatus) -> bool:
    return status.state in (AxisState.OFF, AxisState.FAILED)


def test_five_axes_and_two_hundred_changes_a_second(benchmark: Any, notes: Notes, chip: Chip) -> None:
    host = ChipHost(chip, slice_s=0.0025)
    host.connect()
    for axis in range(AXES):
        chip.push(axis, LANES_UM[axis][0] / 1000 + 1)
    host.send(AxisHome(ALL_AXES))
    for _ in range(AXES):
        host.answer(AxisStatus, is_still)
    told: list[tuple[int, bool]] = []
    before = [carriage.steps for carriage in chip.carriages]

    def all_at_once() -> None:
        closed, number = frozenset[int](), 0
        for axis in range(AXES):
            host.send(AxisMove(axis, LANES_UM[axis][1], 50_000, 400_000))
        host.pass_time(0.05)
        while any(carriage.powered for carriage in chip.carriages):
            index = number * 11 % REEDS
            closed ^= {index}
            told.append((index, index in closed))
            chip.set_reeds(closed)
            if number % 20 == 0:
                host.send(LedPixels(0, ((number % 256, 1, 2),) * 35))
                host.send(LedShow(35, ((number % 256, 1, 2),) * 35))
            host.pass_time(0.005)
            number += 1

    benchmark.pedantic(all_at_once, rounds=1)
    host.settle()
    host.pass_time(0.1)
    changes = [message for message in host.messages if isinstance(message, ReedChange)]
    steps = [carriage.steps - was for carriage, was in zip(chip.carriages, before, strict=True)]
    wanted = [(north - south) * STEPS_PER_MM // 1000 for south, north in LANES_UM]
    fastest = CHIP_HZ / min(carriage.shortest_period for carriage in chip.carriages[:4])
    assert fastest >= 4000
    notes.note(
        "five axes at 4000 steps/s, 200 reed changes/s, 10 pictures/s",
        "nothing lost",
        f"{sum(wanted) - sum(steps)} steps, {len(told) - len(changes)} changes lost",
        f"of {sum(wanted)} and {len(told)}; {chip.overruns} overruns",
        steps == wanted and [(change.index, change.closed) for change in changes] == told,
    )
    assert all(carriage.faults == 0 for carriage in chip.carriages)
    assert chip.strip.faults == 0


@pytest.mark.timeout(3600)
def test_an_hour_on_a_bad_cable(benchmark: Any, notes: Notes, chip: Chip) -> None:
    to_chip, to_host = LossyWire(0.001, seed=21), LossyWire(0.001, seed=22)

    def through(wire: LossyWire, data: bytes) -> bytes:
        wire.put(data, 0.0)
        return b"".join(wire.get(0.0))

    host = ChipHost(
        chip,
        to_chip=lambda data: through(to_chip, data),
        to_host=lambda data: through(to_host, data),
        slice_s=0.01,
    )
    host.connect()
    heard: list[tuple[int, bool]] = []
    told: list[tuple[int, bool]] = []

    def hour() -> None:
        dice, closed = random.Random(3), frozenset[int]()
        end, number = host.now + HOUR_S, 0
        while host.now < end:
            index = dice.randrange(REEDS)
            closed ^= {index}
            told.append((index, index in closed))
            chip.set_reeds(closed)
            if number % 10 == 0:
                host.send(LedShow(dice.randrange(70), ((number % 256, 1, 2),) * 35))
            host.pass_time(0.25)
            number += 1
            heard.extend((m.index, m.closed) for m in host.messages if isinstance(m, ReedChange))
            host.events = [*host.losses]
        host.pass_time(5.0)
        heard.extend((m.index, m.closed) for m in host.messages if isinstance(m, ReedChange))

    benchmark.pedantic(hour, rounds=1)
    wrong = sum(one != other for one, other in zip(told, heard, strict=False)) + abs(len(told) - len(heard))
    sessions = host.session.counters.sessions
    notes.note(
        "an hour, 1 byte in 1000 changed, dropped or doubled",
        "no event wrong, one session",
        f"{wrong} wrong, {sessions} session{'' if sessions == 1 else 's'}",
        f"of {len(told)}; {to_chip.spoilt + to_host.spoilt} bytes spoilt",
        wrong == 0 and sessions == 1,
    )
