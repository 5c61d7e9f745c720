"""A session with everything that shows it: terminal or lines, the page, and the profile that keeps what was measured."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from calibration.bench import Bench
from calibration.course import Course
from calibration.devices import NONE, SIMULATED, Devices, open_devices
from calibration.evidence import Evidence, keep
from calibration.fronts.lines import JsonFront, LinesFront
from calibration.fronts.terminal import TerminalFront
from calibration.page.app import create_page
from calibration.page.board import NoticeBoard
from calibration.profile import TableProfile, load_profile, save_profile
from calibration.profile_file import check_writable
from calibration.session import Key, Session, View
from calibration.step import Step
from companion.errors import CompanionError
from companion.sensing.frames import Frame
from companion.web.access import new_code
from companion.web.addresses import address_of, page_addresses
from companion.web.server import bind, serve

DEFAULT_FILE = Path("table.toml")


class NobodyToAsk(CompanionError):
    """A session that nobody can press a key in. The message says what to type instead."""


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """How a live session is run. `host` None: without a page.

    `built`: a simulated board is put together already, as crooked as people do. `blind`: no camera is used. `go_on`:
    the command that goes on after a stop; `then`: what to do when all is done.
    """

    file: Path = DEFAULT_FILE
    source: str | None = None
    controller: str | None = None
    host: str | None = "127.0.0.1"
    port: int = 8080
    yes: bool = False
    as_json: bool = False
    seed: int = 1
    built: bool = False
    blind: bool = False
    go_on: str = ""
    then: str = ""
    kept_in: Path | None = None


def run_live(steps: Sequence[Step] | Course, options: LiveOptions, write: Callable[[str], None]) -> bool:
    """Run steps live, from their beginning to their end; True when all were kept or skipped.

    `write` writes a line to standard output. Raises CompanionError.
    """
    profile = load_profile(options.file) if options.file.exists() else TableProfile(name=options.file.stem)
    if options.kept_in is None:
        check_writable(options.file)
    try:
        with open_devices(
            profile,
            options.source,
            options.controller,
            options.seed,
            built=options.built,
            blind=options.blind,
            refocus=_measures_lens(steps, profile),
        ) as devices:
            complete = _run(steps, profile, devices, options, write)
    except KeyboardInterrupt:
        # The devices are let go of by now, and what was kept was written when it was kept.
        complete = False
        _remark("")
    if not options.as_json:
        if complete and options.then and options.file.exists():
            _remark(options.then)
        elif not complete and options.go_on:
            kept = options.kept_in or options.file
            stands = f"What was kept stands in {kept}" if kept.exists() else "Nothing was kept"
            _remark(f"{stands}; go on with: {options.go_on}")
    return complete


def _measures_lens(steps: Sequence[Step] | Course, profile: TableProfile) -> bool:
    course = steps if isinstance(steps, Course) else Course(steps)
    return any(step.name == "camera" and course.due(step, profile) for step in course.steps)


def _remark(text: str) -> None:
    Console(stderr=True).print(text, highlight=False, markup=False, soft_wrap=True)


def _run(
    steps: Sequence[Step] | Course,
    profile: TableProfile,
    devices: Devices,
    options: LiveOptions,
    write: Callable[[str], None],
) -> bool:
    unattended = options.yes or options.as_json
    console = Console()
    if not unattended and options.host is None and not console.is_terminal:
        raise NobodyToAsk("Nobody can press a key here; type --yes to go on without questions.")

    if options.controller not in (None, SIMULATED, NONE):
        profile = profile.model_copy(update={"port": options.controller})

    def bench(listen: Callable[[object, Frame | None], None]) -> Bench:
        return Bench(
            profile, camera=devices.camera, controller=devices.controller, listen=listen, obey=devices.obey
        )

    try:
        return asyncio.run(_Live(steps, bench, options, console, write, unattended).run())
    except BaseExceptionGroup as group:
        first = next((error for error in group.exceptions if isinstance(error, CompanionError)), None)
        if first is None:
            raise
        raise first from None


class _Live:
    """One live session with its fronts."""

    def __init__(
        self,
        steps: Sequence[Step] | Course,
        bench: Callable[..., Bench],
        options: LiveOptions,
        console: Console,
        write: Callable[[str], None],
        unattended: bool,
    ) -> None:
        self._options = options
        self._console = console
        self._write = write
        self._unattended = unattended
        self._shows: list[Callable[[View], None]] = []
        self._board: NoticeBoard | None = None
        self._steps = steps
        self._make_bench = bench

    async def run(self) -> bool:
        self._session = Session(
            self._steps,
            self._make_bench,
            show=self._show,
            save=self._save,
            file_away=self._file_away,
            unattended=self._unattended,
        )
        options = self._options
        async with contextlib.AsyncExitStack() as stack:
            footer = ""
            if options.host is not None and not self._unattended:
                footer = await self._open_page(stack, options.host)
            if options.as_json:
                self._shows.append(JsonFront(self._write).show)
            elif self._unattended or not self._console.is_terminal:
                if footer:
                    self._write(footer)
                self._shows.append(LinesFront(self._write).show)
            else:
                front = stack.enter_context(TerminalFront(self._console, self._press, footer, self._answer))
                self._shows.append(front.show)
            return await self._session.run()

    async def _open_page(self, stack: contextlib.AsyncExitStack, host: str) -> str:
        """Serve the page until the end; the line that says where it is."""
        code = new_code()
        listener = bind(host, self._options.port)
        self._board = board = NoticeBoard(self._press, self._answer)
        app = create_page(board, code)
        serving = asyncio.create_task(serve(app, host, self._options.port, listener=listener), name="page")

        async def close() -> None:
            board.close()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
            listener.close()

        stack.push_async_callback(close)
        port = self._options.port
        found = page_addresses(host, port) or (address_of(host, port),)
        return f"The page: {' or '.join(found)}   its code: {code}"

    def _press(self, key: Key) -> bool:
        return self._session.press(key)

    def _answer(self, number: int, values: Mapping[str, str] | None) -> bool:
        return self._session.answer(number, values)

    def _show(self, view: View, frame: Frame | None) -> None:
        for show in self._shows:
            show(view)
        if self._board is not None:
            self._board.show(view, frame)

    def _file_away(self, step: str, pictures: Sequence[Evidence]) -> None:
        keep(self._options.file, step, pictures)

    def _save(self, bench: Bench) -> None:
        save_profile(self._options.file, bench.profile)
