"""The virtual board without its port: what the firmware does with messages, switches, LEDs and axes.

No I/O and no thread. Times are table seconds (`now`), which may be virtual; only the scan rate, counted in
calls of `scan`, belongs to the real clock of the thread that calls it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

from .errors import LinkBusyError
from .events import Connected, Event, Lost, Received
from .limits import (
    DEFAULT_BUDGET_MA,
    LANES_UM,
    MAX_BUDGET_MA,
    MAX_DEBOUNCE_MS,
    MIN_DEBOUNCE_MS,
    NO_HOST_COLOUR,
    NO_HOST_LED,
    NO_HOST_LIT_MS,
    NO_HOST_PERIOD_MS,
    OVERSHOOT_UM,
    emitted,
    led_level,
)
from .protocol import (
    ALL_AXES,
    AXES,
    DEFAULT_DEBOUNCE_MS,
    LEDS,
    REEDS,
    TABLE_HASH,
    VERSION,
    AxisFault,
    AxisHome,
    AxisMove,
    AxisQuery,
    AxisState,
    AxisStop,
    Capability,
    EmergencyRelease,
    EmergencyState,
    EmergencyStop,
    ErrorCode,
    ErrorReport,
    Hello,
    Knowledge,
    LedLimits,
    LedPixels,
    LedShow,
    Message,
    Part,
    ReedChange,
    ReedQuery,
    ReedSnapshot,
    ResetCause,
    ScanOrder,
    SelfTest,
    SelfTestDone,
    SelfTestFailure,
    Settings,
    StopSource,
)
from .session import Session
from .virtual_axis import VirtualAxis
from .virtual_matrix import VirtualMatrix
from .wire import Pixel

DARK: Pixel = (0, 0, 0)
NO_HOST: tuple[Pixel, ...] = tuple(NO_HOST_COLOUR if n == NO_HOST_LED else DARK for n in range(LEDS))
ALL_DARK: tuple[Pixel, ...] = (DARK,) * LEDS
RECEIVE_BYTES = 512
BUSY = "the axis is moving; stop it first"


class VirtualBoard:
    """State of one board from reset to reset. `session` is replaced by whoever resets it."""

    def __init__(self, now: Callable[[], float], boot_count: int, cause: ResetCause) -> None:
        self._now = now
        self._boot_count = boot_count
        self._cause = cause
        self._booted_at = now()
        self.matrix = VirtualMatrix(DEFAULT_DEBOUNCE_MS)
        self.shown: tuple[Pixel, ...] = NO_HOST
        self.limits = LedLimits(255, DEFAULT_BUDGET_MA)
        self.settings = Settings(DEFAULT_DEBOUNCE_MS, ScanOrder.ROWS)
        self.stopped = StopSource.NONE
        self._button = False
        self.axes = tuple(
            VirtualAxis(n, south, north, (south + 3 * north) // 4)
            for n, (south, north) in enumerate(LANES_UM)
        )
        self.on_show: Callable[[tuple[Pixel, ...]], None] = lambda _: None
        self._stored: list[Pixel] = [DARK] * LEDS
        self._lost_changes = 0
        self._snapshot_owed = False
        self._alone_since = now()
        # Axes whose endstop is not as it should be, and what they find when they home.
        self.endstops: dict[int, AxisFault] = {}

    def uptime_ms(self) -> int:
        """The board's clock."""
        return int(1000 * (self._now() - self._booted_at)) % 2**32

    def identity(self) -> Hello:
        """What this board says of itself; the session fills in the nonce."""
        fitted = Capability.REEDS | Capability.LEDS | Capability.AXES | Capability.SIMULATED
        fitted |= Capability.EMERGENCY_BUTTON
        return Hello(
            VERSION, TABLE_HASH, 0, self._boot_count, self._cause, self.uptime_ms(), fitted,
            LEDS, REEDS, AXES, RECEIVE_BYTES, "virtual 1",
        )  # fmt: skip

    @property
    def settled(self) -> bool:
        """No report waits for room."""
        return not self._snapshot_owed

    @property
    def moving(self) -> bool:
        """An axis is under way."""
        return any(axis.moving for axis in self.axes)

    def emitted(self) -> tuple[Pixel, ...]:
        """The shown colours after brightness and the current budget."""
        return emitted(self.shown, led_level(self.shown, self.limits.brightness, self.limits.budget_ma))

    # What goes on by itself ----------------------------------------------------------------------------

    def scan(self, seen: frozenset[int], session: Session) -> None:
        """One pass over the matrix, in which these switches look closed."""
        for change in self.matrix.scan(seen, self.uptime_ms()):
            self._report_change(change, session)

    def _report_change(self, change: ReedChange, session: Session) -> None:
        if not session.ready:
            return  # the next session begins with a snapshot
        try:
            if self._snapshot_owed:
                raise LinkBusyError
            session.send(change)
        except LinkBusyError:
            self._lost_changes = min(self._lost_changes + 1, 65535)
            self._snapshot_owed = True

    def press(self, pressed: bool, session: Session) -> None:
        """The emergency button is pressed, or not; it latches until it is turned out, and then asks for a release."""
        self._button = pressed
        if pressed:
            self._stop_everything(StopSource.BUTTON, session)

    def tick(self, session: Session) -> None:
        """Report arrivals, and the snapshot that makes up for changes that did not fit."""
        now = self._now()
        arrived = [axis for axis in self.axes if axis.tick(now)]
        if not session.ready:
            self._snapshot_owed = False
            self._blink(now)
            return
        for axis in arrived:
            self._say(axis.status(now), session)
        if self._snapshot_owed and session.outstanding == 0:
            self._snapshot_owed = False
            self._send_snapshot(session)

    def _blink(self, now: float) -> None:
        """The sign of no host, slowly on and off."""
        lit = 1000 * (now - self._alone_since) % NO_HOST_PERIOD_MS < NO_HOST_LIT_MS
        sign = NO_HOST if lit else ALL_DARK
        if self.shown != sign:
            self._show(sign)

    def _send_snapshot(self, session: Session) -> None:
        self._say(ReedSnapshot(self.uptime_ms(), self.matrix.closed, self._lost_changes), session)

    def _say(self, message: Message, session: Session) -> None:
        """Send what may be left unsaid when the host has gone or takes nothing: it can ask again."""
        if session.ready:
            with contextlib.suppress(LinkBusyError):
                session.send(message)

    # What the host says --------------------------------------------------------------------------------

    def take(self, event: Event, session: Session) -> None:
        """Answer one event of the session."""
        if isinstance(event, Connected):
            self._send_snapshot(session)
            if self.stopped is not StopSource.NONE:
                self._say(EmergencyState(True, self.stopped), session)
        elif isinstance(event, Lost):
            for axis in self.axes:
                axis.stop(self._now())
            self._alone_since = self._now()
            # The last host may have wished for darkness.
            self.limits = replace(self.limits, brightness=255)
            self._show(NO_HOST)
        elif isinstance(event, Received):
            refusal = self._carry_out(event.message, session)
            if refusal is not None:
                self._say(refusal, session)

    def _carry_out(self, message: Message, session: Session) -> ErrorReport | None:
        match message:
            case LedPixels() | LedShow():
                return self._take_pixels(message)
            case LedLimits():
                return self._take_limits(message)
            case ReedQuery():
                self._send_snapshot(session)
            case Settings():
                return self._take_settings(message, session)
            case EmergencyStop():
                self._stop_everything(StopSource.HOST, session)
            case EmergencyRelease():
                self.stopped = StopSource.BUTTON if self._button else StopSource.NONE
                self._say(EmergencyState(self._button, self.stopped), session)
            case SelfTest():
                self._test(message.parts, session)
            case AxisHome() | AxisMove() | AxisStop() | AxisQuery():
                return self._take_axis(message, session)
        return None

    def _take_pixels(self, message: LedPixels | LedShow) -> ErrorReport | None:
        end = message.offset + len(message.pixels)
        if end > LEDS:
            text = f"there are {LEDS} LEDs"
            return ErrorReport(ErrorCode.OUT_OF_RANGE, message.SPEC.id, end - 1, text)
        self._stored[message.offset : end] = message.pixels
        if isinstance(message, LedShow):
            self._show(tuple(self._stored))
        return None

    def _take_limits(self, message: LedLimits) -> ErrorReport | None:
        if message.budget_ma > MAX_BUDGET_MA:
            text = "the supply gives less"
            return ErrorReport(ErrorCode.SUPPLY_LIMITED, message.SPEC.id, message.budget_ma, text)
        self.limits = message
        self._show(self.shown)
        return None

    def _show(self, pixels: tuple[Pixel, ...]) -> None:
        self.shown = pixels
        self._stored = list(pixels)
        self.on_show(pixels)

    def _take_settings(self, message: Settings, session: Session) -> ErrorReport | None:
        if not MIN_DEBOUNCE_MS <= message.debounce_ms <= MAX_DEBOUNCE_MS:
            text = f"debounce must be {MIN_DEBOUNCE_MS}...{MAX_DEBOUNCE_MS} ms"
            return ErrorReport(ErrorCode.OUT_OF_RANGE, message.SPEC.id, message.debounce_ms, text)
        self.settings = message
        self.matrix.debounce_scans = message.debounce_ms  # one scan a millisecond
        self._say(message, session)
        return None

    def _stop_everything(self, by: StopSource, session: Session) -> None:
        if self.stopped is not StopSource.NONE:
            return  # a host's stop arrives twice
        self.stopped = by
        now = self._now()
        for axis in self.axes:
            if axis.stop(now, AxisFault.EMERGENCY_STOPPED):
                self._say(axis.status(now), session)
        self._say(EmergencyState(True, self.stopped), session)

    def _take_axis(
        self, message: AxisHome | AxisMove | AxisStop | AxisQuery, session: Session
    ) -> ErrorReport | None:
        number, id_, now = message.axis, message.SPEC.id, self._now()
        many = number == ALL_AXES and not isinstance(message, AxisMove)
        if not many and number >= AXES:
            return ErrorReport(ErrorCode.OUT_OF_RANGE, id_, number, f"there are {AXES} axes")
        if isinstance(message, AxisHome | AxisMove) and self.stopped is not StopSource.NONE:
            return ErrorReport(ErrorCode.EMERGENCY_STOPPED, id_, number, "release the emergency stop first")
        axes = self.axes if many else (self.axes[number],)
        if isinstance(message, AxisMove) and (refusal := self._why_no_move(message, axes[0])) is not None:
            return refusal
        if isinstance(message, AxisHome) and not many and axes[0].state is AxisState.MOVING:
            return ErrorReport(ErrorCode.BUSY, id_, number, BUSY)
        for axis in axes:
            if isinstance(message, AxisHome):
                if not axis.moving:
                    axis.home(now, self.endstops.get(axis.index, AxisFault.NONE))
            elif isinstance(message, AxisMove):
                axis.move(message, now)
            elif isinstance(message, AxisStop):
                axis.stop(now)
            self._say(axis.status(now), session)
        return None

    def _why_no_move(self, message: AxisMove, axis: VirtualAxis) -> ErrorReport | None:
        id_ = message.SPEC.id
        if not axis.endstop_um - OVERSHOOT_UM <= message.target_um <= axis.end_um + OVERSHOOT_UM:
            return ErrorReport(ErrorCode.OUT_OF_RANGE, id_, message.target_um, "beyond the lane")
        if not message.speed_um_s or not message.acceleration_um_s2:
            return ErrorReport(ErrorCode.OUT_OF_RANGE, id_, 0, "speed and acceleration must not be 0")
        if axis.moving:
            return ErrorReport(ErrorCode.BUSY, id_, axis.index, BUSY)
        if axis.knowledge is Knowledge.UNKNOWN:
            return ErrorReport(ErrorCode.NOT_HOMED, id_, axis.index, "home the axis first")
        return None

    def _test(self, parts: Part, session: Session) -> None:
        """All a board can tell by itself: that no switch seems closed for ever is for the host to judge."""
        tested = failed = 0
        if Part.LEDS in parts:
            tested += LEDS
        if Part.REEDS in parts:
            tested += REEDS
        if Part.AXES in parts:
            tested += AXES
            for axis in self.axes:
                if axis.fault is not AxisFault.NONE:
                    failed += 1
                    self._say(
                        SelfTestFailure(Part.AXES, axis.index, axis.fault.name.lower().replace("_", " ")),
                        session,
                    )
        self._say(SelfTestDone(parts, tested, failed), session)
