"""A table with its journal and its page, for tests, and a clock that moves with every look."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games.above.position import Position
from companion.referee.journal_reader import JournalError, JournalReader
from companion.referee.referee import Referee
from companion.sensing.frames import CameraAbsent, Frame
from companion.service import TableService
from companion.tables.above.book import AboveBook
from companion.tables.above.kit import AboveKit
from companion.tables.replay import JournalArchive
from companion.web.hub import (
    Command,
    Hub,
    Outcome,
    Request,
)
from companion.web.models import Snapshot
from tests.referee.keeping import journal_at, play_some
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import Notes


class NoCamera:
    """A camera that is not there."""

    name = "none"
    simulated = False
    notice = ""

    def open(self) -> None:
        raise CameraAbsent("No camera is plugged in.")

    def read(self, timeout_s: float) -> Frame:
        raise CameraAbsent("No camera is plugged in.")

    def close(self) -> None: ...


class FullDisk(Notes):
    """A ledger that cannot be written while `full`."""

    full = True

    def turn(self, actions: Sequence[Any]) -> None:
        if self.full:
            raise JournalError("The journal j.db cannot be written (disk full).")
        super().turn(actions)


@dataclass
class Room:
    """A table with its journal, its page, and a clock that moves with every look."""

    folder: Path
    dealt: list[Referee] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.book = AboveBook(journal_at(self.folder / "j.db"))
        self.archive = JournalArchive(
            JournalReader(self.folder / "j.db", lasting=True), lambda: self.book.current
        )
        self.hub = Hub(archive=self.archive)

    def open(self, referee: Referee | None = None) -> TableService:
        kit = AboveKit()
        self.table = TableService(
            kit,
            referee or self.book.resume() or self.book.referee(2),
            NoCamera(),
            kit.eyes(),
            None,
            self.hub,
            frames_per_s=15.0,
            book=self.book,
            on_game=self.dealt.append,  # type: ignore[arg-type]
        )
        return self.table

    def look(self, top: Tabletop, times: int = 3) -> Snapshot:
        for _ in range(times):
            self.now += 0.2
            self.table.take_reading(top.reading(self.now))
        return self.hub.latest

    def ask(self, command: Command) -> Outcome:
        """What the table makes of a request."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        request = Request(command, outcome)
        self.table.serve(request)
        return outcome.result()


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_run(test), 20))


async def _run(test: Callable[[], Awaitable[None]]) -> None:
    await test()


def begun(room: Room, turns: int = 0) -> tuple[TableService, Position]:
    """A table at which a game has been resumed and its position lies."""
    journal = journal_at(room.folder / "j.db")
    _, position = play_some(journal, turns)
    journal.close()
    table = room.open()
    room.look(Tabletop.of(position))
    return table, position
