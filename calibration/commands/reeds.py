"""`calibrate reeds`: which switch lies under which space, and which can be believed."""

from __future__ import annotations

from typing import Annotated

import typer

from calibration.commands.options import ControllerPort, Host, NoPage, Port, Save, Seed, Source, Yes
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.steps.reeds import ReedsStep
from calibration.wiring_profile import SPACES
from companion.errors import CompanionError


class NoSuchSpace(CompanionError, ValueError):
    """A space that there is none of. The message says which there are."""


def reeds(
    only: Annotated[
        list[str] | None,
        typer.Option(help="Learn only this space's switch anew, as c4, after it was mended; again for each."),
    ] = None,
    no_diodes: Annotated[
        bool,
        typer.Option("--no-diodes", help="Leave out the second round, with tokens, that tries the diodes."),
    ] = False,
    no_camera: Annotated[
        bool, typer.Option("--no-camera", help="Ask for space by space, without looking.")
    ] = False,
    save: Save = None,
    source: Source = None,
    controller: ControllerPort = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[bool, typer.Option("--json", help="The switches and all findings as JSON.")] = False,
    seed: Seed = 1,
) -> None:
    """Put or draw a miniature over the board, and learn which switch lies where.

    Any wiring order is learnt and kept. Switches that never close, never open, flicker, close beside a piece, or make
    others look closed are named, with what to do; a game is played without those that cannot be believed.

    Examples:

        calibrate reeds --source picamera --controller auto --save table.toml

        calibrate reeds --only c4 --only d5

        calibrate reeds --source simulated --yes
    """
    spaces = tuple(each.strip().lower() for each in only or ())
    for space in spaces:
        if space not in SPACES:
            raise NoSuchSpace(f"--only {space}: there is no such space; they are a1 to p6, and top.")
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
        blind=no_camera,
    )
    if not run_live([ReedsStep(spaces, diodes=not no_diodes)], options, typer.echo):
        raise typer.Exit(1)
