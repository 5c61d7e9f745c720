"""`calibrate profile`: what a table profile holds, and whether it can be used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from calibration.commands.rings import show_rings
from calibration.profile import load_profile

app = typer.Typer(
    help="The table profile: show it, check it. Example: calibrate profile show table.toml",
    no_args_is_help=True,
)


@app.command("show")
def show(
    file: Annotated[Path, typer.Argument(help="The table profile (TOML).")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Print what a table profile holds.

    Example:

        calibrate profile show table.toml
    """
    profile = load_profile(file)
    if as_json:
        typer.echo(profile.model_dump_json(exclude_none=True))
        return
    console = Console(highlight=False)
    console.print(f"name    {profile.name}", markup=False)
    console.print(f"camera  {profile.source or 'not set'}", markup=False)
    console.print(f"port    {profile.port or 'not set'}", markup=False)
    if profile.camera is None:
        console.print("lens    not measured: the reference lens is assumed")
    else:
        lens = profile.camera
        focus = "" if lens.lens_position is None else f", focus {lens.lens_position:.2f}"
        console.print(
            f"lens    {lens.width_px} × {lens.height_px}, focal length {lens.matrix[0][0]:.1f} px{focus}, "
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
        show_rings(console, profile.name, profile.rings.board_print())


@app.command("check")
def check(file: Annotated[Path, typer.Argument(help="The table profile (TOML).")]) -> None:
    """Say whether a table profile can be used; exit status 1 and the wrong key if not.

    Example:

        calibrate profile check table.toml
    """
    load_profile(file)
    typer.echo("ok")
