"""Endurance: day after day at one table, while everything goes wrong that does go wrong in the field.

Cameras and cables are pulled, pictures stand still, the board restarts in the middle of a message, the disk is full, the
clock is put forward and back, phones come and go, and the program is killed: the next one finds nothing but the
files as they lay that very moment. Nothing wrong may be announced and nothing announced may be lost.
"""

from __future__ import annotations

import asyncio
import gc
import random
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.memory import give_back
from companion.referee.journal import Journal
from companion.sensing.frames import CameraAbsent, Frame, FrameSource
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak.game import Watch, soak_game, watch_by_sight
from companion.soak.plan import SoakPlan
from companion.soak.report import SoakReport
from companion.tables.kit import Book, Eyes, Kit
from companion.web.hub import Hub, Seen
from firmware_bridge.controller import Controller
from firmware_bridge.faults import Fault as WireFault
from firmware_bridge.virtual_controller import VirtualController

FRAMES_PER_S = 5.0
CLIENTS = 8
# What goes wrong comes so often, and lasts so long (s of table time).
EVERY_S = (4.0, 30.0)
LASTS_S = (0.5, 8.0)
# A camera's driver that hands out the same picture is found out after so long.
STALE_S = 3.0
CLOCK_STEP_S = 6 * 3600.0
# A program is killed after so many turns.
TURNS = (3, 14)
# The first runs fill caches; growth is counted from there.
WARM_RUNS = 4
GROWTH_BYTES = 5 * 10**6
PAGE_BYTES = 4096
# A board that was plugged in again is found within so long (real seconds).
RECONNECT_S = 20.0


@dataclass
class EnduranceReport:
    """`hours`: simulated; `runs`: how often the program was started; `lost`: facts that were announced and are not kept.

    `growth_bytes`: of the memory since the first runs; `left`: threads and tasks that were left behind.
    """

    soak: SoakReport = field(default_factory=SoakReport)
    hours: float = 0.0
    runs: int = 0
    lost: int = 0
    growth_bytes: int = 0
    left: list[str] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)

    @property
    def is_flawless(self) -> bool:
        """Nothing wrong accepted or called illegal, nothing lost, memory flat, nothing left behind."""
        soak = self.soak
        wrong = soak.wrong_accepted or soak.false_alarms or self.lost or self.left
        return not wrong and self.growth_bytes < GROWTH_BYTES

    def as_json(self) -> dict[str, object]:
        """The report as it is printed."""
        return {
            "hours": round(self.hours, 3),
            "runs": self.runs,
            "lost": self.lost,
            "growth_bytes": self.growth_bytes,
            "left": self.left,
            "troubles": dict(sorted(self.troubles.items())),
            **self.soak.as_json(),
        }


def endure(
    kit: Kit,
    players: int,
    seed: int,
    hours: float,
    *,
    watch: Watch = watch_by_sight,
    progress: Callable[[float], None] | None = None,
) -> EnduranceReport:
    """Plays for so many simulated hours. `progress` is told how many have passed."""
    report = EnduranceReport()
    rng = random.Random(f"endurance {seed}")
    threads = set(threading.enumerate())
    start = 0
    with tempfile.TemporaryDirectory(prefix="olympus-endurance-") as folder:
        journal = Path(folder) / "0" / "journal.db"
        while report.hours < hours:
            run = _Run(kit, rng, report, journal)
            plan = SoakPlan(players, rng.randrange(2**31), illegal=0.1, turns=rng.randint(*TURNS))
            soak_game(
                kit,
                plan,
                report.soak,
                watch=run.watch(watch),
                journal=journal,
                wall_clock=run.wall_clock,
                beside=run.beside,
                frames_per_s=FRAMES_PER_S,
            )
            report.runs += 1
            report.hours += run.seconds / 3600
            journal = run.killed(Path(folder) / str(report.runs))
            report.left += _left(threads)
            if report.runs == WARM_RUNS:
                start = _resident_bytes()
            if progress is not None:
                progress(report.hours)
        if report.runs > WARM_RUNS:
            report.growth_bytes = _resident_bytes() - start
    return report


def _left(before: set[threading.Thread]) -> list[str]:
    """The threads that were left behind. One that still waits for a board may do so to its end."""
    new = [thread for thread in threading.enumerate() if thread not in before]
    for thread in new:
        thread.join(RECONNECT_S)
    return [thread.name for thread in new if thread.is_alive()]


