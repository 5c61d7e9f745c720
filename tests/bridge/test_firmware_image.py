"""The hex file that is shipped is what these sources make."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from firmware_bridge.flash import PREBUILT
from firmware_bridge.hex_file import BOOT_LOADER_AT, read_firmware
from firmware_bridge.protocol import TABLE_HASH
from tests.installed import need

FIRMWARE = PREBUILT.parent
# Another compiler makes other bytes of the same sources.
COMPILER = "avr-gcc (GCC) 5.4.0"
REMEDY = "run: make -C firmware_bridge/firmware hex"


def image() -> bytes:
    """What the hex file puts into flash, from address 0 on."""
    data = bytearray()
    for line in PREBUILT.read_text().splitlines():
        record = bytes.fromhex(line[1:])
        if record[3] == 0:
            assert int.from_bytes(record[1:3], "big") == len(data) % 65536
            data += record[4:-1]
    return bytes(data)


def sources() -> list[Path]:
    """In the order of the Makefile."""
    core, chip = (sorted((FIRMWARE / folder).glob("*.c")) for folder in ("core", "chip"))
    headers = sorted([*FIRMWARE.glob("chip/*.h"), *FIRMWARE.glob("core/*.h")])
    return [FIRMWARE / "Makefile", *core, *chip, *headers]


def build(folder: Path, target: str = "all") -> None:
    run = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"OUT={folder}", target],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_it_says_from_which_sources_it_was_built() -> None:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources())).hexdigest()[:8]
    names = re.findall(rb"olympus ([0-9a-f]{8})", image())
    assert names == [digest.encode()], REMEDY


def test_it_speaks_this_programs_protocol() -> None:
    header = (FIRMWARE / "core" / "protocol.h").read_text()
    assert f"#define TABLE_HASH 0x{TABLE_HASH:08x}UL" in header


def test_it_can_be_programmed() -> None:
    assert read_firmware(PREBUILT).size == len(image()) < BOOT_LOADER_AT


def test_it_is_in_the_package() -> None:
    project = tomllib.loads((FIRMWARE.parents[1] / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert FIRMWARE.parent.name in wheel["packages"]
    assert wheel.keys() == {"packages"}  # nothing is left out
    ignored = subprocess.run(["git", "check-ignore", "-q", str(PREBUILT)], cwd=FIRMWARE, check=False)
    assert ignored.returncode != 0  # what git ignores, the wheel leaves out too


def test_the_compiler_makes_the_same_bytes(tmp_path: Path) -> None:
    need("avr-gcc", "make", packages="make gcc-avr avr-libc")
    build(tmp_path)
    version = subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True)
    if version.stdout.splitlines()[0] != COMPILER:
        pytest.skip(f"it compiles, but its bytes are those of {COMPILER}")
    assert (tmp_path / PREBUILT.name).read_bytes() == PREBUILT.read_bytes(), REMEDY


def test_the_core_compiles_for_this_computer(tmp_path: Path) -> None:
    need("cc", "make", packages="make gcc libc6-dev")
    build(tmp_path, "core")
    assert (tmp_path / "core.a").stat().st_size > 0
