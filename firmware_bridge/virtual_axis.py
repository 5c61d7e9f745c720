"""One simulated stepper axis: homing by two approaches, trapezoidal moves, in the table's time."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .limits import (
    APPROACH_SPEED_UM_S,
    BACK_OFF_UM,
    HOLD_MS,
    HOMING_ACCELERATION_UM_S2,
    HOMING_SPEED_UM_S,
    MAX_ACCELERATION_UM_S2,
    MAX_SPEED_UM_S,
    OVERSHOOT_UM,
    RELEASE_UM,
    TRAVEL_MARGIN_UM,
)
from .protocol import AxisFault, AxisMove, AxisState, AxisStatus, Knowledge


@dataclass(frozen=True, slots=True)
class Ramp:
    """A move over `distance` µm (signed), from rest to rest, with bounded µm/s and µm/s²."""

    distance: float
    speed: float
    acceleration: float

    @property
    def peak(self) -> float:
        """Highest speed reached, µm/s."""
        return min(self.speed, math.sqrt(abs(self.distance) * self.acceleration))

    @property
    def duration(self) -> float:
        """Seconds from rest to rest."""
        if not self.distance:
            return 0.0
        return abs(self.distance) / self.peak + self.peak / self.acceleration

    def at(self, seconds: float) -> float:
        """Distance covered after so many seconds, µm (signed)."""
        total, peak = self.duration, self.peak
        if seconds <= 0 or not self.distance:
            return 0.0
        if seconds >= total:
            return self.distance
        ramp = peak / self.acceleration
        if seconds < ramp:
            covered = self.acceleration * seconds**2 / 2
        elif seconds < total - ramp:
            covered = peak * (seconds - ramp / 2)
        else:
            covered = abs(self.distance) - self.acceleration * (total - seconds) ** 2 / 2
        return math.copysign(covered, self.distance)


def _hurry(distance: int) -> Ramp:
    return Ramp(distance, HOMING_SPEED_UM_S, HOMING_ACCELERATION_UM_S2)


def _approach(distance: int) -> Ramp:
    return Ramp(distance, APPROACH_SPEED_UM_S, HOMING_ACCELERATION_UM_S2)


class VirtualAxis:
    """A magnet carriage with an endstop at its southern end. Times are table seconds, places µm."""

    def __init__(self, index: int, endstop_um: int, end_um: int, start_um: int) -> None:
        self.index = index
        self.endstop_um = endstop_um
        self.end_um = end_um
        self.state = AxisState.OFF
        self.knowledge = Knowledge.UNKNOWN
        self.fault = AxisFault.NONE
        self.target_um = start_um
        self._from_um = start_um
        self._started_at = 0.0
        self._legs: tuple[Ramp, ...] = ()
        self.trips = 0  # since it was homed
        self._finds = AxisFault.NONE  # what homing will have found out at the end of its legs

    def position_um(self, now: float) -> int:
        """Where the carriage really is: the lane's ends hold it, however long its motor turns."""
        position, left = float(self._from_um), now - self._started_at
        for leg in self._legs:
            position += leg.at(left)
            left -= leg.duration
        return round(min(max(position, self.endstop_um - OVERSHOOT_UM), self.end_um + OVERSHOOT_UM))

    @property
    def moving(self) -> bool:
        """It is under way."""
        return bool(self._legs)

    @property
    def arrives_at(self) -> float:
        """Table time at which it has come to rest and its motor goes off; in the past when it is off."""
        return self._still_at + HOLD_MS / 1000 if self._legs else self._started_at

    @property
    def _still_at(self) -> float:
        return self._started_at + sum(leg.duration for leg in self._legs)

    def home(self, now: float, endstop: AxisFault = AxisFault.NONE) -> None:
        """Approach the endstop fast, back off, approach it again; `endstop`: what is wrong with it."""
        here = self.position_um(now)
        self._set_out(now, AxisState.HOMING, *self._ways_home(here, endstop))
        self._finds, self.trips = endstop, 0
        self.knowledge, self.target_um = Knowledge.UNKNOWN, self.endstop_um

    def _ways_home(self, here: int, endstop: AxisFault) -> tuple[Ramp, ...]:
        """How the carriage goes until it has found its end, or that it cannot."""
        south = self.endstop_um - here
        whole = self.endstop_um - self.end_um - TRAVEL_MARGIN_UM
        if endstop is AxisFault.ENDSTOP_MISSING or (endstop is AxisFault.ENDSTOP_INVERTED and south >= 0):
            # Never closed on the whole way; back again, to see whether it closes there.
            return _hurry(whole), _hurry(BACK_OFF_UM)
        if endstop is AxisFault.ENDSTOP_STUCK:
            # It does not open to the north, and not on the whole way to the south either.
            return _approach(RELEASE_UM), _hurry(whole - RELEASE_UM)
        if endstop is AxisFault.ENDSTOP_INVERTED:
            return _approach(RELEASE_UM), _hurry(south - RELEASE_UM)
        return _hurry(south), _hurry(BACK_OFF_UM), _approach(-BACK_OFF_UM)

    def move(self, command: AxisMove, now: float) -> None:
        """Go to the command's place."""
        here = self.position_um(now)
        ramp = Ramp(
            command.target_um - here,
            min(command.speed_um_s, MAX_SPEED_UM_S),
            min(command.acceleration_um_s2, MAX_ACCELERATION_UM_S2),
        )
        self._set_out(now, AxisState.MOVING, ramp)
        self.target_um = command.target_um

    def stop(self, now: float, fault: AxisFault = AxisFault.NONE) -> bool:
        """Halt here; True when it was moving. A stop in the middle of homing leaves the position unknown.

        An axis at rest stays as it is, unless a fault befalls it: what it has failed of is not forgotten.
        """
        was_moving = self.moving
        if not was_moving and fault is AxisFault.NONE:
            return False
        here = self.position_um(now)
        if self._is_homed(now):
            self.knowledge = Knowledge.ASSUMED
        if fault is not AxisFault.NONE:
            self.knowledge = Knowledge.UNKNOWN
        self._from_um, self._legs, self.fault = here, (), fault
        self.state = AxisState.FAILED if fault is not AxisFault.NONE else AxisState.OFF
        return was_moving

    def tick(self, now: float) -> bool:
        """True when the axis has just arrived. Its motor is off then and its place only assumed."""
        if not self._legs or now < self.arrives_at:
            return False
        if self._finds is not AxisFault.NONE:
            self.stop(now, self._finds)
            return True
        self.trips += self.state is AxisState.MOVING
        self._from_um, self._legs, self.state = self.target_um, (), AxisState.OFF
        self.knowledge = Knowledge.ASSUMED
        return True

    def _is_homed(self, now: float) -> bool:
        """It has just found its end, and is still held there."""
        found = self._finds is AxisFault.NONE and now >= self._still_at
        return self.moving and self.state is AxisState.HOMING and found

    def status(self, now: float) -> AxisStatus:
        """What is reported to the host. Only a homed axis that is still held knows its place."""
        knowledge = Knowledge.KNOWN if self._is_homed(now) else self.knowledge
        return AxisStatus(
            self.index, self.state, knowledge, self.fault, self.position_um(now), self.target_um
        )

    def _set_out(self, now: float, state: AxisState, *legs: Ramp) -> None:
        self._from_um, self._started_at = self.position_um(now), now
        self._legs, self.state, self.fault = legs, state, AxisFault.NONE
        self._finds = AxisFault.NONE
