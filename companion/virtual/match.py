"""A match: players at the simulated table play a whole game of Above, led by the lights alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Protocol

from companion.games.above.position import Position
from companion.games.above.rules import initial_position
from companion.virtual.answers import Played, answer_to, is_objection
from companion.virtual.deeds import Deed, Do, can_follow, deeds_of, shortened, shuffled
from companion.virtual.eyes import Eyes
from companion.virtual.felt import is_felt_legal
from companion.virtual.guest import Guest, position_of, restoring
from companion.virtual.habits import Habit, Habits
from companion.virtual.illegal import is_complete, is_illegal, is_out_of_sight, is_reopened, may_be_next
from companion.virtual.layout import lay_out
from companion.virtual.mischief import Plan, after_deeds, mischief, wrong_player
from companion.virtual.motion import BRISK, Hand, Motion, Pace
from companion.virtual.players import Actor, Turn, choose_turn
from companion.virtual.scene import Scene
from companion.virtual.tally import REOPENED_S, AlarmWatch, IllegalAct, Tally
from companion.virtual.truth import Lie, lie_of, lie_on, names_of, places_of, same

# Before so many turns nobody wants the game to be over.
_LONG_ENOUGH = 22
# So long people look at a light that was on already before they believe it.
_STALE_LIGHT_S = 0.7
# After so long without their light they straighten what is lit.
_HELP_S = 4.0
# Who has done so in vain does not do it at once again: if they are asked something, they have time to answer.
_HELP_AGAIN_S = 7.0
# So many of the last turns people know when they are asked.
_REMEMBERED = 3
# So many they can tell of with the list on the page before them.
_LOOKED_UP = 8
# What a guest has left wrong they may put right themselves for so long.
_GUEST_PUTS_RIGHT_S = 15.0


class ChoiceLike(Protocol):
    """A possible answer to a question: `key` goes back, `text` is shown."""

    @property
    def key(self) -> str: ...

    @property
    def text(self) -> str: ...


class Match:
    """One game. Call `step(now)` at every tick; read `position`, `tally`, `finished`.

    `illegal`: probability that a turn begins with an illegal move, shown until the red light. `patience_s`:
    how long the players wait for a light before they give up. `habits`: what else people do, how often per turn.
    `guest`: plays the seats that were taken over. `sighted`: can anything but switches tell what they do?
    `on_turn_done(position, when)` is called when the hands have left after a turn, with the position that truly
    lies on the table; `when` is None for a turn that went over into the next one, or that nobody could see.
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
        habits: Mapping[Habit, float] | None = None,
        guest: Guest | None = None,
        sighted: bool = True,
        on_turn_done: Callable[[Position, float | None], None] | None = None,
    ) -> None:
        self.scene = scene
        self.eyes = eyes
        # Decisions have a generator of their own, so that they do not depend on how often time is stepped.
        self.rng = random.Random((rng or scene.rng).getrandbits(64))
        self.illegal = illegal
        self.pace = pace
        self.patience_s = patience_s
        self.sighted = sighted
        self.position = position or initial_position(players, self.rng)
        self.on_turn_done = on_turn_done
        self.tally = Tally()
        self._alarms = AlarmWatch(self.tally)
        self._habits = Habits(scene, self.rng, habits or {}, self.tally.habit)
        # A token that the last turn should have taken off, while the next one has begun.
        self._leftover: Deed | None = None
        # All is done, and the next player's light is waited for. What was played since one was last seen.
        self._awaiting = False
        self._untold: list[Played] = []
        self._recent: list[Played] = []
        self._played: list[Played] = []
        # What has been told of a turn that is told act by act.
        self._told: list[str] = []
        self.now = self._heard_at = 0.0
        self.finished = False
        self.last_turn: Turn = ()
        self.last_hand_left_at: float | None = None
        self.showing_illegal: str = ""
        self._actors = [Actor(Hand(scene, self, seat, players, pace)) for seat in range(players)]
        self._guest = guest or Guest(scene)
        self._guest.sit_down(self._actors)
        lay_out(scene, str(self.position))
        self._script = self._play()

    @property
    def hands_away(self) -> bool:
        """No hand is in the picture."""
        return not any(actor.hand.in_picture for actor in self._actors)

    def held_still_at(self, due: float) -> float | None:
        """Nothing of this game is held up into the picture."""
        return None

    def step(self, now: float) -> None:
        """Let the players act up to the time `now` in seconds."""
        self.now = now
        with self.scene.lock:
            if not self.finished:
                next(self._script, None)
        self._alarms.step(now, self.hands_away and not self.showing_illegal, self._red)
        left = [actor.hand.left_at for actor in self._actors if actor.hand.left_at is not None]
        self.last_hand_left_at = max(left, default=None)

    def answer(
        self, choices: Sequence[ChoiceLike], asked: int | None = None, told: int | None = None
    ) -> str | None:
        """The players' answer to a question about a turn just played: a key; None if no choice is true.

        `asked`: the seat whose turn it is about, as far as they are told; `told`: how many turns the table has taken in,
        where they look it up on the page.

        What a guest is asked they answer themselves.
        """
        if self.position.turn in self._guest.seats:
            return None
        untold: Sequence[Played] = self._untold if self._awaiting else ()
        last: Sequence[Played] | None = None
        if told is not None and (self._awaiting or self.showing_illegal):
            # Of older turns than these nobody is certain any more.
            asked, untold = None, self._played[told:][-_LOOKED_UP:]
            last = self._played[max(0, told - 1) : told]
        keys = [choice.key for choice in choices]
        if not any(key.startswith("did:") for key in keys) or any("did:activate" in key for key in keys):
            self._told.clear()
        # Nothing is right as it lies while somebody is showing what is against the rules.
        right = same(lie_on(self.scene, self.position.players), lie_of(self.position))
        lies = str(self.position) if right and not self.showing_illegal else None
        key = answer_to(keys, untold, self.position.turn, self._recent, asked, last, self._told, lies)
        if key is not None and key.startswith("did:"):
            self._told.append(key)
        if key is not None or self._awaiting:
            self.tally.asked += 1
        if key is not None and not is_objection(key):
            # Who is asked and knows the answer has not been left alone; who has to object has been.
            self._heard_at = self.now
        return key

    # ---- the course of the game

    def _play(self) -> Motion:
        yield from self._await_seat(self.position.turn)
        while not self.finished and not self.position.is_over:
            actor = self._actors[self.position.turn]
            if self.position.turn in self._guest.seats:
                yield from self._guest_plays(self.position.turn)
                continue
            if self._leftover is None:
                yield from self._guest_is_done(actor)
                yield from actor.hand.wait(self.rng.uniform(*self.pace.think_s))
                yield from self._habits.between(actor, self._actors)
                if self._habits.has(Habit.WRONG_PLAYER):
                    yield from self._wrong_player()
                if self.sighted and self._habits.has(Habit.COVERS_CAMERA):
                    yield from self._play_unseen()
                    continue
            yield from self._play_turn(actor)
            if self._leftover is None and not self.position.is_over:
                yield from self._await_seat(self.position.turn)
        # The winners look at the lights for a while.
        yield from self._actors[0].hand.wait(3.0)
        if not self.sighted and self.position.is_over and not self.finished:
            # What they are asked about their last turn they answer before they leave.
            yield from self._await_seat(self.position.turn)
        self.finished = True

    def _guest_plays(self, seat: int) -> Motion:
        """The turn of a guest: it is over when the lights say that it is another's, or that the game is won."""
        others = [other for other in range(self.position.players) if other != seat]
        lies = lie_of(self.position)
        lit, lit_since = seat, self.now
        while seat in self._guest.seats:
            self._guest.step(seat, self.now)
            now_lit = next((other for other in others if self.eyes.seat_lit(other)), seat)
            if now_lit != lit:
                lit, lit_since = now_lit, self.now
            elif lit == seat and not self._guest.busy:
                # The table as it lay before the light changed: they may have begun the next turn by now.
                lies = lie_on(self.scene, self.position.players)
            won = self.hands_away and "top" in lies.minis.values() and is_complete(self.position, lies)
            if won or (lit != seat and self.now - lit_since > _STALE_LIGHT_S):
                after = position_of(lies, self.position.players, seat if won else lit)
                if after is not None:
                    self.last_turn = ()
                    self._reach(after)
                    return
            yield

    def _guest_is_done(self, actor: Actor) -> Motion:
        """Wait while a guest's hand is at work; what it has left wrong is put back in the end."""
        wanted = lie_of(self.position)
        while self._guest.seats or self._guest.busy or self._guest.touched:
            self._guest.step(self.position.turn, self.now)
            lies = lie_on(self.scene, self.position.players)
            if not self._guest.busy and same(lies, wanted):
                self._guest.touched = False
                return
            if not self._guest.seats or self._guest.idle_s(self.now) > _GUEST_PUTS_RIGHT_S:
                for deed in () if self._guest.busy else restoring(lies, wanted, self.position.players):
                    yield from actor.do(deed)
                yield from self._all_leave()
            yield

    def _play_turn(self, actor: Actor) -> Motion:
        """One turn, as people play it."""
        deeds, after = self._choose()
        if self._leftover is not None:
            deeds = yield from self._with_leftover(actor, deeds, self._leftover)
        elif self.rng.random() < self.illegal:
            yield from self._go_wrong(actor, deeds, mischief(self.position, self.rng))
        self._leftover = None if after.is_over else self._left_for_later(deeds, after)
        yield from self._act(actor, [deed for deed in deeds if deed is not self._leftover])
        self._reach(after, seen=self._leftover is None)

    def _choose(self) -> tuple[list[Deed], Position]:
        """What is played next, in the order in which hands do it."""
        turn, after = choose_turn(
            self.position, self.rng, drive=self._drive(), may_win=self.tally.turns >= _LONG_ENOUGH
        )
        deeds, _ = deeds_of(self.position, turn)
        deeds = shortened(deeds, self.rng)
        # Who begins before the last turn is quite over does so with a card.
        if self.rng.random() < 0.6 and self._leftover is None:
            deeds = shuffled(lie_of(self.position), deeds, self.rng)
        self.last_turn = turn
        return deeds, after

    def _reach(self, after: Position, *, seen: bool = True) -> None:
        """The turn has been played, and what lies there counts."""
        played = Played(self.position, self.last_turn, after)
        self._untold.append(played)
        self._played.append(played)
        self._recent = [*self._recent[1 - _REMEMBERED :], played]
        self.position = after
        self.tally.turns += 1
        if self.on_turn_done is not None:
            self.on_turn_done(after, self.now if seen else None)

    def _play_unseen(self) -> Motion:
        """Two turns are played while something lies over the camera."""
        self._habits.cover(True)
        for _ in range(2):
            if self.position.is_over:
                break
            actor = self._actors[self.position.turn]
            yield from actor.hand.wait(self.rng.uniform(*self.pace.think_s) + 0.5)
            deeds, after = self._choose()
            for deed in deeds:
                yield from actor.do(deed)
            yield from self._all_leave()
            self._reach(after, seen=False)
        yield from self._actors[0].hand.wait(0.5)
        self._habits.cover(False)
        self._habits.done(Habit.COVERS_CAMERA)
        if not self.position.is_over:
            yield from self._await_seat(self.position.turn)

    def _left_for_later(self, deeds: Sequence[Deed], after: Position) -> Deed | None:
        """A token in plain view that is left lying although the next player begins; not one that was chosen."""
        last = {deed.space for deed in deeds if deed.do is Do.WALK}
        # What moved onto its space in the rest of the turn would have had it taken off first.
        chosen = {action.space for action in self.last_turn if action.kind == "remove"}
        takes = [deed for deed in deeds if deed.do is Do.TAKE and deed.space not in last | chosen]
        if not takes or not self._habits.has(Habit.STARTS_EARLY):
            return None
        late = self.rng.choice(takes)
        rest = [deed for deed in deeds if deed is not late]
        table = lie_of(self.position)
        if not can_follow(table, [*rest, late]) or is_complete(self.position, after_deeds(table, rest)):
            return None
        self._habits.done(Habit.STARTS_EARLY)
        return late

    def _with_leftover(
        self, actor: Actor, deeds: Sequence[Deed], late: Deed
    ) -> Generator[None, None, list[Deed]]:
        """The deeds of the next turn with the token taken off somewhere among them, as soon as it is in the way."""
        if any(deed.do is Do.LAY and deed.space == late.space for deed in deeds):
            # Nobody could tell a token that is laid there from the one that was left there.
            yield from actor.do(late)
            yield from self._all_leave()
            yield from actor.hand.wait(_STALE_LIGHT_S)
            return list(deeds)
        table = lie_of(self.position).with_token(late.what, late.space)
        order = [*range(1, len(deeds) + 1), 0]
        self.rng.shuffle(order)
        for place in order:
            trial = [*deeds[:place], late, *deeds[place:]]
            if place and can_follow(table, trial):
                return trial
        return [late, *deeds]

    def _tokens_changed(self) -> set[str]:
        """The spaces on which a token was laid in the last turn, or from which one was taken."""
        if not self._recent:
            return set()
        last = self._recent[-1]
        return {space for _, space in lie_of(last.after).tokens ^ lie_of(last.before).tokens}

    def _drive(self) -> float:
        """Keener on the summit as the game goes on, so that it ends."""
        return min(1.6, 0.25 + 0.025 * self.tally.turns)

    def _act(self, actor: Actor, deeds: Sequence[Deed]) -> Motion:
        """Do the deeds, with pauses, looks round, and sometimes one forgotten until reminded."""
        late = self._forgotten(deeds)
        if late is None and self._habits.has(Habit.TAKES_LATE):
            deeds = self._tokens_last(deeds)
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

    def _tokens_last(self, deeds: Sequence[Deed]) -> list[Deed]:
        """The deeds with tokens taken off at the very end, where hands can do it so."""
        takes = [deed for deed in deeds if deed.do is Do.TAKE]
        order = [*(deed for deed in deeds if deed.do is not Do.TAKE), *takes]
        if not takes or order == list(deeds) or not can_follow(lie_of(self.position), order):
            return list(deeds)
        self._habits.done(Habit.TAKES_LATE)
        return order

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
        by_habit = bool(open_to_view) and self._habits.has(Habit.FORGETS_TOKEN)
        if not open_to_view or (self.rng.random() >= 0.06 and not by_habit):
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

    def _wrong_player(self) -> Motion:
        """Somebody else begins, is shown that it is not their turn, and puts everything back."""
        plan = wrong_player(self.position, self.rng)
        if plan is not None:
            yield from self._go_wrong(self._actors[plan[1][0].seat], [], plan)
            yield from self._all_leave()
            self._habits.done(Habit.WRONG_PLAYER)

    def _go_wrong(self, actor: Actor, legal_deeds: list[Deed], plan: Plan | None) -> Motion:
        """Make an illegal move, wait for the red light, put everything back."""
        if plan is None:
            return
        kind, deeds = plan
        home = {deity: space for deity, space in lie_of(self.position).minis.items() if space is not None}
        set_about_at = self.now
        shown: list[Lie] = []
        for deed in deeds:
            begun_at = self.now
            lay = lie_on(self.scene, self.position.players)
            yield from actor.do(deed)
            if self.tally.looked_on(begun_at, self.now) > 0:
                shown.append(lay)
        # Hands are inexact: what lies there now is what counts.
        lies = lie_on(self.scene, self.position.players)
        last = self._recent[-1] if self._recent else None
        truly = is_illegal(self.position, lies, last)
        if truly:
            # It lies there as soon as the hand lets go of it, and may be seen before the hand has left.
            start = lie_of(self.position)
            act = IllegalAct(set_about_at, self.now, places_of(start, lies), names_of(start, lies))
            self.tally.illegal_acts.append(act)
            self.showing_illegal = kind
            yield from self._all_leave()
            act.done_at = self._heard_at = self.now
            # While they are asked what was played before it, nothing can be said of it yet.
            while self.now - self._heard_at < self.patience_s:
                if self._red():
                    act.caught = True
                    break
                yield
            else:
                if self.sighted:
                    unseen = self.tally.out_of_sight()
                    act.unfelt = may_be_next(self.position, lies, shown) or is_out_of_sight(
                        self.position, lies, unseen, last
                    )
                else:
                    # Nobody could know, or a switch may be broken for all that anybody knows.
                    act.unfelt = self._is_felt_legal(deeds, lies)
                    act.doubtful = not act.unfelt and self._is_felt_legal(deeds, lies, broken=1)
        elif self.sighted and is_reopened(self.position, lies, last):
            yield from self._show_reopened(set_about_at, lies)
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

    def _show_reopened(self, began_at: float, lies: Lie) -> Motion:
        """Leave turned cards lying until whoever reads along has been asked to turn them back."""
        yield from self._all_leave()
        start = lie_of(self.position)
        act = IllegalAct(began_at, self.now, places_of(start, lies), names_of(start, lies))
        self.tally.reopened.append(act)
        while not act.caught and self.now - act.done_at < REOPENED_S:
            yield

    def _is_felt_legal(self, deeds: Sequence[Deed], lies: Lie, *, broken: int = 0) -> bool:
        """May it be legal for all that switches have felt of it, if so many more of them are broken?"""
        start = lie_of(self.position)
        on_the_way = [after_deeds(start, list(deeds[:count])) for count in range(1, len(deeds))]
        earlier = [played.before for played in self._recent]
        return is_felt_legal(self.position, lies, self.scene.broken_reeds, on_the_way, earlier, broken)

    def _red(self) -> bool:
        return bool(self.eyes.red_spaces()) or any(
            self.eyes.seat_red(seat) for seat in range(self.position.players)
        )

    # ---- waiting for the lights

    def _await_seat(self, seat: int) -> Motion:
        """Wait for the seat's light; help the camera if nothing happens; perhaps give up after `patience_s`.

        A light that is on already may be an old one: it must stay for a moment.
        """
        began = helped = self.now
        patience = _HELP_S
        self._awaiting = True
        until = self.now + _STALE_LIGHT_S if self.eyes.seat_lit(seat) else self.now
        while not self.eyes.seat_lit(seat) or self.now < until:
            self._guest.step(seat, self.now)
            if not self.eyes.seat_lit(seat):
                until = self.now
            waited = self.now - max(began, self._heard_at)
            if waited > self.patience_s and self.pace.gives_up:
                self.tally.stuck += 1
                self.finished = True
                return
            if self._guest.seats:
                # What is wrong is theirs to see to.
                helped = self.now
                if not self._guest.busy and seat not in self._guest.seats:
                    yield from self._guest_is_done(self._actors[self.position.turn])
            if self.now - helped > patience:
                helped, patience = self.now, _HELP_AGAIN_S
                spaces = sorted(self.eyes.amber_spaces() | self.eyes.red_spaces())
                if spaces:
                    self.tally.reseated += 1
                    actor = self._actors[self.position.turn]
                    # Asked whether they have laid a token, or taken one off, they show that they did.
                    if done := sorted(self._tokens_changed() & self.eyes.amber_spaces()):
                        yield from actor.bring_to_light(self.scene.rng.choice(done))
                    else:
                        yield from actor.reseat(self.scene.rng.choice(spaces))
                    yield from self._all_leave()
            yield
        self._awaiting = False
        self._untold.clear()
