"""The link to the board: finds its port, opens it, keeps it open, and says in one sentence when it is not.

One thread owns the port and the session, or whoever does the link's rounds instead. Nothing is written before the
board has been heard (opening the port resets an Arduino, and its boot loader eats what comes in the next 1–2 s).
Whatever ends a connection, the board is looked for again, for ever, at growing intervals.
"""

from __future__ import annotations

import contextlib
import enum
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Protocol

import serial

from . import why
from .errors import LinkAbsentError, LinkBusyError
from .events import Connected, Counters, Event, Lost, Phase, Role, Timing
from .holders import holders
from .ports import PortFinder
from .protocol import BAUD, Message, encode
from .session import Session
from .waker import Rounds, Wait, Waker, run_through


class LinkState(enum.Enum):
    """Whether there is a controller."""

    ABSENT = "absent"
    CONNECTING = "connecting"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The link's state and why, as a sentence for people; `port` is the path in use.

    `trouble`: what is wrong although the link is ready, and what to do; empty when nothing is.
    """

    state: LinkState
    reason: str
    port: str | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """Time-outs in seconds of the real clock."""

    session: Timing = field(default_factory=Timing)
    listen_s: float = 3.5  # for a board that has been reset by opening: boot loader and start
    connect_s: float = 8.0  # from opening to a session, whatever is heard meanwhile
    write_s: float = 0.5
    retry_s: float = 0.2  # between two looks for the board; doubles up to retry_max_s
    retry_max_s: float = 2.0
    quality_s: float = 2.0  # between two looks at how many frames were lost


# So many frames lost between two looks are worth a word; single ones are nobody's business.
POOR_FRAMES = 8


class LinkOwner(Protocol):
    """Whom the link serves. All methods are called in the link's thread and must not block."""

    def on_status(self, status: LinkStatus) -> None:
        """The state or its reason has changed."""

    def on_event(self, event: Event) -> None:
        """Something happened in the session; it is acknowledged to the board after this returns."""

    def fill(self, session: Session) -> None:
        """Called before every write: send now what is worth sending."""


