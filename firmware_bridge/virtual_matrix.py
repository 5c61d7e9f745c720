"""The virtual board's reed matrix: switches with faults, scanned and debounced as the firmware does."""

from __future__ import annotations

from dataclasses import dataclass

from .faults import Fault
from .protocol import ReedChange

FLICKER_PERIOD_S = 0.3


@dataclass(slots=True)
class _Candidate:
    """A switch that differs from its reported state: how many scans so far, and when that was first seen."""

    scans: int
    since_ms: int


class VirtualMatrix:
    """Counts scans: a new state is reported when `debounce_scans` scans in a row have seen it."""

    def __init__(self, debounce_scans: int) -> None:
        self.debounce_scans = debounce_scans
        self.closed: frozenset[int] = frozenset()
        self._candidates: dict[int, _Candidate] = {}

    @property
    def settled(self) -> bool:
        """No switch is being debounced."""
        return not self._candidates

    def start(self, seen: frozenset[int]) -> None:
        """Begin with these switches closed, as after a reset."""
        self.closed = seen
        self._candidates.clear()

    def scan(self, seen: frozenset[int], at_ms: int) -> list[ReedChange]:
        """One pass over the matrix; the changes that have lasted long enough, lowest switch first."""
        differing = seen ^ self.closed
        for index in set(self._candidates) - differing:
            del self._candidates[index]  # it bounced
        changes: list[ReedChange] = []
        for index in sorted(differing):
            candidate = self._candidates.setdefault(index, _Candidate(0, at_ms))
            candidate.scans += 1
            if candidate.scans >= self.debounce_scans:
                changes.append(ReedChange(candidate.since_ms, index, index in seen))
                del self._candidates[index]
        self.closed ^= frozenset(change.index for change in changes)
        return changes


def seen_by_matrix(closed: frozenset[int], faulty: dict[Fault, frozenset[int]], now: float) -> frozenset[int]:
    """Which switches the matrix sees closed at this table time, when `closed` have a magnet above them."""
    seen = (closed | faulty.get(Fault.REED_STUCK, frozenset())) - faulty.get(Fault.REED_DEAD, frozenset())
    if now % FLICKER_PERIOD_S > FLICKER_PERIOD_S / 2:
        seen -= faulty.get(Fault.REED_FLICKER, frozenset())
    return seen
