"""Which /dev/gpiochip is the header's, and who uses a line of it, as the kernel says.

The number changes with the model and the kernel: a Pi 5's header was gpiochip4 up to Linux 6.6.45 and is gpiochip0
since. The label does not change.
"""

from __future__ import annotations

import errno
import fcntl
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.signals.pins.ports import NoPinsError, PinsDeniedError

# Linux, include/uapi/linux/gpio.h: struct gpiochip_info {char name[32], label[32]; __u32 lines} and
# struct gpioline_info {__u32 line_offset, flags; char name[32], consumer[32]}.
_CHIP_INFO = struct.Struct("32s32sI")
_LINE_INFO = struct.Struct("II32s32s")
_GET_CHIP_INFO = 0x8044B401
_GET_LINE_INFO = 0xC048B402
_KERNEL_USES_IT = 1

# The header's controller on a Pi 5 and on those before it.
HEADERS = re.compile(r"pinctrl-(rp1|bcm2711|bcm2835)")


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPIO chip: the number in its device's name, and what the kernel calls it."""

    number: int
    label: str


# Answers an ioctl on a device file: (path, request, size of the structure, its contents) to the filled structure.
Ioctl = Callable[[Path, int, bytes], bytes]


def ask_kernel(path: Path, request: int, structure: bytes) -> bytes:
    """The kernel's answer about a GPIO device."""
    with path.open("rb", buffering=0) as device:
        answer = bytearray(structure)
        fcntl.ioctl(device, request, answer)
        return bytes(answer)


def header_chip(devices: Sequence[Path] | None = None, ask: Ioctl = ask_kernel) -> Chip:
    """The chip behind the Pi's header. Raises NoPinsError, PinsDeniedError."""
    if devices is None:
        devices = sorted(Path("/dev").glob("gpiochip*"))
    seen: list[Chip] = []
    denied: Path | None = None
    for device in devices:
        # A link such as gpiochip4 -> gpiochip0, kept for old programs, is the same chip.
        number = int(device.resolve().name.removeprefix("gpiochip") or 0)
        try:
            _, label, _ = _CHIP_INFO.unpack(ask(device, _GET_CHIP_INFO, bytes(_CHIP_INFO.size)))
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM):
                denied = device
            continue
        chip = Chip(number, _text(label))
        if HEADERS.match(chip.label):
            return chip
        seen.append(chip)
    if denied is not None:
        raise PinsDeniedError(
            f"The pins at {denied} may not be used; run `sudo usermod -aG gpio $USER` and log in again."
        )
    if not devices:
        raise NoPinsError(
            "This computer has no pins (no /dev/gpiochip): leave pins out of the settings, or set them to "
            '"simulated".'
        )
    others = ", ".join(f"gpiochip{chip.number} is {chip.label}" for chip in seen) or "none could be asked"
    raise NoPinsError(
        f"None of the GPIO chips is a Raspberry Pi's header ({others}): leave pins out of the settings."
    )


def user_of_line(chip: int, line: int, ask: Ioctl = ask_kernel) -> str:
    """What uses a line of a chip, as the kernel names it; empty when nothing does, or nobody can tell."""
    try:
        answer = ask(Path(f"/dev/gpiochip{chip}"), _GET_LINE_INFO, _LINE_INFO.pack(line, 0, b"", b""))
    except OSError:
        return ""
    _, flags, _, consumer = _LINE_INFO.unpack(answer)
    if not flags & _KERNEL_USES_IT:
        return ""
    return _text(consumer) or "the kernel"


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
