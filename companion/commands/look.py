"""`companion look`: what lies where in pictures of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.sensing.geometry import Camera
    from companion.sensing.olympeak.reading import OlympeakReading
    from companion.sensing.place import BoardPrint
    from companion.sensing.reading import Reading


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
    # Vision is heavy to load; --help does without it.
    from calibration.profile import load_profile
    from companion.commands import look_above, look_olympeak
    from companion.games.olympeak.deck_file import owners_box
    from companion.kept import OWNERS_DECK
    from companion.sensing.game import game_on_table
    from companion.sensing.geometry import load_camera
    from companion.sensing.grey import gray_of
    from companion.sensing.olympeak.sight import OlympeakSight
    from companion.sensing.picture_file import PictureUnreadable, load_picture
    from companion.sensing.sight import Sight

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
            elif _is_readable(console, picture.name, cards):
                look_olympeak.show(console, picture.name, cards)
            continue
        reading = Sight(lens, rings=rings).look(image)
        failed |= reading.frame != "ok"
        if as_lines:
            typer.echo(json.dumps(look_above.as_json(picture.name, reading), ensure_ascii=False))
        elif _is_readable(console, picture.name, reading):
            look_above.show(console, picture.name, reading)
    if failed:
        raise typer.Exit(1)


def _is_readable(console: Console, picture: str, reading: Reading | OlympeakReading) -> bool:
    """Say what is the matter with a picture, if anything is; does it show the table?"""
    if reading.frame != "ok":
        console.print(f"[bold]{picture}[/bold]: {reading.frame}", highlight=False)
        return False
    for finding in reading.findings:
        console.print(f"[bold]{picture}[/bold]: {finding.text} {finding.todo}", highlight=False)
    return True
