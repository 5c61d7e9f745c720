"""The simulated table as one device set: people, camera, and a controller on a pseudo-terminal."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, cast

from companion.errors import CompanionError
from companion.referee.verdict import Choice
from companion.tables.kit import Company, Kit, People, Referee, SimulatedTable
from companion.virtual.arm import BRISK, Pace
from companion.virtual.layers import Look
from firmware_bridge.virtual_controller import VirtualController

TICK_S = 1 / 30


class Place(Protocol):
    """Where a carriage really is, µm from the middle of its lane."""

    @property
    def position_um(self) -> int: ...


class Board(Protocol):
    """What a table needs of its simulated controller beside the serial port at `path`."""

    @property
    def path(self) -> str: ...
    @property
    def leds(self) -> tuple[tuple[int, int, int], ...]: ...
    @property
    def axes(self) -> Sequence[Place]: ...
    @property
    def idle(self) -> bool: ...
    def wire_clock(self) -> float: ...
    def set_reeds(self, closed: frozenset[int]) -> None: ...
    def __enter__(self) -> Board: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class BoardFactory(Protocol):
    """Makes a controller that runs by the table's clock."""

    def __call__(self, now: Callable[[], float], *, seed: int) -> Board: ...


class NoSimulatedChipError(CompanionError):
    """The firmware was to be run in a simulated chip, and that is not here."""


def simulated_chip() -> BoardFactory:
    """The very firmware in a simulated ATmega2560: a tool for tests, which only a source tree has.

    Raises NoSimulatedChipError, which says what to install or where to be.
    """
    try:
        chip = importlib.import_module("tests.bridge.simavr.chip")
        board = importlib.import_module("tests.bridge.simavr.board")
    except ModuleNotFoundError as error:
        raise NoSimulatedChipError(
            "The simulated chip is a tool for tests and in no package: run this command in the source tree, in "
            "its own environment (`make test` sets it up)."
        ) from error
    if (reason := chip.missing()) is not None:
        raise NoSimulatedChipError(f"{reason[:1].upper()}{reason[1:]}.")
    return cast(BoardFactory, board.ChipBoard)


class Simulation:
    """A table with people at it. The code that watches it meets only its camera and its serial port.

    `now` is the clock that everything here runs by. `referee`: whose game goes on, None for a new one. `look`:
    cloth, print, light and lens; None: a friendly oak table. `motors`: the cubes move by themselves. `sloppy`: people do
    all that people do beside playing. `sighted`: does a camera look on? `board`: what makes its controller.
    """

    def __init__(
        self,
        kit: Kit,
        players: int,
        seed: int,
        now: Callable[[], float],
        *,
        referee: Referee | None = None,
        illegal: float = 0.0,
        pace: Pace = BRISK,
        look: Look | None = None,
        motors: bool = False,
        board: BoardFactory = VirtualController,
        sloppy: bool = False,
        sighted: bool = True,
    ) -> None:
        self._now = now
        self._reeds: frozenset[int] | None = None
        self.controller: Board = board(now, seed=seed)
        company = Company(
            players,
            seed,
            now,
            lambda: self.controller.leds,
            referee,
            illegal,
            pace,
            look,
            self._carriages if motors else None,
            sloppy,
            sighted,
        )
        self.table: SimulatedTable = kit.simulate(company)

    def _carriages(self) -> list[float]:
        return [axis.position_um / 1000 for axis in self.controller.axes]

    @property
    def people(self) -> People:
        """Who plays, and how their game stands."""
        return self.table.people

    def follow(self, referee: Referee) -> None:
        """The people play the game as the referee has it from now on, a new one if it has not begun."""
        self.table.deal(referee.players, referee if referee.has_begun else None)

    def step(self) -> None:
        """The people act up to now, and the magnets under the pieces close their switches."""
        self.table.look()
        self.people.step(self._now())
        closed = self.table.closed_reeds()
        if closed != self._reeds:
            self._reeds = closed
            self.controller.set_reeds(closed)

    async def run(self) -> None:
        """Keeps the people acting until it is cancelled."""
        while True:
            self.step()
            await asyncio.sleep(TICK_S)

    def answer(
        self, choices: Sequence[Choice], asked: int | None = None, told: int | None = None
    ) -> str | None:
        """What the people answer when the seat `asked` is. `told`: how many turns they find on the page."""
        return self.people.answer(choices, asked, told)
