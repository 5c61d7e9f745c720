"""Messages on their way out: queued, in flight, repeated within a window and the peer's credit."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from .errors import LinkBusyError
from .events import Timing
from .frames import OVERHEAD
from .protocol import WINDOW, Message, encode


@dataclass(slots=True)
class Outgoing:
    """A message with its bytes, its sequence number once it is in flight, and how often it was written."""

    message: Message
    payload: bytes
    sequence: int = 0
    attempts: int = 0


class Outbox:
    """The sender's half of a session: which frame to write next and when to write it again."""

    def __init__(self, timing: Timing, credit: int, limit: int) -> None:
        """`credit` is what the peer's receive buffer holds in bytes, `limit` the messages that may wait."""
        self._timing = timing
        self._credit = credit
        self._limit = limit
        self._queue: deque[Outgoing] = deque()
        self._flight: deque[Outgoing] = deque()
        self._unwritten = 0  # frames at the end of the flight that wait to be written again
        self._next_sequence = 0
        self._repeat_after = timing.repeat_s
        self.repeat_at = math.inf

    def __len__(self) -> int:
        return len(self._queue) + len(self._flight)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Everything not acknowledged, oldest first."""
        return tuple(outgoing.message for outgoing in (*self._flight, *self._queue))

    @property
    def quiet(self) -> bool:
        """A quiet message has been written and not acknowledged: not a byte may follow it."""
        written = len(self._flight) - self._unwritten
        return written > 0 and self._flight[written - 1].message.SPEC.quiet

    @property
    def writable(self) -> bool:
        """`take` has a frame: one to repeat, or the window and the credit have room for the next."""
        if self.quiet:
            return False
        if self._unwritten:
            return True
        if not self._queue or len(self._flight) >= WINDOW:
            return False
        on_their_way = sum(len(outgoing.payload) + OVERHEAD for outgoing in self._flight)
        return on_their_way + len(self._queue[0].payload) + OVERHEAD <= self._credit

    @property
    def given_up(self) -> Message | None:
        """The message that has been written as often as allowed and would have to be written again."""
        if self._unwritten == len(self._flight) > 0 and self._flight[0].attempts >= self._timing.attempts:
            return self._flight[0].message
        return None

    def put(self, message: Message) -> None:
        """Queue a message; LinkBusyError when too many wait, ProtocolError when a field does not fit."""
        if len(self._queue) >= self._limit:
            raise LinkBusyError(
                f"{len(self._queue)} messages wait already; wait until the peer has caught up."
            )
        self._queue.append(Outgoing(message, encode(message)))

    def take(self, now: float) -> Outgoing:
        """The next frame to write; call only while `writable`."""
        if self._unwritten:
            outgoing = self._flight[len(self._flight) - self._unwritten]
            self._unwritten -= 1
        else:
            outgoing = self._queue.popleft()
            outgoing.sequence = self._next_sequence
            self._next_sequence = (self._next_sequence + 1) % 256
            self._flight.append(outgoing)
        outgoing.attempts += 1
        if self.repeat_at == math.inf:
            self.repeat_at = now + self._repeat_after
        return outgoing

    def acknowledge(self, expected: int, now: float) -> list[Message]:
        """The peer expects this sequence number next: the messages it thereby confirms."""
        count = (expected - self._flight[0].sequence) % 256 if self._flight else 0
        if not 0 < count <= len(self._flight):
            return []
        confirmed = [self._flight.popleft().message for _ in range(count)]
        self._unwritten = min(self._unwritten, len(self._flight))
        self._repeat_after = self._timing.repeat_s
        self.repeat_at = now + self._repeat_after if self._flight else math.inf
        return confirmed

    def go_back(self, now: float) -> None:
        """Write everything in flight again."""
        self._unwritten = len(self._flight)
        self.repeat_at = now + self._repeat_after if self._flight else math.inf

    def tick(self, now: float) -> None:
        """Go back when the peer has been silent about the flight for too long."""
        if now >= self.repeat_at:
            self._repeat_after = min(2 * self._repeat_after, self._timing.repeat_max_s)
            self.go_back(now)
