"""`companion soak`: whole games on the simulated table as fast as it can, with what went wrong counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table


def soak(
    game: Annotated[str, typer.Argument(help="The game: above or olympeak.")],
    players: Annotated[int, typer.Option(help="Above: 2 or 4; OlymPeak: 2 to 6.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 5,
    seed: Annotated[int, typer.Option(help="Chance; the same seed plays the same games.")] = 1,
    illegal: Annotated[float, typer.Option(min=0, max=1, help="How often a turn begins illegally.")] = 0.3,
    deck: Annotated[
        Path | None, typer.Option(help="OlymPeak: cards as CSV; default: those that come with the program.")
    ] = None,
    motors: Annotated[
        bool, typer.Option("--motors", help="OlymPeak: cubes and round marker move by themselves.")
    ] = False,
    controller: Annotated[
        str,
        typer.Option(
            help="simulated; or simavr: the real firmware in a simulated chip, where there is a source tree."
        ),
    ] = "simulated",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Plays whole games through rendered pictures and the serial link in virtual time.

    Example: companion soak above --players 2 --games 5 --seed 1 --json

    Counts, over all games: turns, illegal moves shown and caught, wrong turns accepted, false alarms,
    questions, stuck games; and the latency from the last hand leaving the picture to the LED command.
    Exit status 1 if anything was accepted or called illegal wrongly, missed, or got stuck.
    """
    # The table's parts are heavy to load; the other commands do without them.
    from companion.simulation import simulated_chip
    from companion.soak import SoakReport, soak_game
    from companion.tables.catalogue import kit_for
    from firmware_bridge.virtual_controller import VirtualController

    if controller not in ("simulated", "simavr"):
        raise typer.BadParameter(f'"{controller}" is neither "simulated" nor "simavr".')
    board = simulated_chip() if controller == "simavr" else VirtualController
    kit = kit_for(game, players, deck, named=True)
    report = SoakReport()
    errors = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[turns]} turns"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    ) as progress:
        bar = progress.add_task(f"{games} games", total=games, turns=0)
        for number in range(games):
            before = report.turns
            soak_game(
                kit,
                players,
                seed * 1000 + number,
                report,
                illegal=illegal,
                motors=motors,
                board=board,
                progress=lambda turns, before=before: progress.update(bar, turns=before + turns),  # type: ignore[misc]
            )
            progress.update(bar, completed=number + 1, turns=report.turns)
    for incident in report.incidents:
        errors.print(incident, markup=False, highlight=False, style="red", soft_wrap=True)
    result = report.as_json()
    if as_json:
        typer.echo(json.dumps(result))
    else:
        table = Table(show_header=False)
        for key, value in result.items():
            table.add_row(key, str(value))
        Console().print(table)
    missed = report.illegal_shown - report.illegal_caught
    if report.wrong_accepted or report.false_alarms or report.stuck or missed:
        raise typer.Exit(1)
