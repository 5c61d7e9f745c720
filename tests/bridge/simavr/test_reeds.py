"""Switches of the real firmware: every one where it belongs, debounced, stamped, none lost unsaid."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.protocol import (
    DEFAULT_DEBOUNCE_MS,
    LEDS,
    REEDS,
    Part,
    ReedChange,
    ReedQuery,
    ReedSnapshot,
    ScanOrder,
    SelfTest,
    SelfTestDone,
    SelfTestFailure,
    Settings,
)

from .chip import Chip
from .host import ChipHost


def changes(host: ChipHost) -> list[ReedChange]:
    return [message for message in host.messages if isinstance(message, ReedChange)]


@pytest.mark.parametrize("order", ScanOrder)
def test_every_switch_has_its_number_whichever_lines_are_driven(
    chip: Chip, host: ChipHost, order: ScanOrder
) -> None:
    chip.turn_diodes(columns=order is ScanOrder.COLUMNS)
    host.send(Settings(1, order))
    host.answer(Settings)
    for index in range(REEDS):
        chip.set_reeds(frozenset({index}))
        host.pass_time(0.012)
    chip.set_reeds(frozenset())
    host.pass_time(0.02)
    told = [(change.index, change.closed) for change in changes(host)]
    assert sorted(index for index, closed in told if closed) == list(range(REEDS))
    assert sorted(index for index, closed in told if not closed) == list(range(REEDS))


def test_any_set_of_switches_is_told_from_any_other(chip: Chip, host: ChipHost) -> None:
    dice = random.Random(4)
    for _ in range(20):
        closed = frozenset(index for index in range(REEDS) if dice.random() < dice.random())
        chip.set_reeds(closed)
        host.pass_time(0.01)
        host.settle()
        host.pass_time(0.1)
        host.send(ReedQuery())
        assert host.answer(ReedSnapshot).closed == closed


def test_diodes_the_other_way_round_see_nothing_until_the_order_is_set(chip: Chip, host: ChipHost) -> None:
    chip.turn_diodes(columns=True)
    chip.set_reeds(frozenset({7, 70}))
    host.pass_time(0.05)
    assert changes(host) == []
    host.send(Settings(DEFAULT_DEBOUNCE_MS, ScanOrder.COLUMNS))
    host.pass_time(0.05)
    assert {change.index for change in changes(host)} == {7, 70}


@pytest.mark.parametrize("debounce_ms", [1, 5, 40, 100])
def test_a_change_must_last_and_is_stamped_with_its_beginning(
    chip: Chip, host: ChipHost, debounce_ms: int
) -> None:
    host.send(Settings(debounce_ms, ScanOrder.ROWS))
    host.answer(Settings)
    host.slice_s = 0.0005
    if debounce_ms > 1:
        chip.set_reeds(frozenset({40}))
        host.pass_time((debounce_ms - 1) / 1000)
        chip.set_reeds(frozenset())
        host.pass_time(0.2)
        assert changes(host) == []
    host.send(ReedQuery())
    before = host.answer(ReedSnapshot).at_ms
    began = host.now
    chip.set_reeds(frozenset({40}))
    change = host.answer(ReedChange)
    took_ms = (host.now - began) * 1000
    assert change.at_ms - before < 20
    assert debounce_ms - 1 <= took_ms < debounce_ms + 12


def test_a_storm_that_does_not_fit_ends_in_a_snapshot(chip: Chip, host: ChipHost) -> None:
    host.send(Settings(1, ScanOrder.ROWS))
    host.answer(Settings)
    every = frozenset(range(REEDS))
    for number in range(8):  # 97 changes every 4 ms are ten times what the wire carries
        chip.set_reeds(every if number % 2 else frozenset())
        chip.exchange(0.004)
    chip.set_reeds(frozenset({1, 2}))
    snapshot = host.answer(ReedSnapshot)
    assert snapshot.lost > 0
    host.pass_time(0.2)
    host.send(ReedQuery())
    assert host.answer(ReedSnapshot).closed == frozenset({1, 2})
    assert host.session.counters.sessions == 1


def test_commands_are_heard_in_a_storm(chip: Chip, host: ChipHost) -> None:
    for number in range(60):
        chip.set_reeds(frozenset(range(number % 2, REEDS, 2)))
        if number == 30:
            host.send(Settings(3, ScanOrder.ROWS))
        host.pass_time(0.004)
    assert host.answer(Settings).debounce_ms == 3


# The matrix's own test -------------------------------------------------------------------------------------


def failures(host: ChipHost) -> tuple[SelfTestDone, list[SelfTestFailure]]:
    host.events.clear()
    host.send(SelfTest(Part.REEDS | Part.LEDS))
    found: list[SelfTestFailure] = []
    host.until(lambda: any(isinstance(message, SelfTestDone) for message in host.messages))
    found = [message for message in host.messages if isinstance(message, SelfTestFailure)]
    return host.answer(SelfTestDone), found


@pytest.mark.parametrize("closed", [frozenset(), frozenset({3, 50}), frozenset(range(REEDS))])
def test_a_good_matrix_passes_with_any_switch_closed(
    chip: Chip, host: ChipHost, closed: frozenset[int]
) -> None:
    chip.set_reeds(closed)
    host.pass_time(0.3)
    done, found = failures(host)
    assert (done.tested, done.failed, found) == (LEDS + REEDS, 0, [])
    chip.set_reeds(frozenset({9}))
    assert host.answer(ReedChange)  # the scan goes on


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((0, 0), "row 1 is connected to ground"),
        ((21, 21), "column p is connected to ground"),
        ((2, 5), "row 3 is connected to row 6"),
        ((6, 7), "column a is connected to column b"),
    ],
)
def test_wires_that_touch_are_named(chip: Chip, host: ChipHost, lines: tuple[int, int], text: str) -> None:
    chip.connect_lines(*lines)
    done, found = failures(host)
    assert [failure.text for failure in found] == [text]
    assert (done.failed, found[0].part, found[0].index) == (1, Part.REEDS, lines[0])
    chip.disconnect_lines()
    assert failures(host)[1] == []


def test_of_a_wholly_wrong_cable_the_first_faults_are_told_and_all_counted(
    chip: Chip, host: ChipHost
) -> None:
    for line in range(22):
        chip.connect_lines(line, line)
    done, found = failures(host)
    assert (done.failed, len(found)) == (22, 8)
