"""From prints in the world to what they mean: the contender row, columns, reveal zones, piles and tiles."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.olympeak.box import CONTENDER_BY_ID, PLAYER_CARD_IDS, TILE_BY_ID, Box, Table
from companion.games.olympeak.cards import CONTENDERS, STARRED_CONTENDER
from companion.sensing.geometry import Floats
from companion.sensing.olympeak.prints import Placed, Prints
from companion.sensing.olympeak.reading import ColumnCard, PrivatePrint, RevealCard, StrayCard, TilesSighting
from companion.sensing.olympeak.rows import row_slots, slot_probabilities

# A card that seems to be higher than this is in a hand; a revealed one is bent, and looks higher than it lies; in
# a pile as many as all cards may lie below it.
HELD_MM = 18.0
HELD_REVEALED_MM = 34.0
# A contender's print is mostly cut close below by the first card, which makes its size uncertain; nobody plays one.
HELD_CONTENDER_MM = 45.0
HIGHEST_PILE_MM = 45.0
# How far things may lie from where they belong.
OFF_ROW_MM = 22.0
OFF_COLUMN_MM = 22.0
OFF_REVEAL_MM = (27.0, 34.0)
OFF_PILE_MM = 36.0
OFF_PLAYER_CARD_MM = 34.0
# In a column a card lies upright or upside down, more or less.
COLUMN_TURN_DEG = 30.0
COLUMN_SIGMA_MM = 8.0
# Tiles lie on the lower half of their player card; first place left, second right.
OFF_TILE_MM = 17.0
# How far below the contender card's middle a card's may lie at least to be under it, and how far down columns go.
BELOW_CONTENDER_MM = 11.0
COLUMNS_END_Y_MM = -165.0
# A fan of cards at the edge is a hand, and nobody's business (O17).
STRAY_WITHIN_MM = (335.0, 165.0)
STRAY_LOW_MM = 8.0


@dataclass(frozen=True, slots=True)
class Column:
    """A contender's column: x of its middle; `y` of the contender card's; `seen`: was that card read?"""

    contender: str
    x: float
    y: float
    seen: bool


@dataclass(frozen=True, slots=True)
class Cards:
    """Where the face-up cards lie."""

    columns: tuple[ColumnCard, ...]
    reveal: tuple[RevealCard, ...]
    discard_top: str | None
    stray: tuple[StrayCard, ...]


def contender_columns(placed: Sequence[Placed], prints: Prints, table: Table) -> tuple[Column, ...]:
    """The columns from left to right, by the contender cards in the row.

    Where exactly one contender's card cannot be read, its column is known by elimination and where the others lie.
    """
    seen: dict[str, Column] = {}
    for one in placed:
        contender = CONTENDER_BY_ID.get(one.id)
        if contender is None or one.height_mm > HELD_CONTENDER_MM or contender in seen:
            continue
        middle = one.offset(*prints.card_middle)
        if abs(middle[1] - table.contenders_y_mm) <= OFF_ROW_MM:
            seen[contender] = Column(contender, float(middle[0]), float(middle[1]), True)
    row = sorted(seen.values(), key=lambda column: column.x)
    if not row:
        return ()
    count = row_length([column.x for column in row], table)
    in_play = [c for c in CONTENDERS if count == len(CONTENDERS) or c != STARRED_CONTENDER]
    missing = [contender for contender in in_play if contender not in seen]
    free = [
        table.column_x(n, count)
        for n in range(count)
        if all(abs(table.column_x(n, count) - c.x) > table.column_pitch_mm / 2 for c in row)
    ]
    if len(missing) == 1 and len(free) == 1:
        y = sum(column.y for column in row) / len(row)
        row.append(Column(missing[0], free[0], y, False))
    return tuple(sorted(row, key=lambda column: column.x))


def row_length(xs: Sequence[float], table: Table) -> int:
    """Three contenders or four: which grid fits the cards seen."""

    def miss(count: int) -> float:
        grid = [table.column_x(n, count) for n in range(count)]
        return float(np.mean([min(abs(x - spot) for spot in grid) for x in xs]))

    few, all_ = len(CONTENDERS) - 1, len(CONTENDERS)
    return all_ if len(xs) == all_ or miss(all_) <= miss(few) else few


def lay_out(
    placed: Sequence[Placed], columns: Sequence[Column], prints: Prints, table: Table, box: Box
) -> Cards:
    """Where each face-up card lies. What is in a hand, or in a fan at the table's edge, lies nowhere."""
    in_columns: list[tuple[Placed, Column, Floats]] = []
    reveal: dict[int, tuple[float, RevealCard]] = {}
    piled: list[Placed] = []
    stray: list[StrayCard] = []
    for one in placed:
        card = box.card_by_id.get(one.id)
        if card is None:
            continue
        middle = one.offset(*prints.card_middle)
        if math.dist(middle, table.discard_pile_mm) <= OFF_PILE_MM and one.height_mm <= HIGHEST_PILE_MM:
            piled.append(one)
            continue
        column = _column_of(one, middle, columns)
        seat = zone_of(middle, table.reveal_centres_mm, OFF_REVEAL_MM)
        if one.height_mm > (HELD_MM if seat is None else HELD_REVEALED_MM):
            continue
        if column is not None:
            in_columns.append((one, column, middle))
        elif seat is not None:
            miss = math.dist(middle, table.reveal_centres_mm[seat])
            if seat not in reveal or miss < reveal[seat][0]:
                reveal[seat] = (miss, RevealCard(seat, card, one.xyz_mm, one.corners_px))
        elif (
            # Where the columns are is not known for sure while a contender cannot be read.
            all(c.seen for c in columns)
            and len(columns) >= len(CONTENDERS) - 1
            and abs(middle[0]) < STRAY_WITHIN_MM[0]
            and abs(middle[1]) < STRAY_WITHIN_MM[1]
            and one.height_mm < STRAY_LOW_MM
        ):
            stray.append(StrayCard(card, one.xyz_mm, one.corners_px))
    top = max(piled, key=lambda one: one.height_mm, default=None)
    return Cards(
        _in_rows(in_columns, columns, table, box),
        tuple(reveal[seat][1] for seat in sorted(reveal)),
        box.card_by_id[top.id] if top else None,
        tuple(stray),
    )


