"""Eyes: what the players of OlymPeak notice of the lights. They know nothing of the referee but this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.games.above.box import led_index
from companion.games.olympeak.box import seat_light
from companion.virtual.eyes import Colour, Gaze


class SeatEyes(Protocol):
    """What the players see of the seat lights."""

    def seat_lit(self, seat: int) -> bool:
        """White: it is this seat's turn. Gold: it has won."""
        ...

    def seat_amber(self, seat: int) -> bool:
        """Amber: this seat is to take its card back."""
        ...

    def seat_red(self, seat: int) -> bool:
        """Red: something is against the rules."""
        ...


class LedSeatEyes(Gaze[int]):
    """Eyes on the seat lights of a strip; a place is a seat."""

    def __init__(
        self, pixels: Callable[[], Sequence[Colour]], now: Callable[[], float], players: int
    ) -> None:
        first = led_index("top") + 1
        super().__init__(pixels, now, {first + seat_light(seat, players): seat for seat in range(players)})

    def seat_lit(self, seat: int) -> bool:
        """The seat's light is bright white or gold right now."""
        return self.bright(seat)

    def seat_amber(self, seat: int) -> bool:
        """The seat's light is, or blinks, amber."""
        return seat in self.lately("amber")

    def seat_red(self, seat: int) -> bool:
        """The seat's light is, or blinks, red."""
        return seat in self.lately("red")
