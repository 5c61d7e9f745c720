"""Which messages turn one picture of the LEDs into another: only what differs, in few frames."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import ProtocolError
from .protocol import LED_CHUNK, WINDOW, LedPixels, LedShow
from .wire import Pixel

# Unchanged LEDs between two changed ones are cheaper to send than a frame of their own up to about the first
# gap; the wider ones keep a scattered change within one window.
_GAPS = (3, 8, 20)


def checked_pixels(pixels: Sequence[Pixel], count: int) -> tuple[Pixel, ...]:
    """The pixels as a tuple; raises ProtocolError unless they are `count` triples of 0…255."""
    if len(pixels) != count:
        raise ProtocolError(f"{len(pixels)} pixels were given; the table has {count} LEDs")
    for index, pixel in enumerate(pixels):
        if len(pixel) != 3 or not all(isinstance(value, int) and 0 <= value <= 255 for value in pixel):
            raise ProtocolError(f"LED {index} is {pixel!r}; a pixel is three whole numbers 0…255")
    return tuple((red, green, blue) for red, green, blue in pixels)


def led_messages(lit: Sequence[Pixel] | None, wanted: Sequence[Pixel]) -> list[LedPixels | LedShow]:
    """Messages after which `wanted` is shown, the last one a LedShow; `lit` is None when nothing is known."""
    changed = [n for n, pixel in enumerate(wanted) if lit is None or lit[n] != pixel]
    if not changed:
        return []
    candidates = (_runs(changed, gap) for gap in _GAPS)
    few = next((runs for runs in candidates if len(runs) <= WINDOW), None)
    runs = few or _runs(changed, len(wanted))
    messages: list[LedPixels | LedShow] = [
        LedPixels(start, tuple(wanted[start:end])) for start, end in runs[:-1]
    ]
    start, end = runs[-1]
    return [*messages, LedShow(start, tuple(wanted[start:end]))]


def _runs(changed: Sequence[int], gap: int) -> list[tuple[int, int]]:
    """Half-open ranges that cover `changed`, joined over gaps of up to `gap`, none longer than a message."""
    runs: list[tuple[int, int]] = []
    for index in changed:
        if runs and index - runs[-1][1] <= gap and index - runs[-1][0] < LED_CHUNK:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs
