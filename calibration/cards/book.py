"""A book of cards: which marker is which card, what is asked of it, and what is still missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, Self

from calibration.form import Field
from companion.errors import CompanionError

SHOWN = 12


class CardRefused(CompanionError, ValueError):
    """What was said of a card cannot be. The message says what would be possible."""


class CardBook(Protocol):
    """The cards of one game, as far as they are registered. Frozen: confirming a card gives a new book."""

    @property
    def game(self) -> str: ...

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards, in the order of their markers."""

    @property
    def registered(self) -> frozenset[str]:
        """Those whose values somebody has confirmed."""

    def card_of(self, marker: int) -> str | None:
        """The card that carries this marker; None for anything else."""

    def title(self, card: str) -> str:
        """A card in words."""

    def short(self, card: str) -> str:
        """A card's name among many."""

    def doubts(self) -> tuple[str, ...]:
        """What looks wrong when the registered cards are taken together, a sentence each."""

    def told(self, card: str) -> str:
        """What a card says, in words."""

    def fields(self, card: str) -> tuple[Field, ...]:
        """What is asked of a card."""

    def confirmed(self, card: str, values: Mapping[str, str]) -> Self:
        """The book with this card registered. Raises CardRefused."""

    def save(self, file: Path) -> None:
        """Keep the book, whole or not at all. Raises OutputError."""


def missing(book: CardBook) -> tuple[str, ...]:
    """The cards that nobody has confirmed yet."""
    return tuple(card for card in book.cards if card not in book.registered)


def listed(book: CardBook, cards: tuple[str, ...]) -> str:
    """Cards by name, many of them cut short."""
    return ", ".join(book.short(card) for card in cards[:SHOWN]) + (
        f" and {len(cards) - SHOWN} more" if len(cards) > SHOWN else ""
    )
