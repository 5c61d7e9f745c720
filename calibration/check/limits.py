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
from calibration.rings import unread
from companion.games.above.names import place_name
from companion.games.olympeak.names import contender_name
from companion.messages import Text, listed, row, say
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
            Finding(
                say("check.fps"),
                say("check.one_picture"),
                f"{FPS:g}",
                Judgement.BAD,
                say("check.look_at_cable"),
            )
        ]
    fps = 1.0 / max(1e-3, float(np.median(np.diff(stamps))))
    mean = max(1.0, float(np.mean(brightness)))
    flicker = float(np.std(brightness)) / mean
    return [
        held(
            say("check.fps"),
            f"{fps:.1f}",
            say("check.or_more", value=f"{FPS:g}"),
            good=fps >= FPS,
            bearable=fps >= LEAST_FPS,
            advice=say("check.more_light_fps"),
        ),
        held(
            say("check.flicker"),
            f"{100 * flicker:.1f} %",
            f"{100 * FLICKER:g} %",
            good=flicker <= FLICKER,
            bearable=flicker <= MOST_FLICKER,
            advice=say("check.hands_off"),
        ),
    ]


def judge_lens(profile: TableProfile, size: tuple[int, int], setting: Setting) -> Finding:
    """Was the lens measured, and for pictures like these?"""
    what, limit = say("check.lens"), say("check.lens_measured")
    if profile.camera is None:
        return Finding(
            what,
            say("check.assumed"),
            limit,
            Judgement.DOUBTFUL,
            say("check.type", command="calibrate camera"),
        )
    try:
        _, said = profile.camera.lens_for(size, setting.lens_position, setting.crop_px)
    except LensMismatch as error:
        return Finding(what, f"{size[0]} × {size[1]}", limit, Judgement.BAD, str(error))
    date = f"{profile.camera.measured.at:%Y-%m-%d}"
    return Finding(what, say("check.scaled", date=date) if said else date, limit)


def judge_picture(seen: PictureCheck, profile: TableProfile) -> list[Finding]:
    """Everything that one picture tells."""
    if seen.found is None:
        return [
            Finding(say("check.frame_markers"), say("check.no_pose"), _of(4, 4), Judgement.BAD, seen.trouble),
            *_light(seen),
        ]
    return [*_frame(seen), *_cells(seen), *_light(seen), *_rings(seen, profile)]


def _frame(seen: PictureCheck) -> list[Finding]:
    found = seen.found
    if found is None:
        return []
    used, bumped = len(found.used), found.bumped
    limit = MOST_FRAME_PX * max(seen.image.shape) / REFERENCE_WIDTH
    fine = FRAME_PX * max(seen.image.shape) / REFERENCE_WIDTH
    aside = say("check.marker_aside", markers=row(bumped)) if bumped else ""
    return [
        held(
            say("check.frame_markers"),
            _of(used, 4),
            _of(4, 4),
            good=used == 4,
            bearable=used >= 3,
            advice=aside or say("check.uncover"),
        ),
        held(
            say("check.frame_error"),
            _px(found.rms_px),
            _px(fine),
            good=found.rms_px <= fine,
            bearable=found.rms_px <= limit,
            advice=say("check.press_flat"),
        ),
    ]


def _cells(seen: PictureCheck) -> list[Finding]:
    return [
        held(
            say("check.cell", kind=cell.kind, place=_place(cell.place)),
            say("check.px" if cell.in_view else "check.px_outside", value=f"{cell.px:.1f}"),
            say("check.px_or_more", value=f"{CELL_PX:g}"),
            good=cell.px >= CELL_PX and cell.in_view,
            bearable=cell.px >= LEAST_CELL_PX,
            advice=say("check.whole_table" if cell.in_view else "check.raise"),
        )
        for cell in seen.cells
    ]


def _place(name: str) -> Text:
    """A space, `seat 1`, or a contender's lane with a place on it (`blue -5`)."""
    first, _, number = name.partition(" ")
    if not number:
        return place_name(name)
    if first == "seat":
        return say("names.seat", n=int(number))
    return say("olympeak.moved_to", contender=contender_name(first), place=int(number))


