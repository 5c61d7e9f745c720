"""The voice: a program of this computer that reads sentences out, if one is installed.

It never speaks over itself: what is to be said meanwhile waits, and only the newest of it. Where it is missing or
fails, that is told and nothing else happens.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.messages import aloud, say

PROGRAM = "espeak-ng"
# Words a minute; its own 175 is fast for a room with children.
WORDS_A_MINUTE = "155"


class Process(Protocol):
    """A program that runs."""

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""

    def kill(self) -> None:
        """Ends it."""


Start = Callable[[Sequence[str]], Process]
Which = Callable[[str], str | None]


def _start(command: Sequence[str]) -> Process:
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)


class Voice:
    """`language`: in which it speaks. `trouble`: why it does not, as a sentence; empty if it does.

    Call `step` now and then.
    """

    def __init__(self, language: str, start: Start = _start, which: Which = shutil.which) -> None:
        self.trouble: str = ""
        self._language = language
        self._start = start
        self._which = which
        self._speaking: Process | None = None
        self._next = ""
        if which(PROGRAM) is None:
            self.trouble = say("speech.no_program")

    def say(self, text: str) -> None:
        """Something is to be said, at once or after what is being said."""
        self._next = aloud(text, self._language)
        self.step()

    def step(self) -> None:
        """Hears whether it has finished, and goes on with what waits."""
        if self._speaking is not None:
            status = self._speaking.poll()
            if status is None:
                return
            self._speaking = None
            self.trouble = say("speech.failed", why=f"{PROGRAM}: {status}") if status else ""
        if not self._next:
            return
        text, self._next = self._next, ""
        program = self._which(PROGRAM)
        if program is None:
            self.trouble = say("speech.no_program")
            return
        try:
            # The text comes after --, so that no sentence is ever read as an option.
            self._speaking = self._start((program, "-v", self._language, "-s", WORDS_A_MINUTE, "--", text))
        except OSError as error:
            self.trouble = say("speech.failed", why=error.strerror or PROGRAM)

    def close(self) -> None:
        """Silence."""
        self._next = ""
        if self._speaking is not None and self._speaking.poll() is None:
            self._speaking.kill()
            self._speaking.poll()
        self._speaking = None
