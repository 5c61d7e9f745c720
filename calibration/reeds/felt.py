"""The switches as the controller reports them, between one look and the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType

from firmware_bridge.controller import Controller, ReedEvent


def _nothing() -> None:
    """Nobody is heard."""


class FeltSwitches:
    """A context manager. Hears in the link's thread; `look` is called in any other."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._lock = threading.Lock()
        self._opened: set[int] = set()
        self._forget: Callable[[], None] = _nothing

    def __enter__(self) -> FeltSwitches:
        self._forget = self._controller.on_reeds(self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._forget()

    def look(self) -> tuple[frozenset[int], frozenset[int]]:
        """The switches that are closed, and those that have opened since the look before."""
        with self._lock:
            opened, self._opened = frozenset(self._opened), set()
        return self._controller.snapshot or frozenset(), opened

    def _hear(self, events: Sequence[ReedEvent], closed: frozenset[int]) -> None:
        with self._lock:
            # What was found after the link was interrupted says nothing of when.
            self._opened.update(event.index for event in events if not event.closed and not event.missed)
