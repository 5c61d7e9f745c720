"""Eyes: what the players of OlymPeak notice of the lights. They know nothing of the referee but this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.games.above.box import led_index
from companion.games.olympeak.box import seat_light
from companion.virtual.eyes import Colour, colour_name

# People take a blinking light for lit for about this long after they last saw it.
_PERSISTENCE_S = 1.2


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


class LedSeatEyes:
    """Eyes on an LED strip, by colour alone. Blinking counts as lit.

    `pixels` gives the strip's (r, g, b) as lit at this moment; `now` the time in seconds. `look` must be
    called often (every frame); it is what sees short blinks.
    """

    def __init__(
        self, pixels: Callable[[], Sequence[Colour]], now: Callable[[], float], players: int
    ) -> None:
        self._pixels = pixels
        self._now = now
        first = led_index("top") + 1
        self._index = {seat: first + seat_light(seat, players) for seat in range(players)}
        self._seen: dict[tuple[str, int], float] = {}

    def look(self) -> None:
        """Take in the lights as they are now."""
        now, pixels = self._now(), self._pixels()
        for seat, index in self._index.items():
            if index < len(pixels):
                self._seen[colour_name(pixels[index]), seat] = now

    def seat_lit(self, seat: int) -> bool:
        """The seat's light is bright white or gold right now."""
        pixels, index = self._pixels(), self._index[seat]
        return index < len(pixels) and colour_name(pixels[index]) in ("white", "gold")

    def seat_amber(self, seat: int) -> bool:
        """The seat's light is, or blinks, amber."""
        return self._lately("amber", seat)

    def seat_red(self, seat: int) -> bool:
        """The seat's light is, or blinks, red."""
        return self._lately("red", seat)

    def _lately(self, name: str, seat: int) -> bool:
        seen = self._seen.get((name, seat))
        return seen is not None and self._now() - seen <= _PERSISTENCE_S
