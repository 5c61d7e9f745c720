"""An event loop in virtual time: when nothing is left to do, its clock jumps to the next timer.

Work that really takes time (a worker thread that draws or reads a picture, bytes on a pseudo-terminal) holds
the clock until it is done, so a whole evening passes in minutes and yet in the same order every time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import Context
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")

# While the clock is held, outside work is looked for this often (real seconds); it may also wake the loop.
_LOOK_S = 0.0005
# What asyncio takes for the same moment (s, twice): a timer nearer than that runs at once and would find that no time
# has passed, so that who sleeps until a moment would do so for ever.
_SHORTEST_S = 2e-9
# A hold this long (real seconds) is a fault in the program, and better said than waited for.
HOLD_LIMIT_S = 30.0


class HeldTooLongError(RuntimeError):
    """Something held virtual time without end; the text names it."""


class Work(Enum):
    """How what is given to an executor of its own is done; with the last two it must not wait for the loop."""

    BESIDE = "in its thread, while the loop does what else is due at that moment"
    # Time stands still for it anyway; then it is in the same order every time.
    AWAITED = "in its thread, and nothing else goes on"
    # Handing it over costs more than many a picture.
    HERE = "in the loop's thread"


class _JumpingSelector(selectors.DefaultSelector):
    """Polls the real files; when they are silent and nothing holds, moves the clock instead of waiting."""

    owner: VirtualTimeLoop

    def select(self, timeout: float | None = None) -> Any:
        events = super().select(0)
        if events or timeout == 0:
            return events
        if self.owner.is_held():
            return super().select(_LOOK_S)
        if timeout is None:
            # No timer at all: only the outside can go on from here.
            return super().select(_LOOK_S)
        self.owner.jump(timeout)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """`time()` is virtual seconds since the loop was made. `add_hold` registers what must be waited for.

    `work`: how what is given to an executor of its own is done.
    """

    def __init__(self, real_time: Callable[[], float], *, work: Work = Work.BESIDE) -> None:
        self._work = work
        self._virtual_now = 0.0
        self._real_time = real_time
        self._working = 0
        self._holds: list[tuple[str, Callable[[], bool]]] = []
        self._held_since: float | None = None
        selector = _JumpingSelector()
        selector.owner = self
        super().__init__(selector)

    def time(self) -> float:
        return self._virtual_now

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As every loop does; what is due later is due so much later that the clock tells."""
        if when > self._virtual_now:
            when = max(when, self._virtual_now + _SHORTEST_S)
        return super().call_at(when, callback, *args, context=context)

    def jump(self, seconds: float) -> None:
        """Moves the clock; a little further than asked, so that the timer at its end is due."""
        self._virtual_now += seconds + 1e-9

    def add_hold(self, name: str, busy: Callable[[], bool]) -> None:
        """While `busy()` is true, time stands still."""
        self._holds.append((name, busy))

    def clear_holds(self) -> None:
        """Forgets all holds, when what they watched is closed."""
        self._holds.clear()

    def is_held(self) -> bool:
        """Is real work going on? Raises HeldTooLongError when it never ends."""
        held = (
            "a worker thread" if self._working else next((name for name, busy in self._holds if busy()), "")
        )
        if not held:
            self._held_since = None
            return False
        now = self._real_time()
        if self._held_since is None:
            self._held_since = now
        elif now - self._held_since > HOLD_LIMIT_S:
            raise HeldTooLongError(f"{held} has held virtual time for {HOLD_LIMIT_S:.0f} s")
        return True

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        if self._work is not Work.BESIDE and executor is not None:
            done: asyncio.Future[T] = self.create_future()
            here = self._work is Work.HERE
            done.set_result(func(*args) if here else executor.submit(func, *args).result())
            return done
        future = super().run_in_executor(executor, func, *args)
        self._working += 1
        future.add_done_callback(self._work_done)
        return future

    def _work_done(self, _: object) -> None:
        self._working -= 1
