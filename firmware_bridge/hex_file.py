"""Firmware files: Intel HEX, checked before anything is written to a board."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import BridgeError

# The ATmega2560's flash, and where its boot loader begins: nothing of ours may lie there.
FLASH_BYTES = 0x40000
BOOT_LOADER_AT = 0x3E000

_DATA, _END, _SEGMENT, _START_SEGMENT, _LINEAR, _START_LINEAR = range(6)


class FirmwareFileError(BridgeError, ValueError):
    """A firmware file that cannot be used; the text names the file and the line."""


@dataclass(frozen=True, slots=True)
class FirmwareFile:
    """A firmware that may be written: the file, and how many bytes of flash it takes."""

    path: Path
    size: int


def read_firmware(path: Path) -> FirmwareFile:
    """Read and check a firmware file. Raises FirmwareFileError."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        raise FirmwareFileError(
            f"there is no firmware file {path}; check the name given with --hex, or install this program again."
        ) from None
    except OSError as error:
        raise FirmwareFileError(f"the firmware file {path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise FirmwareFileError(f"{path} is no Intel HEX file; give the .hex file of the firmware.") from None
    written: set[int] = set()
    base, ended = 0, False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        kind, address, data = _record(path, number, line.strip())
        if ended:
            raise FirmwareFileError(f"{path}, line {number}: goes on after its end; copy the file again.")
        if kind == _DATA:
            begin = base + address
            if begin + len(data) > BOOT_LOADER_AT:
                raise FirmwareFileError(
                    f"{path}, line {number}: byte {begin + len(data) - 1:#x} would overwrite the boot loader "
                    f"(from {BOOT_LOADER_AT:#x}); this file is not for an Arduino Mega 2560."
                )
            written.update(range(begin, begin + len(data)))
        elif kind == _END:
            ended = True
        elif kind in (_SEGMENT, _LINEAR):
            if len(data) != 2:
                raise FirmwareFileError(
                    f"{path}, line {number}: an address of {len(data)} bytes; copy the file again."
                )
            base = int.from_bytes(data, "big") << (4 if kind == _SEGMENT else 16)
        elif kind not in (_START_SEGMENT, _START_LINEAR):
            raise FirmwareFileError(f"{path}, line {number}: unknown record {kind:02x}; copy the file again.")
    if not ended:
        raise FirmwareFileError(f"{path} breaks off without an end record; copy the file again.")
    if 0 not in written:
        raise FirmwareFileError(f"{path} has nothing at address 0, where the chip starts; give another file.")
    return FirmwareFile(path, len(written))


def _record(path: Path, number: int, line: str) -> tuple[int, int, bytes]:
    """Type, address and data of one line."""
    try:
        if line[0] != ":":
            raise ValueError(line)
        record = bytes.fromhex(line[1:])
        if len(record) < 5 or len(record) != record[0] + 5:
            raise ValueError(line)
    except ValueError:
        raise FirmwareFileError(
            f"{path}, line {number}: is no Intel HEX; give the .hex file of the firmware."
        ) from None
    if sum(record) % 256:
        raise FirmwareFileError(f"{path}, line {number}: the check sum is wrong; copy the file again.")
    return record[3], int.from_bytes(record[1:3], "big"), record[4:-1]
