"""Asides: what people do at the turns of a match beside playing them, where the game offers it."""

from __future__ import annotations

from collections.abc import Container

from companion.games.olympeak.events import Insert, Play
from companion.games.olympeak.position import GameState
from companion.virtual.arm import Clock, Motion
from companion.virtual.olympeak.acts import Acts
from companion.virtual.olympeak.eyes import SeatEyes
from companion.virtual.olympeak.habits import CardHabit, CardHabits
from companion.virtual.olympeak.people import Secrets, Stir

# Who was prevented thinks of the card by oneself after so long.
_REMEMBERS_S = 3.0
# So long the hand is away from a card that was laid in the wrong place.
_WRONG_S = (0.3, 1.0)


class Asides:
    """Habits that belong to a moment of the game. `forgotten`: who has left a card lying, and what is to be drawn."""

    def __init__(
        self, habits: CardHabits, acts: Acts, secrets: Secrets, eyes: SeatEyes, clock: Clock
    ) -> None:
        self._habits = habits
        self._acts = acts
        self._secrets = secrets
        self._eyes = eyes
        self._clock = clock
        self.forgotten: dict[int, tuple[str, list[Stir]]] = {}

    def is_forgotten(self, seat: int, card: str, draws: list[Stir]) -> bool:
        """Does who was prevented leave the card lying?"""
        if not self._habits.has(CardHabit.FORGETS_CARD):
            return False
        self.forgotten[seat] = (card, draws)
        self._habits.done(CardHabit.FORGETS_CARD)
        return True

    def remember_cards(self) -> Motion:
        """Who was prevented takes the card back at last: reminded by the light, or by oneself."""
        for seat, (card, draws) in list(self.forgotten.items()):
            began = self._clock.now
            while not self._eyes.seat_amber(seat) and self._clock.now - began < _REMEMBERS_S:
                yield
            yield from self._acts.take_back((seat,), {seat: card})
            yield from self._acts.stir(draws)
            yield from self._acts.all_leave()
            yield from self._acts.wait(0.6)
            del self.forgotten[seat]

    def start_early(self, state: GameState, but: Container[int]) -> Motion:
        """Who has played lays the next turn's card down already, where no round ends before it; not seats in `but`."""
        if not is_far_from_an_end(state) or not self._habits.has(CardHabit.STARTS_EARLY):
            return
        taken = {*state.waiting, *self.forgotten, *self._secrets.early}
        for seat in state.setup.seats:
            if seat not in taken and seat not in but and self._habits.rng.random() < 0.6:
                yield from self._acts.choose({seat: self._secrets.choose_early(seat)})
                self._habits.done(CardHabit.STARTS_EARLY)

    def touch_tiles(self, state: GameState) -> Motion:
        """Somebody before whom nothing lies looks at the own prediction."""
        if not self._habits.has(CardHabit.TOUCHES_TILES):
            return
        taken = {*self.forgotten, *self._secrets.early}
        free = [seat for seat in state.setup.seats if seat not in taken]
        if free:
            seat = self._habits.rng.choice(free)
            yield from self._habits.touch_tiles(seat, self._secrets.first[seat], self._secrets.second[seat])
            self._habits.done(CardHabit.TOUCHES_TILES)

    def wrong_slot(self, state: GameState, event: Play | Insert) -> tuple[str, float] | None:
        """Where a card is laid first by mistake; the hand leaves it there (seconds) only where it may lie."""
        free = [to for to in state.open_row[1] if to != event.to]
        if not free or not self._habits.has(CardHabit.WRONG_SLOT):
            return None
        self._habits.done(CardHabit.WRONG_SLOT)
        elsewhere = self._habits.rng.choice(free)
        legal = elsewhere in state.targets(event.card)
        return elsewhere, self._habits.rng.uniform(*_WRONG_S) if legal else 0.0


def is_far_from_an_end(state: GameState) -> bool:
    """Is neither a round nor the game over within two turns, whatever is played?"""
    return max(state.columns.values()) <= 1 and max(state.cubes) <= 15
