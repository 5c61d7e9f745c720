"""`companion bundle`: one file with all that a bug report needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def bundle(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path(
        "olympus-bundle.zip"
    ),
    config: Annotated[
        Path | None, typer.Option(help="Settings file (TOML); default as for play.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Collects settings, log, games, what the referee was told lately and pictures of what was refused.

    It holds the players' names and pictures of the table, and no code of the page. Of the installed table: with sudo,
    since its games are readable by its own user alone.

    Example: sudo companion bundle --output report.zip
    """
    from companion.bundle.pack import pack
    from companion.commands.doctor import examined
    from companion.doctor.check import run
    from companion.doctor.computer import UNIT
    from companion.settings import load_settings

    settings = load_settings(config)
    checks, _ = examined(config)
    log = run(["journalctl", "-u", UNIT, "-n", "3000", "--no-pager", "--no-hostname", "-o", "short-iso"])
    errors = Console(stderr=True)
    with errors.status("collecting") as status:
        packed = pack(settings, checks, log, lambda part: status.update(f"collecting {part}"))
        packed.write(output)
    about = packed.json("about.json")
    missing = about["missing"] if isinstance(about, dict) else []
    if as_json:
        typer.echo(json.dumps({"file": str(output), "parts": sorted(packed.parts), "missing": missing}))
        return
    for each in missing:
        errors.print(f"left out: {each}", markup=False, highlight=False, soft_wrap=True)
    size = output.stat().st_size / 1e6
    typer.echo(
        f"{output}: {len(packed.parts)} parts, {size:.1f} MB. companion replay {output} plays it back."
    )
