"""The step of the rings: the assistant while they are laid, then the measurement of all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from calibration.assembly import Assembly, Stage
from calibration.bench import Bench
from calibration.creep import crept
from calibration.drawings import draw_numbers, draw_rings
from calibration.evidence import Evidence
from calibration.form import Field, Form
from calibration.gate import Finding, Judgement, held
from calibration.profile import LensMismatch, TableProfile, rings_profile
from calibration.ring_lights import ring_lights
from calibration.rings import MOST_UNREAD, RingsFailed, averaged, pose_of, rings_json, told, unread
from calibration.step import Advice, Outcome, Part, StepError
from companion.games.above.box import Board, Table
from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.place import BoardPrint
from companion.sensing.rings import measure_rings
from companion.sensing.sources.setting import setting_of

LOOKS = 5
# So many pictures in a row without a frame marker, and measuring is given up.
MOST_BLIND = 40
# What glue by hand can do; a ring further off was measured wrongly or lies wrongly.
MOST_TURN_DEG, MOST_SHIFT_MM = 6.0, 5.0
NONE_WRONG = "none"


@dataclass(frozen=True, slots=True)
class TellNumbers:
    """The simulated owner's part: look which rings have their number to the north, and say which have not."""

    answer: Callable[[dict[str, str]], None]


@dataclass(frozen=True, eq=False, slots=True)
class _Look:
    """One look at all rings: the picture, where it was taken from, and how they lie."""

    image: Image
    pose: CameraPose
    rings: BoardPrint

    def numbers(self, board: Board) -> Evidence:
        """The picture with the lines, and the spaces where the numbers belong."""
        return Evidence(
            "lines and where the numbers belong", draw_numbers(self.image, self.pose, self.rings, board)
        )


@dataclass(frozen=True, slots=True)
class RingsStep:
    """Measures the rings in so many `looks`; `assemble`: leads through laying them first."""

    assemble: bool = True
    table: Table = field(default_factory=Table)
    looks: int = LOOKS

    name = "rings"
    needs = frozenset({Part.CAMERA})

    @property
    def title(self) -> str:
        """What the step is called."""
        return "Laying and measuring the rings" if self.assemble else "Measuring the rings"

    @property
    def instructions(self) -> str:
        """What to do, in plain words."""
        if not self.assemble:
            return "Leave the board as it is; pieces may stay on it. Take your hands away and wait a few seconds."
        return (
            "Lay ring after ring, the largest first, its number to the north, and do not press it on yet. Lights "
            "and page say how to turn and push it: the running light goes the way to turn, blue lies where to push. "
            "When the ring is green, press it on. If the board is together already, say that it is enough."
        )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's rings were measured."""
        return None if profile.rings is None else profile.rings.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Lead through the assembly, then measure all rings in a few pictures."""
        lens = None if bench.profile.camera is None else bench.profile.camera.lens()
        if self.assemble:
            assembly = Assembly(self.table.board)
            async for frame in bench.frames():
                advice = await bench.work(_guide, assembly, frame, lens, self.table)
                bench.say(advice, frame)
                if advice.done:
                    break
            bench.enough.clear()
        looks: list[BoardPrint] = []
        last: _Look | None = None
        blind = 0
        async for frame in bench.frames():
            seen = await bench.work(_look, frame, lens, self.table)
            if isinstance(seen, RingsFailed):
                blind += 1
                if blind >= MOST_BLIND:
                    raise StepError(f"The rings cannot be measured: {seen.reason}.")
                bench.say(Advice(f"{seen.reason[0].upper()}{seen.reason[1:]}."), frame)
                continue
            last = seen
            looks.append(seen.rings)
            bench.say(Advice("Hands off: the rings are measured.", len(looks) / self.looks), frame)
            if len(looks) >= self.looks:
                break
        if last is None:
            raise StepError("No picture of the board was taken; begin again.")
        bench.enough.clear()
        wrong = await self._wrong_way(bench, last) if bench.somebody else None
        return _outcome(
            _through_the_lens(bench, last.image),
            averaged(looks),
            bench.profile,
            len(looks),
            self.table.board,
            wrong,
            last.numbers(self.table.board),
        )

    async def _wrong_way(self, bench: Bench, last: _Look) -> tuple[int, ...] | None:
        """The rings that lie a whole space or more off, as somebody who looks says; None if nobody says.

        A ring's lines are the same in every space, so that only its number tells.
        """
        while not bench.answers.empty():
            bench.answers.get_nowait()
        field = Field("wrong", "rings whose number is elsewhere (none, or as 3 5)", NONE_WRONG)
        number = 1
        form = Form(number, "Is each ring's printed number within its outlined space?", (field,))
        async for frame in bench.frames():

            def answer(values: dict[str, str], number: int = number) -> None:
                bench.answers.put_nowait((number, values))

            bench.say(
                Advice(
                    "Look at the picture: the number printed on each ring belongs into the outlined space, to the north.",
                    1.0,
                    draw=partial(draw_numbers, pose=last.pose, seen=last.rings, board=self.table.board),
                    form=form,
                    wish=TellNumbers(answer) if bench.unattended else None,
                ),
                frame,
            )
            try:
                given, values = bench.answers.get_nowait()
            except asyncio.QueueEmpty:
                continue
            if given != number:
                continue
            if values is None:
                return None
            told_wrong = _numbers(values["wrong"], self.table.board)
            if told_wrong is not None:
                return told_wrong
            number += 1
            form = Form(
                number, form.title, form.fields, f"Write none, or rings from 1 to {self.table.board.rings}."
            )
        return None


def _guide(assembly: Assembly, frame: Frame, lens: Camera | None, table: Table) -> Advice:
    """What the assembly needs, by one picture."""
    found = pose_of(gray_of(frame.image), lens, table)
    if isinstance(found, RingsFailed):
        return Advice(f"{found.reason[0].upper()}{found.reason[1:]}.")
    pose, _ = found
    guide = assembly.look(frame.image, pose, frame.exposed_at)
    well = guide.correction is not None and guide.correction.within
    return Advice(
        f"{guide.text[0].upper()}{guide.text[1:]}.",
        assembly.laid / table.board.rings,
        (f"{assembly.laid} of {table.board.rings} rings are laid",),
        ring_lights(guide, frame.exposed_at, table.board),
        partial(draw_rings, pose=pose, seen=assembly.seen, board=table.board, ring=guide.ring, well=well),
        wish=guide,
        done=guide.stage is Stage.DONE,
    )


def _look(frame: Frame, lens: Camera | None, table: Table) -> _Look | RingsFailed:
    found = pose_of(gray_of(frame.image), lens, table)
    if isinstance(found, RingsFailed):
        return found
    return _Look(frame.image, found[0], measure_rings(frame.image, found[0], table.board))


def _numbers(text: str, board: Board) -> tuple[int, ...] | None:
    """Rings from what somebody wrote; None if it cannot be understood."""
    words = text.lower().replace(",", " ").split()
    if words in ([NONE_WRONG], ["no"], ["0"]):
        return ()
    if words and all(word.isascii() and word.isdecimal() and 1 <= int(word) <= board.rings for word in words):
        return tuple(sorted({int(word) for word in words}))
    return None


def _through_the_lens(bench: Bench, image: Image) -> tuple[Finding, ...]:
    """Nothing, or that the lens stands at another focus than the profile's was measured at."""
    measured = bench.profile.camera
    if measured is None or bench.camera is None:
        return ()
    setting = setting_of(bench.camera)
    size = (int(image.shape[1]), int(image.shape[0]))
    try:
        measured.lens_for(size, setting.lens_position, setting.crop_px)
    except LensMismatch as error:
        seen = (
            "as the camera gives it"
            if setting.lens_position is None
            else f"focus {setting.lens_position:.2f}"
        )
        return (Finding("lens", seen, "as it was measured", Judgement.BAD, str(error)),)
    return ()


