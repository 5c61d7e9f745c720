"""What is in the box of Above and where it lies: names, marker ids and the reference table's measures.

Lengths in millimetres, angles in degrees counter-clockwise from +x. The origin is the board's centre on the
table surface, x to the right, y to the north, z up. Every measure is a default: an owner's table profile may
replace it, so code takes a `Table` and never reaches for a constant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

DEITIES: tuple[str, ...] = ("ze", "he", "ar", "at", "ha", "de", "po", "ap")
DEITY_NAMES: dict[str, str] = {
    "ze": "Zeus",
    "he": "Hera",
    "ar": "Ares",
    "at": "Athena",
    "ha": "Hades",
    "de": "Demeter",
    "po": "Poseidon",
    "ap": "Aphrodite",
}
TOKENS: tuple[str, ...] = ("thunder", "fertility", "gate", "barrier")
TOKENS_PER_TYPE = 6

MARKER_DICTIONARY = "DICT_5X5_250"
FRAME_IDS: tuple[int, ...] = (0, 1, 2, 3)
SPARE_FRAME_IDS: tuple[int, ...] = (4, 5, 6, 7)
MINI_IDS: dict[str, int] = {deity: 8 + n for n, deity in enumerate(DEITIES)}
TOKEN_IDS: dict[str, tuple[int, ...]] = {
    token: tuple(range(16 + 6 * n, 22 + 6 * n)) for n, token in enumerate(TOKENS)
}
# (deity, set 1 or 2, powered side up?) -> marker id, and back.
CARD_IDS: dict[tuple[str, int, bool], int] = {
    (deity, card_set, powered): (40 if powered else 56) + 8 * (card_set - 1) + n
    for n, deity in enumerate(DEITIES)
    for card_set in (1, 2)
    for powered in (True, False)
}
MINI_BY_ID: dict[int, str] = {marker: deity for deity, marker in MINI_IDS.items()}
TOKEN_BY_ID: dict[int, str] = {marker: token for token, ids in TOKEN_IDS.items() for marker in ids}
CARD_BY_ID: dict[int, tuple[str, int, bool]] = {marker: card for card, marker in CARD_IDS.items()}

# Colours as printed (sRGB), for drawing and as second evidence.
DEITY_COLOURS: dict[str, tuple[int, int, int]] = {
    "ze": (235, 180, 40),
    "he": (110, 40, 160),
    "ar": (200, 30, 35),
    "at": (130, 170, 200),
    "ha": (45, 45, 55),
    "de": (40, 150, 60),
    "po": (30, 90, 200),
    "ap": (230, 110, 170),
}
TOKEN_COLOURS: dict[str, tuple[int, int, int]] = {
    "thunder": (235, 200, 40),
    "fertility": (50, 160, 70),
    "gate": (130, 130, 135),
    "barrier": (200, 40, 40),
}


@dataclass(frozen=True, slots=True)
class Board:
    """The stepped mountain: `rings` annuli of `columns` spaces, and the summit disc."""

    rings: int = 6
    columns: int = 16
    outer_radius_mm: float = 190.0
    ring_width_mm: float = 25.0
    ring_step_mm: float = 3.0
    summit_radius_mm: float = 40.0
    summit_z_mm: float = 21.0

    def ring_z(self, ring: int) -> float:
        """Height in mm of the upper surface of `ring` (1 outer); `rings + 1` is the summit."""
        return self.summit_z_mm if ring > self.rings else self.ring_step_mm * ring

    def ring_radii(self, ring: int) -> tuple[float, float]:
        """Inner and outer radius in mm of `ring`."""
        return (
            self.outer_radius_mm - self.ring_width_mm * ring,
            self.outer_radius_mm - self.ring_width_mm * (ring - 1),
        )

    def column_angle(self, column: int) -> float:
        """Direction in degrees of the middle of `column` (0 = `a`), on an undisturbed ring."""
        return 90.0 - 360.0 / self.columns * column

    def space_centre(self, space: str) -> tuple[float, float, float]:
        """Centre (x, y, z) in mm of a space (`c4`, `top`) on an undisturbed board."""
        if space == "top":
            return (0.0, 0.0, self.summit_z_mm)
        column, ring = ord(space[0]) - ord("a"), int(space[1:])
        radius = self.outer_radius_mm - self.ring_width_mm * (ring - 0.5)
        angle = math.radians(self.column_angle(column))
        return (radius * math.cos(angle), radius * math.sin(angle), self.ring_z(ring))


@dataclass(frozen=True, slots=True)
class Table:
    """The reference table of Above: where things lie and how large their markers are."""

    board: Board = field(default_factory=Board)
    frame_centres_mm: tuple[tuple[int, float, float], ...] = (
        (0, -355.0, 190.0),
        (1, 355.0, 190.0),
        (2, 355.0, -190.0),
        (3, -355.0, -190.0),
    )
    frame_marker_mm: float = 36.0
    mini_marker_mm: float = 14.0
    mini_height_mm: float = 35.0
    mini_cap_mm: float = 22.0
    mini_base_mm: float = 18.0
    token_marker_mm: float = 10.0
    token_diameter_mm: float = 16.0
    token_height_mm: float = 2.0
    card_marker_mm: float = 18.0
    card_width_mm: float = 44.0
    card_length_mm: float = 68.0
    zone_x_mm: tuple[float, float] = (205.0, 330.0)
    # The common discard pile of four players, at the north edge beside the board.
    pile_centre_mm: tuple[float, float] = (-178.0, 172.0)

    def seat_at(self, x: float, y: float, players: int) -> int | None:
        """The seat in whose card zone (x, y) lies: two players west, east; four clockwise from south-west."""
        inner, outer = self.zone_x_mm
        if not inner - 8 < abs(x) < outer + 8:
            return None
        if players == 2:
            return 0 if x < 0 else 1
        return (0 if y < 0 else 1) if x < 0 else (2 if y >= 0 else 3)

    def card_slots(self, seat: int, players: int) -> tuple[tuple[float, float], ...]:
        """Centres in mm of the places where `seat` lays its cards: a 2 × 4 grid, 2 × 2 with four players."""
        columns = (237.0, 298.0)
        if players == 2:
            rows: tuple[float, ...] = (114.0, 38.0, -38.0, -114.0)
            side = -1.0 if seat == 0 else 1.0
        else:
            rows = (114.0, 38.0) if seat in (1, 2) else (-38.0, -114.0)
            side = -1.0 if seat in (0, 1) else 1.0
        return tuple((side * x, y) for y in rows for x in columns)


def seat_light(seat: int, players: int) -> int:
    """Which of the eight seat lights (0 south, then clockwise in steps of 45°) belongs to a seat."""
    return (2, 6)[seat] if players == 2 else (1, 3, 5, 7)[seat]


LED_COUNT = 105


def led_index(space: str, board: Board | None = None) -> int:
    """Index on the LED strip of a space: column by column, ring 1 to 6, the summit after them."""
    board = board or Board()
    if space == "top":
        return board.rings * board.columns
    return (ord(space[0]) - ord("a")) * board.rings + int(space[1:]) - 1


def seat_led_index(seat: int, players: int, board: Board | None = None) -> int:
    """Index on the LED strip of a seat's light; the seat lights follow the summit."""
    board = board or Board()
    return board.rings * board.columns + 1 + seat_light(seat, players)