class Link:
    """A connection that is always being kept up; see the module's text."""

    def __init__(
        self,
        port: str | PortFinder,
        owner: LinkOwner,
        *,
        timing: LinkTiming | None = None,
        wire_clock: Callable[[], float] = time.monotonic,
        nonces: Callable[[], int] = lambda: 1 + secrets.randbelow(2**32 - 1),
        baud: int = BAUD,
        queue_limit: int = 64,
    ) -> None:
        """`wire_clock` is real monotonic time in seconds; see `session` for why it is not the table's."""
        self._finder = port if isinstance(port, PortFinder) else PortFinder(port)
        self._owner = owner
        self._timing = timing or LinkTiming()
        self._clock = wire_clock
        self._nonces = nonces
        self._baud = baud
        self._commands: deque[tuple[Message, bool]] = deque()
        self._queue_limit = queue_limit
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._waker = Waker()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._busy = False
        self.status = LinkStatus(LinkState.ABSENT, "the link has not been started.")
        self.counters = Counters()

    # From any thread -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look for the board."""
        if self._thread is None:
            rounds = self.rounds()
            self._thread = threading.Thread(
                target=run_through, args=(rounds, self._waker), name="table-link", daemon=True
            )
            self._thread.start()

    @property
    def waker(self) -> Waker:
        """Ends the wait after a round."""
        return self._waker

    def rounds(self) -> Rounds:
        """The link's work, for whoever does it without a thread, by a clock of their own."""
        self.status = LinkStatus(LinkState.CONNECTING, "looking for the table controller.")
        return self._work()

    def close(self) -> None:
        """Give the port back; returns when the thread has ended. Safe to call twice."""
        if self._closing:
            return
        self._closing = True
        self._waker.wake()
        if self._thread is not None:
            self._thread.join()
        self._waker.close()

    def send(self, message: Message, *, urgent: bool = False) -> None:
        """Hand over a message for sure delivery; `urgent` also writes it at once outside the sequence.

        Raises LinkAbsentError when no board is connected, LinkBusyError when too many messages wait,
        ProtocolError when a field does not fit.
        """
        encode(message)
        with self._lock:
            if self.status.state is not LinkState.READY:
                raise LinkAbsentError(self.status.reason)
            if len(self._commands) >= self._queue_limit:
                raise LinkBusyError("too many commands wait; wait until the controller has caught up.")
            self._commands.append((message, urgent))
        self.wake()

    def wake(self) -> None:
        """Let the thread call `fill` soon."""
        if not self._closing:
            self._waker.wake()

    @property
    def idle(self) -> bool:
        """Nothing waits to be sent, acknowledged or delivered, and no handshake is under way.

        True also while the board is absent: then nothing can be in flight.
        """
        with self._lock:
            if self.status.state is LinkState.ABSENT:
                return True
            return self.status.state is LinkState.READY and not self._commands and not self._busy

    def wait_for(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until the condition holds; it is looked at whenever the status or idleness has changed."""
        with self._changed:
            return self._changed.wait_for(condition, timeout_s)

    # In the link's thread ------------------------------------------------------------------------------

    def _work(self) -> Rounds:
        reason = "the link's thread has failed; start the program again."
        try:
            yield from self._keep_up()
            reason = "the link has been closed."
        except GeneratorExit:
            reason = "the link has been closed."
            raise
        finally:
            self._report(LinkState.ABSENT, reason, None)

    def _keep_up(self) -> Rounds:
        pause = self._timing.retry_s
        while not self._closing:
            path: str | None = None
            reason, was_ready = self._finder.missing, False
            for path in self._finder.candidates():
                reason, was_ready = yield from self._serve(path)
                if was_ready or self._closing:
                    break
            if self._closing:
                break
            self._report(LinkState.ABSENT, reason, path)
            pause = self._timing.retry_s if was_ready else min(2 * pause, self._timing.retry_max_s)
            yield from self._pause(pause)

    def _pause(self, seconds: float) -> Rounds:
        until = self._clock() + seconds
        while not self._closing and (left := until - self._clock()) > 0:
            yield Wait(None, left)

    def _serve(self, path: str) -> Generator[Wait, bool, tuple[str, bool]]:
        """Use one port until it fails: why it failed, and whether the board had answered."""
        try:
            port = serial.Serial(
                path, self._baud, timeout=0, write_timeout=self._timing.write_s, exclusive=True
            )
        except (OSError, ValueError) as error:
            return why.not_opened(path, error, holders(path)), False
        session = Session(
            Role.HOST,
            nonces=self._nonces,
            timing=self._timing.session,
            counters=self.counters,
            queue_limit=2 * self._queue_limit,
        )
        if self.status.state is not LinkState.ABSENT:
            self._report(LinkState.CONNECTING, f"waiting for the table controller at {path}.", path)
        try:
            reason = yield from self._converse(port, path, session)
        except (OSError, TypeError, ValueError) as error:
            # pyserial raises TypeError or ValueError where a port vanishes while it is being used.
            reason = self._unless_shared(path, why.failed(path, error))
        finally:
            with contextlib.suppress(OSError):
                port.close()
        was_ready = session.peer is not None
        session.close(reason)
        self._follow(session, path)
        return reason, was_ready

    def _converse(self, port: serial.Serial, path: str, session: Session) -> Generator[Wait, bool, str]:
        opened_at, readable = self._clock(), False
        looked_at, lost = opened_at, self._lost_frames()
        while not self._closing:
            if readable:
                session.receive(port.read(4096), self._clock())
            self._follow(session, path)
            if session.ready:
                self._send_waiting(session)
            if out := session.poll(self._clock()):
                port.write(out)
                self.counters.sent_bytes += len(out)
            self._follow(session, path)
            if session.ready:
                opened_at = self._clock()
                self._set_busy(not session.idle)
                if opened_at - looked_at >= self._timing.quality_s:
                    before, lost = lost, self._lost_frames()
                    looked_at = opened_at
                    self._judge_wire(path, lost - before)
            elif reason := self._why_hopeless(session, path, self._clock() - opened_at):
                return reason
            readable = yield Wait(port.fileno(), session.next_wake(self._clock()))
        return "the link has been closed."

    def _send_waiting(self, session: Session) -> None:
        # Busy before anything is taken: `idle` must never see a command in neither place.
        self._set_busy(True)
        while self._commands and session.outstanding < self._queue_limit:
            message, urgent = self._commands.popleft()
            session.send(message)
            if urgent:
                session.send_loose(message)
        self._owner.fill(session)

    def _set_busy(self, busy: bool) -> None:
        with self._changed:
            self._busy = busy
            self._changed.notify_all()

    def _follow(self, session: Session, path: str) -> None:
        if session.phase is Phase.CONNECTING and self.status.state is LinkState.ABSENT:
            self._report(LinkState.CONNECTING, f"the table controller answers at {path}.", path)
        for event in session.events():
            if isinstance(event, Connected):
                self._finder.confirm(path)
                self._report(LinkState.READY, f"connected to the table controller at {path}.", path)
            elif isinstance(event, Lost) and not self._closing:
                reason = f"lost the table controller at {path}: {event.reason}; trying again."
                self._report(LinkState.CONNECTING, self._unless_shared(path, reason), path)
            self._owner.on_event(event)

    def _why_hopeless(self, session: Session, path: str, waited_s: float) -> str | None:
        if session.phase is Phase.REFUSED:
            return why.other_protocol(path)
        reason = None
        if session.phase is Phase.LISTENING and session.silence_s > self._timing.listen_s:
            reason = why.silent(path, session.rubbish_bytes, mostly_text=session.mostly_text)
        elif waited_s > self._timing.connect_s:
            reason = why.deaf(path)
        return None if reason is None else self._unless_shared(path, reason)

    def _lost_frames(self) -> int:
        counters = self.counters
        return counters.damaged_frames + counters.gaps + counters.repeated_frames

    def _judge_wire(self, path: str, lost: int) -> None:
        """Say so when many frames were lost lately, and that it is over when it is."""
        trouble = ""
        if lost >= POOR_FRAMES:
            trouble = self._unless_shared(path, why.poor(path))
        if trouble != self.status.trouble:
            self._report(LinkState.READY, self.status.reason, path, trouble)

    def _unless_shared(self, path: str, reason: str) -> str:
        """The reason, unless somebody else reads the port too: then that is it."""
        others = holders(path)
        return why.in_use(path, others) if others else reason

    def _report(self, state: LinkState, reason: str, path: str | None, trouble: str = "") -> None:
        status = LinkStatus(state, reason, path, trouble)
        changed = status != self.status
        with self._changed:
            self.status = status
            self._busy = True  # until a round of the session has found nothing to do
            if state is not LinkState.READY:
                self._commands.clear()
            self._changed.notify_all()
        if changed:
            self._owner.on_status(status)
