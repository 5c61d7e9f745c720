"""The cards of OlymPeak: progress and order cards, and the deck they make up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from companion.games.olympeak.names import contender_name, order_name
from companion.messages import Text, either, say

CONTENDERS: tuple[str, ...] = ("blue", "green", "red", "white")
# O1: with two or three players everything with a star is out, the contender white among it.
STARRED_CONTENDER = "white"
FEW_PLAYERS = 3
MIN_PLAYERS, MAX_PLAYERS = 2, 6
HAND_SIZE = 6

PROGRESS_CARDS = 105
ORDER_CARDS = 15
PROGRESS_IDS: tuple[str, ...] = tuple(f"p{n:03d}" for n in range(1, PROGRESS_CARDS + 1))
ORDER_IDS: tuple[str, ...] = tuple(f"o{n:02d}" for n in range(1, ORDER_CARDS + 1))
CARD_NAMES: tuple[str, ...] = PROGRESS_IDS + ORDER_IDS
VALUES = range(-2, 5)
HEADS = range(1, 5)


class Kind(Enum):
    """What a card does: progress cards move contenders, the others give an order."""

    PROGRESS = "progress"
    STOP = "stop"
    REMOVE = "remove"
    INSERT = "insert"


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `signs`: contenders it may go under (none on an order card, which goes anywhere, O4)."""

    id: str
    kind: Kind
    value: int = 0
    heads: int = 0
    signs: tuple[str, ...] = ()
    star: bool = False

    @property
    def is_order(self) -> bool:
        """True for Stop, Remove and Insert."""
        return self.kind is not Kind.PROGRESS

    @property
    def words(self) -> Text:
        """The card in words: `p014 (+3, blue or red)`, `o03 (Stop)`."""
        if self.is_order:
            return say("olympeak.card_order", card=self.id, order=order_name(self.kind.value))
        signs = either(map(contender_name, self.signs))
        return say("olympeak.card_progress", card=self.id, value=f"{self.value:+d}", signs=signs)

    def __str__(self) -> str:
        """The same in English."""
        return str(self.words)


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards of a box, or of a record; looked up by id."""

    cards: tuple[Card, ...]
    _by_id: dict[str, Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {card.id: card for card in self.cards})

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self._by_id

    def __getitem__(self, card: str) -> Card:
        return self._by_id[card]

    def in_play(self, players: int) -> tuple[Card, ...]:
        """The cards that `players` people play with (O1)."""
        return tuple(card for card in self.cards if players > FEW_PLAYERS or not card.star)


def contenders_in_play(players: int) -> tuple[str, ...]:
    """The contenders that race with this number of players (O1), in canonical order."""
    return tuple(c for c in CONTENDERS if players > FEW_PLAYERS or c != STARRED_CONTENDER)


def canonical(contenders: Iterable[str]) -> tuple[str, ...]:
    """The same contenders in canonical order, each once."""
    present = set(contenders)
    return tuple(c for c in CONTENDERS if c in present)
