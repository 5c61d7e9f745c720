"""Gaps: the times in which the camera delivered no picture, though one was due, or none that showed the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from companion.sensing.frames import Frame
from companion.tables.kit import AnyReading, Eyes
from companion.virtual.faults import Fault

# More gaps than lie within any answer need not be remembered.
_MOST = 100
# With one of these a camera shows nothing of the table.
BLINDING = frozenset({Fault.CAMERA_GONE, Fault.FRAME_STALE, Fault.FRAME_BLACK})
# With one of these, too, nothing of what lies there can be told from a picture.
COVERING = BLINDING | {Fault.HAND_LINGERS}
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
        # What was last read.
        self.reading: AnyReading | None = None
        self._eyes = eyes
        self._frame_s = frame_s
        # When the table last lay there to be seen by a picture, and when it was not though a picture was due.
        self._seen_at: float | None = None
        self._unseen: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._last: float | None = None
        self._gaps: deque[tuple[float, float]] = deque(maxlen=_MOST)

    def process(self, frame: Frame) -> Any:
        """The reading of a frame."""
        now = frame.exposed_at
        # Time goes in ticks: a picture that comes a moment late is no gap.
        if self._last is not None and now - self._last > 1.5 * self._frame_s:
            self._gaps.append((self._last + self._frame_s, now))
        self._last = now
        is_new, faults = frame.picture is not self._picture, self._faults()
        if is_new and not BLINDING & faults:
            if self._shown_at is not None and now - self._shown_at >= HIDES_S:
                self._hidden.append((self._shown_at, now))
            self._shown_at = now
        if is_new and not COVERING & faults:
            self._unseen.extend(self._unseen_until(now))
            self._seen_at = now
        self._picture = frame.picture
        self.reading = self._eyes.process(frame)
        return self.reading

    def within(self, since: float, until: float) -> float:
        """How many of these seconds a picture was overdue."""
        return _overlap(self._gaps, since, until)

    def seen(self, since: float, until: float) -> float:
        """In how many of these seconds the table lay there to be seen: no arm over it, no picture overdue or spoilt.

        In all of them at a table that never had a camera. `until`: no later than now.
        """
        return until - since - _overlap((*self._unseen, *self._unseen_until(until)), since, until)

    def _unseen_until(self, now: float) -> tuple[tuple[float, float], ...]:
        if self._seen_at is None or now - self._seen_at <= 1.5 * self._frame_s:
            return ()
        return ((self._seen_at + self._frame_s, now),)

    def hid(self, since: float, until: float, now: float) -> bool:
        """Was the camera away, covered or broken for a while that takes in some of these seconds?

        False at a table that never had a camera: there nothing has been missed that could have been seen.
        """
        hidden = list(self._hidden)
        if self._shown_at is not None and now - self._shown_at >= HIDES_S:
            hidden.append((self._shown_at, now))
        return any(start < until and since < end for start, end in hidden)


def _overlap(spans: Iterable[tuple[float, float]], since: float, until: float) -> float:
    return sum(max(0.0, min(end, until) - max(start, since)) for start, end in spans)
