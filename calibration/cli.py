"""`calibrate`: measuring a table so that the companion sees it right. Its commands stand in `calibration.commands`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from calibration.commands import all as whole
from calibration.commands import (
    box,
    camera,
    check,
    lights,
    profile,
    reeds,
    report,
    rings,
    scoreboard,
    stickers,
)
from companion.errors import CompanionError, printable

app = typer.Typer(
    name="calibrate",
    help="Print a table's markers, measure it, and see whether it is fit to play with. "
    "Example: calibrate all --simulated, to see how it goes; at a table: calibrate stickers, then calibrate all.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("all")(whole.all_)
app.command("stickers")(stickers.stickers)
app.command("camera")(camera.camera)
app.command("rings")(rings.rings)
app.command("lights")(lights.lights)
app.command("reeds")(reeds.reeds)
app.command("scoreboard")(scoreboard.scoreboard)
app.command("box")(box.box)
app.command("check")(check.check)
app.command("report")(report.report)
app.add_typer(profile.app, name="profile")


def main(arguments: Sequence[str] | None = None) -> None:
    """The console command; a person's mistake or a pulled cable ends in one sentence, not a traceback."""
    try:
        app(arguments)
    except CompanionError as error:
        sys.stderr.write(printable(f"calibrate: {error}\n"))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(0)
