"""Gaps: the times in which the camera delivered no picture, though one was due, or none that showed the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from companion.sensing.frames import Frame
from companion.tables.kit import Eyes
from companion.virtual.faults import Fault

# More gaps than lie within any answer need not be remembered.
_MOST = 100
# With one of these a camera shows nothing of the table.
BLINDING = frozenset({Fault.CAMERA_GONE, Fault.FRAME_STALE, Fault.FRAME_BLACK})
# In less than this (s) nothing is done that could not be told from what was seen before and after: a dropped picture
# or half a dozen hide no act.
HIDES_S = 2.0


class Gaps:
    """Eyes that note when pictures come. `frame_s`: seconds from one to the next, as a rule.

    `faults`: what is truly out of order at the table at the moment.
    """

    def __init__(
        self, eyes: Eyes, frame_s: float, faults: Callable[[], frozenset[Fault]] = frozenset
    ) -> None:
        self._faults = faults
        # When the table was last shown, by a picture that was not handed out before, and when it was not for long.
        self._shown_at: float | None = None
        self._picture: object = None
        self._hidden: deque[tuple[float, float]] = deque(maxlen=_MOST)
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
        if frame.picture is not self._picture and not BLINDING & self._faults():
            if self._shown_at is not None and now - self._shown_at >= HIDES_S:
                self._hidden.append((self._shown_at, now))
            self._shown_at = now
        self._picture = frame.picture
        return self._eyes.process(frame)

    def within(self, since: float, until: float) -> float:
        """How many of these seconds a picture was overdue."""
        return sum(max(0.0, min(end, until) - max(start, since)) for start, end in self._gaps)

    def hid(self, since: float, until: float, now: float) -> bool:
        """Was the camera away, covered or broken for a while that takes in some of these seconds?

        False at a table that never had a camera: there nothing has been missed that could have been seen.
        """
        hidden = list(self._hidden)
        if self._shown_at is not None and now - self._shown_at >= HIDES_S:
            hidden.append((self._shown_at, now))
        return any(start < until and since < end for start, end in hidden)