def _light(seen: PictureCheck) -> list[Finding]:
    findings = []
    if seen.white:
        share = seen.blur_px / seen.smallest_px if seen.cells else math.nan
        if not math.isnan(share):
            findings.append(
                held(
                    say("check.blur"),
                    _px(seen.blur_px) if math.isfinite(seen.blur_px) else say("check.no_edge"),
                    _px(BLUR * seen.smallest_px),
                    good=share <= BLUR,
                    bearable=share <= MOST_BLUR,
                    advice=say("check.focus"),
                )
            )
        darkest, brightest = min(seen.white.values()), max(seen.white.values())
        contrast = min(seen.white[number] - seen.black[number] for number in seen.white)
        findings += [
            held(
                say("check.white"),
                say("check.range", low=f"{darkest:.0f}", high=f"{brightest:.0f}"),
                say("check.range", low=f"{WHITE:g}", high=f"{MOST_WHITE:g}"),
                good=darkest >= WHITE and brightest <= MOST_WHITE,
                bearable=darkest >= LEAST_WHITE,
                advice=say("check.two_sides" if darkest < WHITE else "check.lamp_away"),
            ),
            held(
                say("check.contrast"),
                f"{contrast:.0f}",
                say("check.or_more", value=f"{CONTRAST:g}"),
                good=contrast >= CONTRAST,
                bearable=contrast >= LEAST_CONTRAST,
                advice=say("check.mirrors"),
            ),
        ]
    worst = float(seen.glare.max())
    findings.append(
        held(
            _glare_at(seen) if worst > 0 else say("check.glare"),
            say("check.burnt", value=f"{100 * worst:.1f}"),
            f"{100 * GLARE:g} %",
            good=worst <= GLARE,
            bearable=worst <= MOST_GLARE,
            advice=say("check.mirror_lamp"),
        )
    )
    return findings


def _of(count: int, every: int) -> Text:
    return say("check.out_of", n=count, all=every)


def _px(value: float) -> Text:
    return say("check.px", value=f"{value:.2f}")


def _glare_at(seen: PictureCheck) -> Text:
    """The part of the picture with the most glare, in words."""
    line, column = np.unravel_index(int(seen.glare.argmax()), seen.glare.shape)
    rows, columns = seen.glare.shape
    far, left = _ROWS[int(line) * 3 // rows], _COLUMNS[int(column) * 3 // columns]
    if far == left == "middle":
        return say("check.glare_middle")
    return say("check.glare_at", row=far, column=left, both=int("middle" not in (far, left)))


def _rings(seen: PictureCheck, profile: TableProfile) -> list[Finding]:
    if seen.rings is None:
        return []
    count = 6
    missing = unread(seen.rings, count)
    if len(missing) == count:
        return [
            Finding(
                say("check.rings"),
                say("check.none_seen"),
                f"{count}",
                Judgement.NOT_FITTED,
                say("check.lay_board"),
            )
        ]
    findings = [
        held(
            say("check.rings"),
            _of(count - len(missing), count),
            f"{count}",
            good=not missing,
            bearable=True,
            advice=say("check.ring_lines", rings=listed(missing)) if missing else "",
        )
    ]
    if profile.rings is None:
        findings.append(
            Finding(
                say("check.rings_measured"),
                say("check.no"),
                say("check.yes"),
                Judgement.DOUBTFUL,
                say("check.type", command="calibrate rings --measure-only"),
            )
        )
        return findings
    moved = crept(profile.rings.board_print(), seen.rings)
    if not moved:
        findings.append(
            Finding(say("check.creep"), say("check.none"), say("check.turn_shift", turn="0.1", shift="0.2"))
        )
    findings += [
        Finding(
            say("check.crept", n=creep.ring),
            say(
                "check.turn_shift",
                turn=f"{creep.turn_deg:+.2f}",
                shift=f"{math.hypot(*creep.shift_mm):.1f}",
            ),
            say("check.turn_shift", turn="0.1", shift="0.2"),
            Judgement.DOUBTFUL,
            say("check.followed"),
        )
        for creep in moved
    ]
    return findings
