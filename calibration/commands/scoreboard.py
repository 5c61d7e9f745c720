"""`calibrate scoreboard`: which axis drives which cube, which way and how well."""

from __future__ import annotations

from typing import Annotated

import typer

from calibration.commands.options import ControllerPort, Host, NoPage, Port, Save, Seed, Source, Yes
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.steps.scoreboard import TRIPS, ScoreboardStep


def scoreboard(
    trips: Annotated[
        int, typer.Option(min=3, max=100, help="Trips by which it is told how well a lane repeats.")
    ] = TRIPS,
    save: Save = None,
    source: Source = None,
    controller: ControllerPort = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[bool, typer.Option("--json", help="The lanes and all findings as JSON.")] = False,
    seed: Seed = 1,
) -> None:
    """Drive OlymPeak's cubes, and learn from the camera where each comes to stand.

    Exchanged motor plugs, lanes that are mounted the other way round, an endstop that sits elsewhere and other pulleys
    are learnt and put right. A lane that runs away from its endstop, does not reach its places, stands elsewhere each
    time or loses steps is refused, with what to do.

    Examples:

        calibrate scoreboard --source picamera --controller auto --save table.toml

        calibrate scoreboard --source simulated --yes
    """
    options = LiveOptions(
        save or DEFAULT_FILE,
        source,
        controller,
        None if no_page else host,
        port,
        yes,
        as_json,
        seed,
        built=True,
    )
    if not run_live([ScoreboardStep(trips)], options, typer.echo):
        raise typer.Exit(1)
