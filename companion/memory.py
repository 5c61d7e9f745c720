"""Memory: a program of large pictures on a small computer gives back what it does not need.

The C library keeps what is freed for later, in an arena for each thread, and learns from the first picture that is
freed to take all others from there, too: after a minute a third of the memory is such gaps. Two settings and
an occasional broom help. They are glibc's (Raspberry Pi OS, Debian); elsewhere nothing happens.
"""

from __future__ import annotations

import ctypes
import platform

# From glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
# Blocks from this size on are the system's again as soon as they are freed.
LARGE_BYTES = 1 << 19
ARENAS = 1


def be_frugal() -> bool:
    """To be called before any thread is started. False: this C library cannot be told."""
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


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
