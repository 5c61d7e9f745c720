"""Habits at the OlymPeak table: what people do beside playing, by name. None of it is an event of the game."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from companion.virtual.arm import Motion
from companion.virtual.faults import Fault
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.hand import CardHand
from companion.virtual.olympeak.things import LAYER_ZONE, Thing
from companion.virtual.olympeak.truth import zone_at

# A sleeve brushes a card so hard, and pulls the cloth with the row and all columns so far, in mm.
_NUDGE_MM = (0.5, 2.5)
_PULL_MM = 3.0
# So long a card is held before it is put back, and so long its holder may be away with it.
_HOLD_S = (0.3, 1.2)
_AWAY_S = (0.4, 1.6)
_REST_S = (1.5, 4.0)
# Beside the columns, where an arm is put down: on the line to the player, mm from the middle.
_REST_MM = 215.0


class CardHabit(Enum):
    """One thing that people do."""

    NUDGES = "nudges"  # brushes against a card in the columns
    STRAIGHTENS = "straightens"  # takes a card up and lays it down straight
    PUTS_BACK = "puts_back"  # takes a card up to look at it, perhaps away from the table, and puts it back
    SHUFFLES_CARDS = "shuffles_cards"  # pushes the card about that lies before a player
    WRONG_SLOT = "wrong_slot"  # lays a card somewhere else first, and moves it
    TAKES_LATE = "takes_late"  # carries a Remove or an Insert out only after a good while, or when asked
    FORGETS_CARD = "forgets_card"  # who was prevented leaves the card lying until reminded
    STARTS_EARLY = "starts_early"  # chooses the next turn's card while others still play
    PLAYS_AHEAD = "plays_ahead"  # lays the card without looking at the lights
    COVERS_CAMERA = "covers_camera"  # two turns are played while something lies over the camera
    ENDS_UNSEEN = "ends_unseen"  # the same, until the round is over and the columns are cleared away
    PULLS_CLOTH = "pulls_cloth"  # the row and all columns are pulled a little aside
    WRONG_PLAYER = "wrong_player"  # somebody plays whose turn it is not, and must put that right
    TOUCHES_TILES = "touches_tiles"  # shows the own prediction to oneself, over the table
    RESTS_HAND = "rests_hand"  # an arm stays on the table for a while


# How often each is done, per turn or where it offers itself, at a table where all of it is done.
SLOPPY: Mapping[CardHabit, float] = {
    CardHabit.NUDGES: 0.15,
    CardHabit.STRAIGHTENS: 0.08,
    CardHabit.PUTS_BACK: 0.12,
    CardHabit.SHUFFLES_CARDS: 0.08,
    CardHabit.WRONG_SLOT: 0.06,
    CardHabit.TAKES_LATE: 0.40,
    CardHabit.FORGETS_CARD: 0.40,
    CardHabit.STARTS_EARLY: 0.20,
    CardHabit.PLAYS_AHEAD: 0.15,
    CardHabit.COVERS_CAMERA: 0.03,
    CardHabit.ENDS_UNSEEN: 0.02,
    CardHabit.PULLS_CLOTH: 0.03,
    CardHabit.WRONG_PLAYER: 0.03,
    CardHabit.TOUCHES_TILES: 0.04,
    CardHabit.RESTS_HAND: 0.08,
}


class CardHabits:
    """Does what is asked of it by chance, and counts it. `rates`: how often, by habit."""

    def __init__(
        self, acts: Acts, rng: random.Random, rates: Mapping[CardHabit, float], count: Callable[[str], None]
    ) -> None:
        self._acts = acts
        self._scene = acts.scene
        # A generator of its own: a table without habits plays the same games as before.
        self.rng = random.Random(rng.getrandbits(64)) if rates else rng
        self._rates = dict(rates)
        self._count = count
        self._pulled = (0.0, 0.0)

    def has(self, habit: CardHabit) -> bool:
        """Is it done this time?"""
        rate = self._rates.get(habit, 0.0)
        return rate > 0 and self.rng.random() < rate

    def done(self, habit: CardHabit) -> None:
        """It has been done."""
        self._count(habit.value)

    def between(self) -> Motion:
        """What somebody may do while nobody plays."""
        for habit, act in (
            (CardHabit.NUDGES, self.nudge),
            (CardHabit.STRAIGHTENS, self.straighten),
            (CardHabit.PUTS_BACK, self.put_back),
            (CardHabit.SHUFFLES_CARDS, self.shuffle_cards),
            (CardHabit.PULLS_CLOTH, self.pull_cloth),
            (CardHabit.RESTS_HAND, self.rest),
        ):
            if self.has(habit):
                hand = self.rng.choice(self._acts.hands)
                yield from self._acts.hide_fan(hand.seat)
                yield from act(hand)
                yield from hand.leave()
                self.done(habit)

    # ---- each of them

    def nudge(self, hand: CardHand) -> Motion:
        """A sleeve brushes against a card of a column."""
        card = self._some(self._scene.column_cards())
        if card is not None:
            yield from hand.over(card.pose.x, card.pose.y, 30.0)
            columns.nudge(self._scene, card.name, self.rng.uniform(*_NUDGE_MM))

    def straighten(self, hand: CardHand) -> Motion:
        """A card is taken up and laid down straight."""
        card = self._some(self._lying())
        if card is not None:
            yield from hand.straighten(card.name)

    def put_back(self, hand: CardHand) -> Motion:
        """A card is taken up, held, perhaps out of the picture, and put back where it lay."""
        card = self._some(self._lying())
        if card is None:
            return
        away = self.rng.uniform(*_AWAY_S) if self.rng.random() < 0.4 else 0.0
        yield from hand.look_at(card.name, self.rng.uniform(*_HOLD_S), away)

    def shuffle_cards(self, hand: CardHand) -> Motion:
        """A player pushes the card about that lies before the seat."""
        card = self._some(self._before(hand.seat))
        if card is not None:
            yield from hand.grasp(card.name)
            yield from hand.to_zone(hand.seat)

    def pull_cloth(self, hand: CardHand) -> Motion:
        """The row and the columns are pulled aside, all alike, with everything that lies in them."""
        towards, far = self.rng.uniform(0, math.tau), self.rng.uniform(0, _PULL_MM)
        goal = (far * math.cos(towards), far * math.sin(towards))
        yield from hand.over(0.0, columns.row_y(self._scene, 1), 20.0)
        columns.pull(self._scene, goal[0] - self._pulled[0], goal[1] - self._pulled[1])
        self._pulled = goal

    def rest(self, hand: CardHand) -> Motion:
        """An arm is put down and stays there."""
        x, y = hand.body
        away = math.hypot(x, y) or 1.0
        yield from hand.to((x / away * _REST_MM, y / away * _REST_MM, 20.0))
        yield from hand.wait(self.rng.uniform(*_REST_S))

    def touch_tiles(self, seat: int, first: str, second: str) -> Motion:
        """A player brings the player card with its tiles, looks at one of them, and takes all away again."""
        hand = self._acts.hands[seat]
        yield from self._acts.hide_fan(seat)
        tiles = {
            "first": (first, layout.tile_marker(first, seat)),
            "second": (second, layout.tile_marker(second, seat)),
        }
        yield from hand.bring_tiles(tiles)
        yield from hand.leave()
        yield from hand.wait(self.rng.uniform(*_HOLD_S))
        side = self.rng.choice(("first", "second"))
        yield from hand.turn_up(f"tile {seat} {side}")
        if self.rng.random() < 0.3:
            # Careless: it lies open for a moment, for everybody and the camera to see.
            yield from hand.leave()
            yield from hand.wait(self.rng.uniform(*_HOLD_S))
        yield from hand.take_tiles()
        yield from hand.leave()

    # ---- flow

    def cover(self, covered: bool) -> None:
        """Something is laid over the camera, or taken off again."""
        self._scene.set_fault(Fault.FRAME_BLACK, covered)

    def pause(self) -> Motion:
        """Hands away, and nobody goes on for a good while."""
        yield from self._acts.all_leave()
        yield from self._acts.wait(self.rng.uniform(1.0, 5.0))

    def _lying(self) -> list[Thing]:
        """The cards in the columns, and those before the seats that are face up."""
        zones = [card for seat in range(self._acts.players) for card in self._before(seat) if card.face_up]
        return [*self._scene.column_cards(), *zones]

    def _before(self, seat: int) -> list[Thing]:
        cards = (card for card in self._scene.things("card") if card.layer == LAYER_ZONE and not card.held)
        return [
            card
            for card in cards
            if zone_at(self._scene, card.pose.x, card.pose.y, self._acts.players) == seat
        ]

    def _some(self, cards: Sequence[Thing]) -> Thing | None:
        return self.rng.choice(sorted(cards, key=lambda card: card.name)) if cards else None
