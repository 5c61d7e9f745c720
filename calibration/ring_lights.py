"""What the lights under the board say while a ring is laid: a spot runs the way to turn, blue lies where to push."""

from __future__ import annotations

import math

from calibration.assembly import SHIFT_MM, TURN_DEG, Guide, Stage
from companion.games.above.box import LED_COUNT, Board, led_index

Pixel = tuple[int, int, int]

DARK: Pixel = (0, 0, 0)
AMBER: Pixel = (90, 45, 0)
SPOT: Pixel = (255, 150, 0)
BLUE: Pixel = (0, 60, 255)
GREEN: Pixel = (0, 140, 20)
WHITE: Pixel = (40, 40, 40)
RED: Pixel = (200, 0, 0)
# The spot moves on by one space this often; a trail shows its way even in a still picture.
STEP_S = 0.12
TRAIL = (SPOT, (140, 80, 0), (110, 60, 0))
BREATH_S = 1.2


def ring_lights(guide: Guide, at: float, board: Board | None = None) -> tuple[Pixel, ...]:
    """The colours of all LEDs at a time in seconds; rings already laid are dim green."""
    board = board or Board()
    pixels = [DARK] * LED_COUNT
    for ring in range(1, guide.ring + (guide.stage is Stage.DONE)):
        _paint(pixels, ring, [(0, 30, 5)] * board.columns, board)
    if guide.stage is not Stage.DONE:
        _paint(pixels, guide.ring, _ring(guide, at, board), board)
    return tuple(pixels)


def _paint(pixels: list[Pixel], ring: int, colours: list[Pixel], board: Board) -> None:
    for column, colour in enumerate(colours):
        pixels[led_index(f"{chr(ord('a') + column)}{ring}", board)] = colour


def _ring(guide: Guide, at: float, board: Board) -> list[Pixel]:
    """The colours of the ring in question, by column; columns run clockwise."""
    columns = board.columns
    if guide.stage is Stage.LAY:
        lit = int(at / (BREATH_S / 2)) % 2 == 0
        return [WHITE if lit else DARK] * columns
    if guide.stage is Stage.PRESS or guide.correction is None or guide.correction.within:
        return [GREEN] * columns
    needs = guide.correction
    colours = [RED if guide.stage is Stage.SLIPPED else AMBER] * columns
    if abs(needs.turn_deg) > TURN_DEG:
        clockwise = needs.turn_deg < 0
        step = int(at / STEP_S)
        for behind, colour in enumerate(TRAIL):
            place = step - behind if clockwise else behind - step
            # Two spots, so that one is always in view beside the hands.
            colours[place % columns] = colours[(place + columns // 2) % columns] = colour
    if math.hypot(*needs.shift_mm) > SHIFT_MM:
        angle = math.degrees(math.atan2(needs.shift_mm[1], needs.shift_mm[0]))
        nearest = round((90.0 - angle) * columns / 360.0)
        for column in (nearest - 1, nearest, nearest + 1):
            colours[column % columns] = BLUE
    return colours
