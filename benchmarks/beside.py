"""Processor time of one thing beside another, taken in turns, so that whatever else the computer does meets both."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Beside:
    """Seconds that ours and the yardstick took, round by round."""

    ours: list[float] = field(default_factory=list)
    yardstick: list[float] = field(default_factory=list)

    def time_ours(self, work: Callable[[T], object], what: T) -> None:
        """Do our part once."""
        self.ours.append(seconds(work, what))

    def time_yardstick(self, work: Callable[[T], object], what: T) -> None:
        """Do the yardstick's part once."""
        self.yardstick.append(seconds(work, what))

    @property
    def ratio(self) -> float:
        """Our median time in parts of the yardstick's."""
        return statistics.median(self.ours) / statistics.median(self.yardstick)

    @property
    def in_words(self) -> str:
        """Both medians, in milliseconds."""
        ours, yardstick = (1000 * statistics.median(times) for times in (self.ours, self.yardstick))
        return f"{ours:.1f} of {yardstick:.0f} ms"


def seconds(work: Callable[[T], object], what: T) -> float:
    """Processor seconds that some work takes."""
    began = time.process_time()
    work(what)
    return time.process_time() - began
