"""Programming the board: its check, avrdude at work, and the hello of the new firmware."""

from __future__ import annotations

import errno
import os
import re
import select
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import serial

from . import why
from .controller import Controller
from .errors import BridgeError, ControllerTimeoutError
from .hex_file import FirmwareFile
from .holders import holders
from .link import LinkTiming
from .ports import AUTO, STABLE_NAME, PortFinder, PortInfo
from .protocol import TABLE_HASH, VERSION, Hello

PREBUILT = Path(__file__).parent / "firmware" / "olympus-mega2560.hex"
SIGNATURE = "1e9801"
BOOT_BAUD = 115_200
# The boot loader of the Mega speaks this protocol; it erases each page as it writes it.
AVRDUDE = ("-c", "wiring", "-p", "atmega2560", "-b", str(BOOT_BAUD), "-D")
# avrdude tries to reach a dumb board for half a minute and says something every few seconds.
SILENT_S = 45.0
HELLO_S = 20.0
NO_BOARDS = {
    (0x2341, 0x0043): "an Arduino Uno",
    (0x2341, 0x8036): "an Arduino Leonardo",
    (0x2341, 0x8037): "an Arduino Micro",
}

# What is being done, and how much of it, 0…1.
Progress = Callable[[str, float], None]
CHECKING, WRITING, VERIFYING, GREETING = "checking the board", "writing", "verifying", "waiting for its hello"


class FlashError(BridgeError):
    """The board was not programmed, or not to the end; the text says what to do."""


class AvrdudeMissingError(FlashError, FileNotFoundError):
    """avrdude is not installed."""


class PortUnusableError(FlashError, OSError):
    """The port is not there, not allowed, or in use."""


class WrongBoardError(FlashError, ValueError):
    """What is behind the port is no Arduino Mega 2560."""


class NoBootLoaderError(FlashError, ConnectionError):
    """Nothing answers as a boot loader does."""


class WriteFailedError(FlashError, IOError):
    """Writing or verifying went wrong."""


class NoHelloError(FlashError, TimeoutError):
    """The firmware was written, but the board does not greet with this program's protocol."""


def choose_board(port: str = AUTO, finder: PortFinder | None = None) -> tuple[str, PortInfo | None]:
    """The path of the board to program and what USB says of it. Raises PortUnusableError, WrongBoardError.

    Unlike the link this never tries one board after the other: what is programmed is named or the only one.
    """
    finder = finder or PortFinder(port)
    paths = finder.candidates()
    if not paths:
        raise PortUnusableError(finder.missing)
    if port == AUTO and paths != (STABLE_NAME,) and len(paths) > 1:
        raise PortUnusableError(f"several boards are plugged in ({', '.join(paths)}); name one with --port.")
    info = finder.port_at(paths[0])
    if info is not None and info.vendor is not None and info.board is None:
        known = NO_BOARDS.get((info.vendor, info.product or 0), info.description)
        raise WrongBoardError(
            f"{paths[0]} is {known} (USB {info.vendor:04x}:{info.product or 0:04x}), no Arduino Mega 2560; "
            "name the Mega's port with --port (`firmware-bridge ports` lists them)."
        )
    return paths[0], info


def check_port(path: str) -> None:
    """May the port be used, and by nobody else? Raises PortUnusableError."""
    others = holders(path)
    try:
        serial.Serial(path, BOOT_BAUD, timeout=0, exclusive=True).close()
    except (OSError, ValueError) as error:
        raise PortUnusableError(why.not_opened(path, error, others)) from None
    if others:
        raise PortUnusableError(why.in_use(path, others))


def flash(
    path: str,
    firmware: FirmwareFile,
    progress: Progress,
    *,
    avrdude: str = "avrdude",
    silent_s: float = SILENT_S,
    hello_s: float = HELLO_S,
    timing: LinkTiming | None = None,
) -> Hello:
    """Program the board at `path`: check its signature, write, verify, and hear its new hello.

    Raises the FlashError of whatever went wrong. Until the writing begins the board is as it was.
    """
    program = shutil.which(avrdude)
    if program is None:
        raise AvrdudeMissingError(
            "avrdude is not installed; run `sudo apt-get install -y avrdude` and try again."
        )
    check_port(path)
    talk = _Avrdude(program, path, silent_s)
    progress(CHECKING, 0.0)
    _check_signature(talk.run(("-n",), CHECKING, progress), path)
    progress(CHECKING, 1.0)
    said = talk.run(("-U", f"flash:w:{firmware.path}:i"), WRITING, progress)
    if "bytes of flash verified" not in said:
        raise WriteFailedError(f"avrdude did not confirm what it wrote to {path}; run the command again.")
    return _greet(path, progress, hello_s, timing)


