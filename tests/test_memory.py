"""What is freed goes back to the system, with glibc; elsewhere nothing happens."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest
from pytest_mock import MockerFixture

from companion import memory

# A large block is freed once, and then blocks of a quarter of its size come and go between small ones that stay.
PROGRAM = """
import sys
from companion.memory import be_frugal, give_back
if sys.argv[1] == "frugal":
    assert be_frugal()
def resident_mb():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 / 1e6
first = bytearray(8_000_000)
del first
before = resident_mb()
kept, gone = [], []
for _ in range(40):
    gone.append(bytearray(2_000_000))
    kept.append(bytearray(2_000))
del gone
if sys.argv[2] == "sweep":
    give_back()
print(resident_mb() - before)
"""
GLIBC = platform.libc_ver()[0] == "glibc"


def left_mb(*settings: str) -> float:
    """Megabytes that stay in memory after everything large was freed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *settings], capture_output=True, text=True, check=True, timeout=60
    )
    return float(done.stdout)


@pytest.mark.skipif(not GLIBC, reason="glibc's settings")
def test_large_blocks_go_back_at_once() -> None:
    assert left_mb("frugal", "leave") < 5
    assert left_mb("usual", "leave") > 40, "else there is nothing to mend"


@pytest.mark.skipif(not GLIBC, reason="glibc's settings")
def test_gaps_are_swept() -> None:
    assert left_mb("usual", "sweep") < 5


def test_another_c_library_is_left_alone(mocker: MockerFixture) -> None:
    mocker.patch.object(platform, "libc_ver", return_value=("", ""))
    assert memory.be_frugal() is False
    memory.give_back()
