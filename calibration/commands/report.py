"""`calibrate report`: one page with everything, to keep or to send for help."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from calibration.cards.above import AboveCards
from calibration.cards.olympeak import OlympeakCards
from calibration.commands.check import preflight
from calibration.commands.options import ControllerPort, Seed, Source
from calibration.devices import named_source
from calibration.evidence import load
from calibration.live import DEFAULT_FILE
from calibration.output import write_file
from calibration.profile import TableProfile, load_profile
from calibration.report.report import Report
from calibration.sequence import all_steps
from companion.kept import OWNERS_CARDS, OWNERS_DECK


def report(
    file: Annotated[Path, typer.Argument(help="The table profile.")] = DEFAULT_FILE,
    out: Annotated[Path | None, typer.Option(help="The page to write; default: PROFILE-report.html.")] = None,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="A simulated table, the same as --source simulated.")
    ] = False,
    source: Source = None,
    controller: ControllerPort = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say as JSON what was written.")] = False,
    seed: Seed = 1,
) -> None:
    """Look at the table as calibrate check does, and write it down with pictures and all that was measured.

    One HTML page with everything in it, that needs nothing else to be read. It shows the table and what lies on it,
    but holds no names, addresses, codes or paths of this computer.

    Examples:

        calibrate report

        calibrate report table.toml --out /tmp/table.html
    """
    profile = load_profile(file) if file.exists() else TableProfile(name=file.stem)
    done = preflight(profile, named_source(file, source, simulated=simulated), controller, seed)
    steps = [step.name for step in all_steps()]
    books = (AboveCards.kept(OWNERS_CARDS), OlympeakCards.kept(OWNERS_DECK))
    page = Report(profile, done, load(file, steps), books, datetime.now(UTC)).html()
    written = out or file.with_name(f"{file.stem}-report.html")
    write_file(written, page)
    if as_json:
        typer.echo(json.dumps({"file": str(written), "bytes": len(page.encode()), "go": done.go}))
    else:
        typer.echo(f"{written}: {len(page.encode()) / 1e6:.1f} MB. Open it in a browser, or send it.")
