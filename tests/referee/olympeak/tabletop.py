"""An OlymPeak table for the referee's tests: what lies where, and a clean reading of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.olympeak.box import Table
from companion.games.olympeak.position import GameState
from companion.referee.corrections import Correction
from companion.sensing.olympeak.reading import (
    ColumnCard,
    CubeSighting,
    OlympeakReading,
    RevealCard,
    StrayCard,
    TilesSighting,
)

TABLE = Table()


@dataclass
class Tabletop:
    """Cards in columns as (contender, row) → cards, before seats (None: face down), cubes, tiles."""

    contenders: tuple[str, ...]
    columns: dict[tuple[str, int], str] = field(default_factory=dict)
    zones: dict[int, str | None] = field(default_factory=dict)
    cubes: dict[str, int] = field(default_factory=dict)
    round_marker: int | None = 1
    discard_top: str | None = None
    tiles: dict[int, tuple[str | None, str | None]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    stray: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, state: GameState) -> Tabletop:
        """The table as it shows `state`, with every revealed card that is to be played before its seat."""
        return cls(
            contenders=state.setup.contenders,
            columns={(each.contender, each.row): each.card for each in state.placed},
            zones={seat: state.revealed[seat] for seat in state.waiting},
            cubes=dict(state.cube),
            round_marker=state.round,
        )

    def reading(self, at: float = 0.0, *, moving: bool = False) -> OlympeakReading:
        """What a perfect camera reads: rows as slots, without what is hidden."""
        columns = tuple(
            ColumnCard(contender, row, card, 0.99, (self._x(contender), TABLE.row_y(row), 0.4))
            for (contender, row), card in sorted(self.columns.items())
            if f"column {contender}" not in self.hidden
        )
        reveal = tuple(
            RevealCard(seat, card, (*TABLE.reveal_centres_mm[seat], 0.4))
            for seat, card in sorted(self.zones.items())
            if f"reveal {seat}" not in self.hidden
        )
        cubes = tuple(
            CubeSighting(contender, place, 0.0, (*TABLE.cube_centre(contender, place), 12.0))
            for contender, place in sorted(self.cubes.items())
            if f"cube {contender}" not in self.hidden
        )
        return OlympeakReading(
            exposed_at=at,
            moving=moving,
            contenders=self.contenders,
            columns=columns,
            reveal=reveal,
            discard_top=self.discard_top,
            cubes=cubes,
            round_marker=self.round_marker,
            tiles=tuple(TilesSighting(seat, *pair) for seat, pair in sorted(self.tiles.items())),
            stray=tuple(StrayCard(card, (0.0, -150.0, 0.4)) for card in sorted(self.stray)),
            hidden=frozenset(self.hidden),
        )

    def _x(self, contender: str) -> float:
        return TABLE.column_x(self.contenders.index(contender), len(self.contenders))


@dataclass
class Notes:
    """A ledger that keeps everything in memory."""

    begun: int = 0
    written: list[list[str]] = field(default_factory=list)
    announced: list[list[str]] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    refusals: list[tuple[str, str]] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)

    def begin(self, setup: object) -> None:
        self.begun += 1

    def events(self, lines: Sequence[Sequence[str]]) -> None:
        self.written += [list(each) for each in lines]
        self.announced, self.answers = [], {}

    def progress(self, lines: Sequence[Sequence[str]], answers: Mapping[str, str]) -> None:
        self.announced, self.answers = [list(each) for each in lines], dict(answers)

    def take_back(self, events: int) -> None:
        del self.written[events:]
        self.announced, self.answers = [], {}

    def refusal(self, text: str, rule: str) -> None:
        self.refusals.append((text, rule))

    def finding(self, text: str, ruling: str) -> None:
        self.found.append(text)

    def correction(self, correction: Correction) -> None:
        self.corrections.append(correction)
