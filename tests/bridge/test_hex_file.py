"""Firmware files: what may be written to a board, and what is refused before anything is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.hex_file import BOOT_LOADER_AT, FirmwareFileError, read_firmware


def record(address: int, data: bytes, kind: int = 0) -> str:
    """One line of Intel HEX."""
    line = bytes((len(data),)) + address.to_bytes(2, "big") + bytes((kind,)) + data
    return ":" + (line + bytes((-sum(line) % 256,))).hex().upper()


END = record(0, b"", 1)


def hex_text(data: bytes, at: int = 0) -> str:
    """Bytes as a hex file that begins at an address."""
    lines = []
    for offset in range(0, len(data), 16):
        address = at + offset
        lines.append(record(0, (address >> 16).to_bytes(2, "big"), 4))
        lines.append(record(address & 0xFFFF, data[offset : offset + 16]))
    return "\n".join([*lines, END]) + "\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "t.hex"
    path.write_text(text)
    return path


@given(st.binary(min_size=1, max_size=200))
def test_what_is_written_is_counted(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = written(tmp_path_factory.mktemp("hex"), hex_text(data))
    assert read_firmware(path).size == len(data)


def test_the_last_byte_before_the_boot_loader_may_be_used(tmp_path: Path) -> None:
    text = "\n".join(
        (
            record(0, b"\x0c"),
            record(0, (0x3000).to_bytes(2, "big"), 2),
            record(BOOT_LOADER_AT - 1 - 0x30000, b"\x01"),
            record(0, bytes(4), 3),
            record(0, bytes(4), 5),
            END,
        )
    )
    assert read_firmware(written(tmp_path, text)).size == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "breaks off without an end record"),
        (hex_text(b"\1\2").replace(END, ""), "breaks off without an end record"),
        ("hello\n", "line 1: is no Intel HEX"),
        (":00\n", "line 1: is no Intel HEX"),
        (":0G000000\n", "line 1: is no Intel HEX"),
        (":0100000001\n", "line 1: is no Intel HEX"),
        (":0100000001FF\n", "line 1: the check sum is wrong"),
        (f"{record(0, b'x')}\n{END}\n{record(1, b'y')}\n", "line 3: goes on after its end"),
        (f"{record(0, b'x', 9)}\n{END}\n", "line 1: unknown record 09"),
        (f"{record(0, b'x', 4)}\n{END}\n", "line 1: an address of 1 bytes"),
        (hex_text(b"\1\2", 0x100), "nothing at address 0"),
        (hex_text(b"\1\2", BOOT_LOADER_AT - 1), "would overwrite the boot loader"),
    ],
)
def test_what_is_no_firmware_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FirmwareFileError, match=said):
        read_firmware(written(tmp_path, text))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FirmwareFileError, match=r"there is no firmware file .*none\.hex; check the name"):
        read_firmware(tmp_path / "none.hex")
    with pytest.raises(FirmwareFileError, match="cannot be read"):
        read_firmware(tmp_path)
    (tmp_path / "b.hex").write_bytes(b"\x7fELF\xff\xfe")
    with pytest.raises(FirmwareFileError, match="is no Intel HEX file"):
        read_firmware(tmp_path / "b.hex")
