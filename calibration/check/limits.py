"""What the preflight's numbers are held against, and what to do where they are not good enough."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from calibration.check.picture import PictureCheck
from calibration.creep import crept
from calibration.gate import Finding, Judgement, held
from calibration.lens import REFERENCE_WIDTH
from calibration.profile import LensMismatch, TableProfile
from calibration.rings import told, unread
from companion.sensing.sources.setting import Setting

# Pixels per module: below the second nothing is read for sure (measured with the smallest prints, blurred as usual).
CELL_PX, LEAST_CELL_PX = 2.8, 2.2
# Blur (sigma) as a share of the smallest module.
BLUR, MOST_BLUR = 0.30, 0.45
WHITE, LEAST_WHITE, MOST_WHITE = 110.0, 70.0, 252.0
CONTRAST, LEAST_CONTRAST = 60.0, 35.0
# Burnt out in the worst cell of the map.
GLARE, MOST_GLARE = 0.02, 0.12
FPS, LEAST_FPS = 4.5, 2.0
# How far the picture's brightness goes up and down while nothing moves.
FLICKER, MOST_FLICKER = 0.015, 0.05
FRAME_PX, MOST_FRAME_PX = 1.0, 2.0
_ROWS = ("far", "middle", "near")
_COLUMNS = ("left", "middle", "right")


def judge_frames(stamps: Sequence[float], brightness: Sequence[float]) -> list[Finding]:
    """Frame rate and flicker, by the times (s) and mean grey levels of frames in a row."""
    if len(stamps) < 2:
        return [
            Finding("pictures a second", "one picture only", f"{FPS:g}", Judgement.BAD, "look at the cable")
        ]
    fps = 1.0 / max(1e-3, float(np.median(np.diff(stamps))))
    mean = max(1.0, float(np.mean(brightness)))
    flicker = float(np.std(brightness)) / mean
    return [
        held(
            "pictures a second",
            f"{fps:.1f}",
            f"{FPS:g} or more",
            good=fps >= FPS,
            bearable=fps >= LEAST_FPS,
            advice="give more light (a dark room makes long exposures), use a USB 3 port, end what else uses the camera",
        ),
        held(
            "light goes up and down",
            f"{100 * flicker:.1f} %",
            f"{100 * FLICKER:g} %",
            good=flicker <= FLICKER,
            bearable=flicker <= MOST_FLICKER,
            advice="hands off the table meanwhile; a lamp that flickers: set exposure_ms to whole 10 (60 Hz: 8.33)",
        ),
    ]


def judge_lens(profile: TableProfile, size: tuple[int, int], setting: Setting) -> Finding:
    """Was the lens measured, and for pictures like these?"""
    what, limit = "lens", "measured for this size and focus"
    if profile.camera is None:
        return Finding(what, "assumed", limit, Judgement.DOUBTFUL, "type calibrate camera")
    try:
        _, said = profile.camera.lens_for(size, setting.lens_position, setting.crop_px)
    except LensMismatch as error:
        return Finding(what, f"{size[0]} × {size[1]}", limit, Judgement.BAD, str(error))
    seen = f"{profile.camera.measured.at:%Y-%m-%d}{', scaled' if said else ''}"
    return Finding(what, seen, limit)


def judge_picture(seen: PictureCheck, profile: TableProfile) -> list[Finding]:
    """Everything that one picture tells."""
    if seen.found is None:
        return [Finding("frame markers", "no pose", "4 of 4", Judgement.BAD, seen.trouble), *_light(seen)]
    return [*_frame(seen), *_cells(seen), *_light(seen), *_rings(seen, profile)]


def _frame(seen: PictureCheck) -> list[Finding]:
    found = seen.found
    if found is None:
        return []
    used, bumped = len(found.used), found.bumped
    limit = MOST_FRAME_PX * seen.image.shape[1] / REFERENCE_WIDTH
    fine = FRAME_PX * seen.image.shape[1] / REFERENCE_WIDTH
    aside = (
        f"marker {', '.join(map(str, bumped))} does not lie where it should: put it back" if bumped else ""
    )
    return [
        held(
            "frame markers",
            f"{used} of 4",
            "4 of 4",
            good=used == 4,
            bearable=used >= 3,
            advice=aside
            or "uncover the markers at the table's corners, or point the camera at the whole table",
        ),
        held(
            "error of the frame markers",
            f"{found.rms_px:.2f} px",
            f"{fine:.2f} px",
            good=found.rms_px <= fine,
            bearable=found.rms_px <= limit,
            advice="press the markers flat, or measure the lens again: calibrate camera",
        ),
    ]


def _cells(seen: PictureCheck) -> list[Finding]:
    return [
        held(
            f"pixels per cell of a {cell.kind}'s marker, at {cell.place}",
            f"{cell.px:.1f} px" if cell.in_view else f"{cell.px:.1f} px, partly outside the picture",
            f"{CELL_PX:g} px or more",
            good=cell.px >= CELL_PX and cell.in_view,
            bearable=cell.px >= LEAST_CELL_PX,
            advice="let the camera see the whole table, and no more: lower it, or choose a larger picture"
            if cell.in_view
            else "raise the camera or turn it until the outermost places are in the picture",
        )
        for cell in seen.cells
    ]


def _light(seen: PictureCheck) -> list[Finding]:
    findings = []
    if seen.white:
        share = seen.blur_px / seen.smallest_px if seen.cells else math.nan
        if not math.isnan(share):
            findings.append(
                held(
                    "blur",
                    f"{seen.blur_px:.2f} px" if math.isfinite(seen.blur_px) else "no edge found",
                    f"{BLUR * seen.smallest_px:.2f} px",
                    good=share <= BLUR,
                    bearable=share <= MOST_BLUR,
                    advice="focus on the board (a Pi camera: lock the focus), wipe the lens, hold the camera still",
                )
            )
        darkest, brightest = min(seen.white.values()), max(seen.white.values())
        contrast = min(seen.white[number] - seen.black[number] for number in seen.white)
        findings += [
            held(
                "brightness of white paper",
                f"{darkest:.0f} to {brightest:.0f}",
                f"{WHITE:g} to {MOST_WHITE:g}",
                good=darkest >= WHITE and brightest <= MOST_WHITE,
                bearable=darkest >= LEAST_WHITE,
                advice="more light, from two sides"
                if darkest < WHITE
                else "turn the lamp away from the table's corner",
            ),
            held(
                "white against black",
                f"{contrast:.0f}",
                f"{CONTRAST:g} or more",
                good=contrast >= CONTRAST,
                bearable=contrast >= LEAST_CONTRAST,
                advice="a lamp mirrors in a marker: move it, or print on matt paper",
            ),
        ]
    worst = float(seen.glare.max())
    findings.append(
        held(
            f"glare, at worst {_where(seen)}" if worst > 0 else "glare",
            f"{100 * worst:.1f} % burnt out",
            f"{100 * GLARE:g} %",
            good=worst <= GLARE,
            bearable=worst <= MOST_GLARE,
            advice="move the lamp that mirrors there, or put paper before it",
        )
    )
    return findings


def _where(seen: PictureCheck) -> str:
    """The part of the picture with the most glare, in words."""
    row, column = np.unravel_index(int(seen.glare.argmax()), seen.glare.shape)
    rows, columns = seen.glare.shape
    told = (_ROWS[int(row) * 3 // rows], _COLUMNS[int(column) * 3 // columns])
    return (
        "in the middle"
        if told == ("middle", "middle")
        else " ".join(part for part in told if part != "middle")
    )


def _rings(seen: PictureCheck, profile: TableProfile) -> list[Finding]:
    if seen.rings is None:
        return []
    count = 6
    missing = unread(seen.rings, count)
    if len(missing) == count:
        return [
            Finding(
                "rings of Above's board",
                "none seen",
                f"{count}",
                Judgement.NOT_FITTED,
                "lay the board on the table to have it checked",
            )
        ]
    findings = [
        held(
            "rings of Above's board",
            f"{count - len(missing)} of {count}",
            f"{count}",
            good=not missing,
            bearable=True,
            advice=f"the lines of {told(missing)} cannot be read: more light, or take off what covers them"
            if missing
            else "",
        )
    ]
    if profile.rings is None:
        findings.append(
            Finding("rings measured", "no", "yes", Judgement.DOUBTFUL, "type calibrate rings --measure-only")
        )
        return findings
    moved = crept(profile.rings.board_print(), seen.rings)
    if not moved:
        findings.append(Finding("ring creep", "none", "0.1°, 0.2 mm"))
    findings += [
        Finding(
            f"ring {creep.ring} has crept",
            f"{creep.turn_deg:+.2f}°, {math.hypot(*creep.shift_mm):.1f} mm",
            "0.1°, 0.2 mm",
            Judgement.DOUBTFUL,
            "it is followed while playing; to keep the new measure: calibrate rings --measure-only",
        )
        for creep in moved
    ]
    return findings
