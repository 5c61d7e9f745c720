"""`companion box`: the cards of a game as a table that owners compare with their box and correct."""

from __future__ import annotations

import os
from collections import Counter
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from companion.errors import CompanionError
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.deck_file import DeckError, dump, owners_box, read
from companion.settings import OWNERS_DECK

_ASSUMED = (
    "This deck is an assumption: the rulebook does not list the cards. Compare it with your box, correct it, "
    "and bring it in with: companion box import olympeak FILE"
)

app = typer.Typer(no_args_is_help=True, help="The cards of OlymPeak as a table: export, check, import.")


class BoxFileError(CompanionError, OSError):
    """A deck file cannot be written, or would be overwritten. The message names it."""


class Game(Enum):
    """The games whose cards are a table."""

    OLYMPEAK = "olympeak"


GameArgument = Annotated[Game, typer.Argument(help="The game, olympeak.")]
DeckOption = Annotated[Path, typer.Option("--deck", help="Where your own deck is kept.")]


@app.command("export")
def export_box(
    game: GameArgument,
    file: Annotated[Path, typer.Argument(help="The CSV file to write, or - for standard output.")],
    deck: DeckOption = OWNERS_DECK,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Write the cards as CSV: your own deck if you have brought one in, else the one assumed.

    Example: companion box export olympeak deck.csv
    """
    box = owners_box(deck)
    if str(file) == "-":
        typer.echo(dump(box), nl=False)
    elif file.exists() and not force:
        raise BoxFileError(f"{file} exists already. Choose another name, or add --force to overwrite it.")
    else:
        _write(file, dump(box))
    if box.assumed:
        Console(stderr=True).print(_ASSUMED, highlight=False, markup=False)


@app.command("check")
def check_box(
    game: GameArgument, file: Annotated[Path, typer.Argument(help="The CSV file to check.")]
) -> None:
    """Say everything that is wrong in a CSV file of cards, by line and column, or "ok".

    Example: companion box check olympeak deck.csv
    """
    _summary(_read(file))


@app.command("import")
def import_box(
    game: GameArgument,
    file: Annotated[Path, typer.Argument(help="The CSV file with the cards of your box.")],
    deck: DeckOption = OWNERS_DECK,
) -> None:
    """Check a CSV file of cards and keep it as your own deck; the deck before it stays beside it as .bak.

    Example: companion box import olympeak deck.csv
    """
    box = _read(file)
    if deck.exists():
        _write(deck.with_suffix(deck.suffix + ".bak"), deck.read_text(encoding="utf-8"))
    _write(deck, dump(box))
    _summary(box)
    typer.echo(f"Kept as {deck}")


def _read(file: Path) -> Box:
    try:
        return read(file)
    except DeckError as error:
        errors = Console(stderr=True, soft_wrap=True)
        for defect in error.defects:
            errors.print(f"{file}: {defect}", highlight=False, markup=False)
        raise typer.Exit(1) from None


def _summary(box: Box) -> None:
    kinds = Counter(card.kind for card in box.deck)
    stars = sum(card.star for card in box.deck)
    counts = ", ".join(f"{kinds[kind]} {kind.value}" for kind in Kind)
    typer.echo(f"ok: {counts}; {stars} with a star")


def _write(file: Path, text: str) -> None:
    """Whole or not at all: a power cut leaves the old file."""
    unfinished = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(file)
    except OSError as error:
        raise BoxFileError(
            f"{file} cannot be written ({error.strerror}); check the folder and its rights."
        ) from None