class _Run:
    """One start of the program, up to its being killed."""

    def __init__(self, kit: Kit, rng: random.Random, report: EnduranceReport, journal: Path) -> None:
        self.seconds = 0.0
        self._kit = kit
        self._rng = rng
        self._report = report
        self._journal = journal
        self._camera: UnreliableCamera | None = None
        self._clock_s = 1_700_000_000.0
        self._image: Path | None = None
        self._announced: tuple[Hashable, ...] = ()

    def wall_clock(self) -> float:
        """A wall clock that somebody puts forward and back all the time."""
        if self._rng.random() < 0.1:
            self._report.troubles["clock_step"] += 1
            self._clock_s += self._rng.choice((CLOCK_STEP_S, -CLOCK_STEP_S))
        self._clock_s += 1.0
        return self._clock_s

    def watch(self, usual: Watch) -> Watch:
        """The usual camera and eyes, on a cable that may be pulled."""

        def unreliable(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
            camera, eyes = usual(kit, simulation)
            self._camera = UnreliableCamera(camera)
            return self._camera, UnreliableEyes(eyes, self._camera)

        return unreliable

    async def beside(
        self, table: TableService, simulation: Simulation, book: Book, controller: Controller
    ) -> None:
        """Everything that goes wrong, and whoever looks on; when it is cancelled the program is killed."""
        loop = asyncio.get_running_loop()
        clients = [asyncio.create_task(_client(table.hub, self._rng), name="client") for _ in range(CLIENTS)]
        try:
            while True:
                await asyncio.sleep(self._rng.uniform(*EVERY_S))
                await self._trouble(simulation, book, controller)
        finally:
            self.seconds = loop.time()
            # What was announced up to now is what the people have seen; the files are copied as they lie.
            self._announced = self._kit.accepted(table.referee)
            self._image = self._journal.with_name("killed")
            shutil.copytree(self._journal.parent, self._image, ignore=shutil.ignore_patterns("killed"))
            for client in clients:
                client.cancel()
            await asyncio.gather(*clients, return_exceptions=True)

    async def _trouble(self, simulation: Simulation, book: Book, controller: Controller) -> None:
        camera, board = self._camera, simulation.controller
        assert camera is not None and isinstance(board, VirtualController)
        assert isinstance(book.journal, Journal)
        kinds = ("camera_gone", "frame_stale", "unplug", "unplug_midframe", "reset_midframe", "disk_full")
        kind = self._rng.choice(kinds)
        self._report.troubles[kind] += 1
        lasts = self._rng.uniform(*LASTS_S)
        match kind:
            case "camera_gone":
                camera.gone = True
                await asyncio.sleep(lasts)
                camera.gone = False
            case "frame_stale":
                camera.stale = True
                await asyncio.sleep(lasts)
                camera.stale = False
            case "disk_full":
                size = self._journal.stat().st_size
                book.journal.bound(size)
                await asyncio.sleep(lasts)
                book.journal.bound(None)
            case _:
                fault = WireFault(kind)
                board.inject(fault)
                await asyncio.sleep(lasts)
                board.clear(fault)
                # The link finds its board again by the real clock; the table's stands still meanwhile, since people
                # who are shown no light for minutes would give up.
                await asyncio.get_running_loop().run_in_executor(None, controller.wait_ready, RECONNECT_S)

    def killed(self, folder: Path) -> Path:
        """The journal of the next run: the files as they lay when this one was killed. What is lost is counted."""
        assert self._image is not None
        shutil.move(self._image, folder)
        shutil.rmtree(self._journal.parent)
        journal = folder / self._journal.name
        with closing(self._kit.book(journal, self.wall_clock)) as book:
            found = book.resume()
            # A game that is over does not go on; then all of it is in the list of games.
            if found is not None:
                kept = self._kit.accepted(found)
                if kept[: len(self._announced)] != self._announced:
                    self._report.lost += 1
        return journal


class UnreliableCamera:
    """A camera whose cable is pulled (`gone`), or whose driver hands out an old picture (`stale`)."""

    simulated = True
    notice = ""

    def __init__(self, camera: FrameSource) -> None:
        self._camera = camera
        self.name = camera.name
        self.gone = False
        self.stale = False
        self._stale_since: float | None = None

    def open(self) -> None:
        """Opens the camera, if it is plugged in."""
        if self.gone:
            raise CameraAbsent(f"{self.name} is not connected; plug it in.")
        self._stale_since = None
        self._camera.open()

    def read(self, timeout_s: float) -> Frame:
        """The next picture."""
        if self.gone:
            raise CameraAbsent(f"{self.name} is gone; plug it in again.")
        frame = self._camera.read(timeout_s)
        if not self.stale:
            self._stale_since = None
        elif self._stale_since is None:
            self._stale_since = frame.exposed_at
        elif frame.exposed_at - self._stale_since > STALE_S:
            raise CameraAbsent(f"{self.name} is frozen; it is started anew.")
        return frame

    def close(self) -> None:
        """Closes the camera."""
        self._camera.close()


class UnreliableEyes:
    """Eyes that see the old picture as long as the camera hands it out."""

    def __init__(self, eyes: Eyes, camera: UnreliableCamera) -> None:
        self._eyes = eyes
        self._camera = camera
        self._last: Any = None

    def process(self, frame: Frame) -> Any:
        """The reading of a frame."""
        if self._camera.stale and self._last is not None:
            return replace(self._last, exposed_at=frame.exposed_at)
        self._last = self._eyes.process(frame)
        return self._last


async def _client(hub: Hub, rng: random.Random) -> None:
    """A phone: reads what is new, sometimes slowly, sometimes goes and comes back."""
    while True:
        seen = Seen()
        for _ in range(rng.randint(5, 200)):
            hub.news(seen)
            await asyncio.sleep(rng.choice((0.1, 0.1, 1.0, 5.0)))


def _resident_bytes() -> int:
    gc.collect()
    give_back()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
