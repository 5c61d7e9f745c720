"""The blinked code: every light has its word, and a digit read wrongly is noticed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calibration.lights.code import BITS, pictures, plain, position_of, word
from firmware_bridge.protocol import LEDS


@given(st.integers(0, LEDS - 1))
def test_a_word_read_is_the_position_again(position: int) -> None:
    assert position_of(word(position)) == position


@given(st.integers(0, LEDS - 1), st.integers(0, BITS - 1))
def test_one_digit_read_wrongly_is_nobodys_word(position: int, bit: int) -> None:
    assert position_of(word(position) ^ 1 << bit) is None


@given(st.integers(0, 2**BITS - 1))
def test_whatever_is_read_is_one_light_or_none(read: int) -> None:
    position = position_of(read)
    assert position is None or word(position) == read


def test_pictures_show_each_light_its_own_word_and_the_opposite() -> None:
    shown = pictures(70)
    assert len(shown) == 2 * BITS
    for position in range(LEDS):
        digits = [picture[position] != (0, 0, 0) for picture in shown]
        assert sum(on << bit for bit, on in enumerate(digits[::2])) == word(position)
        assert all(on != off for on, off in zip(digits[::2], digits[1::2], strict=True))


def test_no_picture_of_the_code_asks_the_supply_for_much_more_than_another() -> None:
    lit = [sum(pixel != (0, 0, 0) for pixel in picture) for picture in pictures(70)]
    assert max(lit) <= 0.7 * LEDS
    assert plain((1, 2, 3)) == ((1, 2, 3),) * LEDS
