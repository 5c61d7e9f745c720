"""Where the board may be: its stable name, a path, or any USB serial adapter of a Mega."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

AUTO = "auto"
# The udev rule's name for the board; without the rule the system itself keeps a stable name for every adapter.
STABLE_NAME = "/dev/olympus-table"
BY_ID = Path("/dev/serial/by-id")

# USB ids of an Arduino Mega 2560 and of the serial chips on its copies: (vendor, product or None for any).
KNOWN_BOARDS: dict[tuple[int, int | None], str] = {
    (0x2341, 0x0010): "Arduino Mega 2560",
    (0x2341, 0x0042): "Arduino Mega 2560 R3",
    (0x2341, 0x0210): "Arduino Mega 2560",
    (0x2341, 0x0242): "Arduino Mega 2560",
    (0x2A03, 0x0010): "Arduino Mega 2560",
    (0x2A03, 0x0042): "Arduino Mega 2560 R3",
    (0x1A86, None): "board with CH340 serial chip",
    (0x0403, 0x6001): "board with FTDI serial chip",
    (0x10C4, 0xEA60): "board with CP2102 serial chip",
}


@dataclass(frozen=True, slots=True)
class PortInfo:
    """One serial port: its device path, and what USB says about it. `by_id`: its stable name, if it has one."""

    device: str
    description: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    board: str | None = None
    by_id: str | None = None

    @property
    def name(self) -> str:
        """The path by which it is best known: it stays when the port is numbered anew."""
        return self.by_id or self.device

    @property
    def usb_id(self) -> tuple[int | None, int | None, str | None]:
        """What stays the same when the port is numbered anew."""
        return (self.vendor, self.product, self.serial_number)


class PortLister(Protocol):
    """Lists the serial ports there are now."""

    def __call__(self) -> Sequence[PortInfo]: ...


def list_ports() -> tuple[PortInfo, ...]:
    """Every serial port of this computer, likely boards first."""
    from serial.tools import list_ports as tools

    stable = stable_names()
    ports = [
        PortInfo(
            port.device,
            port.description,
            port.vid,
            port.pid,
            port.serial_number,
            board_of(port.vid, port.pid),
            stable.get(port.device),
        )
        for port in tools.comports()
    ]
    return tuple(sorted(ports, key=lambda port: (port.board is None, port.device)))


def stable_names(folder: Path = BY_ID) -> dict[str, str]:
    """Device path to the stable name that the system has given to it."""
    try:
        return {os.path.realpath(link): str(link) for link in sorted(folder.iterdir())}
    except OSError:
        return {}


def board_of(vendor: int | None, product: int | None) -> str | None:
    """Which kind of board carries these USB ids; None for what is no board of ours."""
    if vendor is None:
        return None
    return KNOWN_BOARDS.get((vendor, product)) or KNOWN_BOARDS.get((vendor, None))


class PortFinder:
    """Names the paths to try, best first; remembers the board's USB id, as ttyACM0 may return as ttyACM1."""

    def __init__(
        self,
        port: str = AUTO,
        *,
        lister: PortLister = list_ports,
        exists: Callable[[str], bool] = os.path.exists,
    ) -> None:
        """`port` is a path, or `auto`: the stable name of the udev rule, else any likely board."""
        self.port = port
        self._lister = lister
        self._exists = exists
        self._known: tuple[int | None, int | None, str | None] | None = None

    def candidates(self) -> tuple[str, ...]:
        """Paths that exist now and may be the board.

        With `auto` the board that has answered before comes first. Where the stable name exists nothing else is
        tried: opening a port resets what is behind it, and that may be somebody's printer.
        """
        if self.port == AUTO:
            if self._exists(STABLE_NAME):
                return (STABLE_NAME,)
            ports = sorted(self._lister(), key=lambda port: port.usb_id != self._known)
            return tuple(port.name for port in ports if port.board or port.usb_id == self._known)
        here = (self.port,) if self._exists(self.port) else ()
        if self._known is None:
            return here
        # Another device may have taken the number that has become free.
        elsewhere = [port for port in self._lister() if port.usb_id == self._known]
        moved = tuple(port.name for port in elsewhere if not self._is_at(port, self.port))
        return moved if elsewhere and len(moved) == len(elsewhere) else here

    def confirm(self, path: str) -> None:
        """The board has answered at this path: remember its USB id."""
        port = self.port_at(path)
        if port is not None and port.vendor is not None:
            self._known = port.usb_id

    def port_at(self, path: str) -> PortInfo | None:
        """What USB says about the port at a path, which may be one of its stable names."""
        return next((port for port in self._lister() if self._is_at(port, path)), None)

    @staticmethod
    def _is_at(port: PortInfo, path: str) -> bool:
        return port.device in (path, os.path.realpath(path))

    @property
    def missing(self) -> str:
        """One sentence for a board that is nowhere."""
        if self.port == AUTO:
            return "no table controller is plugged in; connect its USB cable."
        return f"there is no {self.port}; connect the table controller's USB cable or name another port."