def _to_the_north(wrong: tuple[int, ...] | None) -> Finding:
    what, limit = "numbers to the north", "all rings"
    if wrong is None:
        return Finding(
            what,
            "nobody looked",
            limit,
            Judgement.DOUBTFUL,
            "compare the picture of the report with the board",
        )
    return held(
        what,
        "all" if not wrong else f"not {told(wrong)}",
        limit,
        good=not wrong,
        advice=f"{told(wrong)}: lift it and lay it anew with its number to the north, where a1 is"
        if wrong
        else "",
    )


def _outcome(
    lens: tuple[Finding, ...],
    rings: BoardPrint,
    profile: TableProfile,
    looks: int,
    board: Board,
    wrong: tuple[int, ...] | None,
    picture: Evidence,
) -> Outcome:
    count = board.rings
    missing = unread(rings, count)
    findings: list[Finding] = [
        *lens,
        held(
            "rings whose lines were read",
            f"{count - len(missing)} of {count}",
            "all",
            good=not missing,
            bearable=len(missing) <= min(MOST_UNREAD, count - 1),
            advice=f"the lines of {told(missing)} cannot be read; give light, take hands and pieces off, or lay two "
            "pucks on opposite spaces: calibrate rings PICTURE --puck 235=a3 --puck 236=i3"
            if missing
            else "",
        ),
        _to_the_north(wrong),
    ]
    for pose in rings.against_ring_one():
        if pose.ring == 1 or pose.ring > count:
            continue
        length = (pose.shift_mm[0] ** 2 + pose.shift_mm[1] ** 2) ** 0.5
        findings.append(
            held(
                f"ring {pose.ring} against ring 1",
                f"{pose.rotation_deg:+.2f}° ± {pose.sigma_deg:.2f}, {length:.1f} mm ± {pose.sigma_mm:.1f}",
                f"{MOST_TURN_DEG:g}°, {MOST_SHIFT_MM:g} mm",
                good=abs(pose.rotation_deg) <= MOST_TURN_DEG and length <= MOST_SHIFT_MM,
                bearable=True,
                advice="lay this ring anew: no game is lost by it, but pieces stand beside their lights",
            )
        )
    if profile.rings is not None:
        findings += [
            Finding(
                creep.text,
                f"{creep.turn_deg:+.2f}°",
                "0.1°, 0.2 mm",
                Judgement.DOUBTFUL,
                "press it on, or let the new measure be kept",
            )
            for creep in crept(profile.rings.board_print(), rings)
        ]
    measured = rings_profile(rings, datetime.now(UTC), f"printed lines, {looks} pictures")

    def keep(old: TableProfile) -> TableProfile:
        return old.model_copy(update={"rings": measured})

    return Outcome(
        f"{count - len(missing)} of {count} rings were measured.",
        tuple(findings),
        keep,
        rings_json("live", rings, count),
        (picture,),
    )
