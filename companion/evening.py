"""An evening at one table: opens what the settings name, runs it with page and terminal, closes it all."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Literal, cast

from fastapi import FastAPI
from rich.console import Console
from rich.live import Live

from companion.devices import Devices, choose_devices, night_of, refuse_unusable
from companion.errors import CompanionError
from companion.kept import CODE_FILE
from companion.lens import eyes_for
from companion.memory import give_back, let_start_go
from companion.messages import bare, say
from companion.notify import Manager, report
from companion.preflight import RunningPreflight
from companion.recording.lines import Head
from companion.recording.recorder import FOLDER, Recorder
from companion.referee.journal_reader import JournalError
from companion.referee.verdict import Kind, Verdict
from companion.service import TableService
from companion.settings import Settings
from companion.signals.speech.voice import Voice
from companion.simulation import Simulation
from companion.tables.kit import Book, Kit, Referee
from companion.tables.replay import JournalArchive
from companion.terminal import print_news, table_view
from companion.web.access import new_code
from companion.web.addresses import address_of, page_addresses, qr_for_terminal
from companion.web.app import create_app
from companion.web.hub import Hub, Seen
from companion.web.language import LANGUAGE, said
from companion.web.models import Snapshot
from companion.web.phone_file import read_phones, write_phones
from companion.web.phones import Phone, Phones
from companion.web.practice import Practice
from companion.web.preflight import Preflight
from companion.web.server import bind, serve
from companion.wiring import fit, join
from firmware_bridge.controller import Controller

log = logging.getLogger(__name__)

# The simulated table: how long a finished game is looked at, and how long people wait before they answer.
NEXT_GAME_S = 20.0
ANSWER_S = 6.0
CODE_DIGITS = 6
SWEEP_S = 10.0
# After so many sweeps everything has been done once.
STARTED_SWEEPS = 3
# How often the pages see a simulated table's pieces move.
PRACTICE_S = 0.15


class Evening:
    """One run of `companion play`."""

    def __init__(
        self,
        kit: Kit,
        settings: Settings,
        *,
        new: bool = False,
        games: int = 0,
        manager: Manager | None = None,
    ) -> None:
        self._kit = kit
        self._settings = settings
        self._new = new
        self._games = games
        self._console = Console()
        self._code_file = settings.journal.parent / CODE_FILE
        self._code = _table_code(self._code_file)
        self._played = 0
        self._manager = manager or Manager.found()

    async def run(self) -> None:
        """Runs until it is cancelled, or the wished number of simulated games is over.

        Raises the CompanionError of whatever part cannot go on.
        """
        try:
            await self._run()
        except BaseExceptionGroup as group:
            told = _first(group)
            if told is not None:
                raise told from None
            raise

    async def _run(self) -> None:
        settings = self._settings
        listener = bind(settings.host, settings.port)
        with contextlib.ExitStack() as open_things:
            open_things.callback(listener.close)
            book = self._kit.book(settings.journal, time.time, unattended=self._manager.is_there)
            open_things.callback(book.close)
            referee = None if self._new else _going_on(book)
            resumed = book.current
            if referee is None:
                resumed, referee = None, book.referee(settings.players, settings.names)
            devices = choose_devices(self._kit, settings, referee)
            refuse_unusable(devices)
            archive = JournalArchive(book.looking, lambda: book.current)
            open_things.callback(archive.close)
            hub = Hub(
                record=book.record, archive=archive, addresses=page_addresses(settings.host, settings.port)
            )
            practice = None if devices.simulation is None else devices.simulation.table.practice
            recording = self._recorder(book, referee, resumed, open_things)
            controller = self._open_controller(devices, open_things)
            table = TableService(
                self._kit,
                referee,
                devices.camera,
                eyes_for(self._kit, devices.camera, devices.profile.camera, devices.rings),
                controller,
                hub,
                frames_per_s=settings.frames_per_s,
                book=book,
                on_verdict=_logged,
                on_game=None if devices.simulation is None else devices.simulation.follow,
                fittings=fit(
                    controller,
                    motors=settings.motors,
                    simulated=devices.simulation is not None,
                    panel=devices.panel,
                    night=night_of(settings),
                    budget_ma=settings.led_budget_ma,
                    voice=None if settings.speech == "none" else Voice(settings.language),
                ),
                budget_ma=settings.led_budget_ma,
                recording=recording,
            )
            if controller is not None:
                join(
                    controller,
                    table,
                    simulated=devices.simulation is not None,
                    wired=devices.profile.reeds,
                )
            examined = RunningPreflight(table, devices.profile, devices.camera, controller)
            app = self._page(hub, practice, examined.run)
            async with asyncio.TaskGroup() as tasks:
                running = [
                    tasks.create_task(serve(app, settings.host, settings.port, listener=listener)),
                    tasks.create_task(table.run()),
                    tasks.create_task(self._show(hub)),
                    tasks.create_task(_sweep()),
                    tasks.create_task(report(self._manager, table.standstill, lambda: table.status)),
                ]
                if devices.simulation is not None:
                    running.append(tasks.create_task(devices.simulation.run()))
                    if practice is not None:
                        running.append(tasks.create_task(_show_practice(hub, practice)))
                    await self._follow(table, devices.simulation)
                    for task in running:
                        task.cancel()

    def _recorder(
        self, book: Book, referee: Referee, resumed: int | None, open_things: contextlib.ExitStack
    ) -> Recorder | None:
        """What keeps this sitting for a report, beside the games; None where nobody wants it."""
        if not self._settings.record:
            return None
        lengths = book.journal.lengths()
        head = Head(
            version("olympus-companion"),
            cast(Literal["above", "olympeak"], self._kit.name),
            referee.players,
            referee.names,
            resumed,
            {game.id: lengths.get(game.id, 0) for game in book.journal.games()},
        )
        recorder = Recorder(self._settings.journal.parent / FOLDER, head, time.monotonic)
        open_things.callback(recorder.close)
        return recorder

    def _page(self, hub: Hub, practice: Practice | None, preflight: Preflight) -> FastAPI:
        """The page of this table; who has joined is known again after a power cut."""
        kept = self._settings.journal.parent / "phones.json"
        phones = Phones(self._code, clock=time.time, ticks=time.monotonic, known=read_phones(kept))

        def keep(joined: Iterable[Phone]) -> None:
            write_phones(kept, joined)

        hosts = self._settings.allowed_hosts
        return create_app(hub, phones, hosts, keep=keep, practice=practice, preflight=preflight)

    def _open_controller(self, devices: Devices, open_things: contextlib.ExitStack) -> Controller | None:
        if devices.simulation is not None:
            open_things.enter_context(devices.simulation.controller)
        if devices.port is None:
            return None
        return open_things.enter_context(Controller(devices.port))

    async def _follow(self, table: TableService, simulation: Simulation) -> None:
        """The simulated people answer questions, mind a turn taken back, and begin the next game."""
        asked_since: float | None = None
        while True:
            await asyncio.sleep(0.5)
            referee = table.referee
            now = time.monotonic()
            if referee.verdict.kind is Kind.OVER:
                self._played += 1
                if self._played == self._games:
                    await asyncio.sleep(1.0)
                    return
                await asyncio.sleep(NEXT_GAME_S)
                if table.referee is referee:
                    table.new_game(referee.players, referee.names)
                continue
            if not simulation.table.plays_on_from(referee):
                simulation.table.deal(referee.players, referee)
            if not referee.verdict.choices or not simulation.people.hands_away or table.paused:
                asked_since = None
            elif asked_since is None:
                asked_since = now
            elif now - asked_since > ANSWER_S and referee.verdict.kind is not Kind.COMPLETE:
                key = simulation.answer(referee.verdict.choices, referee.verdict.seat)
                if key is not None:
                    table.answer(key)
                asked_since = None

    # -- the terminal

    async def _show(self, hub: Hub) -> None:
        here = address_of(self._settings.host, self._settings.port)
        place = hub.addresses[0] if hub.addresses else here
        link = f"{place}/#host={self._code}"
        if hub.addresses and self._console.is_terminal:
            self._console.print(qr_for_terminal(link), markup=False, highlight=False)
        LANGUAGE.set(self._settings.language)
        footer = bare(said(say("terminal.footer", link=link)))
        if not self._console.is_terminal:
            if hub.addresses:
                # Whoever reads a log may not be the host; without addresses in the room only this machine is reached.
                footer = bare(said(say("terminal.footer_kept", link=place, file=str(self._code_file))))
            self._console.print(footer, markup=False, highlight=False, soft_wrap=True)
            await self._print_lines(hub)
            return
        seen = Seen()
        with Live(console=self._console, auto_refresh=False, screen=False) as live:
            while True:
                live.update(table_view(hub.latest, footer), refresh=True)
                hub.news(seen)
                await hub.changed(seen)
                await asyncio.sleep(0.1)

    async def _print_lines(self, hub: Hub) -> None:
        before: Snapshot | None = None
        seen = Seen()
        while True:
            now = hub.latest
            print_news(self._console, before, now)
            before = now
            hub.news(seen)
            await hub.changed(seen)
            await asyncio.sleep(0.05)


async def _show_practice(hub: Hub, practice: Practice) -> None:
    """The pieces of the simulated table for the pages that are open."""
    while True:
        if hub.readers:
            hub.publish_practice(practice.view())
        await asyncio.sleep(PRACTICE_S)


def _going_on(book: Book) -> Referee | None:
    """The referee of the game that was open, None if none was or if it cannot be read.

    A table that starts by itself has nobody who would move a file aside: one damaged game is no reason to stay dark.
    """
    try:
        return book.resume()
    except JournalError as error:
        log.error("%s", error)
        log.error(
            "The table begins another game. The damaged one stays as it lies: companion bundle collects it."
        )
        return None


def _logged(verdict: Verdict) -> None:
    log.info("%s: %s", verdict.kind.value, verdict.text)


async def _sweep() -> None:
    """Gives memory back that lies idle, for as long as the evening lasts."""
    for sweep in itertools.count(1):
        await asyncio.sleep(SWEEP_S)
        await asyncio.to_thread(give_back)
        if sweep == STARTED_SWEEPS:
            await asyncio.to_thread(let_start_go)


def _first(group: BaseExceptionGroup[BaseException]) -> CompanionError | None:
    """The first error that can be told to a person, however deep it lies."""
    for error in group.exceptions:
        told = _first(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(told, CompanionError):
            return told
    return None


def _table_code(path: Path) -> str:
    """The table's code: the same every evening, so that phones in the room need it once.

    Kept beside the journal, readable by its owner alone; a file that cannot be kept only means a new code.
    """
    with contextlib.suppress(OSError, UnicodeDecodeError):
        known = path.read_text(encoding="ascii").strip()
        if len(known) == CODE_DIGITS and known.isdigit():
            return known
    code = new_code()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{code}\n")
    return code
