"""The reading of an OlymPeak table: what lies where, and how surely. Sight hands it to the referee."""

from __future__ import annotations

from dataclasses import dataclass

from companion.sensing.reading import Finding

Point = tuple[float, float, float]
Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ColumnCard:
    """A card face up in a column. `row`: its row slot, counted from 1 below the contender card; holes count.

    `p`: the probability of this column and row. `card`: `p014` or `o03`.
    """

    contender: str
    row: int
    card: str
    p: float
    xyz_mm: Point
    corners_px: Corners = ()


@dataclass(frozen=True, slots=True)
class RevealCard:
    """The card in a seat's reveal zone; `card` None: it lies face down."""

    seat: int
    card: str | None
    xyz_mm: Point
    corners_px: Corners = ()


@dataclass(frozen=True, slots=True)
class CubeSighting:
    """A cube on the scoreboard: `place` (−5 … 35) is the nearest, `offset` how far off its middle (places)."""

    contender: str
    place: int
    offset: float
    xyz_mm: Point
    corners_px: Corners = ()


@dataclass(frozen=True, slots=True)
class TilesSighting:
    """The two tiles on a player card, once turned up; None: that one is not (yet) turned up or not seen."""

    seat: int
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class StrayCard:
    """A card face up that lies in no column, no reveal zone and not on the discard pile."""

    card: str
    xyz_mm: Point
    corners_px: Corners = ()


@dataclass(frozen=True, slots=True)
class PrivatePrint:
    """A print that was seen although it is secret: on a tile, or on a card in a hand."""

    is_tile: bool
    corners_px: Corners


@dataclass(frozen=True, slots=True)
class OlympeakReading:
    """One look at an OlymPeak table. `exposed_at`, `frame`, `moving`, `findings`, `hands_beside` as for Above.

    `contenders`: the row from left to right, only those seen. `hidden`: parts that could not be seen, by name:
    `column blue`, `reveal 2`, `cube red`, `round`, `discard`, `row` (the contender row), `tiles 3`. `private`: prints of
    cards in a hand and of tiles, which are nobody else's business: no picture of them is shown (O15, O17).
    """

    exposed_at: float
    frame: str = "ok"
    moving: bool = False
    contenders: tuple[str, ...] = ()
    columns: tuple[ColumnCard, ...] = ()
    reveal: tuple[RevealCard, ...] = ()
    discard_top: str | None = None
    cubes: tuple[CubeSighting, ...] = ()
    round_marker: int | None = None
    player_cards: tuple[int, ...] = ()
    tiles: tuple[TilesSighting, ...] = ()
    stray: tuple[StrayCard, ...] = ()
    private: tuple[PrivatePrint, ...] = ()
    hidden: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    hands_beside: bool = False
