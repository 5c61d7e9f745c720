"""Lockstep: the link and the simulated board by turns in the loop's thread, and so in the same order every time.

As threads they would get their turns when the system pleases, and one evening would not be the other: which switch was
heard before which picture, how many bytes a bad cable spoils before the next heartbeat, whether a silence is noticed.
Here the wire has a clock of its own, the table's plus the time that talking took: while anything is under way the
table's stands still, as it does for a wire in real time, and the wire's goes on from one thing that is due to the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import select
import struct
import termios
from collections.abc import Callable
from typing import Protocol

from firmware_bridge.controller import Controller
from firmware_bridge.errors import ControllerTimeoutError
from firmware_bridge.events import Counters
from firmware_bridge.waker import Rounds, Waker

# The wire's clock goes on by so much at least (s), so that it always does.
_SHORTEST_S = 1e-6
# Whoever talks for so long (s of the wire) without coming to an end never will.
TALK_LIMIT_S = 120.0
# A pseudo-terminal hands over what was written into it in so many seconds of real time, or never.
_ARRIVES_S = 5.0
# People look so often (s of the table) whether the board is there again.
LOOK_S = 0.1


class LockstepError(RuntimeError):
    """Link and board never come to rest; the text says for how long they have talked."""


class Party(Protocol):
    """One end of the wire."""

    @property
    def waker(self) -> Waker: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def idle(self) -> bool: ...
    def rounds(self) -> Rounds: ...


class _Turn:
    """One end, and what it waits for: a file, and a moment of the wire's clock."""

    def __init__(self, party: Party) -> None:
        self.party = party
        self.fd: int | None = None
        self.at = float("-inf")
        self.rounds = party.rounds()
        self._begun = False

    def is_due(self, now: float) -> bool:
        return self.at <= now or _readable(self.party.waker.fileno()) or self._can_read()

    def _can_read(self) -> bool:
        return self.fd is not None and _readable(self.fd)

    def take(self, now: Callable[[], float]) -> None:
        """One round; `now`: the wire's clock."""
        readable = self._can_read()
        self.party.waker.wait(None, 0.0)
        wait = self.rounds.send(readable) if self._begun else next(self.rounds)
        self._begun = True
        self.fd, self.at = wait.fd, now() + wait.seconds


class Lockstep:
    """The wire of one table. `loop`: whose time is the table's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._talked_s = 0.0
        self._turns: tuple[_Turn, ...] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._failure: Exception | None = None

    def clock(self) -> float:
        """The wire's time in seconds."""
        return self._loop.time() + self._talked_s

    def begin(self, *parties: Party) -> None:
        """These are the two ends; from now on they talk whenever they have something to say."""
        self._turns = tuple(_Turn(party) for party in parties)
        for turn in self._turns:
            self._loop.add_reader(turn.party.waker.fileno(), self._go_on)
        self._talk()

    def check(self) -> None:
        """Raises what an end has failed with meanwhile, LockstepError if they never come to rest."""
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """Nobody says anything any more, and the port is given back."""
        if self._timer is not None:
            self._timer.cancel()
        for turn in self._turns:
            self._loop.remove_reader(turn.party.waker.fileno())
            turn.rounds.close()
        self._turns = ()

    def _go_on(self) -> None:
        """Talks when something is due. The loop would only log what goes wrong here: it is kept for `check`."""
        try:
            self._talk()
        except Exception as error:  # noqa: BLE001  (top of the callback: whoever plays raises it)
            self._failure = error
            self.end()

    def _talk(self) -> None:
        """Rounds by turns, until both ends rest."""
        until = self.clock() + TALK_LIMIT_S
        while True:
            due = [turn for turn in self._turns if turn.is_due(self.clock())]
            for turn in due:
                self._take(turn)
            if due:
                continue
            next_at = min(turn.at for turn in self._turns)
            if all(turn.party.idle for turn in self._turns):
                break
            self._talked_s += max(next_at - self.clock(), _SHORTEST_S)
            if self.clock() > until:
                raise LockstepError(
                    f"The link and the board have talked for {TALK_LIMIT_S:.0f} s without end."
                )
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(next_at - self.clock(), self._go_on)

    def _take(self, turn: _Turn) -> None:
        """One end's round; what it writes has arrived before anybody else has a turn."""
        others = [other.fd for other in self._turns if other is not turn and other.fd is not None]
        before = [_unread(fd) for fd in others]
        sent = turn.party.counters.sent_bytes
        turn.take(self.clock)
        sent = turn.party.counters.sent_bytes - sent
        for fd, count in zip(others, before, strict=True):
            if sent and count is not None:
                _await_bytes(fd, count + sent)


async def until_ready(controller: Controller, timeout_s: float) -> None:
    """Waits for the board, by the table's clock; raises ControllerTimeoutError if none is found."""
    loop = asyncio.get_running_loop()
    until = loop.time() + timeout_s
    while not controller.ready or controller.snapshot is None:
        if loop.time() > until:
            raise ControllerTimeoutError(controller.status.reason)
        await asyncio.sleep(LOOK_S)


def _readable(fd: int) -> bool:
    return bool(select.select([fd], [], [], 0)[0])


def _unread(fd: int) -> int | None:
    """How many bytes wait to be read; None: the other end is gone."""
    with contextlib.suppress(OSError):
        return int(struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0])
    return None


def _await_bytes(fd: int, count: int) -> None:
    """The system takes its time to carry bytes through a pseudo-terminal."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    waited = 0.0
    while (waiting := _unread(fd)) is not None and waiting < count and waited < _ARRIVES_S:
        poll.poll(1)
        waited += 0.001
