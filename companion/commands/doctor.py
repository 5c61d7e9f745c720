"""`companion doctor`: one table of everything, each line with what to do."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

if TYPE_CHECKING:
    from companion.doctor.check import Check
    from companion.settings import Settings

COLOURS = {"ok": "green", "warn": "yellow", "bad": "bold red"}


def doctor(
    config: Annotated[
        Path | None, typer.Option(help="Settings file (TOML); default as for play.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
    qr: Annotated[bool, typer.Option("--qr/--no-qr", help="Show the page's address as a QR code.")] = True,
) -> None:
    """Looks at programs, devices, computer, network and what was measured, and says of each what to do.

    Nothing is opened that a running table uses, and nothing is changed.

    Example: companion doctor --json

    Exit status 0 if nothing is bad (there may be warnings), else 1.
    """
    checks, address = examined(config)
    if as_json:
        told = [{"topic": c.topic, "state": c.state.value, "text": c.text, "todo": c.todo} for c in checks]
        typer.echo(json.dumps({"checks": told, "page": address}, ensure_ascii=False))
    else:
        _show(checks, address if qr else None)
    if any(check.state.value == "bad" for check in checks):
        raise typer.Exit(1)


def examined(config: Path | None) -> tuple[list[Check], str | None]:
    """All lines of the table, and the page's address for phones."""
    from datetime import UTC, datetime

    from companion.doctor.check import Computer
    from companion.doctor.computer import check_computer
    from companion.doctor.fitted import check_camera, check_controller, check_pins
    from companion.doctor.programs import check_picamera, check_programs
    from companion.doctor.table import check_asides, check_journal, check_page, check_profile

    computer = Computer()
    first, settings = _settings(config)
    said = settings.model_fields_set
    # A profile may name another camera than the default one, which is simulated.
    simulated = settings.camera == "simulated" and ("camera" in said or settings.profile is None)
    measured, profile = check_profile(settings.profile, datetime.now(UTC), simulated=simulated)
    # As the running table does: what the settings leave open, the profile says.
    camera = settings.camera if "camera" in said else profile.source or settings.camera
    controller = settings.controller if "controller" in said else profile.port or settings.controller
    pins = settings.pins if "pins" in said else profile.pins or settings.pins
    page, address = check_page(settings)
    checks = [
        *check_programs(computer),
        check_picamera(computer, camera.startswith("picamera")),
        first,
        check_camera(computer, camera),
        check_controller(controller),
        check_pins(pins),
        measured,
        *check_computer(computer, settings.journal.parent),
        check_journal(settings.journal),
        *check_asides(settings.journal),
        page,
    ]
    return checks, address


def _settings(config: Path | None) -> tuple[Check, Settings]:
    from companion.doctor.check import bad, well
    from companion.settings import DEFAULT_FILE, INSTALLED_FILE, Settings, SettingsError, load_settings

    try:
        settings = load_settings(config)
    except SettingsError as error:
        return bad("settings", str(error), "mend that line; the rest is looked at with the defaults"), (
            Settings.model_construct()
        )
    file = config or next((path for path in (DEFAULT_FILE, INSTALLED_FILE) if os.path.exists(path)), None)
    return well("settings", "the defaults" if file is None else str(file)), settings


def _show(checks: list[Check], address: str | None) -> None:
    console = Console()
    # A path is needed to its end, however narrow the terminal is.
    table = Table("", "what", Column("how it is", overflow="fold"), Column("what to do", overflow="fold"))
    for check in checks:
        state = check.state.value
        cells = (Text(check.topic), Text(check.text), Text(check.todo))
        table.add_row(Text(state, style=COLOURS[state]), *cells)
    console.print(table)
    if address is not None:
        from companion.web.addresses import qr_for_terminal

        console.print(qr_for_terminal(address), markup=False, highlight=False, soft_wrap=True)
