"""`companion replay`: plays a bundle back through recognition and referee, and compares with what happened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

# So many verdicts that differ are shown; with --json all are.
SHOWN = 5


def replay(
    bundle: Annotated[Path, typer.Argument(help="A file that companion bundle has written.")],
    save_case: Annotated[
        Path | None,
        typer.Option(help="Also write what was played as a test case, without pictures.", show_default=False),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="The test case may be there already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Tells the referee again, look by look, what it was told at the table, and reads the kept pictures again.

    Every verdict has to be the same, word by word, and every reading bit by bit. Where one is not, either this is
    another version, or another build of the libraries; `about.json` in the bundle names those it was made with.

    A test case is a file for tests/data/cases: the tests play all that lie there.

    Example: companion replay olympus-bundle.zip --save-case tests/data/cases/lost-token.zip

    Exit status 0 if everything is the same, 1 if anything differs.
    """
    from companion.bundle.contents import Bundle, BundleError
    from companion.bundle.replay import case_of, compare_pictures, sittings_of
    from companion.bundle.replay import replay as play_sitting
    from companion.errors import printable

    if save_case is not None and save_case.exists() and not overwrite:
        raise BundleError(f"{save_case} is there already; choose another name, or add --overwrite.")
    packed = Bundle.read(bundle)
    errors = Console(stderr=True)
    told: list[dict[str, Any]] = []
    same = True
    with errors.status("playing") as status:
        for name in sittings_of(packed):
            done = play_sitting(packed, name, lambda n, name=name: status.update(f"playing {name}: line {n}"))  # type: ignore[misc]
            same = same and done.differs is None
            told.append(
                {
                    "sitting": name,
                    "looks": done.looks,
                    "verdicts": len(done.recorded),
                    "differs": done.differs,
                    "same_rulings": done.same_rulings,
                    "others": [
                        {"verdict": number, "recorded": before.text, "now": "" if now is None else now.text}
                        for number, now, before in done.others
                    ],
                    "broken": done.broken,
                    "last": done.verdicts[-1].text if done.verdicts else "",
                }
            )
        status.update("reading pictures")
        pictures = compare_pictures(packed)
    same = same and all(picture.same for picture in pictures)
    if save_case is not None:
        case_of(packed).write(save_case)
        errors.print(f"Written: {save_case}", markup=False, highlight=False, soft_wrap=True)
    if as_json:
        read = [{"picture": picture.name, "same": picture.same} for picture in pictures]
        typer.echo(json.dumps({"same": same, "sittings": told, "pictures": read}, ensure_ascii=False))
    else:
        console = Console()
        for each in told:
            end = "all the same"
            if each["differs"] is not None:
                end = f"{len(each['others'])} differ, the first is verdict {each['differs']}"
                if each["same_rulings"]:
                    end += "; only in words or in time, everything is ruled as it was"
            if each["broken"]:
                end += f" up to where it cannot be told again ({each['broken']})"
            line = f"{each['sitting']}: {each['looks']} looks, {each['verdicts']} verdicts, {end}"
            console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
            for other in each["others"][:SHOWN]:
                line = f"  verdict {other['verdict']}: was “{other['recorded']}”, is “{other['now']}”"
                console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
        for picture in pictures:
            line = f"{picture.name}: {'reads the same' if picture.same else 'reads otherwise here'}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        if not told and not pictures:
            console.print("Nothing was recorded: `record = false` is set, or nothing was played yet.")
    if not same:
        raise typer.Exit(1)
