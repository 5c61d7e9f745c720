"""A pipe that wakes a thread out of `select`, and work that is done in rounds with a wait after each."""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Generator
from typing import NamedTuple


class Wait(NamedTuple):
    """Until the file can be read or somebody wakes, at most for so many seconds of the wire's clock."""

    fd: int | None
    seconds: float


# Yields what is to be waited for next; is sent whether the file can be read.
Rounds = Generator[Wait, bool, None]


class Waker:
    """`wake` may be called from any thread; one thread waits."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)

    def wake(self) -> None:
        """End the current or the next `wait`."""
        with contextlib.suppress(BlockingIOError):  # full: it is awake already
            os.write(self._write, b"!")

    def wait(self, fd: int | None, timeout_s: float) -> bool:
        """Wait until `fd` is readable (True), `wake` was called, or the time is over.

        Raises OSError or ValueError when `fd` has gone.
        """
        watched = [self._read] if fd is None else [self._read, fd]
        readable, _, _ = select.select(watched, [], [], max(0.0, timeout_s))
        if self._read in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._read, 4096)
        return fd is not None and fd in readable

    def fileno(self) -> int:
        """Readable while somebody has called `wake` and nobody has waited since."""
        return self._read

    def close(self) -> None:
        """Release the pipe; nobody may wait or wake any more."""
        os.close(self._read)
        os.close(self._write)


def run_through(rounds: Rounds, waker: Waker) -> None:
    """Work to the end, in this thread, and truly wait after each round."""
    with contextlib.suppress(StopIteration):
        wait = next(rounds)
        while True:
            try:
                readable = waker.wait(*wait)
            except (OSError, ValueError) as error:
                wait = rounds.throw(error)
            else:
                wait = rounds.send(readable)
