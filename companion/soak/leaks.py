"""Leaks: threads and open files that were not there before."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from pathlib import Path

from companion import lettering
from companion.memory import give_back

PAGE_BYTES = 4096
# A thread that still waits for a board may do so to its end (real seconds).
END_S = 20.0
_FILES = Path("/proc/self/fd")


class Leaks:
    """Compares with what there was when it was made; what is found is told once."""

    def __init__(self) -> None:
        self._threads = set(threading.enumerate())
        self._files = _open_files()

    def found(self) -> list[str]:
        """The threads and files that were left behind since the last look, by name."""
        # The one that letters pictures is the program's own, begun with the first letter.
        now = [thread for thread in threading.enumerate() if not thread.name.startswith(lettering.THREAD)]
        new = [thread for thread in now if thread not in self._threads]
        for thread in new:
            thread.join(END_S)
        alive = [thread for thread in new if thread.is_alive()]
        self._threads |= set(alive)
        return [*(f"thread {thread.name}" for thread in alive), *self._left_open()]

    def _left_open(self) -> list[str]:
        files = _open_files()
        if not files.keys() <= self._files.keys():
            # Whatever only waits to be swept up is no leak.
            gc.collect()
            files = _open_files()
        new = sorted(files.keys() - self._files.keys())
        self._files |= files
        return [f"file {files[number]}" for number in new]


def resident_bytes() -> int:
    """The memory of this process, after what can be swept up was."""
    gc.collect()
    give_back()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES


def _open_files() -> dict[int, str]:
    """Number → what is open there. Empty where the system does not tell."""
    found = {}
    with contextlib.suppress(OSError):
        for entry in list(_FILES.iterdir()):
            # The list itself was open while it was read.
            with contextlib.suppress(OSError):
                found[int(entry.name)] = os.readlink(entry)
    return found
