"""What is freed goes back to the system, with glibc; elsewhere nothing happens."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

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


# What is let go comes back by itself: the libraries work as before.
STARTED = """
import cv2, numpy
from companion.memory import let_start_go
def resident_kb():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 // 1000
def work():
    return numpy.linalg.inv(cv2.GaussianBlur(numpy.eye(4), (3, 3), 1)).tobytes()
done, before = work(), resident_kb()
gone = let_start_go()
print(gone, before - resident_kb(), work() == done)
"""
SMAPS = """\
55d0a0000000-55d0a0001000 r-xp 00000000 fe:01 11                         /usr/bin/python3.11
Rss:                   4 kB
Anonymous:             0 kB
7f0000000000-7f0000040000 r-xp 00001000 fe:01 12                         /usr/lib/libcv 2.abi3.so
Size:                256 kB
Rss:                 200 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
7f0000040000-7f0000050000 r--p 00041000 fe:01 12                         /usr/lib/libcv 2.abi3.so
Rss:                  64 kB
Anonymous:            64 kB
7f0000050000-7f0000060000 rw-p 00051000 fe:01 12                         /usr/lib/libcv 2.abi3.so
Rss:                  64 kB
Anonymous:             0 kB
7f0000060000-7f0000070000 r--p 00000000 fe:01 13                         /usr/lib/libssl.so.1.1.1k
Rss:                  32 kB
Anonymous:             0 kB
7f0000070000-7f0000080000 r--p 00000000 fe:01 14                         /usr/lib/locale/C.utf8/LC_CTYPE
Rss:                  32 kB
Anonymous:             0 kB
7f0000080000-7f0000090000 r--p 00000000 00:00 0
Rss:                  32 kB
Anonymous:             0 kB
"""


def test_only_what_is_as_in_a_librarys_file_is_let_go(mocker: MockerFixture, tmp_path: Path) -> None:
    """Linked tables, data, other files and memory without a file stay: there is no getting them back."""
    smaps = tmp_path / "smaps"
    smaps.write_text(SMAPS)
    mocker.patch.object(memory, "_MAPS", smaps)
    library = mocker.patch("ctypes.CDLL").return_value
    library.madvise.return_value = 0
    assert memory.let_start_go() == 232
    told = [(call.args[0].value, call.args[1].value) for call in library.madvise.call_args_list]
    assert told == [(0x7F0000000000, 0x40000), (0x7F0000060000, 0x10000)]
    library.madvise.return_value = -1
    assert memory.let_start_go() == 0
    mocker.patch.object(memory, "_MAPS", tmp_path / "none")
    assert memory.let_start_go() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux' /proc")
def test_a_program_that_has_started_needs_less_and_goes_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED], capture_output=True, text=True, check=True, timeout=60
    )
    gone, less, same = done.stdout.split()
    assert int(gone) > 10_000 and int(less) > 5_000
    assert same == "True"


def test_another_c_library_is_left_alone(mocker: MockerFixture) -> None:
    mocker.patch.object(platform, "libc_ver", return_value=("", ""))
    assert memory.be_frugal() is False
    memory.give_back()
