"""Mistakes: at times somebody does something against the rules first, is shown so, and puts it right."""

from __future__ import annotations

import random
from collections.abc import Container, Generator, Sequence

from companion.games.olympeak.events import Event, Play
from companion.games.olympeak.position import GameState
from companion.virtual.arm import Clock, Motion
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.calls import Calls
from companion.virtual.olympeak.illegal import is_explainable
from companion.virtual.olympeak.mischief import Wrong, mischief
from companion.virtual.olympeak.people import Drawn, Secrets, Stir
from companion.virtual.olympeak.truth import lie_of, lie_on, names_of, places_of
from companion.virtual.olympeak.waiting import Waiting
from companion.virtual.tally import AlarmWatch, IllegalAct, Tally


class Mistakes:
    """`showing`: what kind of mistake lies there now; empty while everything is right. `rate`: how often, 0 to 1."""

    def __init__(
        self,
        acts: Acts,
        calls: Calls,
        clock: Clock,
        waiting: Waiting,
        secrets: Secrets,
        tally: Tally,
        alarms: AlarmWatch,
        rng: random.Random,
        rate: float,
        kinds: Sequence[str],
    ) -> None:
        self.showing = ""
        self._acts = acts
        self._calls = calls
        self._clock = clock
        self._waiting = waiting
        self._secrets = secrets
        self._tally = tally
        self._alarms = alarms
        self._rng = rng
        self._rate = rate
        self._kinds = tuple(kinds)

    def instead_of(
        self, state: GameState, planned: Event, draws: Sequence[Stir]
    ) -> Generator[None, None, bool]:
        """At times do something illegal first, wait for the red light, put it right.

        `draws`: what is drawn only afterwards. Gives True when the planned card lies in its place already.
        """
        undrawn = {stir.card for stir in draws if isinstance(stir, Drawn)}
        if self._waiting.unseen or self._rng.random() >= self._rate:
            return False
        wrong = mischief(state, planned, self._hands(state, undrawn), self._rng, self._kinds)
        if wrong is None:
            return False
        yield from self._show(wrong, state)
        return wrong.first is not None

    def out_of_turn(self, state: GameState, planned: Play) -> Generator[None, None, bool]:
        """Somebody else plays, is shown that it is not their turn, and takes the card back; whether anybody could."""
        wrong = mischief(state, planned, self._hands(state), self._rng, ("seat",))
        if wrong is None:
            return False
        yield from self._show(wrong, state)
        yield from self._acts.all_leave()
        return True

    def _hands(self, state: GameState, but: Container[str] = ()) -> list[list[str]]:
        return [
            [card for card in self._secrets.in_hand(seat) if card not in but] for seat in state.setup.seats
        ]

    def _show(self, wrong: Wrong, state: GameState) -> Motion:
        """An illegal act is done, shown until the red light, and put right."""
        set_about_at = self._clock.now
        yield from self._acts.go_wrong(wrong, state)
        # Hands are inexact: what lies there now is what counts.
        lies = lie_on(self._acts.scene, self._acts.players)
        if not is_explainable(state, lies):
            # It lies there as soon as the hand lets go of it, and may be seen before the hand has left.
            start = lie_of(state)
            act = IllegalAct(set_about_at, self._clock.now, places_of(start, lies), names_of(start, lies))
            self._tally.illegal_acts.append(act)
            self.showing = wrong.kind
            yield from self._acts.all_leave()
            began = act.done_at = self._clock.now
            while self._clock.now - began < self._waiting.patience_s:
                if self._calls.red():
                    act.caught = True
                    break
                yield
        yield from self._acts.think()
        yield from self._acts.put_right(wrong, state)
        self.showing = ""
        self._alarms.put_right()
        if self._rng.random() < 0.5:
            yield from self._acts.all_leave()
