"""What players notice of the lights: colours, blinking included, and nothing dim."""

from __future__ import annotations

import pytest

from companion.games.above.box import LED_COUNT, led_index, seat_led_index
from companion.virtual.eyes import Colour, LedEyes, colour_name

DARK = (0, 0, 0)


class Strip:
    """An LED strip and a clock."""

    def __init__(self) -> None:
        self.leds: list[Colour] = [DARK] * LED_COUNT
        self.now = 0.0
        self.eyes = LedEyes(lambda: self.leds, lambda: self.now, 2)

    def at(self, now: float) -> None:
        self.now = now
        self.eyes.look()


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((220, 0, 0), "red"),
        ((90, 0, 0), "red"),
        ((180, 90, 0), "amber"),
        ((220, 160, 40), "gold"),
        ((160, 160, 160), "white"),
        ((30, 30, 30), ""),
        ((45, 45, 45), ""),
        ((0, 150, 20), ""),
        ((70, 90, 200), ""),
        (DARK, ""),
    ],
)
def test_colours_have_names(colour: Colour, name: str) -> None:
    assert colour_name(colour) == name


def test_a_seat_is_lit_by_white_and_by_gold_only_while_it_is() -> None:
    strip = Strip()
    strip.at(0.0)
    assert not strip.eyes.seat_lit(1)
    strip.leds[seat_led_index(1, 2)] = (160, 160, 160)
    assert strip.eyes.seat_lit(1)
    assert not strip.eyes.seat_lit(0)
    strip.leds[seat_led_index(1, 2)] = (220, 0, 0)
    strip.at(0.1)
    assert not strip.eyes.seat_lit(1)
    assert strip.eyes.seat_red(1)


def test_a_blinking_space_counts_as_lit_for_a_while() -> None:
    strip = Strip()
    strip.leds[led_index("c4")] = (220, 0, 0)
    strip.leds[led_index("top")] = (180, 90, 0)
    strip.at(1.0)
    strip.leds[led_index("c4")] = DARK
    strip.leds[led_index("top")] = DARK
    strip.at(1.8)
    assert strip.eyes.red_spaces() == {"c4"}
    assert strip.eyes.amber_spaces() == {"top"}
    strip.at(2.5)
    assert strip.eyes.red_spaces() == frozenset()
    assert strip.eyes.amber_spaces() == frozenset()