def _column_of(one: Placed, middle: Floats, columns: Sequence[Column]) -> Column | None:
    """The column a card lies in."""
    # Upright or upside down, which is the same over half a turn.
    if abs((one.yaw_deg + 90.0) % 180.0 - 90.0) > COLUMN_TURN_DEG:
        return None
    for column in columns:
        if (
            abs(middle[0] - column.x) <= OFF_COLUMN_MM
            and COLUMNS_END_Y_MM <= middle[1] <= column.y - BELOW_CONTENDER_MM
        ):
            return column
    return None


def _in_rows(
    cards: Sequence[tuple[Placed, Column, Floats]], columns: Sequence[Column], table: Table, box: Box
) -> tuple[ColumnCard, ...]:
    """The cards in the columns with their rows, column by column from left to right, each from the top down."""
    if not cards:
        return ()
    top = sum(column.y for column in columns) / len(columns)
    slots = row_slots(
        [(column.contender, float(middle[1])) for _, column, middle in cards], top, table.row_pitch_mm
    )
    found: list[tuple[float, int, ColumnCard]] = []
    for slot in slots:
        for n in slot.members:
            one, column, middle = cards[n]
            near = {c.contender: math.exp(-(((middle[0] - c.x) / COLUMN_SIGMA_MM) ** 2) / 2) for c in columns}
            sure = near[column.contender] / sum(near.values())
            p = sure * slot_probabilities(float(middle[1]), slots)[slot.row]
            card = ColumnCard(
                column.contender, slot.row, box.card_by_id[one.id], p, one.xyz_mm, one.corners_px
            )
            found.append((column.x, slot.row, card))
    found.sort(key=lambda item: item[:2])
    return tuple(card for _, _, card in found)


def private_prints(placed: Sequence[Placed], box: Box) -> tuple[PrivatePrint, ...]:
    """The prints of tiles, wherever they are, and of cards that are held over the table."""
    return tuple(
        PrivatePrint(one.id in TILE_BY_ID, one.corners_px)
        for one in placed
        if one.id in TILE_BY_ID or (one.id in box.card_by_id and one.height_mm > HELD_REVEALED_MM)
    )


def zone_of(at: Floats, centres: Sequence[tuple[float, float]], reach: tuple[float, float]) -> int | None:
    """The seat whose zone holds a point: the nearest centre, if within `reach` of it in x and y."""
    seat = min(range(len(centres)), key=lambda n: math.dist(at, centres[n]))
    x, y = centres[seat]
    return seat if abs(at[0] - x) <= reach[0] and abs(at[1] - y) <= reach[1] else None


def player_cards(placed: Sequence[Placed], table: Table) -> dict[int, Placed]:
    """The player card in each seat's zone."""
    found: dict[int, Placed] = {}
    for one in placed:
        if one.id in PLAYER_CARD_IDS and one.height_mm <= HELD_REVEALED_MM:
            seat = zone_of(player_card_middle(one, table), table.reveal_centres_mm, (OFF_PLAYER_CARD_MM,) * 2)
            if seat is not None:
                found.setdefault(seat, one)
    return found


def player_card_middle(one: Placed, table: Table) -> Floats:
    """The middle of a player card, whose print is at its upper middle."""
    return one.offset(0.0, -table.player_card_mm[1] * PLAYER_CARD_MARKER_UP)


# The print's middle lies this share of the card's height above the card's.
PLAYER_CARD_MARKER_UP = 0.3


def tiles_of(placed: Sequence[Placed], cards: dict[int, Placed], table: Table) -> tuple[TilesSighting, ...]:
    """The tiles turned up on each seat's player card; seats of which none is seen are left out."""
    spots: list[tuple[int, bool, Floats]] = []
    for seat, centre in enumerate(table.reveal_centres_mm):
        for first, (right, up) in zip((True, False), table.tile_offsets_mm, strict=True):
            if seat in cards:
                at = cards[seat].offset(right, up - table.player_card_mm[1] * PLAYER_CARD_MARKER_UP)
            else:
                at = np.array([centre[0] + right, centre[1] + up])
            spots.append((seat, first, at))
    seen: dict[tuple[int, bool], tuple[float, str]] = {}
    for one in placed:
        contender = TILE_BY_ID.get(one.id)
        if contender is None or one.height_mm > HELD_REVEALED_MM:
            continue
        seat, first, at = min(spots, key=lambda spot: math.dist(spot[2], one.at))
        miss = math.dist(at, one.at)
        if miss <= OFF_TILE_MM and miss < seen.get((seat, first), (math.inf, ""))[0]:
            seen[seat, first] = (miss, contender)
    seats: Collection[int] = {seat for seat, _ in seen}
    return tuple(
        TilesSighting(
            seat,
            seen[seat, True][1] if (seat, True) in seen else None,
            seen[seat, False][1] if (seat, False) in seen else None,
        )
        for seat in sorted(seats)
    )
