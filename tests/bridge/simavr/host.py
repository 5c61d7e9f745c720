"""A host's session with the simulated chip, both in the chip's time: the same in every run, and fast."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeVar

from firmware_bridge.events import Connected, Event, Lost, Received, Role
from firmware_bridge.protocol import Hello, Message
from firmware_bridge.session import Session

from .chip import Chip

T = TypeVar("T", bound=Message)
# What spoils bytes on their way; the default is a good cable.
Wire = Callable[[bytes], bytes]


def good_cable(data: bytes) -> bytes:
    """Nothing happens to the bytes."""
    return data


class ChipHost:
    """Talks to a chip past its port. Everything received is kept in `events` until it is asked for."""

    def __init__(
        self, chip: Chip, *, to_chip: Wire = good_cable, to_host: Wire = good_cable, slice_s: float = 0.004
    ) -> None:
        """Within a slice of time the two ends do not hear each other."""
        self.chip = chip
        self.now = chip.now
        self.slice_s = slice_s
        nonces = itertools.count(1)
        self.session = Session(Role.HOST, nonces=lambda: next(nonces))
        self.events: list[Event] = []
        self._to_chip, self._to_host = to_chip, to_host

    @property
    def messages(self) -> list[Message]:
        """Everything received and not asked for, in order."""
        return [event.message for event in self.events if isinstance(event, Received)]

    @property
    def losses(self) -> list[Lost]:
        """How often and why the session was lost."""
        return [event for event in self.events if isinstance(event, Lost)]

    @property
    def hello(self) -> Hello:
        """Who the chip said that it is."""
        assert self.session.peer is not None
        return self.session.peer

    def step(self) -> None:
        """One slice of time passes."""
        out = self._to_chip(self.session.poll(self.now))
        heard = self._to_host(self.chip.exchange(self.slice_s, out))
        self.now += self.slice_s
        self.session.receive(heard, self.now)
        self.events += self.session.events()

    def pass_time(self, seconds: float) -> None:
        """So much time passes."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def until(self, condition: Callable[[], bool], limit_s: float = 30.0) -> None:
        """Time passes until the condition holds; fails when it does not within `limit_s` of the chip's time."""
        end = self.now + limit_s
        while not condition():
            if self.now > end:
                raise AssertionError(f"not within {limit_s} s; heard {self.events[-8:]}")
            self.step()

    def connect(self) -> Hello:
        """Wait for a session that has said all it says at the beginning."""
        self.until(lambda: self.session.ready)
        self.until(lambda: bool(self.messages))
        self.events = [event for event in self.events if not isinstance(event, Connected)]
        return self.hello

    def send(self, message: Message) -> None:
        """Send a message for sure delivery."""
        self.session.send(message)

    def settle(self, limit_s: float = 30.0) -> None:
        """Wait until everything sent is acknowledged."""
        self.until(lambda: self.session.idle, limit_s)

    def answer(self, kind: type[T], accept: Callable[[T], bool] = lambda _: True, limit_s: float = 30.0) -> T:
        """Wait for the next acceptable message of this kind; what came before it is forgotten."""
        found: list[T] = []

        def look() -> bool:
            for number, event in enumerate(self.events):
                if isinstance(event, Received) and isinstance(event.message, kind) and accept(event.message):
                    found.append(event.message)
                    del self.events[: number + 1]
                    return True
            return False

        self.until(look, limit_s)
        return found[0]
