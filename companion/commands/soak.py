"""`companion soak`: whole games on the simulated table as fast as it can, with what went wrong counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from companion.errors import CompanionError


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
    stage: Annotated[
        str,
        typer.Option(
            help="What is fitted: camera, reeds, or both. OlymPeak's cards have no magnets: it needs the camera, and "
            "reeds change nothing there."
        ),
    ] = "both",
    sloppy: Annotated[
        bool, typer.Option("--sloppy", help="People nudge, straighten, put back, forget, begin too early …")
    ] = False,
    faults: Annotated[
        bool,
        typer.Option(
            "--faults", help="Frames are dropped, ids misread (2 %), arms linger; Above: switches are broken."
        ),
    ] = False,
    by_readings: Annotated[
        bool,
        typer.Option(
            "--by-readings",
            help="No pictures: the table is read as it truly lies. Tries all but sight, many times as fast.",
        ),
    ] = False,
    turns: Annotated[int | None, typer.Option(min=1, help="End each game after so many turns.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Plays whole games through rendered pictures (or true readings) and the serial link in virtual time.

    Example: companion soak above --players 2 --games 5 --seed 1 --sloppy --faults --json

    Counts, over all games: turns, illegal moves shown and caught (with `--stage reeds` those that leave the magnets
    as a legal turn may are `illegal_unfelt`: no switch can tell them, nor a picture those that the next player may
    have begun with; `illegal_doubtful` are those that one more
    broken switch may account for, and over which the table asked what was played and accused nobody;
    `illegal_put_back` are those over which the camera was truly away, covered or stuck, and that were asked to be put
    back; `reopened` are cards that somebody who has just recovered turns once more, which is no illegal act but is to
    be asked back: `reopened_asked` of them were), wrong turns accepted, false alarms, questions, stuck games; what
    people did beside playing (habits) and what went wrong (faults), by name. `asked` is how often people were asked
    anything. Of that, `asked_by_rules` is what the rules put to a player (does the order card stop the turn?), and is no
    doubt of the referee; `questions` is what the referee asked because it was in doubt, each once, however many buttons
    it took. `overruled` is how often people had to say that it is right as it lies: they say nothing untrue, so the
    table was wrong each time. Latency: table time from the moment when all that is to be judged lies there (the last
    hand has left the picture, or come to rest with the cards that it holds up there, and where only a player's word
    could decide, it was given) to the LED command.
    Where `--faults` has the camera deliver nothing for a while, nobody could know: that time is left out of
    `latency_ms`, and is in `latency_with_gaps_ms`. `latency_of_turns_ms` and `latency_of_refusals_ms` are its two parts:
    by switches alone a refusal is waited with, since what lies amiss may be in somebody's hand.

    Exit status 1 if anything was accepted or called illegal wrongly, missed, overruled by people, or got stuck; 2 for
    what cannot be played so.
    """
    # The table's parts are heavy to load; the other commands do without them.
    import cv2

    from companion.simulation import simulated_chip
    from companion.soak.game import soak_game, watch_by_sight
    from companion.soak.plan import SoakPlan, Stage
    from companion.soak.readings.watching import watch_by_readings
    from companion.soak.report import SoakReport
    from companion.tables.catalogue import kit_for

    if controller not in ("simulated", "simavr"):
        raise typer.BadParameter(f'"{controller}" is neither "simulated" nor "simavr".')
    board = simulated_chip() if controller == "simavr" else None
    errors = Console(stderr=True)
    if stage not in {each.value for each in Stage}:
        errors.print(f'There is no stage "{stage}". Known: camera, reeds, both.', markup=False)
        raise typer.Exit(2)
    kit = kit_for(game, players, deck, named=True)
    report = SoakReport()
    # A picture's parts are too small to share out: threads cost more than they gain, and other soaks want them.
    cv2.setNumThreads(1)
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
            plan = SoakPlan(
                players,
                seed * 1000 + number,
                illegal,
                Stage(stage),
                sloppy=sloppy,
                faults=faults,
                motors=motors,
                turns=turns,
            )
            try:
                soak_game(
                    kit,
                    plan,
                    report,
                    watch=watch_by_readings if by_readings else watch_by_sight,
                    board=board,
                    progress=lambda turns, before=before: progress.update(bar, turns=before + turns),  # type: ignore[misc]
                )
            except CompanionError as error:
                progress.stop()
                errors.print(str(error), markup=False, highlight=False, style="red", soft_wrap=True)
                raise typer.Exit(2) from None
            progress.update(bar, completed=number + 1, turns=report.turns)
    for incident in report.incidents:
        errors.print(incident, markup=False, highlight=False, style="red", soft_wrap=True)
    for doubt in report.doubts:
        errors.print(f"asked: {doubt}", markup=False, highlight=False, style="yellow", soft_wrap=True)
    result = report.as_json()
    if as_json:
        typer.echo(json.dumps(result))
    else:
        table = Table(show_header=False)
        for key, value in result.items():
            table.add_row(key, str(value))
        Console().print(table)
    if not report.is_flawless:
        raise typer.Exit(1)
