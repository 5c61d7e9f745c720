"""Where the board may be: its stable name, a path, or any USB serial adapter of a Mega."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

AUTO = "auto"
STABLE_NAME = "/dev/olympus-table"

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
    """One serial port: its device path, and what USB says about it."""

    device: str
    description: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str | None = None
    board: str | None = None

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

    ports = [
        PortInfo(
            port.device,
            port.description,
            port.vid,
            port.pid,
            port.serial_number,
            board_of(port.vid, port.pid),
        )
        for port in tools.comports()
    ]
    return tuple(sorted(ports, key=lambda port: (port.board is None, port.device)))


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
        """Paths that exist now and may be the board."""
        if self.port == AUTO:
            stable = (STABLE_NAME,) if self._exists(STABLE_NAME) else ()
            return stable or tuple(port.device for port in self._lister() if port.board)
        if self._exists(self.port):
            return (self.port,)
        if self._known is None:
            return ()
        return tuple(port.device for port in self._lister() if port.usb_id == self._known)

    def confirm(self, path: str) -> None:
        """The board has answered at this path: remember its USB id."""
        real = os.path.realpath(path)
        for port in self._lister():
            if port.device in (path, real) and port.vendor is not None:
                self._known = port.usb_id

    @property
    def missing(self) -> str:
        """One sentence for a board that is nowhere."""
        if self.port == AUTO:
            return "no table controller is plugged in; connect its USB cable."
        return f"there is no {self.port}; connect the table controller's USB cable or name another port."
