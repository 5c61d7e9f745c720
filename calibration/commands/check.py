"""`calibrate check`: is everything fit to play with?"""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from calibration.check.preflight import Preflight, Preflights
from calibration.commands.options import ControllerPort, Seed, Source
from calibration.devices import named_source, open_devices
from calibration.gate import findings_table
from calibration.live import DEFAULT_FILE
from calibration.profile import TableProfile, load_profile


def check(
    file: Annotated[Path, typer.Argument(help="The table profile.")] = DEFAULT_FILE,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="A simulated table, the same as --source simulated.")
    ] = False,
    source: Source = None,
    controller: ControllerPort = None,
    as_json: Annotated[bool, typer.Option("--json", help="All findings as one JSON object.")] = False,
    seed: Seed = 1,
) -> None:
    """Look at the table for ten seconds and say go or no go, in numbers with their limits and what to do.

    Leave the pieces where they are and take your hands away. What is not fitted is said, and nothing is wrong with it.
    Exit status 1: no go.

    Examples:

        calibrate check

        calibrate check table.toml --source picamera --controller auto --json

        calibrate check try.toml --simulated
    """
    profile = load_profile(file) if file.exists() else TableProfile(name=file.stem)
    done = preflight(profile, named_source(file, source, simulated=simulated), controller, seed)
    if as_json:
        said = {
            "go": done.go,
            "simulated": done.simulated,
            "findings": [finding.as_json() for finding in done.findings],
        }
        typer.echo(json.dumps(said, ensure_ascii=False))
    else:
        console = Console(highlight=False)
        title = f"{'SIMULATED ' if done.simulated else ''}{profile.name}"
        console.print(findings_table(done.findings, title))
        console.print("[bold green]Go.[/]" if done.go else "[bold red]No go: mend what says no go above.[/]")
    if not done.go:
        raise typer.Exit(1)


def preflight(profile: TableProfile, source: str | None, controller: str | None, seed: int) -> Preflight:
    """One preflight with a progress bar on standard error."""
    errors = Console(stderr=True)
    with (
        open_devices(profile, source, controller, seed, built=True) as devices,
        Progress(console=errors, transient=True) as progress,
    ):
        task = progress.add_task("looking at the table", total=1.0)
        return asyncio.run(
            Preflights(
                profile,
                devices.camera,
                devices.controller,
                time.monotonic,
                say=lambda share, what: progress.update(task, completed=share, description=what),
            ).run()
        )
