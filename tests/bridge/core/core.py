"""The firmware's core as a Python object, through ctypes; and as a program for the sanitizers."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from firmware_bridge.events import Event, Received, Role
from firmware_bridge.protocol import LEDS, REEDS, Message
from firmware_bridge.session import Session
from firmware_bridge.wire import BitSet, Pixel, Pixels

HERE = Path(__file__).parent
CORE = Path(__file__).parents[3] / "firmware_bridge" / "firmware" / "core"
WARNINGS = ("-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


class CompileError(Exception):
    """The core does not compile on this computer."""


def missing() -> str | None:
    """Why the core cannot be compiled here; None if it can."""
    return None if shutil.which("cc") else "no C compiler: run `apt install gcc libc6-dev`"


def _build(name: str, sources: list[Path], *options: str) -> Path:
    sources = [*sources, *sorted(CORE.glob("*.c"))]
    headers = [*sorted(HERE.glob("*.h")), *sorted(CORE.glob("*.h"))]
    known = hashlib.sha256(repr(options).encode())
    for path in (*sources, *headers):
        known.update(path.read_bytes())
    built = HERE / "build" / known.hexdigest()[:16] / name
    if not built.exists():
        built.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=built.parent) as folder:
            out = Path(folder) / name
            command = [
                "cc",
                *WARNINGS,
                *options,
                f"-I{CORE}",
                f"-I{HERE}",
                "-o",
                str(out),
                *map(str, sources),
            ]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                raise CompileError(run.stderr)
            os.replace(out, built)
    return built


@cache
def library() -> ctypes.CDLL:
    """The core with its rig, as a shared library. It has one board's state."""
    return ctypes.CDLL(str(_build("core.so", [HERE / "rig.c"], "-fPIC", "-shared")))


@cache
def player() -> Path:
    """The program that plays deeds to the core under the sanitizers. Raises CompileError where there are none."""
    return _build("player", [HERE / "rig.c", HERE / "player.c"], *SANITIZERS)


class CoreBoard:
    """A board made of the core; starting another one ends it. Times are milliseconds."""

    def __init__(self, cause: int = 0, boots: int = 1) -> None:
        self._library = library()
        self._library.rig_leds.restype = ctypes.POINTER(ctypes.c_uint8)
        self._taken = ctypes.create_string_buffer(1 << 16)
        self._library.rig_start(cause, boots)

    def set_clock(self, milliseconds: int) -> None:
        self._library.rig_set_clock(ctypes.c_uint32(milliseconds))

    def receive(self, data: bytes) -> None:
        self._library.rig_receive(data, len(data))

    def advance(self, milliseconds: int = 1) -> None:
        self._library.rig_advance(milliseconds)

    def take(self) -> bytes:
        length = self._library.rig_take(self._taken, len(self._taken))
        return ctypes.string_at(self._taken, length)

    def set_reeds(self, closed: frozenset[int]) -> None:
        self._library.rig_set_reeds(BitSet(REEDS).pack(closed))

    def block(self, blocked: bool) -> None:
        """The host reads nothing any more, or again."""
        self._library.rig_block(blocked)

    def place(self, axis: int) -> int:
        return int(self._library.rig_place(axis))

    def steps(self, axis: int) -> int:
        return int(self._library.rig_steps(axis))

    @property
    def leds(self) -> tuple[Pixel, ...]:
        return Pixels(LEDS).unpack(bytes(self._library.rig_leds()[: 3 * LEDS]))


class CoreHost:
    """A host's session with a core's board, a millisecond a step."""

    def __init__(self, board: CoreBoard) -> None:
        self.board = board
        nonces = itertools.count(1)
        self.session = Session(Role.HOST, nonces=lambda: next(nonces))
        self.now = 0.0
        self.events: list[Event] = []

    @property
    def messages(self) -> list[Message]:
        return [event.message for event in self.events if isinstance(event, Received)]

    def step(self, milliseconds: int = 1) -> None:
        for _ in range(milliseconds):
            self.board.receive(self.session.poll(self.now))
            self.board.advance()
            self.now += 0.001
            self.session.receive(self.board.take(), self.now)
            self.events += self.session.events()

    def connect(self) -> None:
        while not (self.session.ready and self.messages):
            self.step()
            assert self.now < 5
        self.events.clear()

    def settle(self) -> None:
        end = self.now + 5
        while not self.session.idle:
            self.step()
            assert self.now < end
