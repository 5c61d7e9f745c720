"""The scoreboard: cubes and round marker move to their places by themselves, where motors are fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from companion.messages import say

# A cube that the camera sees this far from its carriage does not stand over it.
ASTRAY_MM = 4.5
# It was pushed there, and is not just being nudged, if it stays so long.
PUSHED_S = 2.0
# A carriage may go and fetch its cube so often; then the cube has lost its magnet, or is held.
FETCHES = 3
# A command that shows no effect for so long is given again, or had none to show.
ASKED_S = 1.0
# The longest way, homing in two approaches, takes about half of this.
UNDER_WAY_S = 45.0
# After so long people are told why nothing moves.
COVERED_S = 20.0
ABSENT_S = 20.0


class AxisMood(Enum):
    """What an axis can be asked for now."""

    LOST = "lost"  # it does not know where it is: to be homed
    BUSY = "busy"
    READY = "ready"
    FAILED = "failed"  # to be looked after by a person
    STOPPED = "stopped"  # the emergency stop is on


@dataclass(frozen=True, slots=True)
class AxisReport:
    """An axis as its controller reports it. `trouble`: why it failed and what to do, in words."""

    mood: AxisMood
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What the camera says of the scoreboard. `clear`: no hand, and nothing else, is over it.

    `seen_mm`: where the cube or marker of each axis stands, in mm north of its lane's middle; unseen ones left out.
    """

    clear: bool
    seen_mm: Mapping[int, float] = field(default_factory=dict)


class Drive(Protocol):
    """The motors. Commands are heard or, without a controller, lost; the axes' moods tell."""

    def reports(self) -> Mapping[int, AxisReport]:
        """Every axis that there is; empty while no controller is there."""

    def home(self, axis: int) -> None:
        """Find the endstop."""

    def move(self, axis: int, target_mm: float) -> None:
        """Go to a place, in mm north of the lane's middle."""


@dataclass(slots=True)
class _Lane:
    """What is known of one axis: where its carriage was sent, since when it is on its way, its cube's straying."""

    sent_mm: float | None = None
    asked_at: float | None = None
    busy_since: float | None = None
    fetching: bool = False
    fetches: int = 0
    astray_since: float | None = None
    astray_mm: float = 0.0
    lost_cube: bool = False
    homed_anew: bool = False


class Scoreboard:
    """Keeps the carriages where the game says, and the cubes over them. Homed at first.

    Nothing sets out while a hand is at the table. A cube that was pushed by hand is fetched: its carriage goes
    to where the camera sees it, and takes it along. `names`: what stands on each axis, in words.
    """

    def __init__(self, drive: Drive, names: Sequence[str] = ()) -> None:
        self._drive = drive
        self._names = tuple(names)
        self._lanes: dict[int, _Lane] = {}
        self._covered_since: float | None = None
        self._absent_since: float | None = None
        self.troubles: tuple[str, ...] = ()

    def follow(self, places_mm: Mapping[int, float], look: Look, now: float) -> None:
        """`places_mm`: where each axis belongs. `now`: seconds, on the clock of every call.

        Called with every reading; commands are only what has not been asked for yet.
        """
        reports = self._drive.reports()
        if not reports:
            # The controller is gone: whatever it was told has to be told again.
            self._lanes.clear()
            self._absent_since = now if self._absent_since is None else self._absent_since
            gone = places_mm and now - self._absent_since >= ABSENT_S
            self.troubles = (say("fitted.no_carriage"),) if gone else ()
            return
        self._absent_since = None
        troubles = []
        waits = False
        for axis, target in places_mm.items():
            report = reports.get(axis)
            if report is not None:
                lane = self._lanes.setdefault(axis, _Lane())
                self._step(axis, lane, report.mood, target, look, now)
                troubles += self._trouble(axis, lane, report, now)
                due = report.mood is AxisMood.READY and lane.sent_mm != target
                waits = waits or due or report.mood is AxisMood.LOST
        waits = waits and all(report.mood is not AxisMood.BUSY for report in reports.values())
        self.troubles = (*troubles, *self._covering(waits, look, now))

    def retry(self) -> None:
        """A person has looked after what failed: everything is tried anew, homing first."""
        reports = self._drive.reports()
        self._lanes.clear()
        for axis, report in reports.items():
            if report.mood is AxisMood.FAILED:
                self._drive.home(axis)

    def _step(self, axis: int, lane: _Lane, mood: AxisMood, target: float, look: Look, now: float) -> None:
        if mood is AxisMood.BUSY:
            lane.asked_at = None
            if lane.busy_since is None:
                lane.busy_since = now
            return
        lane.busy_since = None
        if not look.clear or (lane.asked_at is not None and now - lane.asked_at < ASKED_S):
            return
        pushed = mood is AxisMood.FAILED and lane.sent_mm is not None and not lane.homed_anew
        if mood is AxisMood.LOST or pushed:
            # Somebody has pushed the carriage while its motor was off: it finds its end again before it is given up.
            lane.homed_anew = pushed
            lane.sent_mm, lane.fetching, lane.asked_at = None, False, now
            self._drive.home(axis)
        elif mood is AxisMood.READY:
            if lane.fetching or lane.sent_mm != target:
                if not lane.fetching:
                    lane.fetches, lane.lost_cube = 0, False
                lane.fetching, lane.astray_since = False, None
                self._send(axis, lane, target, target, now)
            else:
                self._mind_cube(axis, lane, target, look, now)

    def _mind_cube(self, axis: int, lane: _Lane, target: float, look: Look, now: float) -> None:
        """The carriage stands where it belongs; does its cube?"""
        seen = look.seen_mm.get(axis)
        if seen is None:
            return
        if abs(seen - target) <= ASTRAY_MM:
            lane.astray_since, lane.fetches, lane.lost_cube = None, 0, False
            lane.homed_anew = False
        elif lane.astray_since is None or abs(seen - lane.astray_mm) > ASTRAY_MM:
            lane.astray_since, lane.astray_mm = now, seen
        elif now - lane.astray_since >= PUSHED_S:
            if lane.fetches >= FETCHES:
                lane.lost_cube = True
                return
            lane.fetches += 1
            lane.fetching, lane.astray_since = True, None
            self._send(axis, lane, seen, target, now)

    def _send(self, axis: int, lane: _Lane, to_mm: float, target: float, now: float) -> None:
        lane.sent_mm, lane.asked_at = target, now
        self._drive.move(axis, to_mm)

    def _trouble(self, axis: int, lane: _Lane, report: AxisReport, now: float) -> list[str]:
        name = self._names[axis] if axis < len(self._names) else say("fitted.axis", n=axis)
        if report.mood is AxisMood.FAILED and (lane.homed_anew or lane.sent_mm is None):
            return [say("fitted.carriage_stopped", part=name, why=report.trouble or say("fitted.look_after"))]
        if lane.busy_since is not None and now - lane.busy_since > UNDER_WAY_S:
            return [say("fitted.carriage_late", part=name)]
        if lane.lost_cube:
            return [say("fitted.cube_lost", part=name)]
        return []

    def _covering(self, waits: bool, look: Look, now: float) -> list[str]:
        if not waits or look.clear:
            self._covered_since = None
            return []
        if self._covered_since is None:
            self._covered_since = now
        if now - self._covered_since < COVERED_S:
            return []
        return [say("fitted.covered")]
