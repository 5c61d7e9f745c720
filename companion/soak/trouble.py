"""What goes wrong at a table that runs for days: devices, cables, switches, the disk; each for a while."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from companion.referee.journal import Journal
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak.lockstep import until_ready
from companion.soak.unreliable import UnreliableCamera
from companion.tables.kit import Book
from companion.virtual.faults import Fault
from firmware_bridge.controller import Controller
from firmware_bridge.errors import ControllerTimeoutError
from firmware_bridge.faults import Fault as WireFault
from firmware_bridge.protocol import ResetCause
from firmware_bridge.virtual_controller import VirtualController

# What goes wrong comes so often, and lasts so long (s of table time).
EVERY_S = (4.0, 30.0)
LASTS_S = (0.5, 8.0)
# A board that was plugged in again is found within so long (s of table time).
RECONNECT_S = 20.0
# Of the bytes on a bad cable so many are spoilt.
SPOILT = 0.003

CAMERA = ("camera_gone", "camera_busy", "frame_stale", "frame_black", "frames_late", "hand_lingers")
CUTS = (WireFault.UNPLUG, WireFault.UNPLUG_MIDFRAME, WireFault.RESET_MIDFRAME)
NOISE = (WireFault.DROP_BYTES, WireFault.CORRUPT_BYTES, WireFault.DOUBLE_BYTES, WireFault.NOISE)
SWITCHES = (Fault.REED_STUCK, Fault.REED_OPEN, Fault.REED_WEAK, Fault.REED_DEAD)
OTHERS = (*CUTS, *NOISE, *SWITCHES, "link_silent", "reset", "disk_full")

KindT = TypeVar("KindT", bound=str | Fault | WireFault)


class Trouble:
    """Makes trouble at one table; each is counted in `troubles` by name.

    `incidents`: what the table did not get over is written there.
    """

    def __init__(
        self,
        seed: str,
        troubles: Counter[str],
        incidents: list[str],
        table: TableService,
        simulation: Simulation,
        camera: UnreliableCamera,
        book: Book,
        controller: Controller,
    ) -> None:
        assert isinstance(simulation.controller, VirtualController) and isinstance(book.journal, Journal)
        self._seed = seed
        self._troubles = troubles
        self._incidents = incidents
        self._table = table
        self._set_fault = simulation.table.set_fault
        self._board = simulation.controller
        self._camera = camera
        self._journal = book.journal
        self._controller = controller

    def makers(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """What makes trouble until it is cancelled: of the camera, and of all else, at the same time."""
        return (
            self._make(random.Random(f"{self._seed} camera"), CAMERA, self._of_camera),
            self._make(random.Random(f"{self._seed} others"), OTHERS, self._of_others),
        )

    async def _make(
        self,
        rng: random.Random,
        kinds: Sequence[KindT],
        make: Callable[[KindT, float], Coroutine[Any, Any, None]],
    ) -> None:
        while True:
            await asyncio.sleep(rng.uniform(*EVERY_S))
            kind = rng.choice(kinds)
            self._troubles[kind if isinstance(kind, str) else kind.value] += 1
            await make(kind, rng.uniform(*LASTS_S))

    async def _of_camera(self, kind: str, lasts: float) -> None:
        camera, table = self._camera, self._table
        match kind:
            case "camera_gone":
                camera.gone = True
                await asyncio.sleep(lasts)
                camera.gone = False
            case "camera_busy":
                # Pulled, and held by somebody else when it is plugged in again.
                camera.gone = camera.busy = True
                await asyncio.sleep(lasts / 2)
                camera.gone = False
                await asyncio.sleep(lasts / 2)
                camera.busy = False
            case "frame_stale":
                camera.stale = True
                await asyncio.sleep(lasts)
                camera.stale = False
            case "frames_late":
                table.late_s = lasts / 4
                await asyncio.sleep(lasts)
            case _:
                await self._with_fault(Fault(kind), lasts)

    async def _with_fault(self, fault: Fault, lasts: float) -> None:
        self._set_fault(fault, True)
        await asyncio.sleep(lasts)
        self._set_fault(fault, False)

    async def _of_others(self, kind: str | Fault | WireFault, lasts: float) -> None:
        board = self._board
        match kind:
            case "disk_full":
                self._journal.bound(self._journal.path.stat().st_size)
                await asyncio.sleep(lasts)
                self._journal.bound(None)
            case "reset":
                board.reset(ResetCause.BROWN_OUT)
                await self._find_again()
            case "link_silent":
                board.inject(WireFault.LINK_SILENT)
                await asyncio.sleep(lasts)
                board.clear(WireFault.LINK_SILENT)
                await self._find_again()
            case Fault():
                await self._with_fault(kind, lasts)
            case WireFault():
                board.inject(kind, rate=SPOILT)
                await asyncio.sleep(lasts)
                board.clear(kind)
                await self._find_again()

    async def _find_again(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await until_ready(self._controller, RECONNECT_S)
        except ControllerTimeoutError as error:
            self._incidents.append(
                f"{self._seed}, {loop.time():.1f} s: the board is not found again: {error}"
            )
