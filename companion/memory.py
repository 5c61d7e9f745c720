"""Memory: a program of large pictures on a small computer gives back what it does not need.

The C library keeps what is freed for later, in an arena for each thread, and learns from the first picture that is
freed to take all others from there, too: after a minute a third of the memory is such gaps. Two settings and
an occasional broom help. They are glibc's (Raspberry Pi OS, Debian); elsewhere nothing happens.

Large libraries (OpenCV with Qt and FFmpeg) are linked and registered when they are loaded; nearly half of the code that
this brings in is not looked at again, and can be let go.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# From glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
# Blocks from this size on are the system's again as soon as they are freed.
LARGE_BYTES = 1 << 19
ARENAS = 1
# From Linux' mman-common.h.
_MADV_DONTNEED = 4
_MAPS = Path("/proc/self/smaps")
# "7f0a5c000000-7f0a5c021000 r-xp 00000000 fe:01 1234    /usr/lib/libz.so.1"
_RANGE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (....) \S+ \S+ \d+ *(.*)")
_LIBRARY = re.compile(r"/.*\.so(\.[\w.]+)?")


def be_frugal() -> bool:
    """To be called before any thread is started and NumPy is loaded. False: this C library cannot be told."""
    # Its matrices are small: a second thread gains nothing, and has megabytes of its own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    library = _glibc()
    if library is None:
        return False
    settings = (
        (_M_ARENA_MAX, ARENAS),
        (_M_MMAP_THRESHOLD, LARGE_BYTES),
        (_M_TRIM_THRESHOLD, LARGE_BYTES),
    )
    return all(library.mallopt(name, value) == 1 for name, value in settings)


def give_back() -> None:
    """Sweep the gaps between what is in use; takes a few milliseconds and may be called in any thread."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def let_start_go() -> int:
    """Let the libraries' code go that was only needed to start, once all is running. How many kB that were.

    Whatever is needed again comes back from the file by itself, at first use. Only what is in memory just as in its file
    is let go. Without Linux' /proc nothing happens.
    """
    if not _MAPS.exists():
        return 0
    library, gone = ctypes.CDLL(None), 0
    for part in _parts(_MAPS.read_text(encoding="utf-8", errors="replace")):
        if part.is_as_in_file and not library.madvise(
            ctypes.c_void_p(part.start), ctypes.c_size_t(part.end - part.start), _MADV_DONTNEED
        ):
            gone += part.resident_kb
    return gone


@dataclass(slots=True)
class _Part:
    """A part of this program's memory: addresses, rights as in "r-xp", the file it comes from, and what of it is here."""

    start: int
    end: int
    rights: str
    file: str
    resident_kb: int = 0
    own_kb: int = 0

    @property
    def is_as_in_file(self) -> bool:
        """Code or constants of a library, none of it changed since it was loaded."""
        readable = self.rights in ("r-xp", "r--p")
        return readable and self.own_kb == 0 and _LIBRARY.fullmatch(self.file) is not None


def _parts(smaps: str) -> Iterator[_Part]:
    """What /proc/self/smaps lists."""
    part: _Part | None = None
    for line in smaps.splitlines():
        head = _RANGE.fullmatch(line)
        if head is not None:
            if part is not None:
                yield part
            part = _Part(int(head[1], 16), int(head[2], 16), head[3], head[4])
        elif part is not None and line.startswith("Rss:"):
            part.resident_kb = int(line.split()[1])
        elif part is not None and line.startswith("Anonymous:"):
            part.own_kb = int(line.split()[1])
    if part is not None:
        yield part


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
