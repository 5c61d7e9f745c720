"""A match: players at the simulated table play a whole game of Above, led by the lights alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from companion.games.above.action import Action, ActionError
from companion.games.above.position import Position
from companion.games.above.rules import IllegalAction, apply, initial_position
from companion.virtual.deeds import Deed, Do, can_follow, deeds_of, shortened, shuffled
from companion.virtual.eyes import Eyes
from companion.virtual.illegal import is_complete, is_explainable
from companion.virtual.layout import lay_out
from companion.virtual.mischief import after_deeds, mischief
from companion.virtual.motion import BRISK, Hand, Motion, Pace
from companion.virtual.players import Actor, Turn, choose_turn
from companion.virtual.scene import Scene
from companion.virtual.tally import AlarmWatch, Tally
from companion.virtual.truth import lie_of, lie_on

# Before so many turns nobody wants the game to be over.
_LONG_ENOUGH = 22


class ChoiceLike(Protocol):
    """A possible answer to a question: `key` goes back, `text` is shown."""

    @property
    def key(self) -> str: ...

    @property
    def text(self) -> str: ...


class Match:
    """One game. Call `step(now)` at every tick; read `position`, `tally`, `finished`.

    `illegal`: probability that a turn begins with an illegal move, shown until the red light. `patience_s`:
    how long the players wait for a light before they give up. `on_turn_done(position, when)` is called when
    the hands have left after a turn, with the position that truly lies on the table.
    """

    def __init__(
        self,
        scene: Scene,
        players: int,
        eyes: Eyes,
        *,
        rng: random.Random | None = None,
        illegal: float = 0.0,
        pace: Pace = BRISK,
        patience_s: float = 20.0,
        position: Position | None = None,
        on_turn_done: Callable[[Position, float], None] | None = None,
    ) -> None:
        self.scene = scene
        self.eyes = eyes
        # Decisions have a generator of their own, so that they do not depend on how often time is stepped.
        self.rng = random.Random((rng or scene.rng).getrandbits(64))
        self.illegal = illegal
        self.pace = pace
        self.patience_s = patience_s
        self.position = position or initial_position(players, self.rng)
        self.on_turn_done = on_turn_done
        self.tally = Tally()
        self._alarms = AlarmWatch(self.tally)
        self.now = 0.0
        self.finished = False
        self.last_turn: Turn = ()
        self.last_hand_left_at: float | None = None
        self.showing_illegal: str = ""
        self._before = self.position
        self._actors = [Actor(Hand(scene, self, seat, players, pace)) for seat in range(players)]
        lay_out(scene, str(self.position))
        self._script = self._play()

    @property
    def hands_away(self) -> bool:
        """No hand is in the picture."""
        return not any(actor.hand.in_picture for actor in self._actors)

    def step(self, now: float) -> None:
        """Let the players act up to the time `now` in seconds."""
        self.now = now
        with self.scene.lock:
            if not self.finished:
                next(self._script, None)
        self._alarms.step(now, self.hands_away and not self.showing_illegal, self._red)
        left = [actor.hand.left_at for actor in self._actors if actor.hand.left_at is not None]
        self.last_hand_left_at = max(left, default=None)

    def answer(self, choices: Sequence[ChoiceLike]) -> str | None:
        """The players' answer to a question about the turn just played: a key; None if no choice is true."""
        self.tally.asked += 1
        for choice in choices:
            if self._came_about(choice.text):
                return choice.key
        # "Done" is offered while a turn could go on; it is true once the hands are away.
        return next((choice.key for choice in choices if choice.key == "done"), None)

    def _came_about(self, text: str) -> bool:
        """Whether the actions named in `text` have led from the turn's start to what truly lies there."""
        here = self._before
        try:
            for words in text.split(", "):
                here = apply(here, Action.parse(words))
        except (ActionError, IllegalAction):
            return False
        return here == self.position

    # ---- the course of the game

    def _play(self) -> Motion:
        yield from self._await_seat(self.position.turn)
        while not self.finished and not self.position.is_over:
            actor = self._actors[self.position.turn]
            yield from actor.hand.wait(self.rng.uniform(*self.pace.think_s))
            turn, after = choose_turn(
                self.position, self.rng, drive=self._drive(), may_win=self.tally.turns >= _LONG_ENOUGH
            )
            deeds, _ = deeds_of(self.position, turn)
            deeds = shortened(deeds, self.rng)
            if self.rng.random() < 0.6:
                deeds = shuffled(lie_of(self.position), deeds, self.rng)
            if self.rng.random() < self.illegal:
                yield from self._go_wrong(actor, deeds)
            self.last_turn = turn
            yield from self._act(actor, deeds)
            self._before, self.position = self.position, after
            self.tally.turns += 1
            if self.on_turn_done is not None:
                self.on_turn_done(after, self.now)
            if not after.is_over:
                yield from self._await_seat(after.turn)
        # The winners look at the lights for a while.
        yield from self._actors[0].hand.wait(3.0)
        self.finished = True

    def _drive(self) -> float:
        """Keener on the summit as the game goes on, so that it ends."""
        return min(1.6, 0.25 + 0.025 * self.tally.turns)

    def _act(self, actor: Actor, deeds: Sequence[Deed]) -> Motion:
        """Do the deeds, with pauses, looks round, and sometimes one forgotten until reminded."""
        late = self._forgotten(deeds)
        for n, deed in enumerate(deeds):
            if n == late:
                continue
            if n and self.rng.random() < 0.25:
                yield from self._pause(actor)
            yield from self._helper(actor, deed).do(deed)
        if self.rng.random() < 0.06:
            yield from actor.fidget()
        if self.rng.random() < 0.10:
            self.scene.creep()
        yield from self._all_leave()
        if late is not None:
            yield from self._await_reminder(deeds[late].space)
            yield from actor.do(deeds[late])
            yield from self._all_leave()

    def _helper(self, actor: Actor, deed: Deed) -> Actor:
        """Who does a deed: as a rule the player, often the owner of the cards."""
        cards = deed.do in (Do.FLIP, Do.DISCARD, Do.PICK)
        if cards and self._actors[deed.seat] is not actor and self.rng.random() < 0.5:
            return self._actors[deed.seat]
        return actor

    def _pause(self, actor: Actor) -> Motion:
        # Hands stay over a table that looks like another finished turn: people feel that they are not done.
        table = lie_on(self.scene, self.position.players)
        leave = self.rng.random() < 0.5
        if leave and not is_complete(self.position, table):
            yield from self._all_leave()
            yield from actor.hand.wait(self.rng.uniform(*self.pace.pause_s))
        elif actor.hand.in_picture:
            yield from actor.hand.linger(self.rng.uniform(*self.pace.pause_s))

    def _all_leave(self) -> Motion:
        for actor in self._actors:
            yield from actor.hand.leave()

    def _forgotten(self, deeds: Sequence[Deed]) -> int | None:
        """Which deed is left out at first: a token to lay or to take off in plain view."""
        last = {deed.space for deed in deeds if deed.do is Do.WALK}
        open_to_view = [n for n, d in enumerate(deeds) if d.do in (Do.LAY, Do.TAKE) and d.space not in last]
        if not open_to_view or self.rng.random() >= 0.06:
            return None
        late = self.rng.choice(open_to_view)
        rest = [deed for n, deed in enumerate(deeds) if n != late]
        # Only if nothing that comes before depends on it: then it can be done last.
        table = lie_of(self.position)
        if not can_follow(table, [*rest, deeds[late]]):
            return None
        return None if is_complete(self.position, after_deeds(table, rest)) else late

    def _await_reminder(self, space: str) -> Motion:
        """Wait for an amber light at the space, or until one remembers by oneself."""
        began = self.now
        while self.now - began < self.patience_s / 4:
            if space in self.eyes.amber_spaces() and self.now - began > 1.0:
                return
            yield

    # ---- against the rules

    def _go_wrong(self, actor: Actor, legal_deeds: list[Deed]) -> Motion:
        """Make an illegal move, wait for the red light, put everything back."""
        plan = mischief(self.position, self.rng)
        if plan is None:
            return
        kind, deeds = plan
        home = {deity: space for deity, space in lie_of(self.position).minis.items() if space is not None}
        for deed in deeds:
            yield from actor.do(deed)
        # Hands are inexact: what lies there now is what counts.
        truly = not is_explainable(self.position, lie_on(self.scene, self.position.players))
        if truly:
            yield from self._all_leave()
            self.tally.illegal_shown += 1
            self.showing_illegal = kind
            began = self.now
            while self.now - began < self.patience_s:
                if self._red():
                    self.tally.illegal_caught += 1
                    break
                yield
        yield from actor.hand.wait(self.rng.uniform(*self.pace.think_s))
        first = deeds[0]
        keeps = first in legal_deeds[:1] and self.rng.random() < 0.5
        yield from actor.undo(deeds[1:] if keeps else deeds, home)
        if keeps:
            legal_deeds.remove(first)
        self.showing_illegal = ""
        self._alarms.put_right()
        if self.rng.random() < 0.5:
            yield from self._all_leave()

    def _red(self) -> bool:
        return bool(self.eyes.red_spaces()) or any(
            self.eyes.seat_red(seat) for seat in range(self.position.players)
        )

    # ---- waiting for the lights

    def _await_seat(self, seat: int) -> Motion:
        """Wait for the seat's light; help the camera if nothing happens; perhaps give up after `patience_s`."""
        began = helped = self.now
        while not self.eyes.seat_lit(seat):
            waited = self.now - began
            if waited > self.patience_s and self.pace.gives_up:
                self.tally.stuck += 1
                self.finished = True
                return
            if self.now - helped > 4.0:
                helped = self.now
                spaces = sorted(self.eyes.amber_spaces() | self.eyes.red_spaces())
                if spaces:
                    self.tally.reseated += 1
                    actor = self._actors[self.position.turn]
                    yield from actor.reseat(self.scene.rng.choice(spaces))
                    yield from self._all_leave()
            yield
