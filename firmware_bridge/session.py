"""A sure conversation over an unsure wire: connect, order, repetition, credit, heartbeat. No I/O, no clock.

The owner feeds `receive(bytes, now)`, writes what `poll(now)` returns, and takes what happened from
`events()`. `now` is the wire's clock in seconds: a real monotonic clock, also where the table runs in virtual
time. A UART, a boot loader and the peer's firmware do not run faster because a simulated table does; and a
clock that is held while something is in flight could never trigger the repetition that ends the holding.
Silence is counted in polls: one poll never counts for more than one heartbeat interval, so a process that was
stopped or starved does not blame the peer for time in which nobody listened.

Both ends run this one machine; they differ in who starts. The board says Hello by itself while it has no
session. The host stays silent until it has heard a valid frame (what is sent to a boot loader is lost or
worse), then asks for a session with Connect; the board's Hello with the same nonce opens it. Within the
session frames are numbered mod 256; at most `WINDOW` of them and at most the board's receive buffer are on
their way; the receiver keeps no frame out of order but says NAK once and the sender goes back (go-back-N: an
ATmega needs no memory to reorder).
"""

from __future__ import annotations

import dataclasses
import math
from collections import deque
from collections.abc import Callable

from .errors import LinkAbsentError, ProtocolError
from .events import (
    Connected,
    Counters,
    Delivered,
    Event,
    Lost,
    Malformed,
    Phase,
    Received,
    Refused,
    Role,
    Sent,
    Timing,
)
from .frames import MAX_ENCODED, Frame, FrameParser, Kind, pack_frame
from .outbox import Outbox
from .protocol import (
    TABLE_HASH,
    VERSION,
    WINDOW,
    Connect,
    Direction,
    Heartbeat,
    Hello,
    Message,
    decode,
    encode,
)

# Credit before the board has said how much it can hold; a board's end never needs more of the host.
DEFAULT_CREDIT = 4 * (MAX_ENCODED + 1)


