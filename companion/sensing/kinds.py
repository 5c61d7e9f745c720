"""The kinds of pieces of Above as sight knows them: which ids they may carry, how large and how high their prints are."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, TOKEN_BY_ID, Table

# A card's print, with the white square around it, lies this high.
CARD_Z_MM = 0.5
CARD_WHITE = 1.3


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece: the ids it may carry, its print's side, the white around it, and its height in mm.

    `sticker_mm`: the diameter of the round white sticker; of a square one (`square`) the side.
    """

    ids: tuple[int, ...]
    side_mm: float
    sticker_mm: float
    height_mm: float
    square: bool = False


def round_kinds(table: Table) -> tuple[Kind, ...]:
    """Miniatures and tokens of a table."""
    return (
        Kind(tuple(MINI_BY_ID), table.mini_marker_mm, table.mini_cap_mm, table.mini_height_mm),
        Kind(tuple(TOKEN_BY_ID), table.token_marker_mm, table.token_diameter_mm - 1.0, table.token_height_mm),
    )


def card_kind(table: Table) -> Kind:
    """The deity cards: their print lies in a white square."""
    side = table.card_marker_mm
    return Kind(tuple(CARD_BY_ID), side, side * CARD_WHITE, CARD_Z_MM, square=True)


def nominal(marker: int, table: Table) -> tuple[float, float] | None:
    """(side, height above what it stands on) in mm of a piece's marker; None for ids that are no piece."""
    if marker in MINI_BY_ID:
        return (table.mini_marker_mm, table.mini_height_mm)
    if marker in TOKEN_BY_ID:
        return (table.token_marker_mm, table.token_height_mm)
    if marker in CARD_BY_ID:
        return (table.card_marker_mm, CARD_Z_MM)
    return None
