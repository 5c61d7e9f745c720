"""The step of the scoreboard: each axis is driven, and the camera sees which cube goes where."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from calibration.bench import Bench
from calibration.gate import Finding, Judgement
from calibration.profile import TableProfile
from calibration.profile_base import Measured
from calibration.scoreboard.drive import Drive
from calibration.scoreboard.driving import Driving
from calibration.scoreboard.lane import DrivenLane, carried
from calibration.step import Outcome, Part
from calibration.wiring_profile import LANES, ScoreboardProfile
from companion.games.olympeak.box import Table
from firmware_bridge.names import axis_name

TRIPS = 10


@dataclass(frozen=True, slots=True)
class ScoreboardStep:
    """Learns the lanes; `trips` there and back tell how well each repeats."""

    trips: int = TRIPS
    table: Table = field(default_factory=Table)

    name = "scoreboard"
    title = "The moving scoreboard"
    needs = frozenset({Part.CAMERA, Part.AXES})
    instructions = (
        "Lay the scoreboard of OlymPeak in its place, the four cubes and the round marker on their lanes, and keep your "
        "hands away. Every lane finds its end and is driven up and down; it takes about four minutes."
    )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's lanes were measured."""
        return None if profile.scoreboard is None else profile.scoreboard.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Home every axis, see which cube it moves, then its places and how well it repeats."""
        driving = Driving(bench, self.table, self.trips)
        await driving.lay_out()
        with Drive(bench, driving.advice) as drive:
            lanes, troubles = await driving.all_lanes(drive)
        return _outcome(lanes, troubles, self.trips)


def _outcome(lanes: list[DrivenLane], troubles: list[Finding], trips: int) -> Outcome:
    findings = [*troubles, *(finding for lane in lanes for finding in lane.findings())]
    driven = {lane.carries for lane in lanes}
    if not troubles:
        findings += [
            Finding(carried(name), "moved by no axis", "one", Judgement.BAD, "look at its motor and magnet")
            for name in LANES
            if name not in driven
        ]
    profile = ScoreboardProfile(
        measured=Measured(at=datetime.now(UTC), how=f"driven and seen, {trips} trips"),
        lane=tuple(lane.profile() for lane in lanes),
    )

    def keep(old: TableProfile) -> TableProfile:
        return old.model_copy(update={"scoreboard": profile})

    words = [
        *(
            f"{axis_name(lane.axis)} moves {lane.name}"
            for lane in lanes
            if LANES.index(lane.carries) != lane.axis
        ),
        *(f"{lane.name} is mounted the other way round" for lane in lanes if lane.line.scale < 0),
    ]
    summary = f"{len(lanes)} of {len(LANES)} lanes were measured" + (
        f"; {'; '.join(words)}: that is kept and put right." if words else ", all as drawn."
    )
    return Outcome(summary, tuple(findings), keep, profile.model_dump(mode="json", exclude_none=True))
