"""Above's deity cards: the column letter and the ring number printed on each for the set-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.cards.book import CardRefused
from calibration.form import Field
from calibration.output import write_whole
from companion.games.above.box import CARD_BY_ID
from companion.games.above.cards import CARD_NAMES, GREEK, SETUP_CARDS, SetupCard, card_title
from companion.games.above.cards_file import checked, dump, read


@dataclass(frozen=True, slots=True)
class AboveCards:
    """The cards that were registered; the others are not kept, since nobody has compared them."""

    known: tuple[SetupCard, ...] = ()

    game = "above"
    cards = CARD_NAMES

    @classmethod
    def kept(cls, file: Path) -> AboveCards:
        """The book in an owner's file, empty if there is none. Raises CardsError."""
        return cls(read(file)) if file.exists() else cls()

    @property
    def registered(self) -> frozenset[str]:
        """The cards in the owner's file."""
        return frozenset(card.id for card in self.known)

    def card_of(self, marker: int) -> str | None:
        """The card by the marker on either of its sides."""
        found = CARD_BY_ID.get(marker)
        return None if found is None else f"{found[0]}{found[1]}"

    def title(self, card: str) -> str:
        """`Zeus, set 1`."""
        return card_title(card)

    def short(self, card: str) -> str:
        """`Zeus 1`."""
        return card_title(card).replace(", set", "")

    def doubts(self) -> tuple[str, ...]:
        """Letters that stand on several cards: there are as many columns as cards."""
        counts = Counter(card.column for card in self.known)
        return tuple(
            f"the letter {_greek(column)} is registered for "
            f"{' and '.join(self.short(card.id) for card in self.known if card.column == column)}"
            for column, count in sorted(counts.items())
            if count > 1
        )

    def _card(self, card: str) -> SetupCard:
        return next(one for one in (*self.known, *SETUP_CARDS) if one.id == card)

    def told(self, card: str) -> str:
        """`letter κ, ring 3`."""
        here = self._card(card)
        return f"letter {_greek(here.column)}, ring {here.ring}"

    def fields(self, card: str) -> tuple[Field, ...]:
        """Letter and ring; what is assumed is offered."""
        here = self._card(card)
        return (
            Field("letter", "the letter on it (Greek, or the column a to p)", here.column),
            Field("ring", "the ring number on it, 1 to 6", str(here.ring)),
        )

    def confirmed(self, card: str, values: Mapping[str, str]) -> AboveCards:
        """The book with this card registered. Raises CardRefused."""
        found = checked(card, values.get("letter", ""), values.get("ring", ""))
        if isinstance(found, str):
            raise CardRefused(f"{found[0].upper()}{found[1:]}.")
        others = {one.id: one for one in self.known if one.id != card} | {card: found}
        return AboveCards(tuple(others[name] for name in CARD_NAMES if name in others))

    def save(self, file: Path) -> None:
        """Keep the registered cards as CSV. Raises OutputError."""
        write_whole(file, dump(self.known))


def _greek(column: str) -> str:
    return GREEK[ord(column) - ord("a")]
