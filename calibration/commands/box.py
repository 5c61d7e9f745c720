"""`calibrate box`: the owner's own cards, registered one by one before the camera, or from a table."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from calibration.cards.above import AboveCards
from calibration.cards.book import CardBook, listed, missing
from calibration.cards.olympeak import OlympeakCards
from calibration.commands.options import Host, NoPage, Port, Seed, Source
from calibration.devices import SIMULATED, chosen_source
from calibration.live import DEFAULT_FILE, LiveOptions, NobodyToAsk, run_live
from calibration.steps.box import BoxStep
from companion.games.above import cards_file
from companion.games.olympeak import deck_file
from companion.kept import OWNERS_CARDS, OWNERS_DECK


class Game(Enum):
    """The games that have cards."""

    ABOVE = "above"
    OLYMPEAK = "olympeak"


def box(
    game: Annotated[Game, typer.Argument(help="The game, above or olympeak.")],
    file: Annotated[
        Path | None,
        typer.Option(help="Where the cards are kept; default: where companion play looks for them."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(help="Bring in a table of cards instead, as companion box export writes it."),
    ] = None,
    missing_only: Annotated[
        bool, typer.Option("--missing", help="Only say which cards are not registered; exit status 1 if any.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Ask about cards that are registered already, too.")
    ] = False,
    profile: Annotated[Path, typer.Option(help="The table profile, for its camera.")] = DEFAULT_FILE,
    source: Source = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="A simulated table: its owner answers, nobody is asked.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="What is registered and missing as JSON.")] = False,
    seed: Seed = 1,
) -> None:
    """Register your own cards: hold one after the other to the camera and confirm what is printed on it.

    The marker says which card it is. Of Above's cards the letter and the ring number are asked, which tell at set-up
    where the tokens go; of OlymPeak's the value, hydra heads, signs and star. Each card is kept at once, and what is kept
    is played with. A table can be brought in instead.

    Examples:

        calibrate box above --source picamera --host 0.0.0.0

        calibrate box olympeak --csv deck.csv

        calibrate box olympeak --missing
    """
    kept = file or (OWNERS_CARDS if game is Game.ABOVE else OWNERS_DECK)
    if csv is not None:
        book: CardBook = (
            AboveCards(cards_file.read(csv)) if game is Game.ABOVE else OlympeakCards(deck_file.read(csv))
        )
        book.save(kept)
        _say(book, kept, as_json)
        return
    book = AboveCards.kept(kept) if game is Game.ABOVE else OlympeakCards.kept(kept)
    if missing_only:
        _say(book, kept, as_json)
        raise typer.Exit(1 if missing(book) else 0)
    simulated = chosen_source(profile, source) == SIMULATED
    if (yes or as_json) and not simulated:
        raise NobodyToAsk(
            "Cards are confirmed by a person; leave out --yes and --json, or bring in a table: --csv FILE."
        )
    if simulated and game is Game.OLYMPEAK:
        raise NobodyToAsk(
            "The simulated table to calibrate has the cards of Above only; name the camera: --source picamera or usb."
        )
    options = LiveOptions(
        profile,
        source,
        "none",
        None if no_page else host,
        port,
        yes,
        as_json,
        seed,
        go_on=f"calibrate box {game.value}",
        kept_in=kept,
    )
    if not run_live([BoxStep(book, kept, again)], options, typer.echo):
        raise typer.Exit(1)


def _say(book: CardBook, file: Path, as_json: bool) -> None:
    left = missing(book)
    if as_json:
        said = {
            "game": book.game,
            "file": str(file),
            "registered": len(book.registered),
            "cards": len(book.cards),
            "missing": list(left),
        }
        typer.echo(json.dumps(said, ensure_ascii=False))
        return
    console = Console(highlight=False)
    console.print(
        f"{len(book.registered)} of {len(book.cards)} cards are registered in {file}.",
        markup=False,
        soft_wrap=True,
    )
    if left:
        console.print(f"Missing: {listed(book, left)}.", markup=False, soft_wrap=True)
