"""A whole table in virtual time for one test: people, camera or true readings, serial link, service, page's hub."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.service import TableService
from companion.signals.night import Night
from companion.signals.pins.panel import Panel
from companion.simulation import BoardFactory, Simulation
from companion.soak.game import FRAMES_PER_S, Watch, watch_by_sight
from companion.tables.kit import Kit
from companion.virtual import mischief
from companion.virtual.loop import VirtualTimeLoop
from companion.web.hub import Hub
from companion.wiring import fit, join
from firmware_bridge.controller import Controller
from firmware_bridge.virtual_controller import VirtualController

CONNECT_S = 10.0
# Pictures that are drawn and read cost most of a test's time. Where it isn't the rate that is tested, so many a
# second (half of what a Pi reads) do.
FEW_FRAMES_PER_S = 8.0


def only_mistake(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Whoever does what is illegal does this."""
    monkeypatch.setattr(mischief, "KINDS", {kind: mischief.KINDS[kind]})


@dataclass
class Running:
    """The parts of a running table."""

    table: TableService
    simulation: Simulation
    controller: Controller
    hub: Hub
    loop: VirtualTimeLoop
    tasks: list[asyncio.Task[None]]

    async def until(self, condition: Callable[[], bool], what: str, limit_s: float = 120.0) -> None:
        """Lets table time pass until the condition holds."""
        end = self.loop.time() + limit_s
        while not condition():
            for task in self.tasks:
                if task.done():
                    task.result()
            if self.loop.time() > end:
                said = self.table.verdict
                raise AssertionError(f"{what} did not happen within {limit_s} s: {said.kind} {said.text}")
            await asyncio.sleep(0.1)


def in_virtual_time(test: Callable[[VirtualTimeLoop], Awaitable[None]]) -> None:
    """Runs a test in a loop whose clock jumps."""
    loop = VirtualTimeLoop(time.monotonic)
    try:
        loop.run_until_complete(_bounded(test(loop)))
    finally:
        loop.clear_holds()
        loop.close()


async def _bounded(test: Awaitable[None]) -> None:
    await test


@asynccontextmanager
async def running(
    kit: Kit,
    players: int,
    loop: VirtualTimeLoop,
    folder: Path,
    *,
    seed: int = 1,
    watch: Watch = watch_by_sight,
    motors: bool = False,
    board: BoardFactory = VirtualController,
    people: bool = True,
    frames_per_s: float = FRAMES_PER_S,
    panel: Panel | None = None,
    night: Night | None = None,
) -> AsyncIterator[Running]:
    """A table that plays. `people` False: nobody acts, the test moves the things.

    A game that is open in the folder's `journal.db` goes on.
    """
    book = kit.book(folder / "journal.db", time.time)
    referee = book.resume() or book.referee(players, ())
    simulation = Simulation(kit, players, seed, loop.time, referee=referee, motors=motors, board=board)
    with (
        simulation.controller as far_end,
        Controller(far_end.path, clock=loop.time, wire_clock=far_end.wire_clock) as controller,
    ):
        loop.add_hold("the controller link", lambda: not controller.idle)
        loop.add_hold("the simulated controller", lambda: not far_end.idle)
        await loop.run_in_executor(None, controller.wait_ready, CONNECT_S)
        camera, eyes = watch(kit, simulation)
        hub = Hub()
        table = TableService(
            kit,
            referee,
            camera,
            eyes,
            controller,
            hub,
            frames_per_s=frames_per_s,
            book=book,
            fittings=fit(controller, motors=motors, simulated=True, panel=panel, night=night),
        )
        join(controller, table, simulated=True)
        tasks = [loop.create_task(table.run(), name="table")]
        if people:
            tasks.append(loop.create_task(simulation.run(), name="players"))
        try:
            yield Running(table, simulation, controller, hub, loop, tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            loop.clear_holds()
            book.close()
