"""`calibrate profile`: what a table profile holds, and whether it can be used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from calibration.commands.rings import show_rings
from calibration.places import named
from calibration.profile import TableProfile, load_profile
from calibration.profile_base import Measured
from calibration.wiring_profile import SPACES

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
    for text in wiring_words(profile):
        console.print(text, markup=False)


def wiring_words(profile: TableProfile) -> tuple[str, ...]:
    """How the controller is wired, a line each for lights, switches and lanes."""

    def when(measured: Measured) -> str:
        return f"measured {measured.at:%Y-%m-%d %H:%M} ({measured.how})"

    lights, reeds, board = profile.lights, profile.reeds, profile.scoreboard
    told = [
        "lights  not measured: as drawn",
        "reeds   not measured: as drawn",
        "lanes   not measured: as drawn",
    ]
    if lights is not None:
        dark = f"; dark: {named(lights.dark)}" if lights.dark else ""
        told[0] = f"lights  {when(lights.measured)}{dark}"
    if reeds is not None:
        distrusted = sorted(reeds.distrusted, key=SPACES.index)
        bad = f"; not believed: {named(distrusted)}" if distrusted else ""
        told[1] = f"reeds   {when(reeds.measured)}{bad}"
    if board is not None:
        lanes = ", ".join(f"{lane.carries} by axis {lane.axis} × {lane.scale:+.3f}" for lane in board.lane)
        told[2] = f"lanes   {when(board.measured)}: {lanes}"
    return tuple(told)


@app.command("check")
def check(file: Annotated[Path, typer.Argument(help="The table profile (TOML).")]) -> None:
    """Say whether a table profile can be used; exit status 1 and the wrong key if not.

    Example:

        calibrate profile check table.toml
    """
    load_profile(file)
    typer.echo("ok")