def _check_signature(said: str, path: str) -> None:
    found = _signature(said)
    if found != SIGNATURE:
        raise WrongBoardError(
            f"the chip at {path} has signature {found or 'unknown'}, an ATmega2560 has {SIGNATURE}; "
            "connect an Arduino Mega 2560."
        )


def _signature(said: str) -> str:
    # Written as 0x1e9801 up to avrdude 7, as 1E 98 01 later.
    match = re.search(r"device signature = (?:0x)?((?:[0-9a-f]{2} ?){3})", said, re.IGNORECASE)
    return match[1].replace(" ", "").lower() if match else ""


def _greet(path: str, progress: Progress, hello_s: float, timing: LinkTiming | None) -> Hello:
    progress(GREETING, 0.0)
    with Controller(path, timing=timing) as controller:
        try:
            hello = controller.wait_ready(hello_s)
        except ControllerTimeoutError as error:
            other = controller.refused
            if other is not None:
                raise NoHelloError(
                    f"the firmware was written, but it speaks protocol {other.version} "
                    f"({other.table_hash:08x}) and this program {VERSION} ({TABLE_HASH:08x}); take the firmware "
                    "that came with this program: leave --hex out."
                ) from None
            raise NoHelloError(f"the firmware was written, but {error}") from None
    progress(GREETING, 1.0)
    return hello


class _Avrdude:
    """Runs avrdude, tells its progress, and turns its complaints into errors of ours."""

    def __init__(self, program: str, path: str, silent_s: float) -> None:
        self._command = (program, *AVRDUDE, "-P", path)
        self._path = path
        self._silent_s = silent_s

    def run(self, arguments: tuple[str, ...], step: str, progress: Progress) -> str:
        """Everything it said; raises a FlashError unless it ended well."""
        said = ""
        with subprocess.Popen(
            [*self._command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C"},
        ) as process:
            assert process.stdout is not None
            try:
                while chunk := self._read(process.stdout.fileno()):
                    said += chunk
                    if step == WRITING:
                        progress(*_how_far(said))
                process.wait(self._silent_s)
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            raise self._complaint(said, writing="writing |" in said.lower())
        return said

    def _read(self, descriptor: int) -> str:
        """What it says next; nothing when it has ended."""
        readable, _, _ = select.select([descriptor], [], [], self._silent_s)
        if not readable:
            raise NoBootLoaderError(
                f"avrdude has said nothing for {self._silent_s:g} s and was ended; unplug the board, plug it in "
                "again, and run the command again."
            )
        return os.read(descriptor, 4096).decode("utf-8", "replace")

    def _complaint(self, said: str, *, writing: bool) -> FlashError:
        path, low = self._path, said.lower()
        if "expected signature" in low:
            return WrongBoardError(
                f"the chip at {path} has signature {_signature(said) or 'unknown'}, an ATmega2560 has "
                f"{SIGNATURE}; connect an Arduino Mega 2560."
            )
        if "permission denied" in low:
            return PortUnusableError(why.not_opened(path, PermissionError(errno.EACCES, "")))
        if "resource busy" in low:
            return PortUnusableError(why.not_opened(path, OSError(errno.EBUSY, ""), holders(path)))
        if re.search(r"(cannot|can't) open (port|device)", low):
            return PortUnusableError(why.not_opened(path, OSError(errno.ENODEV, "")))
        if "mismatch" in low or "verification error" in low:
            return WriteFailedError(
                f"what the board at {path} holds is not what was written; run the command again, and if that "
                "does not help use another USB cable or another board."
            )
        if writing:
            return WriteFailedError(
                f"the board at {path} stopped answering in the middle; its boot loader is unharmed: plug it in "
                "again and run the command again."
            )
        if re.search(r"time-?out|sync|not responding|unable to open programmer", low):
            return NoBootLoaderError(
                f"nothing at {path} answers as the boot loader of an Arduino Mega 2560 does; check that the cable "
                "carries data and that this is the right port (`firmware-bridge ports`), then press reset and "
                "run the command again."
            )
        last = next(
            (line.strip() for line in reversed(said.splitlines()) if "error" in line.lower()), "no reason"
        )
        return WriteFailedError(f"avrdude gave up at {path} ({last}); run the command again.")


def _how_far(said: str) -> tuple[str, float]:
    """The step and how much of it is done: avrdude draws a bar of fifty signs for each."""
    bars = re.findall(r"(Writing|Reading) \|\s*(#*)", said)
    if not bars:
        return WRITING, 0.0
    word, bar = bars[-1]
    return (WRITING if word == "Writing" else VERIFYING), min(1.0, len(bar) / 50)
