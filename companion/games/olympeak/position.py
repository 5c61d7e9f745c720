"""A game of OlymPeak as everybody at the table can see it: nothing of a hand, nothing of a tile (O17)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from companion.errors import CompanionError
from companion.games.olympeak.cards import (
    HAND_SIZE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    Deck,
    Kind,
    contenders_in_play,
)
from companion.games.olympeak.piles import Piles
from companion.games.olympeak.scoring import RANKINGS, Outcome

CUBE_MIN, CUBE_MAX = -5, 35
COLUMN_FULL = 6
MAX_ROUNDS = 3


class SetupError(CompanionError, ValueError):
    """A game cannot begin like this; `defects` lists everything that is wrong."""

    def __init__(self, defects: tuple[str, ...]) -> None:
        super().__init__("The game cannot begin: " + "; ".join(defects) + ".")
        self.defects = defects


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat. `age_order` 0 is the youngest (O2)."""

    name: str
    age_order: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the first card: seats clockwise, contenders as they lie from left to right.

    `rounds` is the number on the left-most contender card (O1). Refuses a bad set-up with all its defects.
    """

    players: tuple[Player, ...]
    contenders: tuple[str, ...]
    rounds: int
    deck: Deck
    ranking: str = "dense"

    def __post_init__(self) -> None:
        if defects := tuple(self._defects()):
            raise SetupError(defects)

    def _defects(self) -> list[str]:
        defects = []
        count = len(self.players)
        if not MIN_PLAYERS <= count <= MAX_PLAYERS:
            defects.append(f"{count} players where {MIN_PLAYERS} to {MAX_PLAYERS} can play")
        if sorted(player.age_order for player in self.players) != list(range(count)):
            defects.append(f"the age order must name each of 0 to {count - 1} once, 0 for the youngest")
        wanted = contenders_in_play(count)
        if tuple(sorted(self.contenders)) != wanted:
            row = ", ".join(self.contenders) or "nobody"
            defects.append(f"with {count} players {', '.join(wanted)} race (O1), and the row shows {row}")
        if not 1 <= self.rounds <= MAX_ROUNDS:
            defects.append(f"{self.rounds} rounds where the cards say 1 to {MAX_ROUNDS}")
        if self.ranking not in RANKINGS:
            defects.append(f"ranking {self.ranking!r} is neither {' nor '.join(RANKINGS)} (O13)")
        return defects

    @property
    def racing(self) -> tuple[str, ...]:
        """The contenders in play, in canonical order."""
        return contenders_in_play(len(self.players))

    @property
    def seats(self) -> range:
        """All seats, clockwise."""
        return range(len(self.players))

    def fresh_piles(self) -> Piles:
        """The piles after dealing. A deck too small to deal from is a list of the cards seen, not a box."""
        left = len(self.deck.in_play(len(self.players))) - HAND_SIZE * len(self.players)
        return Piles.of(left) if left >= 0 else Piles.unknown()


@dataclass(frozen=True, slots=True)
class Placed:
    """A card in a column. `row` counts from 1 within the round, `turn` over the whole game."""

    card: str
    contender: str
    row: int
    turn: int
    seat: int


class Phase(Enum):
    """What the game waits for."""

    REVEAL = "reveal"
    PLAY = "play"
    CHOICE = "choice"  # the player of an order card decides on its order
    TURN_END = "turn_end"  # cubes are to be moved
    ROUND_END = "round_end"  # columns are to be cleared, cards exchanged
    PREDICTIONS = "predictions"  # tiles are to be turned up
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GameState:
    """The public state between two events.

    `turn` counts reveals from 1 over the whole game, `round` is what the marker shows. `cubes` runs along
    `setup.racing`. `revealed` (by seat) and `order` (seats in order of play) belong to the turn;
    `order[index]` is to act. `pending` is the order card whose player decides.

    What is known of cards without seeing a hand: `hands` the number of cards, by seat; `held` the cards that
    went back to a hand in the open; `loose` those that have since had the chance to be exchanged, so they are
    in that hand or on the discard pile; `discarded` those that lie on the discard pile for certain.
    """

    setup: Setup
    phase: Phase
    round: int
    turn: int
    cubes: tuple[int, ...]
    placed: tuple[Placed, ...]
    revealed: tuple[str, ...]
    order: tuple[int, ...]
    index: int
    pending: str | None
    hands: tuple[int, ...]
    piles: Piles
    discarded: frozenset[str]
    held: tuple[frozenset[str], ...]
    loose: tuple[frozenset[str], ...]
    outcome: Outcome | None = None

    @property
    def seat(self) -> int | None:
        """The seat that is to act, None when it is nobody's or everybody's turn."""
        return self.order[self.index] if self.phase in (Phase.PLAY, Phase.CHOICE) else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose revealed card still lies before them, in order of play."""
        if self.phase is Phase.PLAY:
            return self.order[self.index :]
        return self.order[self.index + 1 :] if self.phase is Phase.CHOICE else ()

    @property
    def cube(self) -> dict[str, int]:
        """Where each contender stands, -5…35."""
        return dict(zip(self.setup.racing, self.cubes, strict=True))

    @property
    def columns(self) -> dict[str, int]:
        """Number of cards lying under each contender this round (holes do not count, O11)."""
        count = Counter(each.contender for each in self.placed)
        return {contender: count[contender] for contender in self.setup.racing}

    @property
    def this_turn(self) -> tuple[Placed, ...]:
        """The cards laid this turn that still lie."""
        return tuple(each for each in self.placed if each.turn == self.turn)

    @property
    def open_row(self) -> tuple[int, tuple[str, ...]]:
        """Row in which the next card goes, and the contenders free in it, in canonical order (O4)."""
        rows = [each.row for each in self.this_turn]
        if not rows:
            return max((each.row for each in self.placed), default=0) + 1, self.setup.racing
        row = max(rows)
        taken = {each.contender for each in self.this_turn if each.row == row}
        free = tuple(contender for contender in self.setup.racing if contender not in taken)
        return (row, free) if free else (row + 1, self.setup.racing)

    @property
    def pending_kind(self) -> Kind | None:
        """Kind of the order card whose player decides."""
        return self.setup.deck[self.pending].kind if self.pending else None

    def lying(self, card: str) -> Placed | None:
        """Where a card lies in the columns; None when it does not."""
        return next((each for each in self.placed if each.card == card), None)

    def targets(self, card: str) -> tuple[str, ...]:
        """The contenders under which `card` may be laid now (O4), sorted; empty when it is blocked."""
        free = self.open_row[1]
        known = self.setup.deck[card]
        return free if known.is_order else tuple(c for c in free if c in known.signs)

    def removable(self) -> tuple[str, ...]:
        """The cards that the pending Remove card may take away: the others of its own row (O8), sorted."""
        remove = self.lying(self.pending) if self.pending else None
        if remove is None:
            return ()
        return tuple(sorted(p.card for p in self.placed if p.row == remove.row and p.card != remove.card))


def begin(setup: Setup) -> GameState:
    """The state after dealing: all cubes on 0, nothing revealed."""
    nothing: tuple[frozenset[str], ...] = (frozenset(),) * len(setup.players)
    return GameState(
        setup=setup,
        phase=Phase.REVEAL,
        round=1,
        turn=1,
        cubes=(0,) * len(setup.racing),
        placed=(),
        revealed=(),
        order=(),
        index=0,
        pending=None,
        hands=(HAND_SIZE,) * len(setup.players),
        piles=setup.fresh_piles(),
        discarded=frozenset(),
        held=nothing,
        loose=nothing,
    )


def order_of_play(setup: Setup, revealed: tuple[str, ...]) -> tuple[int, ...]:
    """Seats in the order in which they act (O2); empty when every card is an order card (O3)."""
    leaders = [seat for seat in setup.seats if not setup.deck[revealed[seat]].is_order]
    if not leaders:
        return ()

    def rank(seat: int) -> tuple[int, int, int]:
        card = setup.deck[revealed[seat]]
        return -card.heads, card.value, setup.players[seat].age_order

    first = min(leaders, key=rank)
    return tuple((first + n) % len(setup.players) for n in setup.seats)
