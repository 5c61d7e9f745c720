"""Night: how bright the lights are, by the hour or as somebody at the page wants it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import time
from enum import Enum


class NightMode(Enum):
    """What decides whether the lights are dimmed."""

    AUTO = "auto"  # the hour
    NIGHT = "night"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Dimming:
    """Brightness by day and by night, each above 0 up to 1; night goes from `begins` to `ends`, local time.

    `begins` None: never by the hour.
    """

    day: float = 1.0
    night: float = 0.25
    begins: time | None = None
    ends: time = time(7, 0)

    def is_night_at(self, hour: time) -> bool:
        """Whether the hour lies in the night, which may go over midnight."""
        if self.begins is None or self.begins == self.ends:
            return False
        if self.begins < self.ends:
            return self.begins <= hour < self.ends
        return hour >= self.begins or hour < self.ends


class Night:
    """The brightness as it is now. `local_time` tells the hour."""

    def __init__(self, dimming: Dimming, local_time: Callable[[], time]) -> None:
        self.mode = NightMode.AUTO
        self._dimming = dimming
        self._local_time = local_time

    @property
    def is_on(self) -> bool:
        """Are the lights dimmed for the night?"""
        if self.mode is NightMode.AUTO:
            return self._dimming.is_night_at(self._local_time())
        return self.mode is NightMode.NIGHT

    @property
    def brightness(self) -> float:
        """The share of full brightness, above 0 up to 1."""
        return self._dimming.night if self.is_on else self._dimming.day
