"""What both ends know about the table's parts: lanes, speeds, currents. The C header is made from these too.

Measures are those of the reference table. The board keeps to the limits by itself, whatever it is told.
"""

from __future__ import annotations

from .wire import Pixel

# Reed matrix: 16 columns of 6 rings and the summit's own switch; numbered column by column, ring 1 to 6.
MATRIX_COLUMNS = 16
MATRIX_ROWS = 6
MIN_DEBOUNCE_MS = 1
MAX_DEBOUNCE_MS = 100

# One colour of one WS2812B at full brightness, and what the board lets all of them draw together.
LED_MA = 20
DEFAULT_BUDGET_MA = 2000
MAX_BUDGET_MA = 4000
# Nobody tells the board what to show: one dim blue light on the summit, slowly on and off. It begins lit, and no
# scene of the table keeps this time.
NO_HOST_LED = 96
NO_HOST_COLOUR: Pixel = (0, 0, 24)
NO_HOST_LIT_MS = 1_500
NO_HOST_PERIOD_MS = 3_000

# Axes: lanes of the scoreboard (places −5…35, 9 mm each) and the round marker's short one, µm from the middle.
# The endstop is at the southern end.
LANES_UM = ((-180_000, 180_000),) * 4 + ((-20_000, 20_000),)
OVERSHOOT_UM = 5_000
STEPS_PER_MM = 80
STEP_RATE_HZ = 16_000
MAX_SPEED_UM_S = 50_000
START_SPEED_UM_S = 1_250  # at which a motor starts and stops without a ramp
MAX_ACCELERATION_UM_S2 = 1_000_000
# After arrival a motor holds its carriage until it has come to rest, and is switched off.
HOLD_MS = 150

# Homing: fast to the endstop, back, slowly again; both must find it at the same place.
HOMING_SPEED_UM_S = 30_000
HOMING_ACCELERATION_UM_S2 = 600_000
APPROACH_SPEED_UM_S = 6_000
BACK_OFF_UM = 5_000
RELEASE_UM = 8_000
TRAVEL_MARGIN_UM = 10_000
AGREEMENT_UM = 500
ENDSTOP_DEBOUNCE_MS = 3


def led_level(pixels: tuple[Pixel, ...], brightness: int, budget_ma: int) -> int:
    """0…255: by (level + 1)/256 every colour is multiplied, so that all together draw at most `budget_ma`."""
    total = sum(map(sum, pixels))
    if total == 0:
        return brightness
    return min(brightness, max(0, budget_ma * 255 * 256 // (total * LED_MA) - 1))


def emitted(pixels: tuple[Pixel, ...], level: int) -> tuple[Pixel, ...]:
    """The colours as they are sent to the LEDs."""
    return tuple((r * (level + 1) >> 8, g * (level + 1) >> 8, b * (level + 1) >> 8) for r, g, b in pixels)
