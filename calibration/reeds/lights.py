"""What the lights show while switches are learnt: the wanted spaces bright, those that are done dim green."""

from __future__ import annotations

from collections.abc import Collection

from companion.games.above.box import LED_COUNT, led_index

Pixel = tuple[int, int, int]

# No brighter than needed: the camera has to read the marker that stands over it.
LIT: Pixel = (110, 110, 110)
DONE: Pixel = (0, 24, 4)
DARK: Pixel = (0, 0, 0)


def asking_lights(wanted: Collection[str], done: Collection[str]) -> tuple[Pixel, ...]:
    """The colours of all LEDs."""
    pixels = [DARK] * LED_COUNT
    for space in done:
        pixels[led_index(space)] = DONE
    for space in wanted:
        pixels[led_index(space)] = LIT
    return tuple(pixels)
