"""What `companion look` says of an OlymPeak table."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from companion.games.olympeak.cards import CONTENDERS
from companion.sensing.olympeak.reading import OlympeakReading


def as_json(picture: str, reading: OlympeakReading) -> dict[str, Any]:
    """A reading in the form others build on: one object a picture, what is not seen left out."""
    if reading.frame != "ok":
        return {"picture": picture, "frame": reading.frame}
    columns: dict[str, list[dict[str, Any]]] = {}
    for contender in _columns(reading):
        columns[contender] = [
            {"row": one.row, "card": one.card, "p": round(one.p, 3)}
            for one in reading.columns
            if one.contender == contender
        ]
    said: dict[str, Any] = {
        "picture": picture,
        "frame": "ok",
        **({"findings": [f"{one.text} {one.todo}" for one in reading.findings]} if reading.findings else {}),
        "contenders": list(reading.contenders),
        "columns": columns,
        "reveal": [{"seat": one.seat, "card": one.card} for one in reading.reveal],
    }
    if reading.discard_top is not None:
        said["discard_top"] = reading.discard_top
    said["cubes"] = {cube.contender: cube.place for cube in reading.cubes}
    if reading.round_marker is not None:
        said["round_marker"] = reading.round_marker
    tiles = []
    for one in reading.tiles:
        tile: dict[str, Any] = {"seat": one.seat}
        if one.first is not None:
            tile["first"] = one.first
        if one.second is not None:
            tile["second"] = one.second
        tiles.append(tile)
    if tiles:
        said["tiles"] = tiles
    return said


def show(console: Console, picture: str, reading: OlympeakReading) -> None:
    """What is seen in a picture that shows the table, for people."""
    table = RichTable(title=picture, title_justify="left")
    columns = _columns(reading)
    table.add_column("row", justify="right")
    for contender in columns:
        table.add_column(contender)
    lying = {(one.contender, one.row): one.card for one in reading.columns}
    for row in range(1, max((row for _, row in lying), default=0) + 1):
        table.add_row(str(row), *(lying.get((contender, row), "") for contender in columns))
    console.print(table)
    revealed = [f"seat {one.seat} {one.card or 'face down'}" for one in reading.reveal]
    cubes = [f"{cube.contender} {cube.place}" for cube in reading.cubes]
    tiles = [f"seat {one.seat} {one.first or '?'} before {one.second or '?'}" for one in reading.tiles]
    stray = [one.card for one in reading.stray]
    for heading, things in (
        ("revealed", revealed),
        ("discard pile", [reading.discard_top] if reading.discard_top else []),
        ("cubes", cubes),
        ("round", [str(reading.round_marker)] if reading.round_marker else []),
        ("predictions", tiles),
        ("lying elsewhere", stray),
    ):
        if things:
            console.print(f"{heading}: {', '.join(things)}", highlight=False)


def _columns(reading: OlympeakReading) -> list[str]:
    """The contenders with a column, from left to right as far as seen."""
    with_cards = {one.contender for one in reading.columns}
    return [*reading.contenders, *(c for c in CONTENDERS if c in with_cards - set(reading.contenders))]
