"""`companion look`: what lies where in pictures of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as RichTable

from calibration.profile import load_profile
from companion.commands import look_olympeak
from companion.errors import CompanionError
from companion.games.above.box import DEITY_NAMES, TOKENS
from companion.games.olympeak.deck_file import owners_box
from companion.sensing.game import game_on_table
from companion.sensing.geometry import Camera, load_camera
from companion.sensing.grey import gray_of
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.picture_file import PictureUnreadable, load_picture
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Reading
from companion.sensing.sight import Sight
from companion.settings import OWNERS_DECK

# So sure a miniature whose marker cannot be read must be, by its colour and place, to be told.
SURE_BY_COLOUR = 0.9


def as_json(picture: str, reading: Reading) -> dict[str, Any]:
    """A reading in the form others build on: one object a picture, what is not seen left out.

    Tokens have their id from their marker: without one they are left out, too.
    """
    if reading.frame != "ok":
        return {"picture": picture, "frame": reading.frame}

    def place(spaces: tuple[tuple[str, float], ...], xyz: tuple[float, ...]) -> dict[str, Any]:
        space, p = spaces[0] if spaces else (None, 1.0)
        return {"space": space, "p": round(p, 3), "xyz_mm": [round(value, 1) for value in xyz]}

    return {
        "picture": picture,
        "frame": "ok",
        "minis": {
            mini.deity: place(mini.spaces, mini.xyz_mm)
            for mini in reading.minis
            if mini.by_marker or sum(p for _, p in mini.spaces) >= SURE_BY_COLOUR
        },
        "tokens": [
            {"type": token.token, "id": token.marker, **place(token.spaces, token.xyz_mm)}
            for token in sorted(reading.tokens, key=lambda token: (TOKENS.index(token.token), token.marker))
            if token.by_marker
        ],
        "cards": [
            {
                "id": card.marker,
                "deity": card.deity,
                "set": card.card_set,
                "side": "powered" if card.powered else "spent",
                "xyz_mm": [round(value, 1) for value in card.xyz_mm],
            }
            for card in reading.cards
        ],
        "rings": [
            {
                "ring": ring.ring,
                "rotation_deg": round(ring.rotation_deg, 3),
                "shift_mm": [round(value, 3) for value in ring.shift_mm],
            }
            for ring in reading.rings
        ],
    }


def _show(console: Console, picture: str, reading: Reading) -> None:
    if reading.frame != "ok":
        console.print(f"[bold]{picture}[/bold]: {reading.frame}", highlight=False)
        return
    table = RichTable(title=picture, title_justify="left")
    for heading in ("piece", "space", "surely", "x, y, z in mm"):
        table.add_column(heading)
    pieces = [(DEITY_NAMES[m.deity], m.spaces, m.xyz_mm) for m in reading.minis]
    pieces += [(f"{t.token} {t.marker}", t.spaces, t.xyz_mm) for t in reading.tokens]
    for name, spaces, xyz in pieces:
        space, p = spaces[0] if spaces else ("beside the board", 1.0)
        table.add_row(name, space, f"{p:.0%}", ", ".join(f"{value:.1f}" for value in xyz))
    for card in reading.cards:
        side = "powered" if card.powered else "spent"
        where = ", ".join(f"{value:.1f}" for value in card.xyz_mm)
        table.add_row(f"card {DEITY_NAMES[card.deity]} {card.card_set}", side, "", where)
    console.print(table)


def look(
    pictures: Annotated[list[Path], typer.Argument(help="Pictures of the table (JPEG, PNG).")],
    camera: Annotated[
        Path | None,
        typer.Option(
            help="JSON file with `camera.matrix` and `camera.distortion`. Default: the reference lens."
        ),
    ] = None,
    profile: Annotated[
        Path | None,
        typer.Option(help="Table profile written by calibrate: its lens, unless --camera, and its rings."),
    ] = None,
    game: Annotated[
        str, typer.Option(help="The game on the table: above, olympeak, or auto to tell by what lies there.")
    ] = "auto",
    deck: Annotated[
        Path | None, typer.Option(help="OlymPeak's cards (CSV); default: what companion box import kept.")
    ] = None,
    as_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line, a picture each.")] = False,
) -> None:
    """Say what lies where in pictures of the table.

    Examples:

        companion look table.jpg

        companion look --json --camera camera.json one.jpg two.jpg

        companion look --profile table.toml table.jpg
    """
    errors = Console(stderr=True)
    if game not in ("auto", "above", "olympeak"):
        errors.print(f"--game {game}: expected `above`, `olympeak` or `auto`.", highlight=False)
        raise typer.Exit(2)
    lens: Camera | None = None
    rings: BoardPrint | None = None
    try:
        if profile is not None:
            kept = load_profile(profile)
            lens = None if kept.camera is None else kept.camera.lens()
            rings = None if kept.rings is None else kept.rings.board_print()
        if camera is not None:
            lens = load_camera(camera)
    except CompanionError as error:
        errors.print(str(error), highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(1) from None
    box = owners_box(deck or OWNERS_DECK, named=deck is not None)
    console = Console()
    failed = False
    for picture in pictures:
        try:
            image = load_picture(picture)
        except PictureUnreadable as error:
            failed = True
            if as_lines:
                typer.echo(json.dumps({"picture": picture.name, "frame": str(error)}, ensure_ascii=False))
            else:
                errors.print(str(error), highlight=False, markup=False, soft_wrap=True)
            continue
        # Each picture is looked at for itself: they may show different tables.
        if game == "olympeak" or (game == "auto" and game_on_table(gray_of(image)) == "olympeak"):
            cards = OlympeakSight(lens, box=box).look(image)
            failed |= cards.frame != "ok"
            if as_lines:
                said = look_olympeak.as_json(picture.name, cards)
                typer.echo(json.dumps(said, ensure_ascii=False))
            else:
                look_olympeak.show(console, picture.name, cards)
            continue
        reading = Sight(lens, rings=rings).look(image)
        failed |= reading.frame != "ok"
        if as_lines:
            typer.echo(json.dumps(as_json(picture.name, reading), ensure_ascii=False))
        else:
            _show(console, picture.name, reading)
    if failed:
        raise typer.Exit(1)
