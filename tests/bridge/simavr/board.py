"""The simulated chip as the table's controller: its time follows the table's, be that real or virtual.

When the table's clock goes on, the chip goes as far, at once. While bytes are under way, or nobody is connected, it
goes on by itself, at the pace of a real one, and the table waits as for the virtual controller: `idle` says when it
need not. So the chip's clock, which is also the wire's, is the table's plus the time that talking took.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from firmware_bridge.protocol import DEAD_AFTER_MS
from firmware_bridge.wire import Pixel

from .chip import IMAGE, Carriage, Chip

STEP_S = 0.001
LEAP_S = 0.02
# The switches settle and the first byte about them is sent within this time.
DEBOUNCE_S = 0.008
# Nothing is on the wire while LEDs are written, and the acknowledgement comes after.
QUIET_S = 0.010
# A host that has said nothing for so long of the chip's time gets real time in which to speak.
SILENCE_S = 1.0
# Real time that a busy computer has lost is not made up for.
BACKLOG_S = 0.1


@dataclass(frozen=True, slots=True)
class Place:
    """Where an axis really is, as the virtual controller's `axes` tell it."""

    position_um: int


class ChipBoard:
    """See the module's text. A context manager, or `start` and `close`."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, *, seed: int = 0, image: Path = IMAGE
    ) -> None:
        """`now`: the table's clock. `seed` is taken as the virtual controller takes it; nothing here is chance."""
        self.chip = Chip(image)
        self.path = self.chip.path
        self._now = now
        self._is_real = now is time.monotonic
        self._followed = now()
        self._chip_now = 0.0
        self._unsettled_until = 0.0
        self._settling = threading.Lock()
        self._closing = threading.Event()
        self._wake = threading.Event()
        self._busy = True
        self._thread = threading.Thread(target=self._run, name="simulated-chip", daemon=True)

    def __enter__(self) -> ChipBoard:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Switches the chip on."""
        self._thread.start()

    def close(self) -> None:
        """Removes the port; returns when the thread and the program have ended. Safe to call twice."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        self.chip.close()

    # From any thread -----------------------------------------------------------------------------------

    def wire_clock(self) -> float:
        """The chip's clock in seconds: by it heartbeats and repetitions are due."""
        return self._chip_now

    @property
    def idle(self) -> bool:
        """The chip is as far as the table, its switches are settled, and nothing is on the wire."""
        if self._now() > self._followed:
            self._wake.set()
            return False
        return not self._busy

    @property
    def leds(self) -> tuple[Pixel, ...]:
        """The colours that the LEDs have received."""
        return self.chip.leds

    @property
    def axes(self) -> tuple[Place, ...]:
        """Where the carriages really are."""
        return tuple(Place(round(1000 * carriage.place_mm)) for carriage in self.carriages)

    @property
    def carriages(self) -> tuple[Carriage, ...]:
        """The axes' far ends."""
        return self.chip.carriages

    def set_reeds(self, closed: frozenset[int]) -> None:
        """These switches have a magnet above them from now on."""
        with self._settling:
            self.chip.set_reeds(closed)
            self._unsettled_until = self._chip_now + DEBOUNCE_S
            self._busy = True
        self._wake.set()

    # In the chip's thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing.is_set():
            started = time.monotonic()
            if self._is_table_ahead():
                self._follow()
            elif self._is_talking():
                self._advance(STEP_S)
                self._closing.wait(max(0.0, STEP_S - (time.monotonic() - started)))
            else:
                self._wake.wait(STEP_S)
                self._wake.clear()

    def _is_table_ahead(self) -> bool:
        return self._now() > self._followed

    def _is_talking(self) -> bool:
        with self._settling:
            self._busy = (
                self._chip_now < self._unsettled_until
                or not self.chip.is_quiet(QUIET_S)
                or self.chip.silent_for > DEAD_AFTER_MS / 1000  # nobody is connected: it calls
            )
            return self._busy

    def _follow(self) -> None:
        ahead = self._now() - self._followed
        if self._is_real and ahead > BACKLOG_S:
            self._followed = self._now() - STEP_S
            ahead = STEP_S
        leap = min(ahead, LEAP_S)
        with self._settling:
            self._busy = True
        self._advance(max(leap, 1e-6))
        self._followed += leap
        if self._is_real or self.chip.silent_for > SILENCE_S:
            self._closing.wait(STEP_S)

    def _advance(self, seconds: float) -> None:
        self._chip_now = self.chip.advance(seconds)
