"""From one picture to another: only what differs, in few messages, ending with the one that shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.leds import checked_pixels, led_messages
from firmware_bridge.protocol import LED_CHUNK, LEDS, WINDOW, LedShow
from firmware_bridge.wire import Pixel

BYTE = st.integers(0, 3)
PICTURES = st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=LEDS, max_size=LEDS)
OFF: Pixel = (0, 0, 0)


@given(PICTURES, st.dictionaries(st.integers(0, LEDS - 1), st.tuples(BYTE, BYTE, BYTE), max_size=40))
def test_the_board_ends_up_with_what_is_wanted(lit: list[Pixel], changes: dict[int, Pixel]) -> None:
    wanted = [changes.get(n, pixel) for n, pixel in enumerate(lit)]
    messages = led_messages(lit, wanted)
    stored = list(lit)
    for message in messages:
        assert 1 <= len(message.pixels) <= LED_CHUNK
        stored[message.offset : message.offset + len(message.pixels)] = message.pixels
    assert stored == wanted
    assert len(messages) <= WINDOW + 1
    assert [isinstance(message, LedShow) for message in messages] == [False] * (len(messages) - 1) + [
        True
    ] * bool(messages)


def test_one_changed_led_is_one_small_message() -> None:
    wanted = [OFF] * LEDS
    wanted[40] = (1, 2, 3)
    assert led_messages([OFF] * LEDS, wanted) == [LedShow(40, ((1, 2, 3),))]


def test_near_changes_share_a_message() -> None:
    wanted = [OFF] * LEDS
    wanted[10] = wanted[13] = (1, 1, 1)
    (message,) = led_messages([OFF] * LEDS, wanted)
    assert (message.offset, len(message.pixels)) == (10, 4)


def test_nothing_changed_is_no_message() -> None:
    assert led_messages([OFF] * LEDS, [OFF] * LEDS) == []


def test_an_unknown_picture_is_sent_whole_within_one_window() -> None:
    messages = led_messages(None, [OFF] * LEDS)
    assert sum(len(message.pixels) for message in messages) == LEDS
    assert len(messages) == WINDOW


@pytest.mark.parametrize(
    ("pixels", "complaint"),
    [
        ([OFF] * 104, "104 pixels were given; the table has 105 LEDs"),
        ([OFF] * 104 + [(0, 0, 256)], r"LED 104 is \(0, 0, 256\)"),
        ([(0, 0)] + [OFF] * 104, r"LED 0 is \(0, 0\)"),
        ([(0.5, 0, 0)] + [OFF] * 104, "whole numbers"),
    ],
)
def test_bad_pixels_are_named(pixels: list[Pixel], complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        checked_pixels(pixels, LEDS)
