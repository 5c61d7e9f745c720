"""`calibrate lights`: which light of the strip shines where, told by blinking."""

from __future__ import annotations

from typing import Annotated

import typer

from calibration.commands.options import ControllerPort, Host, NoPage, Port, Save, Seed, Source, Yes
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.steps.lights import LightsStep


def lights(
    save: Save = None,
    source: Source = None,
    controller: ControllerPort = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The map of the lights and all findings as JSON.")
    ] = False,
    seed: Seed = 1,
) -> None:
    """Let the lights blink, and learn from the camera which is where.

    Nobody is asked anything: columns that are exchanged, a strip that runs the other way and colours in another order
    are found, kept in the profile, and put right from then on. Lights that are dead, weak or hidden are named.

    Examples:

        calibrate lights --source picamera --controller auto --save table.toml

        calibrate lights --source simulated --yes
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
    if not run_live([LightsStep()], options, typer.echo):
        raise typer.Exit(1)
