"""Rhythms: how a meaning is told without its colour, as lighthouses do it.

Each begins lit, so the first command after a change already shows everything. Nothing flashes more than three
times in a second.
"""

from __future__ import annotations

from enum import Enum


class Rhythm(Enum):
    """When a lamp is lit: the length of a period in ms, and the lit spans in it. Steady: no period."""

    STEADY = (0, ())
    SLOW = (1000, ((0, 500),))
    FAST = (400, ((0, 200),))
    DOUBLE = (1600, ((0, 200), (400, 600)))
    TRIPLE = (2400, ((0, 200), (400, 600), (800, 1000)))
    OCCULTING = (2000, ((0, 1600),))
    FLASH = (2400, ((0, 400),))
    FANFARE = (2400, ((0, 1000), (1200, 1400), (1600, 1800)))

    @property
    def period_ms(self) -> int:
        """After so many milliseconds it begins again; 0 for a steady one."""
        period: int = self.value[0]
        return period

    @property
    def spans_ms(self) -> tuple[tuple[int, int], ...]:
        """The lit spans (begin, end) in a period."""
        spans: tuple[tuple[int, int], ...] = self.value[1]
        return spans

    def lit(self, ms: int) -> bool:
        """Whether the lamp is lit `ms` milliseconds after its scene began."""
        period = self.period_ms
        return not period or any(start <= ms % period < end for start, end in self.spans_ms)

    def next_edge(self, ms: int) -> int | None:
        """The first moment after `ms` at which the lamp goes on or off; None for a steady one."""
        period = self.period_ms
        if not period:
            return None
        begin = ms - ms % period
        edges = {begin + edge for span in self.spans_ms for edge in span} | {begin + period}
        return min(edge for edge in edges if edge > ms)
