"""Four wires between two sessions, in simulated time: whole, byte by byte, lossy, delayed."""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Callable

from firmware_bridge.events import Event, Received, Role, Timing
from firmware_bridge.protocol import (
    TABLE_HASH,
    VERSION,
    Capability,
    Hello,
    Message,
    ResetCause,
)
from firmware_bridge.session import Session

STEP_S = 0.005


def a_hello(**changed: object) -> Hello:
    """The identity of a plain board."""
    values: dict[str, object] = {
        "version": VERSION,
        "table_hash": TABLE_HASH,
        "nonce": 0,
        "boot_count": 1,
        "reset_cause": ResetCause.POWER_ON,
        "uptime_ms": 0,
        "capabilities": Capability.REEDS | Capability.LEDS,
        "leds": 105,
        "reeds": 97,
        "axes": 0,
        "receive_bytes": 400,
        "firmware": "test",
    }
    return Hello(**{**values, **changed})  # type: ignore[arg-type]


class Wire:
    """One direction. `put` bytes, `get` what has arrived by now."""

    def put(self, data: bytes, now: float) -> None:
        raise NotImplementedError

    def get(self, now: float) -> list[bytes]:
        """Pieces that have arrived, in order; each is fed to the receiver by itself."""
        raise NotImplementedError


class WholeWire(Wire):
    """What is written at once arrives at once."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()

    def put(self, data: bytes, now: float) -> None:
        self._pieces.append(data)

    def get(self, now: float) -> list[bytes]:
        pieces = list(self._pieces)
        self._pieces.clear()
        return pieces


class SingleByteWire(WholeWire):
    """Every byte arrives by itself."""

    def get(self, now: float) -> list[bytes]:
        return [bytes((byte,)) for piece in super().get(now) for byte in piece]


class LossyWire(WholeWire):
    """One byte in `1 / rate` is dropped, changed or doubled; the dice are seeded."""

    def __init__(self, rate: float, seed: int) -> None:
        super().__init__()
        self._rate = rate
        self._dice = random.Random(seed)
        self.spoilt = 0

    def put(self, data: bytes, now: float) -> None:
        out = bytearray()
        for byte in data:
            if self._dice.random() >= self._rate:
                out.append(byte)
                continue
            self.spoilt += 1
            out += self._dice.choice(
                (b"", bytes((byte ^ 1 << self._dice.randrange(8),)), bytes((byte, byte)))
            )
        super().put(bytes(out), now)


class DelayedWire(Wire):
    """Bytes take `delay_s`, in order."""

    def __init__(self, delay_s: float) -> None:
        self._delay = delay_s
        self._pieces: deque[tuple[float, bytes]] = deque()

    def put(self, data: bytes, now: float) -> None:
        self._pieces.append((now + self._delay, data))

    def get(self, now: float) -> list[bytes]:
        arrived = []
        while self._pieces and self._pieces[0][0] <= now:
            arrived.append(self._pieces.popleft()[1])
        return arrived


class Pair:
    """A host's and a board's session with a wire each way; `run` lets simulated time pass."""

    def __init__(
        self,
        make_wire: Callable[[], Wire] = WholeWire,
        timing: Timing | None = None,
        hello: Hello | None = None,
    ) -> None:
        self.now = 100.0
        self.hello = hello or a_hello()
        self.timing = timing or Timing()
        nonces = itertools.count(1000)
        self.host = Session(Role.HOST, nonces=lambda: next(nonces), timing=self.timing)
        self.board = self.new_board()
        self.to_board, self.to_host = make_wire(), make_wire()
        self.host_events: list[Event] = []
        self.board_events: list[Event] = []
        self.cut = False

    def new_board(self) -> Session:
        """A board's session as after a reset."""
        return Session(Role.BOARD, identity=lambda: self.hello, timing=self.timing)

    def step(self) -> None:
        """Five milliseconds pass."""
        self.now += STEP_S
        for piece in self.to_board.get(self.now):
            self.board.receive(b"" if self.cut else piece, self.now)
        for piece in self.to_host.get(self.now):
            self.host.receive(b"" if self.cut else piece, self.now)
        self.host_events += self.host.events()
        self.board_events += self.board.events()
        if out := self.host.poll(self.now):
            self.to_board.put(out, self.now)
        if out := self.board.poll(self.now):
            self.to_host.put(out, self.now)
        self.host_events += self.host.events()
        self.board_events += self.board.events()

    def run(self, until: Callable[[], bool], limit_s: float = 30.0) -> None:
        """Let time pass until the condition holds; fails when it does not within `limit_s`."""
        end = self.now + limit_s
        while not until():
            if self.now > end:
                raise AssertionError(f"not within {limit_s} s: {self.host_events} {self.board_events}")
            self.step()

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def connect(self) -> None:
        """Run until both ends have a session."""
        self.run(lambda: self.host.ready and self.board.ready)

    @property
    def idle(self) -> bool:
        """Both ends owe nothing."""
        return self.host.idle and self.board.idle


def received(events: list[Event]) -> list[Message]:
    """The messages among the events."""
    return [event.message for event in events if isinstance(event, Received)]
