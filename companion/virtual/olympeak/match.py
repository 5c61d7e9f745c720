"""A match: people at the simulated table play a whole game of OlymPeak, led by the seat lights alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Mapping, Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import COLUMN_FULL, GameState, Phase, Setup, begin
from companion.games.olympeak.simulation import Step, random_setup
from companion.virtual.arm import BRISK, Motion, Pace
from companion.virtual.match import ChoiceLike
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.answers import Answers
from companion.virtual.olympeak.asides import Asides, is_far_from_an_end
from companion.virtual.olympeak.calls import Calls
from companion.virtual.olympeak.carriages import Carriages
from companion.virtual.olympeak.eyes import SeatEyes
from companion.virtual.olympeak.guest import Guest
from companion.virtual.olympeak.habits import CardHabit, CardHabits
from companion.virtual.olympeak.late_cubes import LateCubes
from companion.virtual.olympeak.mischief import KINDS
from companion.virtual.olympeak.mistakes import Mistakes
from companion.virtual.olympeak.people import Secrets, Stir
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.waiting import Waiting
from companion.virtual.tally import AlarmWatch, Tally

# Seats that have still to turn their card up are lit as well: after a reveal the leader takes a light that was
# on already for the signal to play only when it has stayed for so long.
_OLD_LIGHT_S = 4.0
# Lights that ask for a card that was taken back already are believed once they have been on for so long.
_ASKED_AGAIN_S = 5.0

# Places of the cubes by contender (-5…35) and of the round marker (`round`), as carriages have moved them.
Lanes = Callable[[], Mapping[str, float]]


class CardMatch:
    """One game. Call `step(now)` at every tick; read `state`, `tally`, `finished`.

    `setup`: who plays, how the contenders lie; None for chance. `illegal`: probability that a placement, or
    the use of a Remove, is first done against the rules, shown until a red light. `patience_s`: how long the
    players wait for a light before they give up. `lanes`: with motors, where their carriages are; without,
    people move cubes and round marker. `on_event(step, when)` is called when the hands have left after each
    event, with the true public states on both sides of it; `when` None: nobody could see it. `state`: a game to
    go on with. `habits`: what else people do, how often.
    `guest`: plays the seats that were taken over.
    """

    def __init__(
        self,
        scene: CardScene,
        players: int,
        eyes: SeatEyes,
        *,
        rng: random.Random | None = None,
        setup: Setup | None = None,
        illegal: float = 0.0,
        kinds: Sequence[str] = KINDS,
        pace: Pace = BRISK,
        patience_s: float = 20.0,
        lanes: Lanes | None = None,
        state: GameState | None = None,
        habits: Mapping[CardHabit, float] | None = None,
        on_event: Callable[[Step, float | None], None] | None = None,
        guest: Guest | None = None,
    ) -> None:
        self.scene = scene
        self.eyes = eyes
        # Decisions have a generator of their own, so that they do not depend on how often time is stepped.
        self.rng = random.Random((rng or scene.rng).getrandbits(64))
        self.lanes = lanes
        self.on_event = on_event
        if state is None:
            state = begin(setup or random_setup(players, self.rng, scene.box))
        self.state = state
        self.tally = Tally()
        self._alarms = AlarmWatch(self.tally)
        self.now = 0.0
        self._over = False
        self.last_hand_left_at: float | None = None
        self._secrets = Secrets(state.setup, random.Random(self.rng.getrandbits(64)), state)
        self._calls = Calls(eyes, state.setup, self._secrets.early)
        self._acts = Acts(scene, self, len(state.setup.players), pace, self.rng)
        self._habits = CardHabits(self._acts, self.rng, habits or {}, self.tally.habit)
        self._asides = Asides(self._habits, self._acts, self._secrets, eyes, self)
        self._late = LateCubes(self._acts, self.rng)
        self._waiting = Waiting(
            self._acts, self._calls, self, self._late, self._last_laid, self.tally, pace, patience_s
        )
        self._answers = Answers(self._acts, self._calls, self._waiting, self._secrets)
        self._mistakes = Mistakes(
            self._acts,
            self._calls,
            self,
            self._waiting,
            self._secrets,
            self.tally,
            self._alarms,
            self.rng,
            illegal,
            kinds,
        )
        self._last_seat = 0
        # Who has taken a card back that could be laid nowhere, in this turn.
        self._prevented: list[int] = []
        layout.lay_out(scene, state, len(self._secrets.draw_pile), self._secrets.discard_pile)
        if self.rng.random() < 0.3:
            layout.lay_phone(scene)
        self._carriages = Carriages(scene)
        self._guest = guest or Guest(scene)
        self._guest.sit_down(self, self._acts)
        self._script = self._play()

    @property
    def secrets(self) -> Secrets:
        """What only each player knows."""
        return self._secrets

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.state.setup.players)

    @property
    def hands_away(self) -> bool:
        """No hand is in the picture."""
        return self._acts.hands_away

    def held_still_at(self, due: float) -> float | None:
        """When the cards came to rest that are held in the picture, of those that were on their way there at `due`."""
        return self._acts.held_still_at(due)

    @property
    def finished(self) -> bool:
        """Is the game over, or have the players given up?"""
        return self._over or self._waiting.gave_up

    @property
    def showing_illegal(self) -> str:
        """What kind of illegal act lies there to be seen; empty while there is none."""
        return self._mistakes.showing

    def step(self, now: float) -> None:
        """Let the players, and the carriages, act up to the time `now` in seconds."""
        self.now = now
        with self.scene.lock:
            self._follow_carriages()
            if not self.finished:
                next(self._script, None)
        self._alarms.step(now, self.hands_away and not self.showing_illegal, self._calls.red)
        self.last_hand_left_at = self._acts.left_at

    def answer(
        self, choices: Sequence[ChoiceLike], asked: int | None = None, told: int | None = None
    ) -> str | None:
        """What the players say when they are asked: a key; None when none of the choices is true.

        What a guest is asked they answer themselves.
        """
        if self._is_guests():
            return None
        self.tally.asked += 1
        return self._answers.give(self.state, choices, asked)

    def _follow_carriages(self) -> None:
        if self.lanes is not None:
            self._carriages.follow(self.lanes())

    # ---- the course of the game

    def _play(self) -> Motion:
        while not self.finished and self.state.phase is not Phase.OVER:
            unseen = self._covered_for()
            if unseen is None:
                yield from self._go_on()
            else:
                yield from self._play_unseen(unseen)
        outcome = self.state.outcome
        if not self.finished and outcome is not None:
            yield from self._waiting.until(lambda: all(self.eyes.seat_lit(seat) for seat in outcome.winners))
            # The winners look at the lights for a while.
            yield from self._acts.wait(3.0)
        self._over = True

    def _go_on(self) -> Motion:
        match self.state.phase:
            case Phase.REVEAL:
                yield from self._reveal()
            case Phase.PLAY:
                yield from self._take_turn()
            case Phase.CHOICE:
                yield from self._carry_out_order()
            case Phase.TURN_END:
                yield from self._end_turn()
            case Phase.ROUND_END:
                yield from self._end_round()
            case Phase.PREDICTIONS:
                yield from self._show_tiles()
            case _:
                raise TypeError(f"nothing is played in the phase {self.state.phase!r}")

    def _covered_for(self) -> CardHabit | None:
        """Is something laid over the camera now, and for what? Cubes that motors are to move cannot go on unseen."""
        state = self.state
        if state.phase is not Phase.REVEAL or (self.lanes is not None and not is_far_from_an_end(state)):
            return None
        ends_soon = state.round < state.setup.rounds and max(state.columns.values()) >= COLUMN_FULL - 2
        if ends_soon and self._habits.has(CardHabit.ENDS_UNSEEN):
            return CardHabit.ENDS_UNSEEN
        return CardHabit.COVERS_CAMERA if self._habits.has(CardHabit.COVERS_CAMERA) else None

    def _play_unseen(self, habit: CardHabit) -> Motion:
        """Two turns are played while something lies over the camera, or the whole rest of the round."""
        yield from self._asides.remember_cards()
        yield from self._waiting.until(self._calls.everybody)
        yield from self._late.move()
        if self._waiting.gave_up:
            return
        self._waiting.unseen = True
        self._habits.cover(True)
        to_end = habit is CardHabit.ENDS_UNSEEN
        until = math.inf if to_end else self.state.turn + 2
        in_turn = (Phase.REVEAL, Phase.PLAY, Phase.CHOICE, Phase.TURN_END)
        while self.state.phase in in_turn and self.state.turn < until:
            yield from self._go_on()
        if to_end and self.state.phase is Phase.ROUND_END:
            yield from self._go_on()
        yield from self._late.move()
        yield from self._acts.all_leave()
        yield from self._acts.wait(0.5)
        self._waiting.unseen = False
        self._habits.cover(False)
        self._habits.done(habit)

    def _decide(self) -> tuple[Step, list[Stir], list[Stir]]:
        """What happens next, with the cards that are drawn before it and after it."""
        event = self._secrets.decide(self.state)
        before, self._secrets.stirs = self._secrets.stirs, []
        step = Step(self.state, event, rules.apply(self.state, event))
        self._secrets.settle(step)
        after, self._secrets.stirs = self._secrets.stirs, []
        return step, before, after

    def _done(self, step: Step) -> Motion:
        """The event has happened at the table: hands leave, and from now on it counts."""
        yield from self._acts.all_leave()
        self.state = step.after
        if isinstance(step.event, Play | Insert):
            self._answers.laid(step.event)
        if step.before.seat is not None:
            self._last_seat = step.before.seat
        if isinstance(step.event, EndTurn):
            self.tally.turns += 1
        if self._waiting.unseen and isinstance(step.event, Reveal) and not step.after.order:
            return  # only order cards, discarded again: of that nothing is left to be seen
        if self.on_event is not None:
            self.on_event(step, None if self._waiting.unseen else self.now)

    def _reveal(self) -> Motion:
        yield from self._asides.remember_cards()
        if not self._waiting.unseen:
            yield from self._habits.between()
            yield from self._asides.touch_tiles(self.state)
        if self._guest.seats:
            yield from self._waiting.until(self._calls.everybody)
            yield from self._guest.choose()
        guests = self._guest.chosen() or {}
        self._secrets.chosen = guests
        hands = self._fanned()
        lying = {*guests, *self._secrets.early}
        step, _, draws = self._decide()
        assert isinstance(step.event, Reveal)
        cards = step.event.cards
        self._prevented.clear()
        yield from self._acts.show_fans(hands)
        without = [seat for seat in self.state.setup.seats if seat not in lying] or self.state.setup.seats
        yield from self._waiting.until(lambda: all(self.eyes.seat_lit(seat) for seat in without))
        if self._waiting.gave_up:
            return
        yield from self._acts.choose({seat: card for seat, card in enumerate(cards) if seat not in lying})
        yield from self._late.move()
        yield from self._acts.think()
        self._answers.turned_up(cards)
        yield from self._acts.turn_up(cards)
        yield from self._done(step)
        if not step.after.order:
            # Only order cards: everybody looks, then away with them (O3).
            yield from self._acts.all_leave()
            yield from self._acts.wait(2.5)
            yield from self._acts.discard_all(cards)
            yield from self._acts.stir(draws)
        elif step.after.seat is not None:
            yield from self._acts.show_fans(self._fanned(), but=step.after.seat)
            if not self._waiting.unseen:
                yield from self._waiting.until_gone(step.after.seat, _OLD_LIGHT_S)

    def _fanned(self) -> list[list[str]]:
        """The cards that people may hold so that they can be seen; guests' are on their pages."""
        seats = self.state.setup.seats
        return [[] if seat in self._guest.seats else self._secrets.in_hand(seat) for seat in seats]

    def _guest_plays(self, seat: int) -> Generator[None, None, bool]:
        """A guest's turn; whether it was played: False for a seat that was given back before."""
        if self.state.pending_kind is Kind.INSERT:
            self._secrets.draw(seat)
            drawn, self._secrets.stirs = self._secrets.stirs, []
            yield from self._acts.stir(drawn)
        event = yield from self._guest.decide(seat)
        if event is None:
            yield from self._guest.restore()
            return False
        step = Step(self.state, event, rules.apply(self.state, event))
        if isinstance(event, Stop) and event.stop:
            yield from self._acts.take_back(self.state.waiting, self.state.revealed)
        self._secrets.settle(step)
        draws, self._secrets.stirs = self._secrets.stirs, []
        yield from self._acts.stir(draws)
        yield from self._done(step)
        return True

    def _is_guests(self) -> bool:
        """Has a guest something to decide now? Who can place nowhere takes the card back as everybody does."""
        seat = self.state.seat
        if seat is None or seat not in self._guest.seats:
            return False
        return self.state.phase is Phase.CHOICE or bool(self.state.targets(self.state.revealed[seat]))

    def _take_turn(self) -> Motion:
        seat = self.state.seat
        if self._is_guests() and seat is not None and (yield from self._guest_plays(seat)):
            return
        step, _, draws = self._decide()
        event = step.event
        assert isinstance(event, Play | Blocked)
        seat = event.seat
        if isinstance(event, Blocked):
            yield from self._waiting.until(lambda: self._calls.off(seat, step.after))
            if self._waiting.gave_up:
                return
            if not self._waiting.unseen and self._asides.is_forgotten(seat, event.card, draws):
                yield from self._done(step)
                return
            yield from self._acts.think()
            yield from self._acts.take_back((seat,), self.state.revealed)
            self._prevented.append(seat)
            yield from self._acts.stir(draws)
            yield from self._done(step)
            return
        if not self._waiting.unseen:
            yield from self._asides.start_early(self.state, self._guest.seats)
        ahead = not self._waiting.unseen and self._habits.has(CardHabit.PLAYS_AHEAD)
        if ahead:
            self._habits.done(CardHabit.PLAYS_AHEAD)
        else:
            began = self.now
            yield from self._waiting.until(lambda: self._calls.alone(seat) or bool(self._asked_again(began)))
            if again := self._asked_again(began):
                yield from self._acts.show_again(again, self.state.revealed)
                yield from self._waiting.until(lambda: self._calls.alone(seat))
                yield from self._acts.take_back(again, self.state.revealed)
            if self._waiting.gave_up:
                return
            if not self._waiting.unseen and self._habits.has(CardHabit.WRONG_PLAYER):
                shown = yield from self._mistakes.out_of_turn(self.state, event)
                if shown:
                    self._habits.done(CardHabit.WRONG_PLAYER)
        yield from self._acts.think()
        yield from self._acts.hide_fan(seat)
        # What goes wrong before anybody could see the cards that were turned up, nobody can tell.
        laid = False if ahead else (yield from self._mistakes.instead_of(self.state, event, draws))
        early = draws and self.rng.random() < 0.12 and len(draws) == 1
        if early:
            # Some draw before they lay the card.
            yield from self._acts.stir(draws)
        if not laid:
            yield from self._acts.lay(self.state, event, first=self._asides.wrong_slot(self.state, event))
        if not early:
            yield from self._acts.stir(draws)
        yield from self._done(step)

    def _asked_again(self, since: float) -> list[int]:
        """Whose card, taken back already, does the table want to see once more, `since` when nothing goes on?"""
        if self.now - since < _ASKED_AGAIN_S or self._calls.red():
            return []
        return [seat for seat in self._prevented if self.eyes.seat_lit(seat)]

    def _carry_out_order(self) -> Motion:
        seat = self.state.seat
        if self._is_guests() and seat is not None and (yield from self._guest_plays(seat)):
            return
        step, drawn, draws = self._decide()
        event = step.event
        self._answers.decide()
        late = isinstance(event, Insert | Remove) and self._habits.has(CardHabit.TAKES_LATE)
        if self.rng.random() < 0.5:
            yield from self._acts.think()
        match event:
            case Stop(stop=True):
                yield from self._stop(step)
            case Stop():
                if self.state.waiting:
                    yield from self._answers.say("decline", state=self.state, after=step.after)
            case Remove(seat=seat, card=card):
                if card is None:
                    if self.state.removable():
                        yield from self._answers.say("decline", state=self.state, after=step.after)
                else:
                    yield from self._mistakes.instead_of(self.state, event, draws)
                    self._answers.wish = (card,)
                    if late:
                        yield from self._habits.pause()
                        self._habits.done(CardHabit.TAKES_LATE)
                    yield from self._acts.discard(seat, card)
            case Insert(seat=seat):
                yield from self._acts.stir(drawn)
                if late:
                    yield from self._habits.pause()
                    self._habits.done(CardHabit.TAKES_LATE)
                yield from self._acts.think()
                yield from self._mistakes.instead_of(self.state, event, draws)
                yield from self._acts.lay(self.state, event, first=self._asides.wrong_slot(self.state, event))
            case DeclineInsert(drew=drew):
                yield from self._acts.stir(drawn)
                yield from self._answers.say(
                    *(("drew", "decline") if drew else ("decline",)), state=self.state, after=step.after
                )
            case _:
                raise TypeError(f"no order is carried out by {event!r}")
        if self._waiting.gave_up:
            return
        yield from self._acts.stir(draws)
        yield from self._done(step)

    def _stop(self, step: Step) -> Motion:
        """The others take their cards back, before or after the player has said so."""
        self._answers.wish = ("stop",)
        said = self.rng.random() < 0.6
        if said:
            yield from self._answers.say("stop", state=self.state, after=step.after)
            if self._waiting.gave_up:
                return
        yield from self._acts.take_back(self.state.waiting, self.state.revealed)
        if not said:
            yield from self._acts.all_leave()
            yield from self._answers.say("stop", state=self.state, after=step.after)

    def _end_turn(self) -> Motion:
        before = self.state.cubes
        step, _, _ = self._decide()
        yield from self._done(step)
        racing = step.after.setup.racing
        moves = [
            (contender, place)
            for contender, place, old in zip(racing, step.after.cubes, before, strict=True)
            if place != old and self.lanes is None
        ]
        moves = self._late.without_forgotten(moves)
        if self.rng.random() < 0.5:
            yield from self._acts.think()
        yield from self._acts.move_cubes(moves)

    def _end_round(self) -> Motion:
        yield from self._waiting.for_word(self._last_seat)
        step, _, stirs = self._decide()
        assert isinstance(step.event, EndRound)
        yield from self._asides.remember_cards()
        yield from self._acts.hide_fans()
        yield from self._late.move()
        row = list(self.state.setup.contenders)
        self.rng.shuffle(row)
        yield from self._acts.clear_columns(row, step.after.round if self.lanes is None else None)
        yield from self._done(step)
        yield from self._acts.stir(stirs)

    def _show_tiles(self) -> Motion:
        yield from self._waiting.for_word(self._last_seat)
        step, _, _ = self._decide()
        assert isinstance(step.event, Predictions)
        yield from self._asides.remember_cards()
        yield from self._late.move()
        yield from self._acts.show_tiles(step.event.first, step.event.second)
        yield from self._done(step)

    def _last_laid(self) -> list[str]:
        """The cards that the camera may have missed: those of this turn."""
        lying = {thing.name for thing in self.scene.things("card") if not thing.held}
        names = [each.card for each in self.state.this_turn]
        names += [self.state.revealed[seat] for seat in self.state.waiting]
        return [name for name in names if name in lying]
