"""What players notice of a strip of lights: their own seat's, by colour, also while it blinks."""

from __future__ import annotations

import pytest

from companion.games.above.box import LED_COUNT
from companion.games.olympeak.box import seat_light
from companion.virtual.eyes import Colour
from companion.virtual.olympeak.eyes import LedSeatEyes

WHITE, AMBER, RED, GOLD, DARK = (200, 200, 190), (180, 90, 0), (200, 0, 0), (220, 170, 40), (0, 0, 0)


class Strip:
    """A strip of lights and a clock."""

    def __init__(self, players: int) -> None:
        self.pixels: list[Colour] = [DARK] * LED_COUNT
        self.now = 0.0
        self.players = players
        self.eyes = LedSeatEyes(lambda: self.pixels, lambda: self.now, players)

    def light(self, seat: int, colour: Colour) -> None:
        self.pixels[97 + seat_light(seat, self.players)] = colour
        self.eyes.look()


@pytest.mark.parametrize("players", range(2, 7))
def test_seats_have_lights_of_their_own_spread_round_the_table(players: int) -> None:
    lights = [seat_light(seat, players) for seat in range(players)]
    assert lights[0] == 0
    assert lights == sorted(set(lights))
    gaps = [(b - a) % 8 for a, b in zip(lights, [*lights[1:], lights[0]], strict=True)]
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("players", [2, 5, 6])
def test_each_colour_is_told_and_only_at_its_seat(players: int) -> None:
    for colour in (WHITE, AMBER, RED, GOLD):
        strip = Strip(players)
        strip.light(1, colour)
        eyes = strip.eyes
        told = (eyes.seat_lit(1), eyes.seat_amber(1), eyes.seat_red(1))
        assert told == (colour in (WHITE, GOLD), colour == AMBER, colour == RED)
        assert not (eyes.seat_lit(0) or eyes.seat_amber(0) or eyes.seat_red(0))


def test_a_blink_is_remembered_for_a_moment_white_is_not() -> None:
    strip = Strip(3)
    strip.light(2, RED)
    strip.light(2, DARK)
    strip.now = 1.0
    assert strip.eyes.seat_red(2)
    strip.now = 1.5
    assert not strip.eyes.seat_red(2)
    strip.light(0, WHITE)
    strip.light(0, DARK)
    assert not strip.eyes.seat_lit(0)


def test_a_strip_too_short_for_seats_shows_nothing() -> None:
    eyes = LedSeatEyes(lambda: [WHITE] * 97, lambda: 0.0, 4)
    eyes.look()
    assert not any(eyes.seat_lit(seat) or eyes.seat_red(seat) for seat in range(4))
