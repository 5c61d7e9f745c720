"""Standstill: for how long the cubes have stood as they do, and for how long they could have."""

from __future__ import annotations


class Standstill:
    """Follows what is read of them, look by look, as long as no hands move."""

    def __init__(self) -> None:
        self._reads: object = None
        self._since: float | None = None
        self._began = 0.0

    def stirred(self) -> None:
        """Hands move, or nothing is seen."""
        self._since = None

    def look(self, reads: object, now: float) -> tuple[float, float]:
        """For how many seconds just this has been read, and for how many anything, at `now`."""
        if self._since is None:
            self._began = now
        if self._since is None or reads != self._reads:
            self._reads, self._since = reads, now
        return now - self._since, now - self._began
