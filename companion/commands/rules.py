"""`companion rules`: legal actions, successors and game records on the command line, one plain line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import CompanionError
from companion.games.above import records as above_records
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.games.above.rules import successors as all_successors
from companion.games.olympeak import records as olympeak_records
from companion.games.olympeak.deck_file import owners_box
from companion.games.records import Departure

app = typer.Typer(
    no_args_is_help=True,
    help="The rules by themselves: legal actions, what a turn can lead to, random games, checking a record.",
)


class RulesCommandError(CompanionError, ValueError):
    """What the rules cannot answer: a game without text positions, a file that cannot be read."""


class Game(Enum):
    """The games whose rules are known."""

    ABOVE = "above"
    OLYMPEAK = "olympeak"


GameArgument = Annotated[Game, typer.Argument(help="above or olympeak.", show_default=False)]
PositionArgument = Annotated[
    str, typer.Argument(help="A position of Above, five fields in one argument.", show_default=False)
]

_EXAMPLE_POSITION = (
    '"ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b3,fertility=,gate=h3.l6,barrier= ze.he/ap 0 2"'
)


@app.command("legal", epilog=f"Example: companion rules legal above {_EXAMPLE_POSITION}")
def legal(game: GameArgument, position: PositionArgument) -> None:
    """The legal actions at the start of a turn, one a line; none when the game is over."""
    _print(str(action) for action in legal_actions(_position(game, position)))


@app.command("successors", epilog=f"Example: companion rules successors above {_EXAMPLE_POSITION}")
def successors(game: GameArgument, position: PositionArgument) -> None:
    """Every distinct position after one complete turn, sorted, one a line."""
    _print(sorted(str(after) for after in all_successors(_position(game, position))))


@app.command("play", epilog="Example: companion rules play above --players 2 --seed 7 > game.jsonl")
def play(
    game: GameArgument,
    players: Annotated[int, typer.Option(help="How many play: above 2 or 4, olympeak 2 to 6.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed plays the same game.")] = 0,
    deck: Annotated[
        Path | None, typer.Option(help="OlymPeak: cards as CSV; default: those that come with the program.")
    ] = None,
) -> None:
    """A random legal game as a record (JSON Lines) on standard output."""
    if game is Game.ABOVE:
        _print(above_records.random_game(players, seed))
    else:
        box = None if deck is None else owners_box(deck, named=True)
        _print(olympeak_records.random_game(players, seed, box=box))


@app.command("check", epilog="Example: companion rules check game.jsonl")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game record, or - for standard input.")],
    rulings: Annotated[
        bool, typer.Option("--rulings", help="Pass over rulings of the house and check all the rest.")
    ] = False,
) -> None:
    """Replay a record: "ok", or the first line that departs from the rules, and exit status 1.

    Where players went on from a table that the rules do not lead to, the record says so, and departs there.
    """
    departure = _check(_lines(file), rulings)
    if departure is not None:
        _print([_plain(str(departure))])
        raise typer.Exit(1)
    _print(["ok"])


def _position(game: Game, text: str) -> Position:
    if game is not Game.ABOVE:
        raise RulesCommandError(
            f"{game.value} has no positions in text form; use `legal` and `successors` with above."
        )
    return Position.parse(text)


def _plain(text: str) -> str:
    """A message that may quote anything from a file, without what a terminal would obey or cannot show."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def _print(lines: Iterable[str]) -> None:
    """Writes plain UTF-8 lines, whatever the terminal's encoding or width."""
    out = sys.stdout
    for line in lines:
        out.write(line + "\n")
    out.flush()


def _lines(file: str) -> Iterator[str]:
    """The lines of a file as UTF-8, split at line feeds only."""
    try:
        if file == "-":
            yield from _decoded(sys.stdin.buffer, "standard input")
        else:
            with Path(file).open("rb") as stream:
                yield from _decoded(stream, file)
    except OSError as error:
        raise RulesCommandError(f"{file} cannot be read ({error.strerror}): check the path.") from None


def _decoded(stream: Iterable[bytes], name: str) -> Iterator[str]:
    for count, line in enumerate(stream, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise RulesCommandError(f"{name}, line {count}: not UTF-8 text, so not a game record.") from None


def _check(lines: Iterator[str], rulings: bool) -> Departure | None:
    """Checks by the rules of the game that the header names."""
    first = next(lines, None)
    if first is None:
        return above_records.check(())
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    game = header.get("game") if isinstance(header, dict) else Game.ABOVE.value
    record = chain((first,), lines)
    if game == Game.OLYMPEAK.value:
        return olympeak_records.check(record, rulings=rulings)
    if game == Game.ABOVE.value:
        return above_records.check(record, rulings=rulings)
    return Departure(1, 'expected "game":"above" or "game":"olympeak" in the header')
