"""`companion play`: runs the table, simulated or real, with the page and a view in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from companion.evening import Evening


def play(
    game: Annotated[
        str | None, typer.Argument(help="The game: above or olympeak.", show_default="above")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="Settings file (TOML); default companion.toml, else /etc/olympus/companion.toml."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Above: 2 or 4; OlymPeak: 2 to 6.")] = None,
    names: Annotated[str | None, typer.Option(help="Names by seat, with commas: Ada,Ben.")] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            help="simulated, picamera, picamera:NUMBER, usb, usb:NAME, folder:DIRECTORY, video:FILE; none: the switches "
            "under the board alone (Above)."
        ),
    ] = None,
    exposure_ms: Annotated[
        float | None, typer.Option(help="A fixed exposure in milliseconds, for a camera that never settles.")
    ] = None,
    controller: Annotated[
        str | None, typer.Option(help="simulated, auto, none, or a serial port such as /dev/olympus-table.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Address of the page; 0.0.0.0 shows it to the whole network.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port of the page.")] = None,
    journal: Annotated[Path | None, typer.Option(help="The file in which games are kept.")] = None,
    deck: Annotated[
        Path | None, typer.Option(help="OlymPeak's cards (CSV); default: what companion box import kept.")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option(help="Above's cards with letters and rings (CSV); default: what calibrate box kept."),
    ] = None,
    profile: Annotated[Path | None, typer.Option(help="Table profile written by calibrate.")] = None,
    motors: Annotated[
        bool | None, typer.Option("--motors/--no-motors", help="The scoreboard's moving cubes are fitted.")
    ] = None,
    pins: Annotated[
        str | None,
        typer.Option(
            help="Lamps, buzzer and buttons on the Pi's pins: none, reference (the reference wiring), simulated, or "
            "parts with their BCM numbers: green=17,red=27,yes=5. Nothing else is claimed."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Simulated table: chance.")] = None,
    illegal: Annotated[
        float | None, typer.Option(help="Simulated table: how often a turn begins illegally, 0 to 1.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Set the open game aside and begin another.")] = False,
    games: Annotated[
        int, typer.Option(min=0, help="Simulated table: end after so many games; 0: never.")
    ] = 0,
) -> None:
    """Watches the table and referees the game; with nothing attached, a simulated table plays by itself.

    Example: companion play above --players 4 --host 0.0.0.0, or companion play olympeak --players 3

    An open game goes on where it was. Ctrl-C ends; nothing is lost.

    Settings may stand in companion.toml under the names of these options (game, players, names, camera, exposure_ms,
    controller, host, port, journal, deck, cards, profile, motors, pins, seed, illegal; also frames_per_s, allowed_hosts,
    record, sound, brightness, night_brightness, night_from, night_to and led_budget_ma), or in the environment as
    OLYMPUS_PLAYERS and so on. Options win over the environment, the environment over the file.
    """
    # Settings, vision, web server and simulated table are heavy to load; --help does without them.
    from companion.memory import be_frugal

    be_frugal()
    from companion.evening import Evening
    from companion.kept import OWNERS_CARDS, OWNERS_DECK
    from companion.logbook import kept_log
    from companion.settings import load_settings
    from companion.tables.catalogue import kit_for

    settings = load_settings(
        config,
        game=game,
        players=players,
        names=None if names is None else tuple(name.strip() for name in names.split(",") if name.strip()),
        camera=camera,
        exposure_ms=exposure_ms,
        controller=controller,
        host=host,
        port=port,
        journal=journal,
        deck=deck,
        cards=cards,
        profile=profile,
        motors=motors,
        pins=pins,
        seed=seed,
        illegal=illegal,
    )
    with contextlib.suppress(asyncio.CancelledError), _farewell():
        above = settings.game == "above"
        own, usual = (settings.cards, OWNERS_CARDS) if above else (settings.deck, OWNERS_DECK)
        kit = kit_for(settings.game, settings.players, own, named=own != usual)
        with kept_log(settings.journal.parent):
            asyncio.run(_until_told(Evening(kit, settings, new=new, games=games)))


async def _until_told(evening: Evening) -> None:
    """The evening, until its end, Ctrl-C, or the system's word to stop: then lights and devices are left in order."""
    told = asyncio.current_task()
    assert told is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.cancel)
    await evening.run()


@contextlib.contextmanager
def _farewell() -> Iterator[None]:
    """Ctrl-C is how an evening ends: not an error."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("Good night. The game is kept and goes on the next time.")
