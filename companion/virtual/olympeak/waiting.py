"""Waiting: the players look to the lights, help the camera, and perhaps give up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.virtual.arm import Clock, Motion, Pace
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.calls import Calls
from companion.virtual.olympeak.late_cubes import LateCubes
from companion.virtual.tally import Tally

# People who see nothing happen straighten a card about this often; if they are asked something, they have had
# time to answer by then.
_HELP_S = 7.0
# Cubes that were forgotten are moved once nothing happens for so long.
_REMEMBERED_S = 1.5


class Waiting:
    """`unseen`: something lies over the camera, so nobody waits. `gave_up`: the players have left.

    `doubtful`: names the cards that the camera may have missed. `patience_s`: how long they wait before they give up.
    """

    def __init__(
        self,
        acts: Acts,
        calls: Calls,
        clock: Clock,
        late: LateCubes,
        doubtful: Callable[[], Sequence[str]],
        tally: Tally,
        pace: Pace,
        patience_s: float,
    ) -> None:
        self.unseen = False
        self.gave_up = False
        self.patience_s = patience_s
        self._acts = acts
        self._calls = calls
        self._clock = clock
        self._late = late
        self._doubtful = doubtful
        self._tally = tally
        self._pace = pace

    def until(self, lit: Callable[[], bool], *, helping: bool = True) -> Motion:
        """Wait for the lights; help the camera if nothing happens; perhaps give up after `patience_s`."""
        began = helped = self._clock.now
        while not (self.unseen or lit()):
            waited = self._clock.now - began
            if waited > self.patience_s and self._pace.gives_up:
                self._tally.stuck += 1
                self.gave_up = True
                return
            if waited > _REMEMBERED_S:
                yield from self._late.move()
            if helping and self._clock.now - helped > _HELP_S:
                helped = self._clock.now
                self._tally.reseated += 1
                yield from self._acts.straighten(self._doubtful)
            yield

    def until_gone(self, seat: int, seconds: float) -> Motion:
        """Until the light that is on at this seat alone goes out, at most so long."""
        began = self._clock.now
        while self._calls.alone(seat) and self._clock.now - began < seconds:
            yield

    def for_word(self, last_seat: int) -> Motion:
        """Until the table has taken in the last card: its light changes. Nothing tells more, so not long."""
        if self.unseen:
            return
        yield from self._acts.wait(1.5)
        yield from self.until_gone(last_seat, 4.5)
