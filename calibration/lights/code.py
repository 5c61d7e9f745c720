"""The code that lights blink: each shows the binary digits of its position on the strip, each digit and its opposite.

With one digit of parity eight pairs of pictures tell all 105 lights apart, and a digit read wrongly is noticed. Between
a digit and its opposite every light changes, so what does not blink (glare, a lamp, the print) cancels out.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.protocol import LEDS
from firmware_bridge.wire import Pixel

DATA_BITS = 7
BITS = DATA_BITS + 1
DARK: Pixel = (0, 0, 0)


def word(position: int) -> int:
    """The code word, BITS binary digits, of a position on the strip from 0; never all off, and of even parity."""
    number = position + 1
    return number << 1 | number.bit_count() & 1


def position_of(read: int) -> int | None:
    """The position on the strip whose word was read; None for what is nobody's word."""
    position = (read >> 1) - 1
    return position if 0 <= position < LEDS and word(position) == read else None


def picture(bit: int, opposite: bool, level: int) -> tuple[Pixel, ...]:
    """The strip's colours for one digit: those lights shine white whose digit is on, or off for the opposite."""
    white = (level, level, level)
    return tuple(white if bool(word(n) >> bit & 1) != opposite else DARK for n in range(LEDS))


def plain(colour: Pixel) -> tuple[Pixel, ...]:
    """The whole strip in one colour."""
    return (colour,) * LEDS


def pictures(level: int) -> Sequence[tuple[Pixel, ...]]:
    """All pictures of the code, each digit's followed by its opposite."""
    return [picture(bit, opposite, level) for bit in range(BITS) for opposite in (False, True)]
