"""The same plan is the same evening, in every process; and what cannot come to rest is said."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.soak import lockstep
from companion.soak.game import soak_game
from companion.soak.lockstep import Lockstep, LockstepError, until_ready
from companion.soak.plan import SoakPlan
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from companion.virtual.loop import VirtualTimeLoop
from firmware_bridge.controller import Controller
from firmware_bridge.errors import ControllerTimeoutError
from firmware_bridge.faults import Fault
from firmware_bridge.virtual_controller import VirtualController
from firmware_bridge.waker import Rounds
from tests.table.running import FEW_FRAMES_PER_S

Wire = tuple[VirtualTimeLoop, Lockstep, Controller, VirtualController]


def test_the_same_chance_is_the_same_evening_moment_by_moment_in_every_process() -> None:
    """Names have other hashes in each process, and so sets another order; threads would get their turns otherwise."""
    command = [sys.executable, "-m", "tests.table.told_by", "2", "0.002"]
    processes = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in ("1", "2")
    ]
    outcomes = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outcomes[0][1].decode()
    (one, _), (other, _) = outcomes
    assert one.count(b"\n") > 40
    assert one.decode().splitlines() == other.decode().splitlines()


@pytest.fixture
def wire() -> Iterator[Wire]:
    loop = VirtualTimeLoop(time.monotonic)
    steps = Lockstep(loop)
    board = VirtualController(loop.time, wire_clock=steps.clock)
    with closing(loop), closing(board), closing(Controller(board.path, wire_clock=steps.clock)) as host:
        yield loop, steps, host, board
        steps.end()


def test_a_board_that_is_unplugged_is_found_again_by_the_tables_clock(wire: Wire) -> None:
    loop, steps, host, board = wire

    async def evening() -> None:
        steps.begin(host, board)
        assert host.ready and loop.time() == 0.0
        board.set_reeds(frozenset({3}))
        await asyncio.sleep(0.01)
        assert host.snapshot == frozenset({3})
        board.inject(Fault.UNPLUG)
        await asyncio.sleep(1.0)
        assert not host.ready
        with pytest.raises(ControllerTimeoutError, match="connect the table controller"):
            await until_ready(host, 0.5)
        board.clear(Fault.UNPLUG)
        await until_ready(host, 10.0)
        assert host.snapshot == frozenset({3})

    loop.run_until_complete(evening())


def test_a_silent_board_is_missed_though_nothing_is_asked_of_it(wire: Wire) -> None:
    loop, steps, host, board = wire

    async def evening() -> None:
        steps.begin(host, board)
        await asyncio.sleep(3.0)
        assert host.ready
        board.inject(Fault.LINK_SILENT)
        await asyncio.sleep(3.0)
        assert not host.ready

    loop.run_until_complete(evening())


def test_who_talks_without_end_is_not_waited_for(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    _, steps, host, board = wire
    monkeypatch.setattr(lockstep, "TALK_LIMIT_S", 0.01)
    monkeypatch.setattr(VirtualController, "idle", False)
    with pytest.raises(LockstepError, match=r"talked for"):
        steps.begin(host, board)


def test_a_wire_that_fails_ends_the_soak_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop would only log it, and the people at the table would wait for a light that nobody switches on."""
    whole = VirtualController.rounds

    def failing(board: VirtualController) -> Rounds:
        rounds = whole(board)
        wait = next(rounds)
        for _ in range(60):
            wait = rounds.send((yield wait))
        raise ArithmeticError("the board has failed")

    monkeypatch.setattr(VirtualController, "rounds", failing)
    plan, report = SoakPlan(2, 4, turns=3), SoakReport()
    with pytest.raises(ArithmeticError, match="the board has failed"):
        soak_game(kit_for("above"), plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
