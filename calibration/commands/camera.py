"""`calibrate camera`: the lens, measured with a ChArUco sheet."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from calibration.camera_pictures import MeasuredLens, read_files
from calibration.charuco import CharucoSheet, SheetError
from calibration.commands.options import Host, NoPage, Port, Save, Seed, Source, Yes
from calibration.gate import findings_table, passes
from calibration.live import DEFAULT_FILE, LiveOptions, run_live
from calibration.output import write_file
from calibration.profile import CameraProfile, TableProfile, camera_profile, load_profile, save_profile
from calibration.steps.camera import CameraStep


def camera(
    pictures: Annotated[
        list[Path] | None, typer.Argument(help="Pictures of the sheet (JPEG, PNG), six or more; none: live.")
    ] = None,
    squares: Annotated[str, typer.Option(help="The sheet's squares, columns x rows.")] = "7x5",
    square_mm: Annotated[float, typer.Option(help="Side of a square, as measured on the print.")] = 40.0,
    marker_mm: Annotated[float, typer.Option(help="Side of a marker.")] = 30.0,
    dictionary: Annotated[str, typer.Option(help="The markers' dictionary in OpenCV.")] = "DICT_4X4_50",
    legacy: Annotated[bool, typer.Option("--legacy", help="The layout of OpenCV before 4.6.")] = False,
    save: Save = None,
    out: Annotated[
        Path | None, typer.Option(help="Pictures: write the lens as JSON, as --camera takes it.")
    ] = None,
    source: Source = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_page: NoPage = False,
    yes: Yes = False,
    as_json: Annotated[bool, typer.Option("--json", help="The lens and all findings as JSON.")] = False,
    seed: Seed = 1,
) -> None:
    """Measure the camera's lens with the ChArUco sheet, live or from pictures.

    Live it says where to hold the sheet, and takes the pictures by itself. Pictures of your own: six to twelve, the
    sheet in every part of the picture, tilted by about 25° in turn to the left, right, front and back. What is not
    good enough is refused with the reason.

    Examples:

        calibrate camera --source picamera --save table.toml

        calibrate camera sheet-*.jpg --save table.toml
    """
    sheet = _sheet(squares, square_mm, marker_mm, dictionary, legacy)
    if pictures:
        _from_pictures(pictures, sheet, save, out, as_json)
        return
    options = LiveOptions(
        save or DEFAULT_FILE, source, None, None if no_page else host, port, yes, as_json, seed
    )
    if not run_live([CameraStep(sheet, source)], options, typer.echo):
        raise typer.Exit(1)


def _from_pictures(
    pictures: list[Path], sheet: CharucoSheet, save: Path | None, out: Path | None, as_json: bool
) -> None:
    errors = Console(stderr=True)
    kept = None if save is None else load_profile(save) if save.exists() else TableProfile(name=save.stem)
    reader = read_files(
        track(pictures, "reading", console=errors, transient=True, disable=len(pictures) < 3), sheet
    )
    for missed in reader.missed:
        reason = missed.reason.rstrip(".")
        errors.print(f"{missed.name}: {reason}.", highlight=False, markup=False, soft_wrap=True)
    measured = reader.finish()
    how = f"ChArUco, {len(measured.fit.views)} pictures, {measured.fit.median_px:.2f} px"
    lens = camera_profile(measured.fit, datetime.now(UTC), how)
    if as_json:
        typer.echo(json.dumps(lens_json(measured, lens), ensure_ascii=False))
    else:
        _show(measured, lens)
    if not passes(measured.findings):
        errors.print(
            "The lens is not good enough and was not kept.", highlight=False, markup=False, soft_wrap=True
        )
        raise typer.Exit(1)
    if out is not None:
        write_file(out, json.dumps(lens_json(measured, lens), indent=1, ensure_ascii=False) + "\n")
    if save is not None and kept is not None:
        save_profile(save, kept.model_copy(update={"camera": lens}))
        errors.print(f"Kept in {save}.", highlight=False, markup=False, soft_wrap=True)


def _sheet(squares: str, square_mm: float, marker_mm: float, dictionary: str, legacy: bool) -> CharucoSheet:
    columns, _, rows = squares.lower().replace("×", "x").partition("x")
    if not (columns.strip().isdecimal() and rows.strip().isdecimal()):
        raise SheetError(f"--squares {squares}: write columns x rows, as 7x5.")
    return CharucoSheet(int(columns), int(rows), square_mm, marker_mm, dictionary, legacy)


def lens_json(measured: MeasuredLens, lens: CameraProfile) -> dict[str, Any]:
    """A measured lens for programs; its `camera` is what `--camera` of other commands reads."""
    fit = measured.fit
    return {
        "camera": {
            "matrix": lens.matrix,
            "distortion": lens.distortion,
            "size": [lens.width_px, lens.height_px],
        },
        "good": passes(measured.findings),
        "sigma_focal_px": lens.sigma_focal_px,
        "sigma_centre_px": lens.sigma_centre_px,
        "median_error_px": lens.median_error_px,
        "worst_error_px": lens.worst_error_px,
        "views": [
            {
                "picture": view.view.name,
                "error_px": round(view.rms_px, 3),
                "tilt_deg": round(view.tilt_deg, 1),
                "corners": len(view.view.ids),
            }
            for view in fit.views
        ],
        "dropped": [
            *({"picture": one.name, "reason": one.reason} for one in measured.missed),
            *({"picture": one.name, "reason": one.reason} for one in fit.dropped),
        ],
        "remarks": list(measured.remarks),
        "findings": [finding.as_json() for finding in measured.findings],
    }


def _show(measured: MeasuredLens, lens: CameraProfile) -> None:
    console = Console(highlight=False)
    for remark in measured.remarks:
        console.print(f"{remark[0].upper()}{remark[1:]}.", markup=False)
    for dropped in measured.fit.dropped:
        console.print(f"{dropped.name} was dropped: {dropped.reason}.", markup=False)
    console.print(findings_table(measured.findings))
    (fx, _, cx), (_, fy, cy), _ = lens.matrix
    console.print(
        f"focal length {fx:.1f}, {fy:.1f} px ± {lens.sigma_focal_px:.1f}; "
        f"centre {cx:.1f}, {cy:.1f} px ± {lens.sigma_centre_px:.1f}; "
        f"distortion {', '.join(f'{k:.4f}' for k in lens.distortion)}",
        markup=False,
    )
