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

from calibration.commands.options import ControllerPort, Host, NoPage, Port, Save, Seed, Source, Yes
from calibration.creep import crept
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.profile import TableProfile, load_profile, rings_profile, save_profile
from calibration.pucks import PucksError, parse_pucks
from calibration.rings import MOST_UNREAD, RingsFailed, rings_json, rings_of, told, unread
from calibration.steps.rings import RingsStep
from companion.errors import CompanionError
from companion.games.above.box import Board
from companion.sensing.geometry import Camera, load_camera
from companion.sensing.picture_file import load_picture
from companion.sensing.place import BoardPrint


def rings(
    pictures: Annotated[
        list[Path] | None, typer.Argument(help="Pictures of the table (JPEG, PNG); none: live.")
    ] = None,
    camera: Annotated[
        Path | None,
        typer.Option(
            help="Pictures: JSON file with `camera.matrix` and `camera.distortion`. Default: the profile's lens, "
            "else the reference lens."
        ),
    ] = None,
    puck: Annotated[
        list[str] | None,
        typer.Option(
            help="Pictures: a puck on a space, as 235=a3; two or more for each ring that cannot be read."
        ),
    ] = None,
    save: Save = None,
    measure_only: Annotated[
        bool, typer.Option("--measure-only", help="Live: the rings are laid already; only measure them.")
    ] = False,
    source: Source = None,
    controller: ControllerPort = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, a picture each.")] = False,
    seed: Seed = 1,
) -> None:
    """Lay the rings with help, and measure how each is turned and shifted against ring 1.

    Live, terminal, page and lights say how to turn and push each ring before it is pressed on. Pieces may stay on
    the board; the printed lines between the spaces are what is measured. What has crept since the profile was
    written is told.

    Examples:

        calibrate rings --source picamera --controller auto --save table.toml

        calibrate rings table.jpg --camera camera.json --save table.toml

        calibrate rings worn.jpg --puck 235=a3 --puck 236=i3 --save table.toml
    """
    if pictures:
        _from_pictures(pictures, camera, parse_pucks(puck or (), Board()), save, as_json)
        return
    if puck or camera is not None:
        raise PucksError("--puck and --camera are for pictures; name one.")
    options = LiveOptions(
        save or DEFAULT_FILE,
        source,
        controller,
        None if no_page else host,
        port,
        yes,
        as_json,
        seed,
        built=measure_only,
    )
    if not run_live([RingsStep(assemble=not measure_only)], options, typer.echo):
        raise typer.Exit(1)


def _from_pictures(
    pictures: list[Path], camera: Path | None, pucks: dict[int, str], save: Path | None, as_lines: bool
) -> None:
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
        measured = _measured(picture, lens, pucks)
        if isinstance(measured, RingsFailed):
            failed = True
            errors.print(measured.reason, highlight=False, markup=False, soft_wrap=True)
            continue
        last = measured
        if as_lines:
            typer.echo(json.dumps(rings_json(picture.name, measured)))
        else:
            show_rings(Console(), picture.name, measured)
        missing = unread(measured)
        if missing:
            errors.print(
                f"{picture.name}: the lines of {told(missing)} cannot be read. Give light, take hands off, or lay "
                "two pucks on opposite spaces (--puck 235=a3 --puck 236=i3).",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )
    if save is not None and kept is not None and last is not None:
        if kept.rings is not None:
            for creep in crept(kept.rings.board_print(), last):
                errors.print(
                    f"{creep.text[0].upper()}{creep.text[1:]}.", highlight=False, markup=False, soft_wrap=True
                )
        how = f"{'pucks and ' if pucks else ''}printed lines in {pictures[-1].name}"
        save_profile(save, kept.model_copy(update={"rings": rings_profile(last, datetime.now(UTC), how)}))
        errors.print(f"Kept in {save}.", highlight=False, markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _measured(picture: Path, lens: Camera | None, pucks: dict[int, str]) -> BoardPrint | RingsFailed:
    """The rings in one picture, or the sentence that says why they cannot be measured."""
    try:
        measured = rings_of(load_picture(picture), lens, pucks=pucks)
    except CompanionError as error:
        return RingsFailed(str(error))
    if isinstance(measured, RingsFailed):
        return RingsFailed(f"{picture}: {measured.reason}")
    missing = unread(measured)
    if len(missing) > MOST_UNREAD:
        return RingsFailed(
            f"{picture}: the lines printed between the spaces cannot be read on {len(missing)} rings. Is it a "
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
