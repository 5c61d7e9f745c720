"""A whole simulated table that plays in virtual time, as fast as this machine computes, behind a real page."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from companion.referee.journal_reader import JournalReader
from companion.referee.verdict import Choice, Kind
from companion.soak.game import Watch
from companion.tables.kit import Kit
from companion.tables.replay import JournalArchive
from companion.virtual.loop import VirtualTimeLoop
from companion.web.app import create_app
from companion.web.hub import Command, Hub, Outcome, Request
from companion.web.models import Snapshot
from companion.web.phones import Phones
from tests.table.running import Running, in_virtual_time, running
from tests.web.browser.house import Screen
from tests.web.conftest import CODE

# The people wait so long for the table, in its own time, before they look at the page.
PATIENCE_S = 2.0
FRAMES_PER_S = 10.0


@dataclass(frozen=True)
class Wanted:
    """An answer that the people at the table know, to be given on the page: the clock stands still until it is."""

    question: str
    choice: Choice


class Evening:
    """One table. The people play by themselves; whoever asks them something gets the answer from the page.

    The table has a thread and a loop of its own, in virtual time; its page lives in the browser's loop. What goes from
    one to the other is what goes over the hub.
    """

    def __init__(self, screen: Screen, folder: Path) -> None:
        self._screen = screen
        self._folder = folder
        self._wanted: Wanted | None = None
        self._ends = threading.Event()
        self._began = threading.Event()
        self._given = asyncio.Event()
        self.table: Running | None = None
        self.address = ""
        self.answered: list[str] = []

    async def begin(self, kit: Kit, players: int, seed: int, watch: Watch) -> None:
        """The table plays from now on, and its page is served."""
        self._kit, self._players, self._seed, self._watch = kit, players, seed, watch
        self._page_loop = asyncio.get_running_loop()
        self.hub = Hub()
        await self._screen.keep(self._playing())
        await asyncio.to_thread(self._began.wait, 10.0)
        archive = JournalArchive(JournalReader(self._folder / "journal.db", lasting=True))
        await self._screen.keep(_closed_after(archive))
        self.hub.archive = archive
        phones = Phones(CODE, clock=time.time, ticks=time.monotonic)
        self.address = await self._screen.serve(create_app(self.hub, phones))

    @contextlib.asynccontextmanager
    async def _playing(self) -> AsyncIterator[None]:
        self._playing_table = asyncio.create_task(asyncio.to_thread(in_virtual_time, self._evening))
        forwarding = asyncio.create_task(self._forward())
        try:
            yield
        finally:
            self._ends.set()
            self._wanted = None
            forwarding.cancel()
            await asyncio.gather(forwarding, return_exceptions=True)
            await self._playing_table

    async def open(self, **phone: Any) -> Page:
        """The page on the host's phone."""
        return await self._screen.open(f"{self.address}/#host={CODE}", **phone)

    async def play(self, page: Page, within_s: float = 50.0) -> None:
        """Lets the table play to the end; what it asks is answered on this page, with the button of that name."""
        async with asyncio.timeout(within_s):
            while self.hub.latest.verdict is None or self.hub.latest.verdict.kind != "over":
                wanted = self._wanted
                if wanted is not None:
                    await expect(page.locator("#verdict-text")).to_have_text(wanted.question)
                    await (
                        page.locator("#answers")
                        .get_by_role("button", name=wanted.choice.text, exact=True)
                        .click()
                    )
                    self.answered.append(wanted.choice.key)
                    await self._given.wait()
                    self._given.clear()
                if self._playing_table.done():
                    self._playing_table.result()
                await asyncio.sleep(0.02)

    async def ended(self) -> None:
        """The game is over and the table has said its last word."""
        await self._playing_table
        await asyncio.sleep(0.1)

    # -- from the page to the table

    async def _forward(self) -> None:
        while True:
            request = await self.hub.next_request()
            assert self.table is not None
            loop = self.table.loop
            loop.call_soon_threadsafe(self._carry_out, request.command, request)

    def _carry_out(self, command: Command, asked: Request) -> None:
        """In the table's thread."""
        assert self.table is not None
        outcome: asyncio.Future[Outcome] = self.table.loop.create_future()
        self.table.table.serve(Request(command, outcome))
        done = outcome.result()
        self._wanted = None
        self._page_loop.call_soon_threadsafe(self._given.set)
        self._page_loop.call_soon_threadsafe(asked.accept if done.accepted else asked.refuse, done.text)

    # -- from the table to the page

    async def _evening(self, loop: VirtualTimeLoop) -> None:
        async with running(
            self._kit,
            self._players,
            loop,
            self._folder,
            seed=self._seed,
            watch=self._watch,
            frames_per_s=FRAMES_PER_S,
        ) as self.table:
            self._began.set()
            loop.add_hold("a question on the page", lambda: self._wanted is not None)
            shown: Snapshot | None = None
            asked_since: float | None = None
            while not self._ends.is_set():
                for task in self.table.tasks:
                    if task.done():
                        task.result()
                latest = self.table.hub.latest
                if latest != shown:
                    shown = latest
                    self._page_loop.call_soon_threadsafe(self.hub.publish, latest)
                asked_since = self._ask_on_the_page(asked_since, loop.time())
                if self.table.simulation.people.finished:
                    return
                await asyncio.sleep(0.1)

    def _ask_on_the_page(self, since: float | None, now: float) -> float | None:
        """Since when the table has waited for an answer; after a while the people look for it on the page."""
        assert self.table is not None
        verdict, people = self.table.table.verdict, self.table.simulation.people
        if not verdict.choices or not people.hands_away or verdict.kind is Kind.COMPLETE:
            return None
        if since is None:
            return now
        if now - since > PATIENCE_S:
            key = self.table.simulation.answer(verdict.choices)
            choice = next((each for each in verdict.choices if each.key == key), None)
            if choice is not None:
                self._wanted = Wanted(verdict.text, choice)
            return None
        return since


@contextlib.asynccontextmanager
async def _closed_after(archive: JournalArchive) -> AsyncIterator[None]:
    with contextlib.closing(archive):
        yield
