"""Whole random games: simulated players with hidden hands who decide by the rules, for records and tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import HAND_SIZE, MAX_PLAYERS, MIN_PLAYERS, Card, Kind, contenders_in_play
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Predictions,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Player, Setup, SetupError, begin

NAMES: tuple[str, ...] = ("Ada", "Ben", "Chloe", "Dan", "Eve", "Finn")


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a game and the states on both sides of it."""

    before: GameState
    event: Event
    after: GameState


def random_setup(players: int, rng: Random, box: Box, ranking: str = "dense") -> Setup:
    """A shuffled table: who is how old, how the contenders lie, and so how many rounds are played.

    Raises SetupError when so many cannot play.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise SetupError((f"{players} players where {MIN_PLAYERS} to {MAX_PLAYERS} can play",))
    ages = rng.sample(range(players), players)
    row = tuple(rng.sample(contenders_in_play(players), len(contenders_in_play(players))))
    seats = tuple(Player(name, age) for name, age in zip(NAMES, ages, strict=False))
    return Setup(seats, row, box.rounds(row), box.deck, ranking)


class Players:
    """The people round the table with what only they know: their hands, their tiles, the order of the piles.

    They play legally and at random, with a temper that is drawn for each game, so that over many games the
    rare things happen too: cubes at either end, turns of order cards only, chains of Inserts.
    """

    def __init__(self, setup: Setup, rng: Random) -> None:
        self._setup = setup
        self._rng = rng
        self.draw_pile = [card.id for card in setup.deck.in_play(len(setup.players))]
        rng.shuffle(self.draw_pile)
        self.discard_pile: list[str] = []
        self.hands: list[list[str]] = [[self.draw_pile.pop() for _ in range(HAND_SIZE)] for _ in setup.seats]
        self._temper = rng.choice(("random", "random", "climb", "sink"))
        self._order_mood = rng.choice((0.05, 0.1, 0.3))
        self._refusal = rng.choice((0.1, 0.3, 0.6))
        self.first, self.second = self._predict()

    def decide(self, state: GameState) -> Event:
        """The next event. The player of an Insert draws for it here, so call once per state."""
        seat = state.seat
        if seat is None:
            return self._together(state)
        options = rules.legal(state) if state.pending is None else ()
        if options:
            return self._rng.choice(options)
        decline = self._rng.random() < self._refusal
        match state.pending_kind:
            case Kind.STOP:
                return Stop(seat, not decline)
            case Kind.REMOVE:
                removable = state.removable()
                return Remove(seat, None if decline or not removable else self._rng.choice(removable))
            case _:
                return self._insert(state, seat, decline)

    def settle(self, step: Step) -> None:
        """Bring hands and piles up to date with an event: cards change places, then everybody draws."""
        event = step.event
        match event:
            case Reveal(cards=cards):
                for seat, card in enumerate(cards):
                    self.hands[seat].remove(card)
                if not step.after.order:
                    self.discard_pile.extend(cards)
            case Insert(seat=seat, card=card):
                self.hands[seat].remove(card)
            case Blocked(seat=seat, card=card):
                self.hands[seat].append(card)
            case Stop(stop=True):
                for seat in step.before.waiting:
                    self.hands[seat].append(step.before.revealed[seat])
            case Remove(card=card) if card is not None:
                self.discard_pile.append(card)
            case EndRound():
                self.discard_pile.extend(each.card for each in step.before.placed)
                self._exchange()
            case _:
                pass
        first = step.before.seat or 0
        for n in self._setup.seats:
            seat = (first + n) % len(self.hands)
            while len(self.hands[seat]) < step.after.hands[seat]:
                self._draw(seat)

    def _together(self, state: GameState) -> Event:
        match state.phase:
            case Phase.REVEAL:
                orders = self._rng.random() < self._order_mood
                return Reveal(tuple(self._choose(hand, orders) for hand in self.hands))
            case Phase.TURN_END:
                return EndTurn()
            case Phase.ROUND_END:
                return EndRound()
            case _:
                return Predictions(self.first, self.second)

    def _choose(self, hand: list[str], orders: bool) -> str:
        cards = [self._setup.deck[card] for card in hand]
        preferred = [card for card in cards if card.is_order] if orders else []
        few = self._rng.sample(preferred or cards, min(3, len(preferred or cards)))
        if self._temper == "random":
            return few[0].id

        def pull(card: Card) -> int:
            return card.value if self._temper == "climb" else -card.value

        return max(few, key=pull).id

    def _insert(self, state: GameState, seat: int, decline: bool) -> Event:
        if decline and self._rng.random() < 0.5:
            return DeclineInsert(seat, False)
        drew = self._draw(seat)
        fitting = [card for card in self.hands[seat] if state.targets(card)]
        if decline or not fitting:
            return DeclineInsert(seat, drew)
        orders = [card for card in fitting if self._setup.deck[card].is_order]
        card = self._rng.choice(orders if orders and self._rng.random() < 0.5 else fitting)
        return Insert(seat, card, self._rng.choice(state.targets(card)), state.open_row[0])

    def _predict(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        racing = self._setup.racing
        count = len(self._setup.players)
        if count <= len(racing) == 3:
            second = tuple(self._rng.sample(racing, count))
        else:
            second = tuple(self._rng.choice(racing) for _ in range(count))
        first = tuple(self._rng.choice([tile for tile in racing if tile != other]) for other in second)
        return first, second

    def _exchange(self) -> None:
        for seat, hand in enumerate(self.hands):
            self._rng.shuffle(hand)
            away = self._rng.randrange(len(hand) + 1)
            self.discard_pile.extend(hand[:away])
            del hand[:away]
            for _ in range(away):
                self._draw(seat)

    def _draw(self, seat: int) -> bool:
        if not self.draw_pile:
            self.draw_pile, self.discard_pile = self.discard_pile, []
            self._rng.shuffle(self.draw_pile)
        if not self.draw_pile:
            return False
        self.hands[seat].append(self.draw_pile.pop())
        return True


def play(setup: Setup, rng: Random) -> Iterator[Step]:
    """A whole game from the first reveal to the score, event by event."""
    players, state = Players(setup, rng), begin(setup)
    while state.phase is not Phase.OVER:
        event = players.decide(state)
        step = Step(state, event, rules.apply(state, event))
        players.settle(step)
        yield step
        state = step.after
