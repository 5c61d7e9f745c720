"""What can happen in a game of OlymPeak: one frozen dataclass per decision people make in the open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reveal:
    """All players turn up their chosen cards; `cards` by seat."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A seat lays its revealed card under a contender. `row` (from 1 within the round): where it was seen."""

    seat: int
    card: str
    to: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """A seat that can place nowhere takes its card back to hand and draws one (O5)."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The player of a Stop card ends the turn, or declines to (O7)."""

    seat: int
    stop: bool


@dataclass(frozen=True, slots=True)
class Remove:
    """The player of a Remove card discards a card of its row; `card` is None when declined (O8)."""

    seat: int
    card: str | None


@dataclass(frozen=True, slots=True)
class Insert:
    """The player of an Insert card draws one and lays one more card from hand (O9)."""

    seat: int
    card: str
    to: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class DeclineInsert:
    """The player of an Insert card places nothing; `drew`: the card for it was drawn all the same (O9)."""

    seat: int
    drew: bool


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Everybody has played or was prevented: the cubes move (O10)."""


@dataclass(frozen=True, slots=True)
class EndRound:
    """Columns are cleared, the marker moves on, players exchange cards unseen (O11)."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """The tiles are turned up: the contenders predicted first and second, by seat (O15)."""

    first: tuple[str, ...]
    second: tuple[str, ...]


Event = Reveal | Play | Blocked | Stop | Remove | Insert | DeclineInsert | EndTurn | EndRound | Predictions
