"""Stumbles: pictures that nobody foresaw, on which the reading of the table fails."""

from __future__ import annotations

from collections import deque

from companion.errors import CompanionError

# So many within so long (s), and going on makes no sense: the program is to be started anew.
MOST = 5
WITHIN_S = 60.0


class SightFailedError(CompanionError):
    """Picture after picture cannot be read. Started anew, the program goes on with the game as it is kept."""


class Stumbles:
    """How often it happened lately."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST)

    def too_many(self, now: float) -> bool:
        """It happened again, at `now` in seconds. Is it too often to go on?"""
        self._times.append(now)
        return len(self._times) == MOST and now - self._times[0] < WITHIN_S
