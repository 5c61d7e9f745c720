"""Learning the switches without a camera: each space is asked for, and what closes then is its switch."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing

from calibration.bench import Bench
from calibration.reeds.felt import FeltSwitches
from calibration.reeds.learner import Learner
from calibration.reeds.lights import asking_lights
from calibration.reeds.wishes import ClearBoard, PutPiece
from calibration.step import Advice, StepError
from companion.sensing.frames import Frame

# Looks at an empty board, before anything is put on it.
EMPTY_LOOKS = 3
# A switch must stay as it is for so long, and a space is asked for for so long, twice.
STEADY_S = 0.4
ASKED_S = 15.0
# A switch that opens so often while one space is asked for flickers there.
FLICKERS = 3
# After so many spaces at which nothing at all was heard, nothing will be.
MOST_SILENT = 6
NONE_CLOSES = (
    "No switch closes, wherever the miniature stands. Is the cable of the switches plugged in? Are the magnets in the "
    "miniatures? If the diodes are soldered the other way round, see firmware_bridge/firmware/README.md."
)


class Asking:
    """Nobody sees the miniature: each space is asked for, and what closes then is its switch."""

    def __init__(self, bench: Bench, felt: FeltSwitches, learner: Learner) -> None:
        self._bench = bench
        self._felt = felt
        self._learner = learner
        self._always: frozenset[int] = frozenset()
        # Has anything ever closed?
        self._heard = False

    async def run(self) -> None:
        """Ask for every space, and once more for those at which nothing closed, or what had closed elsewhere."""
        async with aclosing(self._bench.moments()) as moments:
            await self._empty(moments)
            silent = 0
            for last in (False, True):
                for space in self._learner.conflicts if last else ():
                    self._learner.forget(space)
                for space in self._learner.left:
                    await self._ask(moments, space, last)
                    silent = 0 if self._heard else silent + 1
                    if silent >= MOST_SILENT:
                        raise StepError(NONE_CLOSES)

    async def _empty(self, moments: AsyncIterator[tuple[float, Frame | None]]) -> None:
        looks = 0
        async for _, _ in moments:
            closed, opened = self._felt.look()
            self._bench.say(
                Advice(
                    "Take everything off the board.",
                    0.0,
                    lights=asking_lights((), ()),
                    wish=ClearBoard(),
                )
            )
            looks = looks + 1 if closed == self._always and not opened else 0
            self._always = closed
            if looks >= EMPTY_LOOKS:
                self._learner.empty(closed)
                return

    async def _ask(self, moments: AsyncIterator[tuple[float, Frame | None]], space: str, last: bool) -> None:
        """Ask for one space until its switch has shown itself, or has had its time."""
        began: float | None = None
        before: frozenset[int] | None = None
        here: frozenset[int] = frozenset()
        since = 0.0
        opened_here: Counter[int] = Counter()
        async for now, _ in moments:
            closed, opened = self._felt.look()
            new = closed - self._always
            if began is None or before is None:
                began, before = now, new
            opened_here.update(opened - before)
            if new != here:
                here, since, self._heard = new, now, True
            flickers = frozenset(number for number, times in opened_here.items() if times >= FLICKERS)
            if flickers or (here and here != before and now - since >= STEADY_S):
                self._learner.rest(space, closed, opened & (here | flickers))
            if self._learner.done(space):
                return
            if now - began >= ASKED_S:
                while last and not self._learner.done(space):
                    self._learner.rest(space, self._always)
                return
            self._tell(space, last)

    def _tell(self, space: str, last: bool) -> None:
        left = self._learner.left
        done = tuple(each for each in self._learner.spaces if each not in left)
        again = " It was not plain before; move it about a little." if last else ""
        self._bench.say(
            Advice(
                f"Put any miniature on {space}, alone on the board.{again}",
                len(done) / len(self._learner.spaces),
                (f"{len(left)} spaces are left",),
                asking_lights((space,), done),
                wish=PutPiece(space),
            )
        )
