"""`companion look` on OlymPeak tables: the notation's lines, the game told by what lies there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from companion.commands.look import look
from companion.commands.look_olympeak import as_json
from companion.games.olympeak.deck_file import default_box, dump
from companion.sensing.game import game_on_table
from companion.sensing.grey import gray_of
from companion.sensing.olympeak.reading import ColumnCard, OlympeakReading, TilesSighting
from tests.sensing.photos import FOLDER, photo, truth

app = typer.Typer()
app.command()(look)


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, the JSON lines, the output."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, lines, result.stdout


def test_the_lines_are_the_notations_to_the_letter() -> None:
    status, (line, other), _ = run(
        FOLDER / "55.jpg", FOLDER / "56.jpg", "--camera", FOLDER / "55.json", "--json"
    )
    assert status == 0
    true = truth("55")
    assert line["picture"] == "55.jpg"
    assert line["frame"] == "ok"
    assert line["contenders"] == [one["contender"] for one in true["contenders"]]
    assert {
        contender: [(one["row"], one["card"]) for one in cards]
        for contender, cards in line["columns"].items()
    } == {
        contender: [(one["row"], one["card"]) for one in cards]
        for contender, cards in true["columns"].items()
    }
    assert all(
        set(one) == {"row", "card", "p"} and 0.9 < one["p"] <= 1
        for cards in line["columns"].values()
        for one in cards
    )
    assert line["reveal"] == []
    assert line["discard_top"] == "p065"
    assert line["cubes"] == {contender: one["place"] for contender, one in true["cubes"].items()}
    assert line["round_marker"] == 2
    assert line["tiles"] == [
        {"seat": one["seat"], "first": one["first"]["contender"], "second": one["second"]["contender"]}
        for one in true["tiles"]
    ]
    assert list(line) == [
        "picture",
        "frame",
        "contenders",
        "columns",
        "reveal",
        "discard_top",
        "cubes",
        "round_marker",
        "tiles",
    ]
    assert other["reveal"] == [{"seat": seat, "card": None} for seat in range(6)]
    assert "discard_top" not in other
    assert "tiles" not in other


def test_what_is_not_seen_is_left_out() -> None:
    reading = OlympeakReading(
        0.0,
        columns=(ColumnCard("green", 2, "o03", 0.98765, (0.0, 0.0, 0.0)),),
        tiles=(TilesSighting(1, None, "red"),),
    )
    assert as_json("x.png", reading) == {
        "picture": "x.png",
        "frame": "ok",
        "contenders": [],
        "columns": {"green": [{"row": 2, "card": "o03", "p": 0.988}]},
        "reveal": [],
        "cubes": {},
        "tiles": [{"seat": 1, "second": "red"}],
    }


def test_a_picture_that_cannot_be_read_says_why() -> None:
    assert as_json("x.png", OlympeakReading(0.0, frame="too dark")) == {
        "picture": "x.png",
        "frame": "too dark",
    }


@pytest.mark.parametrize(
    ("name", "game"),
    [("01", "above"), ("08", "above"), ("09", "above"), ("54", "olympeak"), ("56", "olympeak")],
)
def test_the_game_is_told_by_what_lies_there(name: str, game: str) -> None:
    assert game_on_table(gray_of(photo(name))) == game


def test_people_get_a_table() -> None:
    status, lines, output = run(FOLDER / "54.jpg", "--camera", FOLDER / "54.json", "--game", "olympeak")
    assert status == 0
    assert lines == []
    for words in ("p030", "revealed: seat 0 face down", "discard pile: p022", "cubes: blue 12", "round: 2"):
        assert words in output


def test_an_unknown_game_is_refused_with_the_choices() -> None:
    result = CliRunner().invoke(app, [str(FOLDER / "54.jpg"), "--game", "chess"])
    assert result.exit_code == 2
    assert "`above`, `olympeak` or `auto`" in result.stderr


def test_the_owners_deck_says_which_card_wears_a_marker(tmp_path: Path) -> None:
    cards = dump(default_box()).splitlines(keepends=True)
    markers = {"p065": "p064", "p064": "p065"}
    ids = default_box().card_ids
    own = [
        line.replace(f"{name},{ids[name]},", f"{name},{ids[markers[name]]},") if name in markers else line
        for line in cards
        for name in [line.split(",")[0]]
    ]
    deck = tmp_path / "deck.csv"
    deck.write_text("".join(own), encoding="utf-8")
    arguments = (FOLDER / "55.jpg", "--camera", FOLDER / "55.json", "--json")
    _, (line,), _ = run(*arguments, "--deck", deck)
    assert line["discard_top"] == "p064"
