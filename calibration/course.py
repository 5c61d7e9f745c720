"""The course of a calibration: which of its steps are still due, and how far the whole is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from calibration.profile import TableProfile
from calibration.step import Part, Step
from companion.errors import CompanionError

# What was measured through an older lens is measured anew.
RESTS_ON: Mapping[str, tuple[str, ...]] = {"rings": ("camera",)}


class UnknownStep(CompanionError, ValueError):
    """A step that there is none of. The message names those there are."""


class Standing(Enum):
    """How a step stands in the course."""

    DONE = "done"
    NOW = "now"
    OPEN = "open"
    NOT_FITTED = "not fitted"


@dataclass(frozen=True, slots=True)
class Station:
    """One step in the course. `measured_at`: when what the profile holds was measured."""

    name: str
    title: str
    standing: Standing
    measured_at: datetime | None = None


class Course:
    """Steps in their order. `redo`: those to be measured again; `resume`: leave out what the profile holds already."""

    def __init__(self, steps: Sequence[Step], redo: Collection[str] = (), *, resume: bool = False) -> None:
        names = [step.name for step in steps]
        for name in redo:
            if name not in names:
                raise UnknownStep(f"--redo {name}: there is no such step; they are {', '.join(names)}.")
        self.steps = tuple(steps)
        self._redo = set(redo)
        self._resume = resume

    def due(self, step: Step, profile: TableProfile) -> bool:
        """Is it still to be measured?"""
        if not self._resume or step.name in self._redo:
            return True
        at = step.measured_at(profile)
        if at is None:
            return True
        below = [other for other in self.steps if other.name in RESTS_ON.get(step.name, ())]
        return any((under := other.measured_at(profile)) is not None and under > at for other in below)

    def kept(self, name: str) -> None:
        """A step was measured and kept."""
        self._redo.discard(name)

    def next(self, after: int, profile: TableProfile) -> int:
        """The number of the next step that is due after number `after` (-1: from the beginning); len(steps): none."""
        for number in range(after + 1, len(self.steps)):
            if self.due(self.steps[number], profile):
                return number
        return len(self.steps)

    def stations(
        self, now: int | None, profile: TableProfile, parts: frozenset[Part], kept: Collection[str]
    ) -> tuple[Station, ...]:
        """All steps as they stand; `kept`: those measured in this session."""
        found = []
        for number, step in enumerate(self.steps):
            if number == now:
                standing = Standing.NOW
            elif step.needs - parts:
                standing = Standing.NOT_FITTED
            elif step.name in kept or not self.due(step, profile):
                standing = Standing.DONE
            else:
                standing = Standing.OPEN
            found.append(Station(step.name, step.title, standing, step.measured_at(profile)))
        return tuple(found)


def share_done(stations: Sequence[Station], share: float) -> float:
    """How much of the whole is done, 0 to 1, with the present step done by `share`."""
    if not stations:
        return 0.0
    done = sum(station.standing in (Standing.DONE, Standing.NOT_FITTED) for station in stations)
    now = any(station.standing is Standing.NOW for station in stations)
    return min(1.0, (done + (share if now else 0.0)) / len(stations))
