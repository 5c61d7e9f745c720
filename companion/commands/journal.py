"""`companion journal`: the games that are kept, looked at, exported and replayed; nothing is changed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.tables.replay import JournalArchive
    from companion.web.archive import StepView

app = typer.Typer(
    no_args_is_help=True,
    help="The games that are kept: list, show, export, replay, browse. Nothing is changed.",
)

JournalOption = Annotated[
    Path | None, typer.Option("--journal", help="The file in which games are kept; default as for play.")
]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Settings file (TOML).")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
GameArgument = Annotated[int, typer.Argument(help="The game's number, as in the list.", show_default=False)]


class JournalCommandError(CompanionError, ValueError):
    """What cannot be done with a journal; the message says what to do instead."""


@app.command("list", epilog="Example: companion journal list --json")
def list_games(
    journal: JournalOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """All games, the newest first: when, who, how many turns, how it stands or ended."""
    with _archive(journal, config) as archive:
        games = archive.games()
    if as_json:
        typer.echo(json.dumps([game.model_dump() for game in games], ensure_ascii=False))
        return
    table = Table("no.", "begun", "game", "players", "turns", "state", "")
    for game in games:
        players = ", ".join(game.players)
        cells = (
            str(game.id),
            _when(game.begun_at),
            game.game,
            players,
            str(game.turns),
            game.status,
            game.text,
        )
        # A name may look like markup.
        table.add_row(*map(Text, cells))
    Console().print(table if games else "No game has been kept yet.")


@app.command("show", epilog="Example: companion journal show 3")
def show(
    game: GameArgument,
    journal: JournalOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Everything that was written of a game, step by step: turns, refusals, what was taken back or corrected."""
    with _archive(journal, config) as archive:
        replay = archive.replay(game)
    if as_json:
        typer.echo(replay.model_dump_json())
        return
    for step in replay.steps:
        _plain(_line(step))


@app.command("export", epilog="Example: companion journal export 3 --output game.jsonl")
def export(
    game: GameArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File; default: standard output.")
    ] = None,
    journal: JournalOption = None,
    config: ConfigOption = None,
) -> None:
    """A game as a record (JSON Lines), as `companion rules check` reads it."""
    with _archive(journal, config) as archive:
        record = archive.record(game)
    if output is None:
        typer.echo(record, nl=False)
        return
    try:
        output.write_text(record, encoding="utf-8")
    except OSError as error:
        raise JournalCommandError(
            f"{output} cannot be written ({error.strerror}): name another file with --output."
        ) from None


@app.command("replay", epilog="Example: companion journal replay 3 --every 1")
def replay(
    game: GameArgument,
    step: Annotated[
        int | None, typer.Option(min=0, help="Only the table after this step, as numbered by show.")
    ] = None,
    every: Annotated[float, typer.Option(min=0, max=60, help="Seconds from one step to the next.")] = 0.0,
    journal: JournalOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """The table after every step of a game, drawn in the terminal; with --json one object a line."""
    with _archive(journal, config) as archive:
        steps = archive.replay(game).steps
        chosen = steps if step is None else [each for each in steps if each.number == step]
        if not chosen:
            raise JournalCommandError(f"Game {game} has the steps 0 to {len(steps) - 1}, not {step}.")
        asyncio.run(_play(archive, game, list(chosen), every, as_json))


async def _play(
    archive: JournalArchive, game: int, steps: list[StepView], every: float, as_json: bool
) -> None:
    from companion.terminal import lying

    console = Console()
    for step in steps:
        table = archive.step(game, step.number)
        if as_json:
            typer.echo(
                json.dumps({"step": step.model_dump(), "table": table.model_dump()}, ensure_ascii=False)
            )
        else:
            _plain(_line(step))
            console.print(lying(table))
        if every and step is not steps[-1]:
            await asyncio.sleep(every)


@app.command("browse", epilog="Example: companion journal browse --journal old.db --port 8081")
def browse(
    journal: JournalOption = None,
    config: ConfigOption = None,
    host: Annotated[
        str | None, typer.Option(help="Address of the page; 0.0.0.0 for the whole network.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port of the page.")] = None,
) -> None:
    """The page with the games of a journal alone, without a table. Ctrl-C ends."""
    from companion.settings import load_settings
    from companion.web.access import new_code
    from companion.web.app import create_app
    from companion.web.hub import Hub
    from companion.web.phones import Phones
    from companion.web.server import serve

    settings = load_settings(config, journal=journal, host=host, port=port)
    with _archive(journal, config, lasting=True) as archive:
        # Nobody joins: there is nothing to be asked of a journal.
        phones = Phones(new_code(), clock=time.time, ticks=time.monotonic)
        page = create_app(Hub(archive=archive), phones, settings.allowed_hosts)
        where = "127.0.0.1" if settings.host == "0.0.0.0" else settings.host
        _plain(f"The games: http://{where}:{settings.port}/#journal   Ctrl-C ends")
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(serve(page, settings.host, settings.port))


@contextlib.contextmanager
def _archive(journal: Path | None, config: Path | None, *, lasting: bool = False) -> Iterator[JournalArchive]:
    """The journal that the settings name, open for reading."""
    # The rules of both games come along; --help does without them.
    from companion.referee.journal_reader import JournalReader
    from companion.settings import load_settings
    from companion.tables.replay import JournalArchive

    path = load_settings(config, journal=journal).journal
    with contextlib.closing(JournalArchive(JournalReader(path, lasting=lasting))) as archive:
        yield archive


def _line(step: StepView) -> str:
    name = f"{step.name}: " if step.name else ""
    mark = {"refusal": "not allowed: ", "finding": "worth knowing: "}.get(step.kind, "")
    return f"{step.number:4d}  {_when(step.at)}  {mark}{name}{step.text}"


def _when(at: float) -> str:
    """A moment in local time."""
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _plain(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
