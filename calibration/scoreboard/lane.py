"""One lane as it was driven and seen: which way, how far, how exactly, and what that means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.gate import Finding, held
from calibration.wiring_profile import LANES, LaneProfile
from firmware_bridge.limits import LANES_UM, OVERSHOOT_UM
from firmware_bridge.names import axis_name

# A cube stands on its place if it is no further off than this; half of a place is 4.5 mm.
MOST_OFF_MM = 1.5
# From one trip to the next it stands where it stood before, to this (one sigma), and after ten to this.
MOST_REPEAT_MM, MOST_DRIFT_MM = 0.5, 1.0
# Coming from the other side it may stand so much further back.
MOST_SLACK_MM = 2.0
# Steps for a millimetre are right to this share.
SAME_SCALE = 0.02
# So many sights tell a line, its slack and how well it fits.
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Sight:
    """Asked for `asked_mm`, something is seen at `at_mm`; `upwards`: the axis counted up on its way there."""

    asked_mm: float
    at_mm: float
    upwards: bool


@dataclass(frozen=True, slots=True)
class Line:
    """Asked for `m` mm, what stands on the lane is seen at `offset_mm` + `scale` · m, as the middle of both ways there.

    `off_mm`: the worst miss; `slack_mm`: how much apart it stands when it comes from the one and from the other side.
    """

    offset_mm: float
    scale: float
    off_mm: float = 0.0
    slack_mm: float = 0.0

    def asked_mm(self, wanted_mm: float) -> float:
        """What to ask for, that it stands at a place."""
        return (wanted_mm - self.offset_mm) / self.scale


def through(one: tuple[float, float], other: tuple[float, float]) -> Line:
    """The line through two (asked, seen) in mm."""
    scale = (other[1] - one[1]) / (other[0] - one[0])
    return Line(one[1] - scale * one[0], scale)


def fitted(sights: Sequence[Sight]) -> Line:
    """The line that fits best; FEWEST sights or more, from both sides."""
    asked = np.array([sight.asked_mm for sight in sights])
    seen = np.array([sight.at_mm for sight in sights])
    way = np.array([1.0 if sight.upwards else -1.0 for sight in sights])
    design = np.column_stack([np.ones_like(asked), asked, way])
    found, *_ = np.linalg.lstsq(design, seen, rcond=None)
    misses = np.abs(seen - design @ found)
    return Line(float(found[0]), float(found[1]), float(misses.max()), 2 * abs(float(found[2])))


@dataclass(frozen=True, slots=True)
class DrivenLane:
    """What was seen of one lane. `trips`: where it stood after each trip, mm."""

    carries: str
    axis: int
    line: Line
    trips: tuple[float, ...]

    @property
    def name(self) -> str:
        """What people call it."""
        return carried(self.carries)

    @property
    def drift_mm(self) -> float:
        """How far it has crept from the first trip to the last, as a line through all."""
        if len(self.trips) < 2:
            return 0.0
        slope = float(np.polyfit(np.arange(len(self.trips)), np.array(self.trips), 1)[0])
        return slope * (len(self.trips) - 1)

    @property
    def repeat_mm(self) -> float:
        """How far it stands from where it stood before, one sigma, without the drift."""
        if len(self.trips) < 3:
            return 0.0
        count = np.arange(len(self.trips))
        left = np.array(self.trips) - np.polyval(np.polyfit(count, np.array(self.trips), 1), count)
        return float(np.sqrt((left**2).sum() / (len(self.trips) - 2)))

    def profile(self) -> LaneProfile:
        """The lane as it is kept."""
        return LaneProfile(
            carries=self.carries,
            axis=self.axis,
            scale=round(self.line.scale, 5),
            offset_mm=round(self.line.offset_mm, 3),
            repeat_mm=round(self.repeat_mm, 3),
            slack_mm=round(self.line.slack_mm, 3),
        )

    def findings(self) -> tuple[Finding, ...]:
        """What the lane is judged by."""
        short = max(0.0, *(abs(self._reached(end) - end) for end in ends_mm(self.carries)))
        scale = abs(self.line.scale)
        return (
            held(
                f"{self.name}: steps",
                f"{scale:.3f} mm for 1 mm",
                f"1 ± {SAME_SCALE:g}",
                good=abs(scale - 1) <= SAME_SCALE,
                bearable=True,
                advice="it is put right from here on; as drawn it has a pulley of 20 teeth, and all three microstep "
                f"jumpers of its driver are set, {axis_name(self.axis)}",
            ),
            held(
                f"{self.name}: reach",
                f"{short:.1f} mm short",
                f"{MOST_OFF_MM:g} mm",
                good=short <= MOST_OFF_MM,
                advice="its last places are not reached: move the endstop, set the jumpers, or change LANES_UM and "
                "STEPS_PER_MM in firmware_bridge/limits.py and program the controller anew (firmware-bridge flash)",
            ),
            held(
                f"{self.name}: places",
                f"{self.line.off_mm:.2f} mm off",
                f"{MOST_OFF_MM:g} mm",
                good=self.line.off_mm <= MOST_OFF_MM,
                advice="it does not go evenly: look for a loose pulley or belt, and for a cube that rubs",
            ),
            held(
                f"{self.name}: again and again",
                f"± {self.repeat_mm:.2f} mm in {len(self.trips)} trips",
                f"{MOST_REPEAT_MM:g} mm",
                good=self.repeat_mm <= MOST_REPEAT_MM,
                advice="it stands elsewhere each time: tighten the belt and the pulley's screw, bring the magnet nearer",
            ),
            held(
                f"{self.name}: lost steps",
                f"{abs(self.drift_mm):.2f} mm in {len(self.trips)} trips",
                f"{MOST_DRIFT_MM:g} mm",
                good=abs(self.drift_mm) <= MOST_DRIFT_MM,
                advice="it falls behind on every trip: raise the driver's current a little, look what rubs",
            ),
            held(
                f"{self.name}: slack",
                f"{self.line.slack_mm:.2f} mm",
                f"{MOST_SLACK_MM:g} mm",
                good=self.line.slack_mm <= MOST_SLACK_MM,
                bearable=True,
                advice="the cube trails behind its magnet: bring the magnet nearer, or a smoother track",
            ),
        )

    def _reached(self, wanted_mm: float) -> float:
        """Where it comes to stand when it is asked for a place, within what the board allows."""
        return self.line.offset_mm + self.line.scale * self.profile().asked_mm(wanted_mm)


def ends_mm(carries: str) -> tuple[float, float]:
    """The southern and northern end of a lane, mm."""
    south, north = LANES_UM[LANES.index(carries)]
    return south / 1000, north / 1000


def allowed_mm(axis: int) -> tuple[float, float]:
    """What an axis may be asked for, mm."""
    south, north = LANES_UM[axis]
    return (south - OVERSHOOT_UM) / 1000, (north + OVERSHOOT_UM) / 1000


def carried(carries: str) -> str:
    """What a lane carries, in words."""
    return "the round marker" if carries == "round" else f"the {carries} cube"
