"""Endurance: day after day at one table, while everything goes wrong that does go wrong in the field.

Cameras and cables are pulled, pictures stand still or stay black, arms rest over the board, switches fail, bytes are
lost and changed, the board restarts in the middle of a message, the disk is full, the clock is put forward and
back, phones come and go, and the program is killed: the next one finds nothing but the files as they lay that
very moment. Nothing wrong may be announced, nothing announced may be lost, and nothing may be left behind.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.referee.journal_reader import Fact, JournalReader
from companion.sensing.frames import FrameSource
from companion.sensing.sources.watched import WatchedCamera
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak.game import Watch, soak_game, watch_by_sight
from companion.soak.leaks import Leaks, resident_bytes
from companion.soak.phone import phone
from companion.soak.plan import SoakPlan
from companion.soak.report import SoakReport
from companion.soak.trouble import Trouble
from companion.soak.unreliable import UnreliableCamera, UnreliableEyes
from companion.tables.kit import Book, Eyes, Kit
from companion.virtual.arm import BRISK
from firmware_bridge.controller import Controller
from firmware_bridge.events import Timing
from firmware_bridge.link import LinkTiming

FRAMES_PER_S = 5.0
# Over a turn people think so long (s), as they do who have the whole day: most of it a table lies still.
LEISURELY = replace(BRISK, think_s=(2.0, 60.0))
CLIENTS = 8
CLOCK_STEP_S = 6 * 3600.0
# A program is killed after so many turns.
TURNS = (3, 14)
# So many programs read their pictures in a thread; the others, which take less of it, have all of the processor.
THREADED = 8
# Memory is looked at so often; what the first looks find is caches that fill.
LOOKS = 24
WARM_LOOKS = 3
GROWTH_BYTES = 5 * 10**6
# People who are shown no light for long would give up: a board that has been away is found in no time.
_SWIFT = Timing(beacon_s=0.03, connect_s=0.03)
SWIFT = LinkTiming(session=_SWIFT, retry_s=0.03, retry_max_s=0.03)


@dataclass
class EnduranceReport:
    """`hours`: simulated; `runs`: how often the program was started; `lost`: facts that were announced and are not kept.

    `memory_bytes`: resident, at `LOOKS` moments of the same distance; `left`: threads, tasks and files that were left
    behind, by name.
    """

    soak: SoakReport = field(default_factory=SoakReport)
    hours: float = 0.0
    runs: int = 0
    lost: int = 0
    memory_bytes: list[int] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)

    @property
    def growth_bytes(self) -> int:
        """By how much the memory has grown since it was warm."""
        warm = self.memory_bytes[WARM_LOOKS:]
        return warm[-1] - warm[0] if warm else 0

    @property
    def is_flawless(self) -> bool:
        """Nothing wrong accepted or called illegal, nothing missed or lost, memory flat, nothing left behind."""
        left = self.left or self.soak.tasks_left
        flawed = self.lost or left or self.soak.incidents
        return self.soak.is_flawless and not flawed and self.growth_bytes < GROWTH_BYTES

    def as_json(self) -> dict[str, object]:
        """The report as it is printed."""
        return {
            "hours": round(self.hours, 3),
            "runs": self.runs,
            "lost": self.lost,
            "growth_bytes": self.growth_bytes,
            "memory_bytes": self.memory_bytes,
            "left": [*self.left, *self.soak.tasks_left],
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
    progress: Callable[[EnduranceReport], None] | None = None,
) -> EnduranceReport:
    """Plays for so many simulated hours. `progress` is shown the report after each start of the program."""
    report = EnduranceReport()
    leaks = Leaks()
    with tempfile.TemporaryDirectory(prefix="olympus-endurance-") as folder:
        journal = Path(folder) / "0" / "journal.db"
        while report.hours < hours:
            # Of its own for each start and each thing: when threads get their turn shifts nothing.
            name = f"endurance {seed} {report.runs}"
            rng, run = random.Random(name), _Run(kit, name, report, journal)
            plan = SoakPlan(
                players,
                rng.randrange(2**31),
                illegal=0.1,
                sloppy=rng.random() < 0.5,
                turns=rng.randint(*TURNS),
                pace=LEISURELY,
            )
            soak_game(
                kit,
                plan,
                report.soak,
                watch=run.watch(watch),
                journal=journal,
                wall_clock=run.wall_clock,
                beside=run.beside,
                frames_per_s=FRAMES_PER_S,
                timing=SWIFT,
                threads=report.runs % THREADED == 0,
            )
            report.runs += 1
            report.hours += run.seconds / 3600
            journal = run.killed(Path(folder) / str(report.runs))
            report.left += leaks.found()
            if report.hours >= hours * len(report.memory_bytes) / LOOKS:
                report.memory_bytes.append(resident_bytes())
            if progress is not None:
                progress(report)
    return report


def _facts_of(journal: JournalReader) -> dict[int, list[Fact]]:
    return {game: list(journal.facts(game)) for game in journal.lengths()}


class _Run:
    """One start of the program, up to its being killed."""

    def __init__(self, kit: Kit, name: str, report: EnduranceReport, journal: Path) -> None:
        self.seconds = 0.0
        self._kit = kit
        self._name = name
        self._clock_rng = random.Random(f"{name} clock")
        self._report = report
        self._journal = journal
        self._camera: UnreliableCamera | None = None
        self._clock_s = 1_700_000_000.0
        self._image: Path | None = None
        self._announced: tuple[Hashable, ...] = ()
        # If facts waited for room on the disk when it was killed: all facts by game, and how many were on the disk.
        self._facts: dict[int, list[Fact]] | None = None
        self._written = 0

    def wall_clock(self) -> float:
        """A wall clock that somebody puts forward and back all the time."""
        if self._clock_rng.random() < 0.1:
            self._report.troubles["clock_step"] += 1
            self._clock_s += self._clock_rng.choice((CLOCK_STEP_S, -CLOCK_STEP_S))
        self._clock_s += 1.0
        return self._clock_s

    def watch(self, usual: Watch) -> Watch:
        """The usual camera and eyes, on a cable that may be pulled."""

        def unreliable(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
            camera, eyes = usual(kit, simulation)
            self._camera = UnreliableCamera(camera)
            return WatchedCamera(self._camera), UnreliableEyes(eyes)

        return unreliable

    async def beside(
        self, table: TableService, simulation: Simulation, book: Book, controller: Controller
    ) -> None:
        """Everything that goes wrong, and whoever looks on; when it is cancelled the program is killed."""
        loop = asyncio.get_running_loop()
        assert self._camera is not None
        trouble = Trouble(
            self._name,
            self._report.troubles,
            self._report.soak.incidents,
            table,
            simulation,
            self._camera,
            book,
            controller,
        )
        others = [
            *(phone(table.hub, self._name, f"10.0.0.{number}") for number in range(CLIENTS)),
            *trouble.makers(),
        ]
        try:
            async with asyncio.TaskGroup() as tasks:
                for other in others:
                    tasks.create_task(other)
        finally:
            self.seconds = loop.time()
            # What was announced up to now is what the people have seen; the files are copied as they lie.
            # Of what waits for room on a full disk they have seen that a power cut would lose it.
            self._announced = self._kit.accepted(table.referee)
            if book.waiting:
                self._facts = _facts_of(book.journal)
                self._written = sum(book.journal.lengths().values()) - book.waiting
            self._image = self._journal.with_name("killed")
            shutil.copytree(self._journal.parent, self._image, ignore=shutil.ignore_patterns("killed"))

    def killed(self, folder: Path) -> Path:
        """The journal of the next run: the files as they lay when this one was killed. What is lost is counted."""
        assert self._image is not None
        shutil.move(self._image, folder)
        shutil.rmtree(self._journal.parent)
        journal = folder / self._journal.name
        with closing(self._kit.book(journal, self.wall_clock)) as book:
            found = book.resume()
            if self._facts is not None:
                # Of what waited as much as is there has to be what came first; what was on the disk is all there.
                games = _facts_of(book.journal)
                wrong = any(facts != self._facts.get(game, [])[: len(facts)] for game, facts in games.items())
                self._report.lost += wrong or sum(map(len, games.values())) < self._written
                return journal
            # A game that is over does not go on; then all of it is in the list of games.
            if found is not None:
                kept = self._kit.accepted(found)
                if kept[: len(self._announced)] != self._announced:
                    self._report.lost += 1
        return journal
