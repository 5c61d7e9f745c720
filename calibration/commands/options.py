"""Options that the live commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Save = Annotated[
    Path | None, typer.Option(help="The table profile to keep it in; live: table.toml if not named.")
]
Source = Annotated[
    str | None,
    typer.Option(
        help="Live: simulated, picamera, usb, usb:NAME or none. Default: the profile's, else the simulated table."
    ),
]
ControllerPort = Annotated[
    str | None,
    typer.Option("--controller", help="Live: auto, none, or a serial port; default: the profile's."),
]
Host = Annotated[str, typer.Option(help="Live: address of the page; 0.0.0.0 shows it to the whole network.")]
Port = Annotated[int, typer.Option(help="Live: port of the page.")]
NoPage = Annotated[bool, typer.Option("--no-page", help="Live: in the terminal only.")]
Yes = Annotated[bool, typer.Option("--yes", help="Live: ask nothing, keep what is good enough.")]
Seed = Annotated[int, typer.Option(help="Simulated table: chance.")]
