"""Eyes: what a player notices of the lights. Players know nothing of the table but this."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from companion.games.above.box import Board, led_index, seat_led_index

Colour = tuple[int, int, int]
PlaceT = TypeVar("PlaceT", bound=Hashable)

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


class Gaze(Generic[PlaceT]):
    """Watches an LED strip, by colour alone: red, amber, or bright white and gold. Blinking counts as lit.

    `pixels` gives the strip's (r, g, b) as lit at this moment; `now` the time in seconds; `places` what each
    LED stands for. `look` must be called often (every frame); it is what sees short blinks.
    """

    def __init__(
        self,
        pixels: Callable[[], Sequence[Colour]],
        now: Callable[[], float],
        places: Mapping[int, PlaceT],
    ) -> None:
        self._pixels = pixels
        self._now = now
        self._places = dict(places)
        self._seen: dict[tuple[str, PlaceT], float] = {}
        self._looked_at: Sequence[Colour] = ()
        self._lit: tuple[tuple[str, PlaceT], ...] = ()

    def look(self) -> None:
        """Take in the lights as they are now."""
        now, pixels = self._now(), self._pixels()
        if pixels is not self._looked_at or not isinstance(pixels, tuple):
            self._looked_at, self._lit = pixels, tuple(self._shining(pixels))
        for what in self._lit:
            self._seen[what] = now

    def _shining(self, pixels: Sequence[Colour]) -> Iterator[tuple[str, PlaceT]]:
        for index, place in self._places.items():
            if index < len(pixels) and (name := colour_name(pixels[index])):
                yield name, place

    def lately(self, name: str) -> set[PlaceT]:
        """The places that are, or blink, in the colour of that name."""
        since = self._now() - _PERSISTENCE_S
        return {place for (seen, place), when in self._seen.items() if seen == name and when >= since}

    def bright(self, place: PlaceT) -> bool:
        """Is the place bright white or gold right now?"""
        pixels = self._pixels()
        return any(
            at == place and index < len(pixels) and colour_name(pixels[index]) in ("white", "gold")
            for index, at in self._places.items()
        )


class LedEyes(Gaze[str | int]):
    """Eyes on the lights of Above: a place is a space by name, or a seat by number."""

    def __init__(
        self,
        pixels: Callable[[], Sequence[Colour]],
        now: Callable[[], float],
        players: int,
        board: Board | None = None,
    ) -> None:
        board = board or Board()
        places: dict[int, str | int] = {
            led_index(space, board): space
            for column in range(board.columns)
            for ring in range(1, board.rings + 1)
            for space in (f"{chr(ord('a') + column)}{ring}",)
        }
        places[led_index("top", board)] = "top"
        places.update({seat_led_index(seat, players, board): seat for seat in range(players)})
        super().__init__(pixels, now, places)

    def seat_lit(self, seat: int) -> bool:
        """The seat's light is bright white or gold right now."""
        return self.bright(seat)

    def seat_red(self, seat: int) -> bool:
        """The seat's light is, or blinks, red."""
        return seat in self.lately("red")

    def red_spaces(self) -> frozenset[str]:
        """Spaces that are, or blink, red."""
        return frozenset(place for place in self.lately("red") if isinstance(place, str))

    def amber_spaces(self) -> frozenset[str]:
        """Spaces that are, or blink, amber."""
        return frozenset(place for place in self.lately("amber") if isinstance(place, str))


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
