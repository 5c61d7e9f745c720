"""Portion: how much of a search one look may still do; what takes longer goes on at the next looks."""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

Found = TypeVar("Found")
# Yields how many paths of actions it has just tried, and returns what it has found.
Steps = Generator[int, None, Found]


class Portion:
    """`left`: so many paths of actions one look may still try."""

    def __init__(self, paths: int) -> None:
        self.left = paths

    def spend(self, paths: int) -> None:
        """So many were tried."""
        self.left -= paths


class InPortions(Generic[Found]):
    """A search that goes on where the last look has left it."""

    def __init__(self, steps: Steps[Found]) -> None:
        self._steps = steps
        self._found: Found | None = None

    def run(self, portion: Portion) -> Found | None:
        """What was found; None as long as there is more to be tried. Every look does a step at least."""
        while self._found is None:
            try:
                portion.spend(next(self._steps))
            except StopIteration as done:
                self._found = done.value
                break
            if portion.left <= 0:
                break
        return self._found


def at_once(steps: Steps[Found]) -> Found:
    """What is found when nobody waits for it."""
    try:
        while True:
            next(steps)
    except StopIteration as done:
        found: Found = done.value
        return found
