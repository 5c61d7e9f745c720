"""The moving cubes through the whole way: commands on the wire, carriages, cubes in the picture."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.referee.verdict import Kind
from companion.simulation import BoardFactory, simulated_chip
from companion.tables.catalogue import kit_for
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.loop import VirtualTimeLoop
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.truth import cube_places
from companion.web.fitted import Stop
from companion.web.hub import Request
from firmware_bridge.protocol import AxisState, AxisStatus, Knowledge
from firmware_bridge.virtual_controller import VirtualController
from tests.bridge.simavr.chip import missing
from tests.installed import do_without
from tests.table.running import in_virtual_time, running


@pytest.fixture(params=["virtual", "chip"])
def board(request: pytest.FixtureRequest) -> BoardFactory:
    """What moves the cubes: the virtual controller, and the real firmware in a simulated chip."""
    if request.param == "virtual":
        return VirtualController
    if reason := missing():
        do_without(reason)
    return simulated_chip()


def test_a_cube_that_somebody_pushes_away_is_seen_and_brought_back(
    tmp_path: Path, board: BoardFactory
) -> None:
    async def test(loop: VirtualTimeLoop) -> None:
        kit = kit_for("olympeak")
        async with running(kit, 3, loop, tmp_path, motors=True, board=board, frames_per_s=4.0) as here:
            table = here.simulation.table
            assert isinstance(table, SimulatedOlympeak)
            scene = table.people.scene
            await here.until(
                lambda: here.table.referee.verdict.kind is not Kind.SETUP, "the game's beginning"
            )
            targets = here.table.referee.targets  # type: ignore[attr-defined]

            def right() -> bool:
                return all(
                    place == targets[name] for name, place in cube_places(scene).items() if name in targets
                )

            await here.until(right, "cubes in their places")
            away = targets["red"] + (12 if targets["red"] < 20 else -12)
            layout.set_cube(scene, "red", away)
            assert not right()
            await here.until(right, "the red cube back in its place")

    in_virtual_time(test)


def test_the_emergency_stop_of_the_page_and_of_the_board_hold_the_cubes_until_somebody_releases_them(
    tmp_path: Path,
) -> None:
    async def test(loop: VirtualTimeLoop) -> None:
        kit = kit_for("olympeak")
        async with running(kit, 3, loop, tmp_path, motors=True, people=False, frames_per_s=2.0) as here:
            board = here.simulation.controller
            assert isinstance(board, VirtualController)

            def moving() -> bool:
                return any(axis.state is not AxisState.OFF for axis in _used(board))

            def stopped_by() -> str:
                shown = here.hub.latest.stop
                return "" if shown is None else shown.by

            await here.until(moving, "homing")
            here.table.serve(Request(Stop(True), loop.create_future()))
            await here.until(lambda: {axis.state for axis in board.axes} == {AxisState.FAILED}, "the stop")
            assert stopped_by() == "page"
            await asyncio.sleep(10.0)
            assert {axis.state for axis in board.axes} == {AxisState.FAILED}
            here.table.serve(Request(Stop(False), loop.create_future()))
            await here.until(lambda: not moving() and _all_known(board), "homing after the release")
            assert stopped_by() == ""
            board.press_emergency()
            await here.until(lambda: stopped_by() == "controller", "the board's own button")
            here.table.serve(Request(Stop(False), loop.create_future()))
            await asyncio.sleep(1.0)
            assert stopped_by() == "controller"  # still pressed
            board.press_emergency(False)
            await asyncio.sleep(0.5)
            here.table.serve(Request(Stop(False), loop.create_future()))
            await here.until(
                lambda: stopped_by() == "" and not moving() and _all_known(board), "the end of it"
            )

    in_virtual_time(test)


def _used(board: VirtualController) -> list[AxisStatus]:
    """The axes of a game of three; white's stays out of it."""
    return [axis for axis in board.axes if axis.axis != 3]


def _all_known(board: VirtualController) -> bool:
    return all(axis.knowledge is not Knowledge.UNKNOWN for axis in _used(board))
