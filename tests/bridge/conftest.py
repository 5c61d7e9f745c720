"""Boards for the tests: virtual ones, and ports on which a test plays the board by hand."""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from hypothesis import settings

from firmware_bridge.controller import Controller
from firmware_bridge.events import Timing
from firmware_bridge.link import LinkTiming
from firmware_bridge.virtual_controller import VirtualController

# The machine that runs the tests may be busy, and a failure must be repeatable.
settings.register_profile("bridge", deadline=None, derandomize=True)
settings.load_profile("bridge")

QUICK = Timing(repeat_s=0.03, heartbeat_s=0.05, dead_after_s=0.4, beacon_s=0.02, connect_s=0.03)
QUICK_LINK = LinkTiming(
    session=QUICK, listen_s=0.4, connect_s=1.5, write_s=0.3, retry_s=0.02, retry_max_s=0.1
)
PATIENCE_S = 10.0


def eventually(condition: Callable[[], bool], what: str = "it") -> None:
    """Wait in real time until the condition holds; fails after ten seconds."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {PATIENCE_S} s")
        time.sleep(0.001)


class BarePort:
    """A pseudo-terminal whose far end the test reads and writes itself."""

    def __init__(self) -> None:
        self.fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.fd, False)
        self.path = os.ttyname(self._slave)

    def write(self, data: bytes) -> None:
        """As if the board had sent it; what does not fit is lost."""
        try:
            os.write(self.fd, data)
        except BlockingIOError:
            return

    def read(self) -> bytes:
        """What the host has written since the last call."""
        try:
            return os.read(self.fd, 65536)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Remove the port."""
        os.close(self._slave)
        os.close(self.fd)


@pytest.fixture
def bare_port() -> Iterator[BarePort]:
    port = BarePort()
    yield port
    port.close()


BoardFactory = Callable[..., VirtualController]
HostFactory = Callable[..., Controller]


@pytest.fixture
def make_board() -> Iterator[BoardFactory]:
    """Starts virtual boards that are closed after the test."""
    with ExitStack() as stack:

        def make(**options: object) -> VirtualController:
            options.setdefault("timing", QUICK)
            return stack.enter_context(VirtualController(**options))  # type: ignore[arg-type]

        yield make


@pytest.fixture
def make_host() -> Iterator[HostFactory]:
    """Starts controllers that are closed after the test."""
    with ExitStack() as stack:

        def make(port: str, *, start: bool = True, **options: object) -> Controller:
            options.setdefault("timing", QUICK_LINK)
            host = Controller(port, **options)  # type: ignore[arg-type]
            stack.callback(host.close)
            if start:
                host.start()
            return host

        yield make
