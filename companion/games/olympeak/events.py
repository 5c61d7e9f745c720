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


@dataclass(frozen=True, slots=True)
class Lying:
    """A card in a column, as a ruling has it: `row` and `turn` count as in the state, `seat` laid it."""

    card: str
    to: str
    row: int
    turn: int
    seat: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """The players go on from a table that the rules do not lead to; `text`: what was said of it.

    `cubes`: (contender, place) of every contender in play. Before a reveal, `revealed` (by seat) and `order` (of
    play) are empty; else the first `played` seats of `order` are done, and `pending` is the order card on which the
    next one, who has laid it, decides.
    """

    text: str
    round: int
    cubes: tuple[tuple[str, int], ...]
    placed: tuple[Lying, ...]
    revealed: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    played: int = 0
    pending: str | None = None


Event = (
    Ruling
    | Reveal
    | Play
    | Blocked
    | Stop
    | Remove
    | Insert
    | DeclineInsert
    | EndTurn
    | EndRound
    | Predictions
)
