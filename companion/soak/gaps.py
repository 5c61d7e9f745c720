"""Gaps: the times in which the camera delivered no picture, though one was due."""

from __future__ import annotations

from collections import deque
from typing import Any

from companion.sensing.frames import Frame
from companion.tables.kit import Eyes

# More gaps than lie within any answer need not be remembered.
_MOST = 100


class Gaps:
    """Eyes that note when pictures come. `frame_s`: seconds from one to the next, as a rule."""

    def __init__(self, eyes: Eyes, frame_s: float) -> None:
        self._eyes = eyes
        self._frame_s = frame_s
        self._last: float | None = None
        self._gaps: deque[tuple[float, float]] = deque(maxlen=_MOST)

    def process(self, frame: Frame) -> Any:
        """The reading of a frame."""
        now = frame.exposed_at
        # Time goes in ticks: a picture that comes a moment late is no gap.
        if self._last is not None and now - self._last > 1.5 * self._frame_s:
            self._gaps.append((self._last + self._frame_s, now))
        self._last = now
        return self._eyes.process(frame)

    def within(self, since: float, until: float) -> float:
        """How many of these seconds a picture was overdue."""
        return sum(max(0.0, min(end, until) - max(start, since)) for start, end in self._gaps)
