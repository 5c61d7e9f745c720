"""Drives the lanes and looks at them: which cube an axis moves, its places, and how well it repeats."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing

import numpy as np

from calibration.bench import Bench
from calibration.gate import Finding, Judgement
from calibration.rings import RingsFailed, pose_of
from calibration.scoreboard.drive import Drive
from calibration.scoreboard.lane import (
    FEWEST,
    DrivenLane,
    Line,
    Sight,
    allowed_mm,
    carried,
    ends_mm,
    fitted,
    through,
)
from calibration.scoreboard.track import LEAST_CORNERS, Track, track_of
from calibration.scoreboard.wishes import LayScoreboard
from calibration.step import Advice, StepError
from calibration.wiring_profile import LANES
from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Table
from companion.sensing.frames import Frame
from companion.sensing.geometry import CameraPose
from companion.sensing.grey import gray_of
from firmware_bridge.names import axis_name, axis_trouble
from firmware_bridge.protocol import AXES, AxisFault, AxisStatus

# What moved further than this was moved.
MOVED_MM = 5.0
# Hops by which a cube is looked for on its lane; a shorter one tells nothing.
HOP_MM, LEAST_HOP_MM = 30.0, 10.0
# Where on its lane each place is looked at, as shares of it.
PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Trips go between these.
NEAR, FAR = 0.3, 0.7
# Pictures of what stands still, and how long people may take to lay the board out.
LOOKS = 2
PATIENCE_S = 180.0


class Driving:
    """Drives the lanes and looks at them."""

    def __init__(self, bench: Bench, table: Table, trips: int) -> None:
        self._bench = bench
        self._table = table
        self._trips = trips
        self._pose: CameraPose | None = None
        self._text = "The lanes find their ends."
        self._done = 0
        self._asked: dict[int, float] = {}
        self._all = 3 * AXES + 2 * len(PLACES) + 2 * trips

    def advice(self, frame: Frame) -> Advice:
        """What is said while something moves."""
        return Advice(self._text, min(1.0, self._done / self._all), wish=LayScoreboard())

    async def lay_out(self) -> None:
        """Wait until the board lies there with everything on it."""
        lens = None if self._bench.profile.camera is None else self._bench.profile.camera.lens()
        began: float | None = None
        missing = "the scoreboard"
        async with aclosing(self._bench.frames()) as frames:
            async for frame in frames:
                began = frame.exposed_at if began is None else began
                found = await self._bench.work(pose_of, gray_of(frame.image), lens, FrameTable())
                if isinstance(found, RingsFailed):
                    missing = f"the table's frame markers ({found.reason.rstrip('.')})"
                else:
                    self._pose = found[0]
                    missing = _missing(await self._bench.work(track_of, frame.image, self._pose, self._table))
                    if not missing:
                        return
                self._bench.say(
                    Advice(f"Lay out what is not seen yet: {missing}.", 0.0, wish=LayScoreboard()), frame
                )
                if frame.exposed_at - began > PATIENCE_S:
                    break
        raise StepError(f"The camera does not see {missing}; lay it out and begin again.")

    async def all_lanes(self, drive: Drive) -> tuple[list[DrivenLane], list[Finding]]:
        """Every lane that can be measured, and what is wrong with the others."""
        troubles: list[Finding] = []
        lines: dict[int, tuple[str, Line]] = {}
        for axis in range(AXES):
            self._text = f"{_axis(axis)} finds its end."
            before = await self._look()
            status = await drive.home(axis)
            after = await self._look()
            self._done += 1
            if status.fault is not AxisFault.NONE:
                troubles.append(_failed(axis, status, before, after))
                continue
            found = await self._find(drive, axis, {name for name, _ in lines.values()})
            self._done += 2
            if isinstance(found, Finding):
                troubles.append(found)
            else:
                lines[axis] = found
        return await self._measured(drive, lines), troubles

    async def _find(self, drive: Drive, axis: int, known: set[str]) -> tuple[str, Line] | Finding:
        """Which cube an axis moves, and roughly how: hop by hop from its end."""
        self._text = f"{_axis(axis)} shows what it moves."
        south, north = allowed_mm(axis)
        asked = south + 5.0
        before = await self._look()
        hop = min(HOP_MM, (north - asked) / 3)
        while asked + LEAST_HOP_MM <= north:
            target = min(asked + hop, north - 5.0)
            await drive.move({axis: target})
            after = await self._look()
            moved = _moved(before, after) - known
            if len(moved) == 1:
                carries = moved.pop()
                first = after.at_mm[carries]
                line = await self._first_line(drive, axis, carries, (target, first), hop)
                if line is not None:
                    return carries, line
            if target >= north - 5.0:
                break
            before, asked = after, target
        return Finding(
            f"{_axis(axis)}",
            "moves nothing",
            "a cube or the round marker",
            Judgement.BAD,
            "no cube follows it: is its motor plugged in, does its belt carry the magnet, does a cube stand on its lane?",
        )

    async def _first_line(
        self, drive: Drive, axis: int, carries: str, stands: tuple[float, float], hop: float
    ) -> Line | None:
        """How far a cube goes, now that it is over its magnet: told from two places reached from the same side."""
        _, north = allowed_mm(axis)
        one = stands
        if stands[0] + hop > north - 5.0:
            hop = -hop
            await drive.move({axis: stands[0] + hop})
            at = (await self._look()).at_mm.get(carries)
            if at is None:
                return None
            one = stands[0] + hop, at
        await drive.move({axis: one[0] + hop})
        at = (await self._look()).at_mm.get(carries)
        if at is None or abs(at - one[1]) < 1.0:
            return None
        self._asked[axis] = one[0] + hop
        return through(one, (one[0] + hop, at))

    async def _measured(self, drive: Drive, lines: Mapping[int, tuple[str, Line]]) -> list[DrivenLane]:
        """The places of all lanes, up and down, then the trips."""
        seen: dict[int, list[Sight]] = {axis: [] for axis in lines}
        for share in (*PLACES, *reversed(PLACES[:-1])):
            for axis, sight in (await self._stand(drive, lines, share, "The places are looked at.")).items():
                seen[axis].append(sight)
        exact = {axis: fitted(sights) for axis, sights in seen.items() if len(sights) >= FEWEST}
        trips: dict[int, list[float]] = {axis: [] for axis in exact}
        found = {axis: (lines[axis][0], line) for axis, line in exact.items()}
        for trip in range(self._trips):
            text = f"Trip {trip + 1} of {self._trips}."
            await self._stand(drive, found, FAR, text)
            for axis, sight in (await self._stand(drive, found, NEAR, text)).items():
                trips[axis].append(sight.at_mm)
        return [
            DrivenLane(name, axis, line, tuple(trips[axis])) for axis, (name, line) in sorted(found.items())
        ]

    async def _stand(
        self, drive: Drive, lines: Mapping[int, tuple[str, Line]], share: float, text: str
    ) -> dict[int, Sight]:
        """Send every lane to a share of its length; by axis, where it is seen then."""
        self._text = text
        asked: dict[int, float] = {}
        for axis, (carries, line) in lines.items():
            south, north = ends_mm(carries)
            low, high = allowed_mm(axis)
            asked[axis] = min(max(line.asked_mm(south + share * (north - south)), low), high)
        if not asked:
            return {}
        await drive.move(asked)
        track = await self._look()
        self._done += 1
        before, self._asked = self._asked, {**self._asked, **asked}
        return {
            axis: Sight(asked[axis], track.at_mm[carries], asked[axis] >= before.get(axis, asked[axis]))
            for axis, (carries, _) in lines.items()
            if carries in track.at_mm
        }

    async def _look(self) -> Track:
        """Where everything stands, as the middle of a few pictures."""
        assert self._pose is not None
        looks: list[Track] = []
        async with aclosing(self._bench.frames()) as frames:
            async for frame in frames:
                self._bench.say(self.advice(frame), frame)
                looks.append(await self._bench.work(track_of, frame.image, self._pose, self._table))
                if len(looks) >= LOOKS:
                    break
        if not looks:
            raise StepError("The lanes were not looked at to the end; begin again.")
        names = {name for look in looks for name in look.at_mm}
        return Track(
            {
                name: float(np.median([look.at_mm[name] for look in looks if name in look.at_mm]))
                for name in sorted(names)
            },
            max(look.corners for look in looks),
        )


def _missing(track: Track) -> str:
    """What is still to be laid out; empty if nothing."""
    if track.corners < LEAST_CORNERS:
        return "the scoreboard, with its corner markers"
    away = [carried(name) for name in LANES if name not in track.at_mm]
    return f"{', '.join(away)} on {'its lane' if len(away) == 1 else 'their lanes'}" if away else ""


def _moved(before: Track, after: Track) -> set[str]:
    return {
        name
        for name, at in after.at_mm.items()
        if name in before.at_mm and abs(at - before.at_mm[name]) >= MOVED_MM
    }


def _axis(axis: int) -> str:
    name = axis_name(axis)
    return f"{name[0].upper()}{name[1:]}"


def _failed(axis: int, status: AxisStatus, before: Track, after: Track) -> Finding:
    """Why an axis has not found its end, with what the camera saw of it."""
    moved = _moved(before, after)
    north = [name for name in moved if after.at_mm[name] > before.at_mm[name]]
    what = f"{_axis(axis)}{f', {carried(min(moved))}' if len(moved) == 1 else ''}: its end"
    if status.fault is AxisFault.ENDSTOP_MISSING and north:
        return Finding(
            what,
            f"{carried(north[0])} runs away from it, to the north",
            "found",
            Judgement.BAD,
            "its motor turns the wrong way: switch off, turn the motor's plug round, and begin again",
        )
    advice = axis_trouble(status)
    if status.fault is AxisFault.ENDSTOP_MISSING:
        advice += "; or its motor runs away from it: then turn the motor's plug round"
    return Finding(what, "not found", "found", Judgement.BAD, advice)
