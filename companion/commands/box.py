"""`companion box`: the cards of a game as a table that owners compare with their box and correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from companion.errors import CompanionError
from companion.games.above import cards_file
from companion.games.above.cards import CARD_NAMES
from companion.games.above.cards_file import CardsError
from companion.games.olympeak import deck_file
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.deck_file import DeckError
from companion.kept import OWNERS_CARDS, OWNERS_DECK, write_whole

_ASSUMED = (
    "These cards are an assumption: the rulebook does not list them. Compare them with your box, correct them, "
    "and bring them in with: companion box import {game} FILE, or card by card with: calibrate box {game}"
)

app = typer.Typer(no_args_is_help=True, help="The cards of a game as a table: export, check, import.")


class BoxFileError(CompanionError, OSError):
    """A file of cards cannot be written, or would be overwritten. The message names it."""


class Game(Enum):
    """The games whose cards are a table."""

    ABOVE = "above"
    OLYMPEAK = "olympeak"


@dataclass(frozen=True, slots=True)
class _Shelf:
    """How the cards of one game are kept. `own`: the owner's as CSV, and whether they are an assumption."""

    usual: Path
    own: Callable[[Path], tuple[str, bool]]
    read: Callable[[Path], tuple[str, str]]


def _own_above(file: Path) -> tuple[str, bool]:
    return cards_file.dump(cards_file.owners_cards(file)), not file.exists()


def _read_above(file: Path) -> tuple[str, str]:
    cards = cards_file.read(file)
    missing = len(CARD_NAMES) - len(cards)
    without = f"; {missing} without a letter and a ring number" if missing else ""
    return cards_file.dump(cards), f"ok: {len(cards)} of {len(CARD_NAMES)} deity cards{without}"


def _own_olympeak(file: Path) -> tuple[str, bool]:
    box = deck_file.owners_box(file)
    return deck_file.dump(box), box.assumed


def _read_olympeak(file: Path) -> tuple[str, str]:
    box = deck_file.read(file)
    kinds = Counter(card.kind for card in box.deck)
    stars = sum(card.star for card in box.deck)
    counts = ", ".join(f"{kinds[kind]} {kind.value}" for kind in Kind)
    left = f"; {len(box.unconfirmed)} not compared with the box yet" if box.unconfirmed else ""
    return deck_file.dump(box), f"ok: {counts}; {stars} with a star{left}"


_SHELVES = {
    Game.ABOVE: _Shelf(OWNERS_CARDS, _own_above, _read_above),
    Game.OLYMPEAK: _Shelf(OWNERS_DECK, _own_olympeak, _read_olympeak),
}

GameArgument = Annotated[Game, typer.Argument(help="The game, above or olympeak.")]
DeckOption = Annotated[Path | None, typer.Option("--deck", help="Where your own cards are kept.")]


@app.command("export")
def export_box(
    game: GameArgument,
    file: Annotated[Path, typer.Argument(help="The CSV file to write, or - for standard output.")],
    deck: DeckOption = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Write the cards as CSV: your own if you have brought some in, else those assumed.

    Example: companion box export olympeak deck.csv
    """
    shelf = _SHELVES[game]
    text, assumed = shelf.own(deck or shelf.usual)
    if str(file) == "-":
        typer.echo(text, nl=False)
    elif file.exists() and not force:
        raise BoxFileError(f"{file} exists already. Choose another name, or add --force to overwrite it.")
    else:
        _write(file, text)
    if assumed:
        Console(stderr=True).print(_ASSUMED.format(game=game.value), highlight=False, markup=False)


@app.command("check")
def check_box(
    game: GameArgument, file: Annotated[Path, typer.Argument(help="The CSV file to check.")]
) -> None:
    """Say everything that is wrong in a CSV file of cards, by line and column, or "ok".

    Example: companion box check olympeak deck.csv
    """
    typer.echo(_read(game, file)[1])


@app.command("import")
def import_box(
    game: GameArgument,
    file: Annotated[Path, typer.Argument(help="The CSV file with the cards of your box.")],
    deck: DeckOption = None,
) -> None:
    """Check a CSV file of cards and keep it as your own; the one before it stays beside it as .bak.

    Example: companion box import olympeak deck.csv
    """
    kept = deck or _SHELVES[game].usual
    text, said = _read(game, file)
    if kept.exists():
        _write(kept.with_suffix(kept.suffix + ".bak"), kept.read_text(encoding="utf-8"))
    _write(kept, text)
    typer.echo(said)
    typer.echo(f"Kept as {kept}")


def _read(game: Game, file: Path) -> tuple[str, str]:
    """The file's cards as CSV, and what there is in a line."""
    try:
        return _SHELVES[game].read(file)
    except (DeckError, CardsError) as error:
        errors = Console(stderr=True, soft_wrap=True)
        for defect in error.defects:
            errors.print(f"{file}: {defect}", highlight=False, markup=False)
        raise typer.Exit(1) from None


def _write(file: Path, text: str) -> None:
    """Whole or not at all: a power cut leaves the old file."""
    try:
        write_whole(file, text)
    except OSError as error:
        raise BoxFileError(
            f"{file} cannot be written ({error.strerror}); check the folder and its rights."
        ) from None
