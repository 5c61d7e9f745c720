"""Telling systemd how the service does (sd_notify(3)): ready, alive, what it is at. Without systemd nothing happens.

The messages go as one datagram each to the socket that systemd names in `NOTIFY_SOCKET`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

log = logging.getLogger(__name__)

# Without a watchdog the status is still brought up to date so often.
STATUS_S = 10.0
# A sign of life is due so many times in the time after which systemd loses patience (sd_watchdog_enabled(3)
# recommends two; one more may be late on a busy Pi).
SIGNS = 3


class Alive(Protocol):
    """What the service is asked before it says that it is alive."""

    def __call__(self) -> str:
        """What has stood still for too long, as a sentence; "" if nothing has."""


@dataclass(frozen=True, slots=True)
class Manager:
    """Who started the service. `address`: its socket, "" if nobody asked; `watchdog_s`: its patience, None if endless."""

    address: str = ""
    watchdog_s: float | None = None

    @classmethod
    def found(cls, environment: Mapping[str, str] | None = None, pid: int | None = None) -> Manager:
        """As the environment has it. What cannot be read means that nobody asked."""
        told = os.environ if environment is None else environment
        address = told.get("NOTIFY_SOCKET", "")
        if not address.startswith(("/", "@")):
            return cls()
        micros, meant = told.get("WATCHDOG_USEC", ""), told.get("WATCHDOG_PID", "")
        # A child of the service inherits the variables, but is not the one that is watched.
        mine = meant in ("", str(os.getpid() if pid is None else pid))
        watched = mine and micros.isdigit() and int(micros) > 0
        return cls(address, int(micros) / 1e6 if watched else None)

    @property
    def is_there(self) -> bool:
        """Does this run as a service, with nobody in front of it?"""
        return bool(self.address)

    def tell(self, **state: str) -> bool:
        """Sends a state such as READY="1". False if nobody listens."""
        if not self.address:
            return False
        lines = (f"{name}={' '.join(text.splitlines())}" for name, text in state.items())
        # "@" stands for the zero byte of an abstract address.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.setblocking(False)
            try:
                out.sendto("\n".join(lines).encode(), address)
            except OSError as error:
                log.warning("systemd cannot be told how the table does (%s).", error)
                return False
        return True


async def report(manager: Manager, alive: Alive, status: Callable[[], str]) -> None:
    """Says "ready" once, then that the table is alive and what it is at, until it is cancelled; then "stopping".

    No sign of life is given while `alive` names anything: systemd then starts the service anew.
    """
    period = STATUS_S if manager.watchdog_s is None else manager.watchdog_s / SIGNS
    manager.tell(READY="1", STATUS=status())
    complained = ""
    try:
        while True:
            trouble = alive()
            if trouble and trouble != complained:
                log.error("%s The service is started anew if that lasts.", trouble)
            complained = trouble
            if trouble:
                manager.tell(STATUS=trouble)
            elif manager.watchdog_s is None:
                manager.tell(STATUS=status())
            else:
                manager.tell(WATCHDOG="1", STATUS=status())
            await asyncio.sleep(period)
    finally:
        manager.tell(STOPPING="1")
