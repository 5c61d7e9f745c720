"""A board that is not there: the far end of a pseudo-terminal, with the same session and honest faults.

The host opens `path` through pyserial as it would the real port and cannot tell the difference. A thread
("virtual-board") serves the near end; `on_leds` callbacks run in it, before the board acknowledges what it
shows. Two clocks, as in `session`: the wire and the scanning run in real time, while `now` (the table's time,
perhaps virtual) moves the axes and stamps the reed changes. `idle` says when the table's time may go on.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from .events import Counters, Role, Timing
from .faults import ENDSTOP_FAULTS, REED_FAULTS, WIRE_FAULTS, Fault, spoil
from .protocol import REEDS, AxisFault, AxisStatus, ResetCause
from .session import Session
from .virtual_board import NO_HOST, VirtualBoard
from .virtual_matrix import seen_by_matrix
from .virtual_wiring import Wiring
from .waker import Rounds, Wait, Waker, run_through
from .wire import Pixel

STABLE_NAME = "olympus-table"
CABLE_FAULTS = frozenset({Fault.UNPLUG, Fault.UNPLUG_MIDFRAME})
UNATTENDED_S = 0.02  # between two looks whether a host has opened the port, or an axis has arrived


class VirtualController:
    """See the module's text. A context manager, or `start` and `close`."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        *,
        reeds: frozenset[int] = frozenset(),
        wire_clock: Callable[[], float] = time.monotonic,
        timing: Timing | None = None,
        scan_period_s: float = 0.001,
        boot_s: float = 0.0,
        reset_on_open: bool = False,
        seed: int = 0,
        wiring: Wiring | None = None,
    ) -> None:
        """`boot_s`: how long a reset board is deaf and dumb; `reset_on_open`: opening the port resets it.

        `wiring`: how its owner wired it; None: as the drawing has it.
        """
        self.wiring = wiring or Wiring()
        self._now = now
        self._wire_clock = wire_clock
        self._timing = timing or Timing()
        self._scan_period = scan_period_s
        self._boot_s = boot_s
        self._reset_on_open = reset_on_open
        self._dice = random.Random(seed)
        self._lock = threading.Lock()
        self._rested = threading.Condition(self._lock)
        self._waker = Waker()
        self._folder = Path(tempfile.mkdtemp(prefix="table-controller-"))
        self._closing = False
        self._thread: threading.Thread | None = None
        self._master: int | None = None
        self._reeds = reeds
        self._rates: dict[Fault, float] = {}
        self._faulty: dict[Fault, frozenset[int]] = {}
        self._faults: set[Fault] = set()
        self._cut_at: int | None = None
        self._reset_asked: ResetCause | None = None
        self._pressed = False
        self._dirty = True
        self._busy = True
        self._leds: tuple[Pixel, ...] = NO_HOST
        self._led_callbacks: tuple[Callable[[tuple[Pixel, ...]], None], ...] = ()
        self._boots = 0
        self._deaf_until = 0.0
        self._attended = False
        self.counters = Counters()
        self.eaten_bytes = 0  # written by the host to a board that was still starting
        self._plug_in()
        self._reboot(ResetCause.POWER_ON)

    def __enter__(self) -> VirtualController:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Switch the board on."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="virtual-board", daemon=True)
            self._thread.start()

    @property
    def waker(self) -> Waker:
        """Ends the wait after a round."""
        return self._waker

    def rounds(self) -> Rounds:
        """Instead of `start`: the board's work, for whoever does it without a thread, by the wire's clock."""
        return self._serve()

    def close(self) -> None:
        """Remove the port; returns when the thread has ended. Safe to call twice."""
        if self._closing:
            return
        self._closing = True
        self._waker.wake()
        if self._thread is not None:
            self._thread.join()
        self._unplug()
        self._waker.close()
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    # From any thread -----------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """The port's stable name; what it points to changes when the board is plugged in again."""
        return str(self._folder / STABLE_NAME)

    def wire_clock(self) -> float:
        """The clock by which heartbeats and repetitions are due, in seconds."""
        return self._wire_clock()

    @property
    def leds(self) -> tuple[Pixel, ...]:
        """The colours shown, before brightness and current budget; `NO_HOST` and darkness by turns without a host."""
        return self._leds

    @property
    def emitted_leds(self) -> tuple[Pixel, ...]:
        """The colours shown after brightness and current budget."""
        return self._board.emitted()

    @property
    def axes(self) -> tuple[AxisStatus, ...]:
        """Where the axes really are."""
        return tuple(axis.status(self._now()) for axis in self._board.axes)

    @property
    def lights(self) -> tuple[Pixel, ...]:
        """What shines at each place: the spaces, the summit, the seat lights."""
        return self.wiring.lit(self.emitted_leds)

    @property
    def carriages_um(self) -> tuple[int, ...]:
        """Where the carriage of each lane really is, µm from the lane's middle."""
        now = self._now()
        return self.wiring.carriages_um([(axis.position_um(now), axis.trips) for axis in self._board.axes])

    @property
    def connected(self) -> bool:
        """A host has a session with the board."""
        return self._session.ready

    @property
    def idle(self) -> bool:
        """The board owes nothing: switches settled, and all it said acknowledged, or nobody there."""
        with self._lock:
            return not self._dirty and not self._busy

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until `idle`; False when it is not within `timeout_s` of real time."""
        with self._rested:
            return self._rested.wait_for(lambda: not self._dirty and not self._busy, timeout_s)

    def on_leds(self, callback: Callable[[tuple[Pixel, ...]], None]) -> Callable[[], None]:
        """`callback(pixels)` in the board's thread whenever LEDs are written; returns what removes it."""
        self._led_callbacks = (*self._led_callbacks, callback)

        def remove() -> None:
            self._led_callbacks = tuple(other for other in self._led_callbacks if other is not callback)

        return remove

    def set_reeds(self, closed: frozenset[int]) -> None:
        """These spaces have a magnet on them from now on, numbered as the drawing numbers their switches."""
        if closed and not 0 <= min(closed) <= max(closed) < REEDS:
            raise ValueError(f"reed switches are numbered 0…{REEDS - 1}, not {sorted(closed)}")
        with self._lock:
            self._reeds = frozenset(closed)
            self._dirty = True
        self._waker.wake()

    def press_emergency(self, pressed: bool = True) -> None:
        """Press the board's emergency button, or turn it out again."""
        with self._lock:
            self._pressed = pressed
            self._dirty = True
        self._waker.wake()

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Press the reset button."""
        with self._lock:
            self._reset_asked = cause
            self._dirty = True
        self._waker.wake()

    def inject(
        self,
        fault: Fault,
        *,
        rate: float = 0.001,
        reeds: frozenset[int] = frozenset(),
        axes: frozenset[int] = frozenset(),
        at_byte: int | None = None,
    ) -> None:
        """Begin a fault: wire faults at `rate` per byte, switch faults for these `reeds`, endstops' for `axes`.

        `at_byte` says after how many bytes of its next message the board is cut off; None: at random.
        """
        with self._lock:
            self._cut_at = at_byte
            self._faults = self._faults | {fault}
            if fault in WIRE_FAULTS:
                self._rates = {**self._rates, fault: rate}
            elif fault in REED_FAULTS:
                self._faulty = {**self._faulty, fault: reeds}
            elif fault in ENDSTOP_FAULTS:
                self._faulty = {**self._faulty, fault: axes}
            self._board.endstops = self._endstops()
            self._dirty = True
        self._waker.wake()

    def clear(self, fault: Fault | None = None) -> None:
        """End a fault, or all."""
        with self._lock:
            ended = set(Fault) if fault is None else {fault}
            if ended & CABLE_FAULTS:
                ended |= CABLE_FAULTS
            self._faults = self._faults - ended
            self._rates = {kind: rate for kind, rate in self._rates.items() if kind not in ended}
            self._faulty = {kind: reeds for kind, reeds in self._faulty.items() if kind not in ended}
            self._board.endstops = self._endstops()
            self._dirty = True
        self._waker.wake()

    def _endstops(self) -> dict[int, AxisFault]:
        found = self.wiring.endstops()
        for fault, what in ENDSTOP_FAULTS.items():
            found |= dict.fromkeys(self._faulty.get(fault, frozenset()), what)
        return found

    # In the board's thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            run_through(self._serve(), self._waker)
        finally:
            with self._rested:  # nobody may wait for a board that has stopped
                self._dirty = self._busy = False
                self._rested.notify_all()

    def _serve(self) -> Rounds:
        next_scan = self._wire_clock()
        while not self._closing:
            now = self._wire_clock()
            with self._lock:
                self._busy, self._dirty = True, False
                cause, self._reset_asked = self._reset_asked, None
            self._follow_cable()
            if cause is not None:
                self._reboot(cause)
            if self._master is None or now < self._deaf_until:
                self.eaten_bytes += len(self._read())
                yield self._rest(False, max(self._deaf_until - now, 0.0) if self._master is not None else 1.0)
                continue
            board, session = self._board, self._session
            board.press(self._pressed, session)  # before the host is heard, who may know of it
            session.receive(self._read(), now)
            self._answer()
            if now >= next_scan:
                board.scan(self._seen(), session)
                next_scan = now + self._scan_period
            board.tick(session)
            self._write(session.poll(self._wire_clock()))
            self._answer()
            scanning = not board.matrix.settled or self._seen() != board.matrix.closed
            timeout = session.next_wake(self._wire_clock())
            if scanning:
                timeout = min(timeout, next_scan - self._wire_clock())
            elif board.moving or not self._attended or self._flickers:
                timeout = min(timeout, UNATTENDED_S) if self._attended else UNATTENDED_S
            yield self._rest(scanning or not (board.settled and session.idle), timeout)

    def _rest(self, busy: bool, timeout_s: float) -> Wait:
        with self._rested:
            self._busy = busy
            self._rested.notify_all()
        return Wait(self._master if self._attended else None, timeout_s)

    def _seen(self) -> frozenset[int]:
        with self._lock:
            now = self._now()
            return seen_by_matrix(self.wiring.seen(self._reeds, now), self._faulty, now)

    @property
    def _flickers(self) -> bool:
        """Does a switch change although nobody moves anything?"""
        return Fault.REED_FLICKER in self._faults or bool(self.wiring.weak & self._reeds)

    def _answer(self) -> None:
        for event in self._session.events():
            self._board.take(event, self._session)

    def _show(self, pixels: tuple[Pixel, ...]) -> None:
        self._leds = pixels
        for callback in self._led_callbacks:
            callback(pixels)

    def _reboot(self, cause: ResetCause) -> None:
        self._boots = self._boots % 65535 + 1
        board = VirtualBoard(self._now, self._boots, cause)
        board.on_show = self._show
        with self._lock:
            board.endstops = self._endstops()
            self._board = board
        self._session = Session(
            Role.BOARD, identity=board.identity, timing=self._timing, counters=self.counters
        )
        self._deaf_until = self._wire_clock() + self._boot_s
        board.matrix.start(self._seen())
        if self._leds != NO_HOST:
            self._show(NO_HOST)

    # The cable -----------------------------------------------------------------------------------------

    def _plug_in(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        Path(self.path).symlink_to(os.ttyname(slave))
        os.close(slave)  # so that the near end sees when the host opens and closes the port
        self._master, self._attended = master, False

    def _unplug(self) -> None:
        if self._master is not None:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._master)
        self._master, self._attended = None, False

    def _follow_cable(self) -> None:
        out = Fault.UNPLUG in self._faults
        if out and self._master is not None:
            self._unplug()
        elif not out and self._master is None:
            self._plug_in()
            self._reboot(ResetCause.POWER_ON)
        if self._master is None:
            return
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        attended = not any(happened & select.POLLHUP for _, happened in poll.poll(0))
        if attended and not self._attended and self._reset_on_open:
            self._reboot(ResetCause.EXTERNAL)
        self._attended = attended

    def _read(self) -> bytes:
        if self._master is None or not self._attended:
            return b""
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return b""
        except OSError:  # the host has closed the port
            self._attended = False
            return b""
        return b"" if Fault.LINK_SILENT in self._faults else spoil(data, self._rates, self._dice)

    def _write(self, data: bytes) -> None:
        if not data or self._master is None or not self._attended or Fault.LINK_SILENT in self._faults:
            return
        data = spoil(data, self._rates, self._dice)
        cut_off = self._faults & {Fault.RESET_MIDFRAME, Fault.UNPLUG_MIDFRAME}
        if cut_off and self._session.outstanding:
            cut = self._dice.randrange(1, len(data)) if self._cut_at is None else self._cut_at
            data = data[: max(1, min(cut, len(data) - 1))]
        # A full buffer loses bytes as a UART that nobody reads does.
        with contextlib.suppress(OSError):
            self.counters.sent_bytes += os.write(self._master, data)
        if cut_off and self._session.outstanding:
            self._cut_off(cut_off)

    def _cut_off(self, faults: set[Fault]) -> None:
        with self._lock:
            # One that was cleared this very moment must not begin after all: nobody would end it.
            faults = faults & self._faults
            if not faults:
                return
            self._faults = self._faults - faults
            if Fault.UNPLUG_MIDFRAME in faults:
                self._faults = self._faults | {Fault.UNPLUG}
                self._dirty = True
            self._cut_at = None
        if Fault.UNPLUG_MIDFRAME in faults:
            self._unplug()
        else:
            self._reboot(ResetCause.WATCHDOG)
