"""The table around the simulated chip notices what it is there to notice, and keeps time."""

from __future__ import annotations

import math
import time

import pytest

from firmware_bridge.controller import Controller
from firmware_bridge.protocol import ResetCause
from tests.bridge.conftest import PATIENCE_S, eventually

from .board import ChipBoard
from .chip import CHIP_HZ, Chip, ChipError
from .host import ChipHost


def test_a_pulse_to_a_motor_that_is_off_is_a_fault(chip: Chip) -> None:
    chip.exchange(0.1)
    before = chip.carriages[0]
    chip.pulse("F", 0, 32)
    after = chip.carriages[0]
    assert (after.faults, after.steps, after.place_mm) == (1, 1, before.place_mm)


def test_a_pulse_that_is_too_short_for_a_driver_is_a_fault(chip: Chip) -> None:
    chip.exchange(0.1)
    chip.pulse("F", 0, 32)
    faults = chip.carriages[0].faults
    chip.pulse("F", 0, 8)
    assert chip.carriages[0].faults == faults + 2  # off, and too short


@pytest.mark.parametrize(("cycles", "faults"), [(6, 0), (12, 0), (2, 1), (9, 1), (30, 1)])
def test_a_pulse_that_is_neither_zero_nor_one_is_a_fault(chip: Chip, cycles: int, faults: int) -> None:
    chip.exchange(0.1)
    assert chip.strip.faults == 0
    chip.pulse("B", 5, cycles)
    assert chip.strip.faults == faults


def test_a_picture_cut_short_is_a_fault(chip: Chip) -> None:
    chip.exchange(0.1)
    frames = chip.strip.frames
    chip.pulse("B", 5, 6)
    chip.exchange(0.01)
    assert (chip.strip.frames, chip.strip.faults) == (frames + 1, 1)


def test_commands_that_do_not_exist_are_refused(chip: Chip) -> None:
    for line in ("fly", "push 9 0", "endstop 0 7", "connect 22 0", "reeds 12"):
        with pytest.raises(ChipError):
            chip.command(line)


def test_time_stands_still_until_it_is_let_go(chip: Chip) -> None:
    chip.exchange(0.25)
    assert chip.now == pytest.approx(0.25, abs=2 / CHIP_HZ)
    assert chip.now == chip.now
    assert chip.silent_for == math.inf
    chip.run()
    eventually(lambda: chip.now > 0.3)
    chip.hold()
    assert chip.now == chip.now


def test_the_processor_sleeps_most_of_the_time(chip: Chip) -> None:
    ChipHost(chip).connect()
    awake, now = chip.awake_for, chip.now
    chip.exchange(1.0)
    assert (chip.awake_for - awake) / (chip.now - now) < 0.4


def test_a_board_that_resets_when_its_port_opens_and_boots_for_a_second_connects() -> None:
    with ChipBoard() as board:
        board.chip.set_boot(1.0, on_open=True)
        eventually(lambda: board.wire_clock() > 0.1, "the first start")
        began = time.monotonic()
        with Controller(board.path) as host:
            hello = host.wait_ready(PATIENCE_S)
        assert time.monotonic() - began > 1.0
    assert (hello.reset_cause, hello.boot_count) == (ResetCause.EXTERNAL, 2)


def test_a_chip_that_keeps_step_goes_as_far_as_the_table() -> None:
    table = [0.0]
    with ChipBoard(lambda: table[0]) as board, Controller(board.path, wire_clock=board.wire_clock) as host:
        host.wait_ready(PATIENCE_S)
        eventually(lambda: host.idle and board.idle)
        before = board.wire_clock()
        table[0] += 30.0  # no host is too slow for it
        assert not board.idle
        eventually(lambda: board.idle)
        assert board.wire_clock() - before >= 30.0
        assert host.ready
        assert host.counters.sessions == 1
        board.set_reeds(frozenset({8}))
        assert not board.idle
        eventually(lambda: board.idle and host.idle)
        assert host.snapshot == frozenset({8})
