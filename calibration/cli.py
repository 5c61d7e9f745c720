"""`calibrate`: measuring a table so that the companion sees it right."""

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

app = typer.Typer(
    name="calibrate",
    help="Measure a table: how its rings lie, and what its profile holds. "
    "Example: calibrate rings table.jpg --save table.toml",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)
profile_app = typer.Typer(
    help="The table profile: show it, check it. Example: calibrate profile show table.toml",
    no_args_is_help=True,
)
app.add_typer(profile_app, name="profile")

_errors = Console(stderr=True)

# A ring whose rotation is this uncertain was not seen; with more of them than this, neither was the board.
UNREAD_DEG = 0.6
MOST_UNREAD = 3


def _fail(message: str) -> typer.Exit:
    _errors.print(message, highlight=False, markup=False)
    return typer.Exit(1)


@app.command()
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
    lens: Camera | None = None
    kept: TableProfile | None = None
    try:
        if camera is not None:
            lens = load_camera(camera)
        if save is not None:
            kept = load_profile(save) if save.exists() else TableProfile(name=save.stem)
    except CompanionError as error:
        raise _fail(str(error)) from None
    if lens is None and kept is not None and kept.camera is not None:
        lens = kept.camera.lens()
    failed = False
    last: BoardPrint | None = None
    for picture in track(pictures, console=_errors, transient=True, disable=len(pictures) < 3):
        try:
            measured = rings_of(load_picture(picture), lens)
        except CompanionError as error:
            failed = True
            _errors.print(str(error), highlight=False, markup=False)
            continue
        if isinstance(measured, RingsFailed):
            failed = True
            _errors.print(f"{picture}: {measured.reason}", highlight=False, markup=False)
            continue
        unread = [
            ring for ring in rings_json(picture.name, measured)["rings"] if ring["sigma_deg"] > UNREAD_DEG
        ]
        if len(unread) > MOST_UNREAD:
            failed = True
            _errors.print(
                f"{picture}: the lines printed between the spaces cannot be read on {len(unread)} rings. Is it a "
                "picture of Above's board, sharp and lit? Nothing was kept of it.",
                highlight=False,
                markup=False,
            )
            continue
        last = measured
        if as_lines:
            typer.echo(json.dumps(rings_json(picture.name, measured)))
        else:
            _show(picture.name, measured)
    if save is not None and kept is not None and last is not None:
        how = f"printed lines in {pictures[-1].name}"
        updated = kept.model_copy(update={"rings": rings_profile(last, datetime.now(UTC), how)})
        try:
            save_profile(save, updated)
        except CompanionError as error:
            raise _fail(str(error)) from None
        _errors.print(f"Kept in {save}.", highlight=False, markup=False)
    if failed:
        raise typer.Exit(1)


def _show(picture: str, measured: BoardPrint) -> None:
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
    Console().print(table)


@profile_app.command("show")
def show(file: Annotated[Path, typer.Argument(help="The table profile (TOML).")]) -> None:
    """Print what a table profile holds.

    Example:

        calibrate profile show table.toml
    """
    try:
        profile = load_profile(file)
    except CompanionError as error:
        raise _fail(str(error)) from None
    console = Console(highlight=False)
    console.print(f"name    {profile.name}", markup=False)
    console.print(f"camera  {profile.source or 'not set'}", markup=False)
    console.print(f"port    {profile.port or 'not set'}", markup=False)
    if profile.camera is None:
        console.print("lens    not measured: the reference lens is assumed")
    else:
        lens = profile.camera
        console.print(
            f"lens    {lens.width_px} × {lens.height_px}, focal length {lens.matrix[0][0]:.1f} px, "
            f"measured {lens.measured.at:%Y-%m-%d %H:%M} ({lens.measured.how})",
            markup=False,
        )
    if profile.rings is None:
        console.print("rings   not measured: they are measured while playing")
    else:
        console.print(
            f"rings   measured {profile.rings.measured.at:%Y-%m-%d %H:%M} ({profile.rings.measured.how})",
            markup=False,
        )
        _show(profile.name, profile.rings.board_print())


@profile_app.command("check")
def check(file: Annotated[Path, typer.Argument(help="The table profile (TOML).")]) -> None:
    """Say whether a table profile can be used; exit status 1 and the wrong key if not.

    Example:

        calibrate profile check table.toml
    """
    try:
        load_profile(file)
    except CompanionError as error:
        raise _fail(str(error)) from None
    typer.echo("ok")


def main() -> None:
    """The console command."""
    app()
