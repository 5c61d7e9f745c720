"""One line of the doctor's table, and the computer that is looked at."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

Run = Callable[[Sequence[str]], str | None]
# No question to another program takes longer.
ANSWER_S = 20.0


class State(Enum):
    """How it is with one thing."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, what was found, and what to do; nothing to do where it is well."""

    topic: str
    state: State
    text: str
    todo: str = ""

    def __post_init__(self) -> None:
        if (self.state is State.OK) == bool(self.todo):
            raise ValueError(f"{self.topic}: what is well needs nothing done, and everything else does")


def well(topic: str, text: str) -> Check:
    """A line of what is well."""
    return Check(topic, State.OK, text)


def warn(topic: str, text: str, todo: str) -> Check:
    """A line of what works, but not as it should."""
    return Check(topic, State.WARN, text, todo)


def bad(topic: str, text: str, todo: str) -> Check:
    """A line of what keeps the table from working."""
    return Check(topic, State.BAD, text, todo)


def nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there as far as this user may know."""
    while not os.path.exists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def run(command: Sequence[str]) -> str | None:
    """What a program prints; None if it is not there, fails or does not answer."""
    try:
        ran = subprocess.run(
            list(command), capture_output=True, text=True, errors="replace", timeout=ANSWER_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout if ran.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Computer:
    """The computer that is looked at: the root of its files, and how its programs are asked."""

    root: Path = Path("/")
    run: Run = run

    def read(self, name: str) -> str | None:
        """A small file's text without the end of its line; None if it cannot be read."""
        try:
            return (self.root / name).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None
