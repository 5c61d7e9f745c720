"""Eyes: what a player notices of the lights. Players know nothing of the table but this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.games.above.box import Board, led_index, seat_led_index

Colour = tuple[int, int, int]

# People take a blinking light for lit for about this long after they last saw it.
_PERSISTENCE_S = 1.2


class Eyes(Protocol):
    """What the players see of the lights."""

    def seat_lit(self, seat: int) -> bool:
        """The seat's light says: your turn (or: you have won)."""
        ...

    def seat_red(self, seat: int) -> bool:
        """The seat's light is red."""
        ...

    def red_spaces(self) -> frozenset[str]:
        """Spaces lit red: something there is against the rules."""
        ...

    def amber_spaces(self) -> frozenset[str]:
        """Spaces lit amber: something is still to be done there."""
        ...


class LedEyes:
    """Eyes on an LED strip, by colour alone: red, amber, or bright white and gold. Blinking counts as lit.

    `pixels` gives the strip's (r, g, b) as lit at this moment; `now` the time in seconds. `look` must be
    called often (every frame); it is what sees short blinks.
    """

    def __init__(
        self,
        pixels: Callable[[], Sequence[Colour]],
        now: Callable[[], float],
        players: int,
        board: Board | None = None,
    ) -> None:
        self._pixels = pixels
        self._now = now
        board = board or Board()
        self._spaces = {
            led_index(space, board): space
            for column in range(board.columns)
            for ring in range(1, board.rings + 1)
            for space in (f"{chr(ord('a') + column)}{ring}",)
        }
        self._spaces[led_index("top", board)] = "top"
        self._seats = {seat_led_index(seat, players, board): seat for seat in range(players)}
        self._seen: dict[tuple[str, str | int], float] = {}

    def look(self) -> None:
        """Take in the lights as they are now."""
        now = self._now()
        for index, colour in enumerate(self._pixels()):
            place: str | int | None = self._spaces.get(index, self._seats.get(index))
            name = colour_name(colour)
            if place is not None and name:
                self._seen[name, place] = now

    def _lately(self, name: str) -> set[str | int]:
        since = self._now() - _PERSISTENCE_S
        return {place for (seen, place), when in self._seen.items() if seen == name and when >= since}

    def seat_lit(self, seat: int) -> bool:
        """The seat's light is bright white or gold right now."""
        pixels = self._pixels()
        return any(
            at == seat and index < len(pixels) and colour_name(pixels[index]) in ("white", "gold")
            for index, at in self._seats.items()
        )

    def seat_red(self, seat: int) -> bool:
        """The seat's light is, or blinks, red."""
        return seat in self._lately("red")

    def red_spaces(self) -> frozenset[str]:
        """Spaces that are, or blink, red."""
        return frozenset(place for place in self._lately("red") if isinstance(place, str))

    def amber_spaces(self) -> frozenset[str]:
        """Spaces that are, or blink, amber."""
        return frozenset(place for place in self._lately("amber") if isinstance(place, str))


def colour_name(colour: Colour) -> str:
    """`red`, `amber`, `gold`, `white`, or empty for dark, dim and any other colour."""
    red, green, blue = colour
    if max(colour) < 40:
        return ""
    if min(colour) > 0.6 * max(colour):
        return "white" if max(colour) >= 60 else ""
    if red < max(colour):
        return ""
    if green < 0.3 * red and blue < 0.3 * red:
        return "red"
    if 0.35 * red <= green <= 0.65 * red and blue < 0.15 * red:
        return "amber"
    if 0.65 * red < green < 0.9 * red and blue < 0.4 * red:
        return "gold"
    return ""
