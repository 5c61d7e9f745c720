"""A table of Above for the page's tests: the test lays the pieces, and what is asked of the table is noted."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from playwright.async_api import Page

from companion.games.above.position import Position
from companion.web.app import create_app
from companion.web.hub import Command
from companion.web.phones import Phones
from tests.referee.tabletop import Tabletop, random_turn
from tests.room import Room
from tests.web.browser.house import Screen
from tests.web.conftest import CODE

OLD = Path(__file__).parents[2] / "data" / "journal" / "v1.db"


class Hall:
    """The open game of an old journal is offered, and nothing has been seen yet."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self._screen = screen
        self._folder = folder
        self.phones = Phones(CODE, clock=time.time, ticks=time.monotonic)
        self.asked: asyncio.Queue[Command] = asyncio.Queue()
        self.address = ""

    async def begin(self) -> Room:
        """The table with its page, which nobody has opened."""
        shutil.copy(OLD, self._folder / "j.db")
        self.room = Room(self._folder)
        self.room.open()
        await self._screen.keep(self._attended())
        self.address = await self._screen.serve(create_app(self.room.hub, self.phones))
        return self.room

    @contextlib.asynccontextmanager
    async def _attended(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._serve())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self.room.archive.close()
            self.room.book.close()

    async def _serve(self) -> None:
        while True:
            request = await self.room.hub.next_request()
            self.room.table.serve(request)
            self.asked.put_nowait(request.command)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        position: Position = self.room.table.referee.position  # type: ignore[attr-defined]
        return position

    def lay(self, **elsewhere: str | None) -> Tabletop:
        """The position of the game lies there, but for these miniatures."""
        top = Tabletop.of(self.position)
        top.minis.update(elsewhere)
        self.room.look(top, 5)
        return top

    def play(self) -> None:
        """Somebody plays a turn with hands alone."""
        for seed in range(20):
            _, after = random_turn(self.position, random.Random(seed))
            before = self.position
            self.room.look(Tabletop.of(after), 8)
            if self.position != before:
                return
        raise AssertionError("no turn was taken")

    async def open(self, where: str = "", **phone: Any) -> Page:
        """The page on a phone of its own, which is the host's: it was opened by the host's link."""
        return await self._screen.open(f"{self.address}/#host={CODE}{where}", **phone)

    async def next_asked(self) -> Command:
        """The next thing that was asked of the table."""
        async with asyncio.timeout(15):
            return await self.asked.get()
