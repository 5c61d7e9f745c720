"""The table controller as the program sees it: reeds in, lights out, axes, and whether it is there.

Which thread runs what: every public method may be called from any thread and never blocks, except `close`
and the `wait_…` methods. Callbacks run in the link's thread ("table-link"), one at a time, must not raise and
must return quickly; an asyncio program hands over with `loop.call_soon_threadsafe`. The board's messages are
acknowledged after the callbacks have returned: once the board is idle, all it said has been handed over.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .errors import ControllerTimeoutError
from .events import Connected, Counters, Delivered, Event, Lost, Received, Refused, Sent
from .leds import checked_pixels, led_messages
from .link import Link, LinkState, LinkStatus, LinkTiming
from .ports import PortFinder
from .protocol import (
    ALL_AXES,
    LEDS,
    AxisHome,
    AxisMove,
    AxisQuery,
    AxisStatus,
    AxisStop,
    Capability,
    EmergencyRelease,
    EmergencyState,
    EmergencyStop,
    Hello,
    LedLimits,
    LedShow,
    Message,
    Part,
    ReedChange,
    ReedSnapshot,
    ScanOrder,
    SelfTest,
    Settings,
    StopSource,
    encode,
)
from .session import Session
from .waker import Rounds, Waker
from .wire import Pixel


@dataclass(frozen=True, slots=True)
class ReedEvent:
    """One reed switch has opened or closed.

    `at` is the table clock in seconds when the change reached us, `board_ms` the board's own clock when it
    was first seen. `missed` marks a change found by comparing a snapshot with what was known before: it
    happened at some time while the link was interrupted.
    """

    index: int
    closed: bool
    at: float
    board_ms: int
    missed: bool = False


ReedCallback = Callable[[tuple[ReedEvent, ...], frozenset[int]], None]
StatusCallback = Callable[[LinkStatus], None]
LedCallback = Callable[[tuple[Pixel, ...], float], None]
MessageCallback = Callable[[Message], None]
CallbackT = TypeVar("CallbackT")


class _Listeners(Generic[CallbackT]):
    """Callbacks of one kind; adding returns the function that removes."""

    def __init__(self) -> None:
        self.callbacks: tuple[CallbackT, ...] = ()

    def add(self, callback: CallbackT) -> Callable[[], None]:
        self.callbacks = (*self.callbacks, callback)
        return lambda: self._remove(callback)

    def _remove(self, callback: CallbackT) -> None:
        self.callbacks = tuple(other for other in self.callbacks if other is not callback)


class Controller:
    """The device object; see the module's text for threads. A context manager, or `start` and `close`."""

    def __init__(
        self,
        port: str | PortFinder = "auto",
        *,
        clock: Callable[[], float] = time.monotonic,
        wire_clock: Callable[[], float] = time.monotonic,
        timing: LinkTiming | None = None,
        nonces: Callable[[], int] = lambda: 1 + secrets.randbelow(2**32 - 1),
    ) -> None:
        """`clock` is the table's time in seconds, real or virtual; it stamps events, nobody waits for it."""
        self._clock = clock
        self._lock = threading.Lock()
        self._link = Link(port, self, timing=timing, wire_clock=wire_clock, nonces=nonces)
        self._hello: Hello | None = None
        self._refused: Refused | None = None
        self._reeds: frozenset[int] | None = None
        self._wanted: tuple[Pixel, ...] | None = None
        self._sending: tuple[Pixel, ...] | None = None  # on the wire, not acknowledged
        self._lit: tuple[Pixel, ...] | None = None  # acknowledged; None: unknown
        self._limits: LedLimits | None = None
        self._limits_owed = False
        self._settings: Settings | None = None
        self._settings_owed = False
        self._axes: dict[int, AxisStatus] = {}
        self._emergency = StopSource.NONE
        self._on_reeds: _Listeners[ReedCallback] = _Listeners()
        self._on_status: _Listeners[StatusCallback] = _Listeners()
        self._on_leds: _Listeners[LedCallback] = _Listeners()
        self._on_message: _Listeners[MessageCallback] = _Listeners()

    def __enter__(self) -> Controller:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Begin to look for the board."""
        self._link.start()

    @property
    def waker(self) -> Waker:
        """Ends the wait after a round."""
        return self._link.waker

    def rounds(self) -> Rounds:
        """Instead of `start`: the link's work, for whoever does it without a thread."""
        return self._link.rounds()

    def close(self) -> None:
        """Give the port back; no callback runs after this. Safe to call twice."""
        self._link.close()

    # State ---------------------------------------------------------------------------------------------

    @property
    def status(self) -> LinkStatus:
        """Absent, connecting or ready, and why, as a sentence for people."""
        return self._link.status

    @property
    def ready(self) -> bool:
        """A board is connected."""
        return self._link.status.state is LinkState.READY

    @property
    def identity(self) -> Hello | None:
        """What the board said of itself when it was last connected."""
        return self._hello

    @property
    def refused(self) -> Refused | None:
        """The protocol of the board that was refused for it, unless another has been connected since."""
        return self._refused

    @property
    def snapshot(self) -> frozenset[int] | None:
        """Closed reed switches as last heard; None before the first board has answered."""
        return self._reeds

    @property
    def axes(self) -> dict[int, AxisStatus]:
        """Last reported status of each axis."""
        return dict(self._axes)

    @property
    def emergency(self) -> bool:
        """The board reports that the emergency stop is on."""
        return self._emergency is not StopSource.NONE

    @property
    def emergency_source(self) -> StopSource:
        """Who pressed the emergency stop, by the board's last report."""
        return self._emergency

    @property
    def counters(self) -> Counters:
        """What the wire has done to frames so far; read only."""
        return self._link.counters

    @property
    def lit(self) -> tuple[Pixel, ...] | None:
        """The colours that the board has acknowledged; None: unknown, as before the first picture."""
        with self._lock:
            return self._lit

    @property
    def leds_acknowledged(self) -> bool:
        """The board shows what was last given to `set_leds`."""
        with self._lock:
            return self._wanted is None or self._wanted == self._lit

    @property
    def idle(self) -> bool:
        """Nothing waits, is in flight or is being handed over; a loop in virtual time may go on.

        False while a board is being connected, which ends within seconds; True while none is there.
        """
        # The order matters: the link says busy before anything leaves our hands.
        return not self._owes() and self._link.idle

    def _owes(self) -> bool:
        with self._lock:
            if not self.ready:
                return False
            return self._limits_owed or self._settings_owed or self._leds_owed()

    def _leds_owed(self) -> bool:
        return self._has_leds() and self._wanted is not None and self._wanted != self._lit

    def _has_leds(self) -> bool:
        return self._hello is None or bool(self._hello.capabilities & Capability.LEDS)

    def wait_ready(self, timeout_s: float) -> Hello:
        """Wait for the board; raises ControllerTimeoutError with the link's sentence when none answers."""
        if not self._link.wait_for(lambda: self.ready and self._reeds is not None, timeout_s):
            raise ControllerTimeoutError(self.status.reason)
        if self._hello is None:
            raise ControllerTimeoutError(self.status.reason)
        return self._hello

    def wait_idle(self, timeout_s: float) -> None:
        """Wait until nothing is in flight; raises ControllerTimeoutError after `timeout_s`."""
        if not self._link.wait_for(lambda: self.idle, timeout_s):
            raise ControllerTimeoutError(
                f"after {timeout_s:g} s something is still in flight; {self.status.reason}"
            )

    # Callbacks, each returns the function that removes it ------------------------------------------------

    def on_reeds(self, callback: ReedCallback) -> Callable[[], None]:
        """`callback(events, closed)` with every change, and with each snapshot, perhaps without events."""
        return self._on_reeds.add(callback)

    def on_state(self, callback: StatusCallback) -> Callable[[], None]:
        """`callback(status)` when the link's state or its reason changes."""
        return self._on_status.add(callback)

    def on_led_sent(self, callback: LedCallback) -> Callable[[], None]:
        """`callback(pixels, at)` when the command to show them has been written; `at` is table time."""
        return self._on_leds.add(callback)

    def on_message(self, callback: MessageCallback) -> Callable[[], None]:
        """`callback(message)` with everything else: axes, emergency stop, errors, settings, self-test."""
        return self._on_message.add(callback)

    # Commands ------------------------------------------------------------------------------------------

    def set_leds(self, pixels: Sequence[Pixel]) -> None:
        """Show these colours, one of 105; only what differs is sent, the latest call wins.

        Kept and shown later while no board is there. Raises ProtocolError for anything but 105 pixels.
        """
        wanted = checked_pixels(pixels, LEDS)
        with self._lock:
            self._wanted = wanted
        self._link.wake()

    def set_led_limits(self, brightness: int, budget_ma: int) -> None:
        """Brightness 0…255 of all LEDs, and the mA they may draw together; kept for later boards."""
        limits = LedLimits(brightness, budget_ma)
        encode(limits)
        with self._lock:
            self._limits, self._limits_owed = limits, True
        self._link.wake()

    def set_scan(self, debounce_ms: int, scan_order: ScanOrder = ScanOrder.ROWS) -> None:
        """How long a reed must keep its new state; kept for later boards."""
        settings = Settings(debounce_ms, scan_order)
        encode(settings)
        with self._lock:
            self._settings, self._settings_owed = settings, True
        self._link.wake()

    def home_axis(self, axis: int = ALL_AXES) -> None:
        """Home one axis or all. Raises LinkAbsentError without a board, as all the following do."""
        self._link.send(AxisHome(axis))

    def move_axis(
        self, axis: int, target_mm: float, *, speed_mm_s: float = 40.0, acceleration_mm_s2: float = 200.0
    ) -> None:
        """Move an axis to a place; its status arrives through `on_message` and in `axes`."""
        micrometres = (round(1000 * value) for value in (target_mm, speed_mm_s, acceleration_mm_s2))
        self._link.send(AxisMove(axis, *micrometres))

    def stop_axis(self, axis: int = ALL_AXES) -> None:
        """Slow down and stop here."""
        self._link.send(AxisStop(axis))

    def query_axis(self, axis: int = ALL_AXES) -> None:
        """Ask for the status of one axis or all."""
        self._link.send(AxisQuery(axis))

    def emergency_stop(self) -> None:
        """All motors off now."""
        self._link.send(EmergencyStop(), urgent=True)

    def emergency_release(self) -> None:
        """Motors may move again."""
        self._link.send(EmergencyRelease())

    def self_test(self, parts: Part) -> None:
        """Let the board check itself; failures and the end arrive through `on_message`."""
        self._link.send(SelfTest(parts))

    # Called by the link, in its thread -------------------------------------------------------------------

    def on_status(self, status: LinkStatus) -> None:
        """The link's state has changed."""
        for callback in self._on_status.callbacks:
            callback(status)

    def on_event(self, event: Event) -> None:
        """Something happened in the session."""
        if isinstance(event, Received):
            self._take(event.message)
        elif isinstance(event, Sent) and isinstance(event.message, LedShow):
            if (pixels := self._sending) is not None:
                for callback in self._on_leds.callbacks:
                    callback(pixels, self._clock())
        elif isinstance(event, Delivered) and isinstance(event.message, LedShow):
            with self._lock:
                self._lit, self._sending = self._sending, None
        elif isinstance(event, Refused):
            self._refused = event
        elif isinstance(event, Connected):
            self._hello, self._refused = event.hello, None
            self._axes.clear()
            self._emergency = StopSource.NONE  # one that is on is told at once
            with self._lock:
                self._limits_owed = self._limits is not None
                self._settings_owed = self._settings is not None
        elif isinstance(event, Lost):
            with self._lock:
                self._lit = self._sending = None

    def fill(self, session: Session) -> None:
        """Give the session what the board should know, LEDs one picture at a time."""
        with self._lock:
            if self._settings_owed and self._settings is not None:
                session.send(self._settings)
                self._settings_owed = False
            if self._limits_owed and self._limits is not None:
                session.send(self._limits)
                self._limits_owed = False
            if self._sending is None and self._wanted is not None and self._leds_owed():
                self._sending = self._wanted
                for message in led_messages(self._lit, self._wanted):
                    session.send(message)

    def _take(self, message: Message) -> None:
        if isinstance(message, ReedSnapshot):
            self._take_snapshot(message)
        elif isinstance(message, ReedChange):
            self._take_change(message)
        else:
            if isinstance(message, AxisStatus):
                self._axes[message.axis] = message
            elif isinstance(message, EmergencyState):
                self._emergency = message.source if message.stopped else StopSource.NONE
            for callback in self._on_message.callbacks:
                callback(message)

    def _take_snapshot(self, message: ReedSnapshot) -> None:
        known = message.closed if self._reeds is None else self._reeds
        at = self._clock()
        events = tuple(
            ReedEvent(index, index in message.closed, at, message.at_ms, missed=True)
            for index in sorted(known ^ message.closed)
        )
        self._reeds = message.closed
        for callback in self._on_reeds.callbacks:
            callback(events, message.closed)

    def _take_change(self, message: ReedChange) -> None:
        known = self._reeds or frozenset()
        closed = known | {message.index} if message.closed else known - {message.index}
        if closed == known:
            return
        self._reeds = closed
        event = ReedEvent(message.index, message.closed, self._clock(), message.at_ms)
        for callback in self._on_reeds.callbacks:
            callback((event,), closed)
