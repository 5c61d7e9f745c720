"""The people at the OlymPeak table with what only they know: hands, tiles, what the piles hold.

Nothing of this is shown to anybody but the hands that act it out: a match keeps it to itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from companion.games.olympeak.events import EndRound, Event, Remove, Reveal, Stop
from companion.games.olympeak.position import GameState, Setup, begin
from companion.games.olympeak.simulation import Players, Step


@dataclass(frozen=True, slots=True)
class Drawn:
    """A seat drew this card from the draw pile."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A seat laid these cards of its hand onto the discard pile."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The discard pile was shuffled into a new draw pile; `seat` needed a card from it."""

    seat: int


Stir = Drawn | Exchanged | Shuffled


class Secrets(Players):
    """Hands and piles, and in which order cards went between them: `stirs`, to be acted out and cleared."""

    def __init__(self, setup: Setup, rng: Random, state: GameState | None = None) -> None:
        super().__init__(setup, rng)
        self.stirs: list[Stir] = []
        # What guests have laid before them for the next reveal, by seat.
        self.chosen: dict[int, str] = {}
        # Cards that lie face down for the next turn already, by seat.
        self.early: dict[int, str] = {}
        self._seen = 0
        if state is not None and state != begin(setup):
            self._take_up(state)

    def decide(self, state: GameState) -> Event:
        """The next event; ending a turn in which nobody is left to play changes nothing, so it is let be."""
        self._seen = len(self.discard_pile)
        event = super().decide(state)
        if isinstance(event, Reveal):
            event = Reveal(tuple(self.chosen.get(seat, card) for seat, card in enumerate(event.cards)))
        if isinstance(event, Stop) and event.stop and not state.waiting:
            return Stop(event.seat, False)
        return event

    def predict(self, seat: int, first: str, second: str) -> None:
        """A seat lays these tiles instead."""
        self.first = (*self.first[:seat], first, *self.first[seat + 1 :])
        self.second = (*self.second[:seat], second, *self.second[seat + 1 :])

    def draw(self, seat: int) -> bool:
        """A seat draws for the Insert card it has laid; whether there was a card to draw."""
        self._seen = len(self.discard_pile)
        return self._draw(seat)

    def choose_early(self, seat: int) -> str:
        """The card that a seat lays down for the next turn, while this one still goes on."""
        self.early[seat] = super()._choose(self.hands[seat], False)
        return self.early[seat]

    def in_hand(self, seat: int) -> list[str]:
        """The cards that a seat really holds: without one that lies face down already."""
        return [card for card in self.hands[seat] if card != self.early.get(seat)]

    def _choose(self, hand: list[str], orders: bool) -> str:
        seat = next(seat for seat, cards in enumerate(self.hands) if cards is hand)
        return self.early.pop(seat, None) or super()._choose(hand, orders)

    def settle(self, step: Step) -> None:
        """Brings hands and piles up to date with an event, noting every card that moves unseen."""
        self._seen = len(self.discard_pile) + _discarded_openly(step)
        super().settle(step)

    def _draw(self, seat: int) -> bool:
        fresh = tuple(self.discard_pile[self._seen :])
        if fresh:
            self.stirs.append(Exchanged(seat, fresh))
        if not self.draw_pile and self.discard_pile:
            self.stirs.append(Shuffled(seat))
        drew = super()._draw(seat)
        self._seen = len(self.discard_pile)
        if drew:
            self.stirs.append(Drawn(seat, self.hands[seat][-1]))
        return drew

    def _take_up(self, state: GameState) -> None:
        """Deals what nobody can see so that it agrees with a game already under way."""
        known = {placed.card for placed in state.placed}.union(*state.held, state.discarded)
        known |= {state.revealed[seat] for seat in state.waiting}
        in_play = self._setup.deck.in_play(len(self._setup.players))
        unseen = [card.id for card in in_play if card.id not in known]
        self._rng.shuffle(unseen)
        self.hands = [sorted(held) for held in state.held]
        for seat, hand in enumerate(self.hands):
            # What another seat may hold goes nowhere else but to the discard pile.
            others = frozenset().union(*(cards for s, cards in enumerate(state.loose) if s != seat))
            free = sorted((card for card in unseen if card not in others), key=state.loose[seat].__contains__)
            hand += free[: state.hands[seat] - len(hand)]
            unseen = [card for card in unseen if card not in hand]
        loose = frozenset().union(*state.loose)
        drawable = [card for card in unseen if card not in loose]
        sizes = [size for size in range(len(drawable) + 1) if state.piles.sizes >> size & 1]
        self.draw_pile = drawable[: max(sizes, default=0)]
        gone = [card for card in unseen if card not in self.draw_pile]
        self.discard_pile = [*gone, *sorted(state.discarded)]


def _discarded_openly(step: Step) -> int:
    """How many cards the event itself sends to the discard pile, in plain view."""
    match step.event:
        case Reveal(cards=cards) if not step.after.order:
            return len(cards)
        case Remove(card=card):
            return int(card is not None)
        case EndRound():
            return len(step.before.placed)
        case _:
            return 0