class Session:
    """One end of the conversation; see the module's text. Not thread-safe: one thread owns it."""

    def __init__(
        self,
        role: Role,
        *,
        identity: Callable[[], Hello] | None = None,
        nonces: Callable[[], int] | None = None,
        timing: Timing | None = None,
        counters: Counters | None = None,
        queue_limit: int = 64,
    ) -> None:
        """A board's end needs `identity`, a host's end `nonces`: fresh numbers 1…2³²−1, best random."""
        if (identity is None) is (role is Role.BOARD) or (nonces is None) is (role is Role.HOST):
            raise ValueError("a board's session needs `identity`, a host's session `nonces`")
        self.role = role
        self.timing = timing or Timing()
        self.phase = Phase.LISTENING
        self.counters = counters if counters is not None else Counters()
        self.peer: Hello | None = None
        self._identity = identity
        self._nonces = nonces
        self._queue_limit = queue_limit
        self._parser = FrameParser()
        self._events: deque[Event] = deque()
        self._loose: deque[bytes] = deque(maxlen=8)
        self._session = 0
        self._nonce = 0
        self._started_at: float | None = None
        self._last_poll: float | None = None
        self._silence = 0.0
        self._next_call = -math.inf  # next Hello (board) or Connect (host)
        self._next_heartbeat = math.inf
        self._start_over(DEFAULT_CREDIT)

    def _start_over(self, credit: int) -> None:
        self._outbox = Outbox(self.timing, credit, self._queue_limit)
        self._loose.clear()
        self._expected = 0
        self._answer: Kind | None = None
        self._complained = False

    # What the owner asks -------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """A session is open."""
        return self.phase is Phase.READY

    @property
    def idle(self) -> bool:
        """Nothing queued, nothing unacknowledged, no answer or event owed."""
        return not (len(self._outbox) or self._loose or self._answer or self._events)

    @property
    def outstanding(self) -> int:
        """Messages queued or not yet acknowledged."""
        return len(self._outbox)

    @property
    def silence_s(self) -> float:
        """Seconds in which we listened and the peer said nothing valid."""
        return self._silence

    @property
    def rubbish_bytes(self) -> int:
        """Bytes received since the session object was made, if there was not one valid frame among them."""
        return 0 if self._parser.whole else self._parser.received_bytes

    @property
    def mostly_text(self) -> bool:
        """What arrives looks like text, as from a login console or other firmware."""
        return self._parser.printable_bytes > 0.9 * self.rubbish_bytes > 0

    def send(self, message: Message) -> None:
        """Queue a message for sure delivery in order.

        Raises LinkAbsentError without a session, LinkBusyError when the queue is full, ProtocolError when a
        field does not fit.
        """
        if not self.ready:
            raise LinkAbsentError("there is no session with the board yet; wait until it is ready.")
        self._outbox.put(message)

    def send_loose(self, message: Message) -> None:
        """Write a message with the next poll, before everything else, without number or repetition."""
        if not self.ready:
            raise LinkAbsentError("there is no session with the board yet; wait until it is ready.")
        self._loose.append(encode(message))

    def events(self) -> list[Event]:
        """What has happened since the last call, in order."""
        happened = list(self._events)
        self._events.clear()
        return happened

    def close(self, reason: str) -> None:
        """End the session at this end, as when the port has gone."""
        if self.ready:
            self._lose(reason)
        self.phase = Phase.LISTENING

    def next_wake(self, now: float) -> float:
        """Seconds until `poll` has something to do by itself."""
        due = [now + self.timing.heartbeat_s, self._next_call]
        if self.ready:
            due.append(self._outbox.repeat_at)
            if self._loose:
                return 0.0
            if not self._outbox.quiet:
                if self._outbox.writable or self._answer:
                    return 0.0
                due.append(self._next_heartbeat)
        return max(0.0, min(due) - now)

    # Bytes in ------------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Take any bytes from the wire."""
        for frame in self._parser.feed(data):
            if frame is None:
                self.counters.damaged_frames += 1
                self._complain()
            else:
                self.counters.received_frames += 1
                self._take(frame, now)

    def _take(self, frame: Frame, now: float) -> None:
        if not self.ready:
            self._silence = 0.0
        if frame.kind is Kind.LOOSE and frame.payload[:1] == bytes((Hello.SPEC.id,)):
            if self.role is Role.HOST:
                self._take_hello(frame.payload, now)
            return
        if frame.kind is Kind.LOOSE and frame.payload[:1] == bytes((Connect.SPEC.id,)):
            if self.role is Role.BOARD:
                self._take_connect(frame.payload, now)
            return
        if not self.ready or frame.session != self._session:
            self.counters.stale_frames += 1
            if self.role is Role.HOST and self.phase is Phase.LISTENING:
                self._connect(now)  # our firmware is up, still talking to a host that has gone
            return
        self._silence = 0.0
        if frame.kind is Kind.LOOSE:
            self._deliver(frame.payload)
            return
        confirmed = self._outbox.acknowledge(frame.acknowledged, now)
        self._events.extend(Delivered(message) for message in confirmed)
        if frame.kind is Kind.NAK:
            self._outbox.go_back(now)
        elif frame.kind is Kind.DATA:
            self._take_data(frame)

    def _take_data(self, frame: Frame) -> None:
        ahead = (frame.sequence - self._expected) % 256
        if ahead == 0:
            if not self._deliver(frame.payload):
                self._complain()  # both ends have the same table, so it was damaged in spite of its check sum
                return
            self._expected = (self._expected + 1) % 256
            self._complained = False
            self._answer = Kind.ACK
        elif ahead >= 256 - 2 * WINDOW:
            self.counters.duplicate_frames += 1
            self._answer = self._answer or Kind.ACK
        else:
            self.counters.gaps += 1
            self._complain()

    def _deliver(self, payload: bytes) -> bool:
        sender = Direction.TO_HOST if self.role is Role.HOST else Direction.TO_BOARD
        try:
            message = decode(payload, sender)
        except ProtocolError as error:
            self.counters.malformed += 1
            self._events.append(Malformed(str(error), payload[0] if payload else 0))
            return False
        if isinstance(message, Heartbeat):
            self.counters.peer_damaged_frames = message.damaged_frames
            self.counters.peer_repeated_frames = message.repeated_frames
            self.counters.peer_overruns = message.overruns
        else:
            self._events.append(Received(message))
        return True

    def _complain(self) -> None:
        """Ask once, until the next frame in order, that the peer goes back."""
        if self.ready and not self._complained:
            self._complained = True
            self._answer = Kind.NAK

    # Opening and ending a session ----------------------------------------------------------------------

    def _take_hello(self, payload: bytes, now: float) -> None:
        if len(payload) < 7:
            self.counters.malformed += 1
            return
        version, table_hash = int.from_bytes(payload[1:3], "little"), int.from_bytes(payload[3:7], "little")
        if (version, table_hash) != (VERSION, TABLE_HASH):
            if self.ready:
                self._lose("the board restarted with other firmware", restarted=True)
            if self.phase is not Phase.REFUSED:
                self.phase = Phase.REFUSED
                self._events.append(Refused(version, table_hash))
            return
        try:
            hello = decode(payload, Direction.TO_HOST)
        except ProtocolError as error:
            self.counters.malformed += 1
            self._events.append(Malformed(str(error), payload[0]))
            return
        if isinstance(hello, Hello):
            self._meet(hello, now)

    def _meet(self, hello: Hello, now: float) -> None:
        if self.ready:
            if hello.nonce == self._nonce:
                self._silence = 0.0
                return  # an answer to a repeated Connect
            before = self.peer
            restarted = before is None or before.boot_count != hello.boot_count
            why = f"the board restarted ({hello.reset_cause.name.lower().replace('_', ' ')})"
            self._lose(why if restarted else "the board had not heard us for too long", restarted=restarted)
        if self.phase is Phase.CONNECTING and hello.nonce == self._nonce:
            self.peer = hello
            self._open(now, max(hello.receive_bytes, MAX_ENCODED + 1))
            self._events.append(Connected(hello))
        elif self.phase is not Phase.CONNECTING:
            self._connect(now)

    def _connect(self, now: float) -> None:
        if self._nonces is None:
            return
        self.phase = Phase.CONNECTING
        self._nonce = self._nonces()
        self._session = self._nonce % 255 + 1
        self._next_call = now

    def _take_connect(self, payload: bytes, now: float) -> None:
        try:
            connect = decode(payload, Direction.TO_BOARD)
        except ProtocolError as error:
            self.counters.malformed += 1
            self._events.append(Malformed(str(error), payload[0]))
            return
        if not isinstance(connect, Connect) or not connect.nonce:
            return
        same_table = (connect.version, connect.table_hash) == (VERSION, TABLE_HASH)
        if same_table and not (self.ready and connect.nonce == self._nonce):
            if self.ready:
                self._lose("another host has connected")
            self._nonce = connect.nonce
            self._session = self._nonce % 255 + 1
            self._open(now, DEFAULT_CREDIT)
            self._events.append(Connected(None))
        self._next_call = now  # answer, also a repeated one

    def _open(self, now: float, credit: int) -> None:
        self._start_over(credit)
        self.phase = Phase.READY
        self.counters.sessions += 1
        self._silence = 0.0
        self._next_call = math.inf
        self._next_heartbeat = now + self.timing.heartbeat_s

    def _lose(self, reason: str, *, restarted: bool = False) -> None:
        undelivered = self._outbox.messages
        self._start_over(DEFAULT_CREDIT)
        self.phase = Phase.LISTENING
        self._session = 0
        self._nonce = 0
        self._silence = 0.0
        self._next_call = -math.inf
        self._events.append(Lost(reason, restarted, undelivered))

    # Bytes out -----------------------------------------------------------------------------------------

    def poll(self, now: float) -> bytes:
        """Bytes to write now; to be called after `receive`, and whenever `next_wake` says so."""
        self._count_silence(now)
        out: list[bytes] = []
        if not self.ready:
            self._call(now, out)
        else:
            self._write(now, out)
        # An opening delimiter ends whatever noise has put into the peer's buffer meanwhile.
        return b"\x00" + b"".join(out) if out else b""

    def _count_silence(self, now: float) -> None:
        if self._started_at is None:
            self._started_at = now
        if self._last_poll is not None:
            self._silence += min(max(0.0, now - self._last_poll), self.timing.heartbeat_s)
        self._last_poll = now
        if self.ready and self._silence > self.timing.dead_after_s:
            who = "board" if self.role is Role.HOST else "host"
            self._lose(f"the {who} has said nothing for {self._silence:.1f} s")
        elif self.phase is Phase.CONNECTING and self._silence > self.timing.dead_after_s:
            self.phase = Phase.LISTENING

    def _call(self, now: float, out: list[bytes]) -> None:
        if now < self._next_call:
            return
        if self._identity is not None:
            self._next_call = now + self.timing.beacon_s
            out.append(self._frame(Kind.LOOSE, encode(dataclasses.replace(self._identity(), nonce=0))))
        elif self.phase is Phase.CONNECTING:
            self._next_call = now + self.timing.connect_s
            out.append(self._frame(Kind.LOOSE, encode(Connect(VERSION, TABLE_HASH, self._nonce))))
        else:
            self._next_call = math.inf

    def _write(self, now: float, out: list[bytes]) -> None:
        if self._identity is not None and self._next_call <= now:
            self._next_call = math.inf
            hello = dataclasses.replace(self._identity(), nonce=self._nonce)
            out.append(self._frame(Kind.LOOSE, encode(hello)))
        while self._loose:
            out.append(self._frame(Kind.LOOSE, self._loose.popleft()))
        self._outbox.tick(now)
        if (message := self._outbox.given_up) is not None:
            self._lose(f"{message.SPEC.name} was not acknowledged in {self.timing.attempts} attempts")
            return
        self._write_data(now, out)
        if self._outbox.quiet:
            return
        if self._answer is not None:
            out.append(self._frame(self._answer))
            self._answer = None
        if now >= self._next_heartbeat:
            out.append(self._frame(Kind.LOOSE, encode(self._heartbeat(now))))
        if out:
            self._next_heartbeat = now + self.timing.heartbeat_s

    def _write_data(self, now: float, out: list[bytes]) -> None:
        while self._outbox.writable:
            outgoing = self._outbox.take(now)
            if outgoing.attempts == 1:
                self._events.append(Sent(outgoing.message))
            else:
                self.counters.repeated_frames += 1
            out.append(self._frame(Kind.DATA, outgoing.payload, outgoing.sequence))
            if self._answer is Kind.ACK:
                self._answer = None  # every frame carries the acknowledgement

    def _heartbeat(self, now: float) -> Heartbeat:
        uptime = int(1000 * (now - (self._started_at or now))) % 2**32
        counters = self.counters
        return Heartbeat(uptime, min(counters.damaged_frames, 65535), min(counters.repeated_frames, 65535), 0)

    def _frame(self, kind: Kind, payload: bytes = b"", sequence: int = 0) -> bytes:
        self.counters.sent_frames += 1
        return pack_frame(Frame(kind, self._session, sequence, self._expected, payload))
