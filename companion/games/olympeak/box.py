"""What is in the box of OlymPeak and where it lies: marker ids, the deck, the reference table's measures.

Lengths in millimetres, angles in degrees counter-clockwise from +x. The origin is the table's middle on its
surface, x to the right, y to the north, z up. Every measure is a default: an owner's table profile may
replace it, so code takes a `Table` and never reaches for a constant.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.olympeak.cards import CARD_NAMES, CONTENDERS, MAX_PLAYERS, Deck

CONTENDER_IDS: dict[str, int] = {contender: 72 + n for n, contender in enumerate(CONTENDERS)}
PLAYER_CARD_IDS: tuple[int, ...] = tuple(range(76, 76 + MAX_PLAYERS))
TILE_IDS: dict[str, tuple[int, ...]] = {
    contender: tuple(range(82 + 6 * n, 88 + 6 * n)) for n, contender in enumerate(CONTENDERS)
}
CUBE_IDS: dict[str, int] = {contender: 106 + n for n, contender in enumerate(CONTENDERS)}
ROUND_MARKER_ID = 110
SCOREBOARD_IDS: tuple[int, ...] = (111, 112, 113, 114)
CARD_IDS: dict[str, int] = {card: 115 + n for n, card in enumerate(CARD_NAMES)}
# Ids that no piece of either game and no calibration puck uses: a replaced card may carry one.
SPARE_IDS = range(241, 250)

CONTENDER_BY_ID: dict[int, str] = {marker: contender for contender, marker in CONTENDER_IDS.items()}
TILE_BY_ID: dict[int, str] = {marker: contender for contender, ids in TILE_IDS.items() for marker in ids}
CUBE_BY_ID: dict[int, str] = {marker: contender for contender, marker in CUBE_IDS.items()}

# Colours as printed (sRGB), for drawing.
CONTENDER_COLOURS: dict[str, tuple[int, int, int]] = {
    "blue": (40, 90, 190),
    "green": (50, 150, 70),
    "red": (200, 40, 40),
    "white": (240, 238, 230),
}


@dataclass(frozen=True, slots=True)
class Box:
    """One owner's box: the deck, the marker on each card, the number of rounds printed on each contender.

    `assumed`: the deck that comes with the program, which nobody has compared with a printed box. `unconfirmed`: the
    cards of an owner's deck whose values are still those assumed.
    """

    deck: Deck
    card_ids: dict[str, int]
    printed_rounds: dict[str, int]
    assumed: bool = False
    unconfirmed: frozenset[str] = frozenset()
    card_by_id: dict[int, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "card_by_id", {marker: card for card, marker in self.card_ids.items()})

    def rounds(self, contenders: tuple[str, ...]) -> int:
        """Number of rounds of a game with this row of contenders, from left to right (O1)."""
        return self.printed_rounds[contenders[0]]


@dataclass(frozen=True, slots=True)
class Table:
    """The reference table of OlymPeak: where things lie and how large their markers are."""

    card_mm: tuple[float, float] = (63.0, 88.0)
    card_marker_mm: float = 16.0
    # The marker's centre, from a card's left and top edge.
    card_marker_inset_mm: float = 14.0
    contenders_y_mm: float = 150.0
    column_pitch_mm: float = 70.0
    row_pitch_mm: float = 28.0
    # People close rows up when there are many of them; below this, markers disappear.
    closest_row_pitch_mm: float = 24.0
    reveal_centres_mm: tuple[tuple[float, float], ...] = (
        (-295.0, -110.0),
        (-295.0, 0.0),
        (-295.0, 110.0),
        (-198.0, 110.0),
        (-198.0, 0.0),
        (-198.0, -110.0),
    )
    reveal_turn_deg: float = 15.0
    player_card_mm: tuple[float, float] = (90.0, 60.0)
    tile_mm: float = 30.0
    tile_marker_mm: float = 16.0
    # Tiles on a player card, from its centre: predicted first, predicted second.
    tile_offsets_mm: tuple[tuple[float, float], tuple[float, float]] = ((-22.0, -10.0), (22.0, -10.0))
    draw_pile_mm: tuple[float, float] = (190.0, -150.0)
    discard_pile_mm: tuple[float, float] = (190.0, -45.0)
    scoreboard_x_mm: tuple[float, float] = (246.0, 326.0)
    scoreboard_y_mm: tuple[float, float] = (-197.0, 197.0)
    scoreboard_thick_mm: float = 2.0
    scoreboard_corners_mm: tuple[tuple[int, float, float], ...] = (
        (111, 253.0, 189.0),
        (112, 319.0, 189.0),
        (113, 319.0, -189.0),
        (114, 253.0, -189.0),
    )
    scoreboard_marker_mm: float = 10.0
    lanes_x_mm: tuple[tuple[str, float], ...] = (
        ("blue", 265.0),
        ("green", 279.0),
        ("red", 293.0),
        ("white", 307.0),
    )
    place_pitch_mm: float = 9.0
    middle_place: int = 15
    cube_mm: float = 10.0
    cube_marker_mm: float = 8.0
    round_x_mm: float = 236.0
    rounds_y_mm: tuple[float, ...] = (-20.0, 0.0, 20.0)
    round_marker_diameter_mm: float = 16.0
    round_marker_mm: float = 10.0

    def column_x(self, place: int, contenders: int) -> float:
        """x of the column at `place` (0 left-most) in a row of `contenders` columns."""
        return self.column_pitch_mm * (place - (contenders - 1) / 2)

    def row_y(self, row: int) -> float:
        """y of the card centres in `row` (from 1; 0 is the contender row) at the usual pitch."""
        return self.contenders_y_mm - self.row_pitch_mm * row

    def cube_centre(self, contender: str, place: int) -> tuple[float, float]:
        """Centre (x, y) of a cube at `place` (-5…35) of its lane."""
        return dict(self.lanes_x_mm)[contender], self.place_pitch_mm * (place - self.middle_place)

    def cube_place(self, y: float) -> float:
        """The place, with its fraction, at which a cube with centre `y` stands."""
        return y / self.place_pitch_mm + self.middle_place

    def round_centre(self, number: int) -> tuple[float, float]:
        """Centre (x, y) of the round marker in round `number` (from 1)."""
        return self.round_x_mm, self.rounds_y_mm[number - 1]


def seat_light(seat: int, players: int) -> int:
    """Which of the eight seat lights (0 south, then clockwise in steps of 45°) belongs to a seat.

    The seats are spread evenly round the table; half-way between two lights the lower one is taken.
    """
    return -((players - 16 * seat) // (2 * players))
