"""A guest at the simulated table of OlymPeak: somebody real, whose cards a hand lays where they drag them.

What a guest does is physical: a card stays where it was put, by the rules or not. When it lies there by the rules, and
the hand has left, it has been played; drawing, turning up and clearing away are done for the guest.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.errors import CompanionError
from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import DeclineInsert, Event, Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase
from companion.messages import say
from companion.virtual.arm import Motion
from companion.virtual.olympeak import columns
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.eyes import SeatEyes
from companion.virtual.olympeak.people import Secrets
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_FAN, LAYER_ZONE, Thing
from companion.virtual.olympeak.truth import Lie, lie_of, lie_on, zone_at

# A hand whose guest asks for nothing more leaves the picture after this; what then lies there for so long is meant.
LEAVES_AFTER_S = 0.8
MEANT_S = 1.2
# A light that has gone on elsewhere for so long is no flicker.
GONE_S = 0.7
REACH_MM = (340.0, 215.0)
QUEUE_LIMIT = 6
# A card face down shows nothing: it is called by the seat it lies before.
DOWN = "down "


class GuestError(CompanionError):
    """A guest asked for what no hand can do; the sentence says what can be done instead."""


class Game(Protocol):
    """The match a guest sits down at."""

    now: float

    @property
    def state(self) -> GameState: ...
    @property
    def eyes(self) -> SeatEyes: ...
    @property
    def secrets(self) -> Secrets: ...


@dataclass(frozen=True, slots=True)
class Drag:
    """A card is to go to (x, y) in mm, by the hand of `seat`."""

    seat: int
    card: str
    to: tuple[float, float]


class Guest:
    """The guests' hands at one table. All calls come from the thread that steps the people.

    `seats`: those that guests play. A guest keeps their seat from one game to the next.
    """

    def __init__(self, scene: CardScene) -> None:
        self.seats: frozenset[int] = frozenset()
        self._scene = scene
        self._game: Game | None = None
        self._acts: Acts | None = None
        self._drags: deque[Drag] = deque()
        self._motion: Motion | None = None
        self._seat = 0

    def sit_down(self, game: Game, acts: Acts) -> None:
        """Another game is dealt, with these hands."""
        self._game, self._acts = game, acts
        self.seats = frozenset(seat for seat in self.seats if seat < acts.players)
        self._drags.clear()
        self._motion = None

    # -- what guests ask for

    def take(self, seat: int, taken: bool) -> None:
        """A guest takes a seat over, or gives it back. Raises GuestError."""
        if self._acts is None or not 0 <= seat < self._acts.players:
            raise GuestError(say("web.no_seat_here", n=seat + 1))
        self.seats = self.seats | {seat} if taken else self.seats - {seat}

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards in the hand of a guest's seat, sorted. Raises GuestError for a seat that is nobody's guest's."""
        if seat not in self.seats or self._game is None:
            raise GuestError(say("web.seat_for_cards"))
        lying = {thing.what for thing in self._scene.things("card") if thing.layer != LAYER_FAN}
        return tuple(sorted(card for card in self._game.secrets.hands[seat] if card not in lying))

    def predictions(self, seat: int) -> tuple[str, str]:
        """The contenders that a guest's seat predicts as first and second. Raises GuestError."""
        if seat not in self.seats or self._game is None:
            raise GuestError(say("web.seat_for_tiles"))
        return self._game.secrets.first[seat], self._game.secrets.second[seat]

    @property
    def may_predict(self) -> bool:
        """Has no card been revealed yet?"""
        return (
            self._game is not None and self._game.state.turn == 1 and self._game.state.phase is Phase.REVEAL
        )

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return 0 if self._acts is None else self._acts.players

    def predict(self, seat: int, first: str, second: str) -> None:
        """A guest lays other tiles, before the first card is revealed. Raises GuestError."""
        self.predictions(seat)
        assert self._game is not None
        state, secrets = self._game.state, self._game.secrets
        if not self.may_predict:
            raise GuestError(say("web.predicted_already"))
        racing = state.setup.racing
        if first == second or first not in racing or second not in racing:
            raise GuestError(say("web.predict_two"))
        secrets.predict(seat, first, second)

    def put(self, name: str, x: float, y: float, own: frozenset[int] | None = None) -> None:
        """A card is to be laid at (x, y) in mm. `own`: the seats whose hands it may come from, None for any guest's.

        Raises GuestError.
        """
        mine = self.seats if own is None else self.seats & own
        if not self.seats:
            raise GuestError(say("web.seat_to_play"))
        if abs(x) > REACH_MM[0] or abs(y) > REACH_MM[1]:
            raise GuestError(say("web.beyond_table"))
        if len(self._drags) >= QUEUE_LIMIT:
            raise GuestError(say("web.hand_busy"))
        self._drags.append(Drag(*self._found(name, mine), (x, y)))

    def _found(self, name: str, own: frozenset[int]) -> tuple[int, str]:
        """Whose hand takes the card of that name, and which card it is."""
        for seat in sorted(own):
            if name in self.hand(seat):
                return seat, name
        assert self._game is not None and self._acts is not None
        turn = self._game.state.seat
        mine = turn if turn in own else min(own or self.seats)
        for thing in self._scene.things("card"):
            if thing.held or thing.layer == LAYER_FAN:
                continue
            seat_before = zone_at(self._scene, thing.pose.x, thing.pose.y, self._acts.players)
            before = seat_before if thing.layer == LAYER_ZONE else None
            if name in (thing.what, f"{DOWN}{before}") and (thing.face_up or before in own):
                return (before if before in own else mine), thing.name
        raise GuestError(say("web.not_your_card"))

    # -- the hand

    @property
    def busy(self) -> bool:
        """Is a hand at work, or about to be?"""
        return self._motion is not None or bool(self._drags)

    def step(self) -> None:
        """The guests' hand goes on to the match's time."""
        assert self._acts is not None
        if self._motion is None and self._drags:
            drag = self._drags.popleft()
            self._seat = drag.seat
            self._motion = self._do(drag)
        if self._motion is not None and next(self._motion, self) is self:
            self._motion = None

    def _do(self, drag: Drag) -> Motion:
        assert self._acts is not None and self._game is not None
        hand = self._acts.hands[drag.seat]
        target = self._target(drag)
        # A fan that was held up before the seat was taken over.
        yield from self._acts.hide_fan(drag.seat)
        if self._scene.has(drag.card):
            if self._scene.thing(drag.card).held:
                return
            if self._scene.thing(drag.card).name in self._scene.discarded:
                if self._scene.discarded[-1] != drag.card:
                    return
                yield from hand.take_from_discard()
            else:
                yield from hand.lift_from_zone(drag.card)
        elif target == "hand":
            return
        else:
            hand.bring_card(drag.card, face_up=self._game.state.phase is not Phase.REVEAL)
        if target == "discard":
            yield from hand.to_discard(drag.card)
        elif target == "zone":
            yield from hand.to_zone(drag.seat)
        elif target != "hand":
            yield from hand.lay(drag.card, target, self._game.state.open_row[0])
        until = self._game.now + LEAVES_AFTER_S
        while self._game.now < until and not self._drags and target != "hand":
            yield
        yield from hand.leave()

    def _target(self, drag: Drag) -> str:
        """Where a card that is let go at a place is meant to go: a contender, `zone`, `discard`, or back to `hand`."""
        x, y = drag.to
        table = self._scene.table
        if math.dist(table.discard_pile_mm, (x, y)) < 60:
            return "discard"
        contender = columns.contender_at(self._scene, x)
        if contender is not None and y < table.contenders_y_mm + 30:
            return contender
        return "zone" if math.dist(table.reveal_centres_mm[drag.seat], (x, y)) < 70 else "hand"

    # -- what it comes to

    def chosen(self) -> dict[int, str] | None:
        """The card that each guest has laid before them for the reveal; None until all have, and hands are away."""
        assert self._acts is not None
        found: dict[int, str] = {}
        for thing in self._scene.things("card"):
            if thing.layer == LAYER_ZONE and not thing.held:
                seat = zone_at(self._scene, thing.pose.x, thing.pose.y, self._acts.players)
                if seat in self.seats:
                    found[seat] = thing.what
        return None if self.busy or found.keys() != self.seats else found

    def choose(self) -> Motion:
        """Wait until every guest has laid a card for the reveal."""
        while self.chosen() is None and self.seats:
            self.step()
            yield

    def decide(self, seat: int) -> Generator[None, None, Event | None]:
        """Wait for what a guest does in their turn; gives the event, None if the seat was given back before."""
        assert self._game is not None and self._acts is not None
        lying_since = gone_since = self._game.now
        seen: Lie | None = None
        while seat in self.seats:
            self.step()
            now, lies = self._game.now, lie_on(self._scene, self._acts.players)
            if self.busy or not self._acts.hands_away or lies != seen:
                seen, lying_since = lies, now
            if self._has_light(seat):
                gone_since = now
            if now - lying_since >= MEANT_S:
                event = self._event(seat, lies, moved_on=now - gone_since >= GONE_S)
                if event is not None:
                    return event
            yield
        return None

    def _has_light(self, seat: int) -> bool:
        assert self._game is not None and self._acts is not None
        eyes = self._game.eyes
        return all(eyes.seat_lit(each) == (each == seat) for each in range(self._acts.players))

    def _event(self, seat: int, lies: Lie, *, moved_on: bool) -> Event | None:
        """What a guest has done that is complete and by the rules; None as long as nothing is.

        `moved_on`: the light is no longer theirs, so the table has taken what lies there for the whole.
        """
        assert self._game is not None and self._acts is not None
        state = self._game.state
        options = rules.legal(state)
        was = lie_of(state)
        fresh = {(card, to) for card, to, _ in lies.columns - was.columns if card not in _cards(was)}
        for event in options:
            if isinstance(event, Play | Insert) and (event.card, event.to) in fresh and len(fresh) == 1:
                return event
            gone = _cards(was) - _cards(lies)
            if isinstance(event, Remove) and event.card is not None and gone == {event.card} and not fresh:
                return event
        if state.phase is not Phase.CHOICE or fresh or _cards(was) != _cards(lies):
            return None
        if state.pending_kind is Kind.STOP:
            return self._stop(seat, state, moved_on=moved_on)
        if state.pending_kind is Kind.REMOVE:
            return Remove(seat, None) if moved_on or not state.removable() else None
        return DeclineInsert(seat, True) if moved_on else None

    def _stop(self, seat: int, state: GameState, *, moved_on: bool) -> Event | None:
        """The others are called off, or the next of them is called on."""
        assert self._game is not None
        if not state.waiting:
            return Stop(seat, False)
        if any(self._game.eyes.seat_amber(other) for other in state.waiting):
            return Stop(seat, True)
        if not moved_on:
            return None
        return Stop(seat, not self._has_light(state.waiting[0]))

    def restore(self) -> Motion:
        """What a guest has left elsewhere than the game has it goes back there."""
        assert self._game is not None and self._acts is not None
        self._drags.clear()
        while self._motion is not None:
            self.step()
            yield
        state, hand = self._game.state, self._acts.hands[self._seat]
        was = lie_of(state)
        for thing in _strangers(self._scene, was):
            seat = next((each for each in state.waiting if state.revealed[each] == thing.what), None)
            if seat is None:
                yield from hand.take_back(thing.name)
            else:
                yield from hand.lift_from_zone(thing.name)
                yield from hand.to_zone(seat)
        lies = lie_on(self._scene, self._acts.players)
        for card, to, row in sorted(was.columns - lies.columns):
            if self._scene.discarded and self._scene.discarded[-1] == card:
                yield from hand.take_from_discard()
                yield from hand.lay(card, to, row)
        yield from hand.leave()


def _cards(lie: Lie) -> frozenset[str]:
    return frozenset(card for card, _, _ in lie.columns)


def _strangers(scene: CardScene, was: Lie) -> Sequence[Thing]:
    """Cards that lie in a column or a zone where the game does not have them."""
    known = _cards(was)
    found = [thing for thing in scene.column_cards() if thing.what not in known]
    zones = {card for card in was.zones.values() if card is not None}
    found += [
        thing
        for thing in scene.things("card")
        if thing.layer == LAYER_ZONE and not thing.held and thing.what not in zones
    ]
    return found
