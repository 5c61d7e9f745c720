"""Who else uses a serial port: the programs that hold its file open, found in /proc."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that holds a file open: its name and the number of its process."""

    name: str
    process: int

    def __str__(self) -> str:
        return f"{self.name} (process {self.process})"


def holders(path: str, proc: Path = PROC) -> tuple[Holder, ...]:
    """The other programs that hold `path` open, this one left out.

    Only what may be looked at is found: the programs of other users are hidden from all but root.
    """
    real = os.path.realpath(path)
    found = []
    for folder in proc.glob("[0-9]*"):
        process = int(folder.name)
        if process != os.getpid() and _holds(folder, real):
            found.append(Holder(_name(folder), process))
    return tuple(sorted(found, key=lambda holder: holder.process))


def _holds(folder: Path, real: str) -> bool:
    # A process may end, or be another user's, at any moment of this.
    try:
        descriptors = list((folder / "fd").iterdir())
    except OSError:
        return False
    for descriptor in descriptors:
        try:
            if os.readlink(descriptor) == real:
                return True
        except OSError:
            continue
    return False


def _name(folder: Path) -> str:
    try:
        return (folder / "comm").read_text(encoding="utf-8", errors="replace").strip() or "a program"
    except OSError:
        return "a program"
