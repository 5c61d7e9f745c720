"""`calibrate rings`: how the rings of the board lie, from pictures of the table."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table as RichTable

from calibration.profile import TableProfile, load_profile, rings_profile, save_profile
from calibration.rings import RingsFailed, rings_json, rings_of
from companion.errors import CompanionError
from companion.sensing.geometry import Camera, load_camera
from companion.sensing.picture_file import load_picture
from companion.sensing.place import BoardPrint

# A ring whose rotation is this uncertain was not seen; with more of them than this, neither was the board.
UNREAD_DEG = 0.6
MOST_UNREAD = 3


def rings(
    pictures: Annotated[list[Path], typer.Argument(help="Pictures of the table (JPEG, PNG).")],
    camera: Annotated[
        Path | None,
        typer.Option(
            help="JSON file with `camera.matrix` and `camera.distortion`. Default: the reference lens."
        ),
    ] = None,
    as_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line, a picture each.")] = False,
    save: Annotated[
        Path | None, typer.Option(help="Keep what the last picture shows in this table profile.")
    ] = None,
) -> None:
    """Measure how each ring is turned and shifted against ring 1.

    Pieces may stay on the board; the printed lines between the spaces are what is measured.

    Examples:

        calibrate rings empty-table.jpg --camera camera.json

        calibrate rings table.jpg --camera camera.json --save table.toml
    """
    errors = Console(stderr=True)
    lens: Camera | None = load_camera(camera) if camera is not None else None
    kept: TableProfile | None = None
    if save is not None:
        kept = load_profile(save) if save.exists() else TableProfile(name=save.stem)
        if lens is None and kept.camera is not None:
            lens = kept.camera.lens()
    failed = False
    last: BoardPrint | None = None
    for picture in track(pictures, console=errors, transient=True, disable=len(pictures) < 3):
        measured = _measured(picture, lens)
        if isinstance(measured, RingsFailed):
            failed = True
            errors.print(measured.reason, highlight=False, markup=False)
            continue
        last = measured
        if as_lines:
            typer.echo(json.dumps(rings_json(picture.name, measured)))
        else:
            show_rings(Console(), picture.name, measured)
    if save is not None and kept is not None and last is not None:
        how = f"printed lines in {pictures[-1].name}"
        save_profile(save, kept.model_copy(update={"rings": rings_profile(last, datetime.now(UTC), how)}))
        errors.print(f"Kept in {save}.", highlight=False, markup=False)
    if failed:
        raise typer.Exit(1)


def _measured(picture: Path, lens: Camera | None) -> BoardPrint | RingsFailed:
    """The rings in one picture, or the sentence that says why they cannot be measured."""
    try:
        measured = rings_of(load_picture(picture), lens)
    except CompanionError as error:
        return RingsFailed(str(error))
    if isinstance(measured, RingsFailed):
        return RingsFailed(f"{picture}: {measured.reason}")
    unread = [ring for ring in rings_json(picture.name, measured)["rings"] if ring["sigma_deg"] > UNREAD_DEG]
    if len(unread) > MOST_UNREAD:
        return RingsFailed(
            f"{picture}: the lines printed between the spaces cannot be read on {len(unread)} rings. Is it a "
            "picture of Above's board, sharp and lit? Nothing was kept of it."
        )
    return measured


def show_rings(console: Console, picture: str, measured: BoardPrint) -> None:
    """The rings as a table for people."""
    table = RichTable(title=picture, title_justify="left")
    for heading in ("ring", "turned", "shifted x, y", "± turn", "± shift"):
        table.add_column(heading, justify="right")
    for ring in rings_json(picture, measured)["rings"]:
        x, y = ring["shift_mm"]
        table.add_row(
            str(ring["ring"]),
            f"{ring['rotation_deg']:+.2f}°",
            f"{x:+.2f}, {y:+.2f} mm",
            f"{ring['sigma_deg']:.2f}°",
            f"{ring['sigma_mm']:.2f} mm",
        )
    console.print(table)
