"""The command `companion`: one Typer application, its commands in `companion.commands`."""

from __future__ import annotations

import errno
import sys

import typer

from companion.commands import box, bundle, doctor, journal, look, play, replay, rules, soak
from companion.errors import CompanionError, printable

app = typer.Typer(
    rich_markup_mode="markdown",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Watches a real game of Above or OlymPeak through a camera and referees it. Try: companion play above",
)
app.add_typer(
    rules.app,
    name="rules",
    help="The rules by themselves: legal actions, successors, random games, checked records. "
    "Example: companion rules play above --players 2 --seed 7",
)
app.add_typer(
    box.app,
    name="box",
    help="The cards of OlymPeak as a table: export, check, import. "
    "Example: companion box export olympeak deck.csv",
)
app.add_typer(
    journal.app,
    name="journal",
    help="The games that are kept: list, show, export, replay, browse. "
    "Example: companion journal replay 3 --every 1",
)
app.command("doctor")(doctor.doctor)
app.command("bundle")(bundle.bundle)
app.command("replay")(replay.replay)
app.command("look")(look.look)
app.command("play")(play.play)
app.command("soak")(soak.soak)


def main() -> None:
    """Runs the command line; a person's mistake or a pulled cable ends in one sentence, not a traceback."""
    try:
        app()
    except CompanionError as error:
        sys.stderr.write(printable(f"companion: {error}\n"))
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise
        sys.stderr.write(f"companion: what was asked for cannot be written ({error.strerror}).\n")
        sys.exit(1)
