"""`calibrate all`: every step that the fitted hardware needs, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from calibration.commands.options import ControllerPort, Host, NoPage, Port, Seed, Source, Yes
from calibration.course import Course
from calibration.devices import named_source
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.sequence import all_steps


def all_(
    file: Annotated[
        Path, typer.Argument(help="The table profile to write and to go on with.")
    ] = DEFAULT_FILE,
    redo: Annotated[
        list[str] | None,
        typer.Option(help="Measure this step again, as camera or rings; again for each. all: everything."),
    ] = None,
    assembled: Annotated[
        bool,
        typer.Option(
            "--assembled", help="The board is together already: only measure its rings. --yes implies it."
        ),
    ] = False,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="A simulated table and owner, the same as --source simulated.")
    ] = False,
    source: Source = None,
    controller: ControllerPort = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Ask nothing; one JSON object a line for every step.")
    ] = False,
    seed: Seed = 1,
) -> None:
    """Lead through the whole calibration of a table: every step for which the parts are fitted, in order.

    What is good enough is kept at once. Stopped at any moment, by a key, Ctrl-C or a pulled cable, the same command
    goes on where it was. Exit status 1: not everything was measured.

    Examples:

        calibrate all --simulated

        calibrate all --source picamera --controller auto --host 0.0.0.0

        calibrate all --redo rings
    """
    unattended = yes or as_json
    source = named_source(file, source, simulated=simulated)
    measure_only = assembled or unattended
    steps = all_steps(source, assemble=not measure_only)
    wanted = redo or []
    course = Course(steps, [step.name for step in steps] if "all" in wanted else wanted, resume=True)
    again = " ".join(
        (
            "calibrate all",
            *(() if file == DEFAULT_FILE else (str(file),)),
            *(() if source is None else ("--simulated",) if simulated else ("--source", source)),
            *(() if controller is None else ("--controller", controller)),
        )
    )
    options = LiveOptions(
        file,
        source,
        controller,
        None if no_page else host,
        port,
        yes,
        as_json,
        seed,
        built=measure_only,
        go_on=again,
        then=f"All that is fitted is measured, see: calibrate profile show {file}. "
        f"Play with it: companion play above --profile {file}",
    )
    if not run_live(course, options, typer.echo):
        raise typer.Exit(1)
