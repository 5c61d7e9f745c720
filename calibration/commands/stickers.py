"""`calibrate stickers`: all markers of the table as a PDF to print."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from calibration.output import write_file
from calibration.stickers.fingerprint import check_fingerprint
from calibration.stickers.paper import Labels, PaperError, paper, parse_shift
from calibration.stickers.pdf import sheets_pdf
from calibration.stickers.plan import charuco_for, fits, plan
from calibration.stickers.prints import Group, groups_for


def stickers(
    out: Annotated[Path | None, typer.Argument(help="The PDF to write; default stickers-PAPER.pdf.")] = None,
    game: Annotated[str, typer.Option(help="above, olympeak or all.")] = "all",
    on: Annotated[
        str,
        typer.Option(
            "--paper",
            help="A4, Letter, a label sheet (L4732, L7651, L7636, L7160, L7161, 5160, 5163), or labels by their "
            "measures: A4:4x12:45.7x21.2:2.5x0 (columns x rows, width x height, gaps).",
        ),
    ] = "A4",
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these, again for each: frame, spares, pucks, minis, tokens, cards, contenders, scoreboard, "
            "deck, charuco."
        ),
    ] = None,
    shift: Annotated[
        str | None,
        typer.Option(help="Labels: move everything by so many mm to the right and down, as 0.8,-1.2."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say as JSON what is printed where.")] = False,
) -> None:
    """Draw all markers at their exact size, with cutting lines, names and a ruler, and the ChArUco sheet.

    Print at 100 %, not fitted to the page, and hold a ruler against the printed one before cutting. Labels: print on
    plain paper first and hold it against a sheet of labels before a lamp; what is beside its label is moved with --shift.

    Examples:

        calibrate stickers

        calibrate stickers above.pdf --game above --paper Letter

        calibrate stickers labels.pdf --paper L7636 --only deck --only tokens --shift 0.5,-1
    """
    wanted = only or []
    mark = check_fingerprint()
    chosen = paper(on)
    if shift is not None:
        if not isinstance(chosen, Labels):
            raise PaperError(
                f"--shift moves labels; {chosen.name} is plain paper, where nothing has to be met."
            )
        chosen = replace(chosen, shift_mm=parse_shift(shift))
    page = chosen.page if isinstance(chosen, Labels) else chosen
    stickers_wanted = [key for key in wanted if key != "charuco"]
    groups: tuple[Group, ...] = () if wanted and not stickers_wanted else groups_for(game, stickers_wanted)
    sheets = plan(groups, chosen)
    charuco = (page, charuco_for(page)) if not wanted or "charuco" in wanted else None
    file = out or Path(f"stickers-{chosen.name.replace(':', '-')}.pdf")
    write_file(file, sheets_pdf(sheets, charuco, f"markers {mark}"))
    if as_json:
        said = {
            "file": str(file),
            "paper": chosen.name,
            "fingerprint": mark,
            "sheets": len(sheets) + (charuco is not None),
            "charuco": None
            if charuco is None
            else {
                "squares": [charuco[1].columns, charuco[1].rows],
                "square_mm": charuco[1].square_mm,
                "marker_mm": charuco[1].marker_mm,
                "dictionary": charuco[1].dictionary,
            },
            "stickers": [
                {
                    "id": placed.sticker.id,
                    "name": placed.sticker.name,
                    "side_mm": placed.sticker.side_mm,
                    "sheet": number,
                    "x_mm": round(placed.x_mm, 3),
                    "y_mm": round(placed.y_mm, 3),
                }
                for number, sheet in enumerate(sheets, start=1)
                for placed in sheet.placed
            ],
        }
        typer.echo(json.dumps(said, ensure_ascii=False))
        return
    console = Console(highlight=False)
    for group in groups:
        others = (
            [sticker for sticker in group.prints if not fits(sticker, chosen)]
            if isinstance(chosen, Labels)
            else []
        )
        beside = f", {len(others)} of them too large for the labels: on plain paper" if others else ""
        console.print(f"{group.key:<12}{len(group.prints):>4}  {group.title}{beside}", markup=False)
    if charuco is not None:
        console.print(f"charuco        1  {charuco[1].said} of {charuco[1].square_mm:g} mm", markup=False)
    console.print(
        f"{file}: {len(sheets) + (charuco is not None)} sheets. Print them at 100 %, not fitted to the page.",
        markup=False,
        soft_wrap=True,
    )
    if isinstance(chosen, Labels):
        console.print(
            "Labels: print a sheet on plain paper first and hold it against the labels before a lamp; move it with "
            "--shift, in mm to the right and down.",
            markup=False,
            soft_wrap=True,
        )
