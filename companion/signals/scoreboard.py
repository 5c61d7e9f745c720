"""The scoreboard: cubes and round marker move to their places by themselves, where motors are fitted."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol


class AxisMood(Enum):
    """What an axis can be asked for now."""

    LOST = "lost"  # it does not know where it is: to be homed
    BUSY = "busy"
    READY = "ready"
    FAILED = "failed"  # to be looked after by a person


class Drive(Protocol):
    """The motors. Commands are heard or, without a controller, lost; the axes' moods tell."""

    def moods(self) -> Mapping[int, AxisMood]:
        """Every axis that there is."""

    def home(self, axis: int) -> None:
        """Find the endstop."""

    def move(self, axis: int, target_mm: float) -> None:
        """Go to a place, in mm north of the lane's middle."""


class Scoreboard:
    """Keeps the carriages where the game says. Homed at first; nothing moves while a hand is at the table."""

    def __init__(self, drive: Drive) -> None:
        self._drive = drive
        self._sent: dict[int, float] = {}

    def follow(self, places_mm: Mapping[int, float], *, clear: bool) -> None:
        """`places_mm`: where each axis belongs. `clear`: no hand is in the picture.

        Called with every reading; commands are only what has not been asked for yet.
        """
        if not clear:
            return
        moods = self._drive.moods()
        for axis, target in places_mm.items():
            match moods.get(axis):
                case AxisMood.LOST:
                    self._sent.pop(axis, None)
                    self._drive.home(axis)
                case AxisMood.READY if self._sent.get(axis) != target:
                    self._sent[axis] = target
                    self._drive.move(axis, target)
                case _:
                    pass
