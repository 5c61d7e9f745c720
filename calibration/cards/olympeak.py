"""OlymPeak's cards: value, hydra heads, signs and star of each; the kind of an order card; a contender's rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.cards.book import CardRefused
from calibration.form import Field
from calibration.output import write_whole
from companion.games.olympeak.box import CONTENDER_BY_ID, CONTENDER_IDS, Box
from companion.games.olympeak.cards import (
    CARD_NAMES,
    CONTENDERS,
    HEADS,
    STARRED_CONTENDER,
    VALUES,
    Card,
    Deck,
    Kind,
    canonical,
)
from companion.games.olympeak.deck_file import PRINTED_ROUNDS, default_box, dump, read

_STAR = Field("star", "a star on it?", "no", ("no", "yes"))
_ORDERS = tuple(kind.value for kind in Kind if kind is not Kind.PROGRESS)


@dataclass(frozen=True, slots=True)
class OlympeakCards:
    """A whole box: of cards that are not registered the values are those assumed, and it says which they are."""

    box: Box

    game = "olympeak"
    cards = (*CONTENDERS, *CARD_NAMES)

    @classmethod
    def kept(cls, file: Path) -> OlympeakCards:
        """The book in an owner's file, or the assumed box. Raises DeckError."""
        return cls(read(file) if file.exists() else replace(default_box(), assumed=False))

    @property
    def registered(self) -> frozenset[str]:
        """The cards whose values are not merely assumed."""
        return frozenset(self.cards) - self.box.unconfirmed

    def card_of(self, marker: int) -> str | None:
        """The card, or contender card, that carries this marker."""
        return CONTENDER_BY_ID.get(marker) or self.box.card_by_id.get(marker)

    def title(self, card: str) -> str:
        """`the contender blue`, `progress card p014`, `order card o03`."""
        if card in CONTENDER_IDS:
            return f"the contender {card}"
        return f"{'order' if self.box.deck[card].is_order else 'progress'} card {card}"

    def short(self, card: str) -> str:
        """`p014`."""
        return card

    def doubts(self) -> tuple[str, ...]:
        """Nothing is known of the printed deck that single cards could contradict."""
        return ()

    def told(self, card: str) -> str:
        """`+3, 2 heads, blue or red, with a star`."""
        if card in CONTENDER_IDS:
            rounds = self.box.printed_rounds[card]
            return f"{rounds} round{'s' * (rounds != 1)}"
        here = self.box.deck[card]
        star = ", with a star" if here.star else ""
        if here.is_order:
            return f"{here.kind.value.capitalize()}{star}"
        heads = f"{here.heads} head{'s' * (here.heads != 1)}"
        return f"{here.value:+d}, {heads}, {' or '.join(here.signs)}{star}"

    def fields(self, card: str) -> tuple[Field, ...]:
        """What is printed on this kind of card; what is assumed is offered."""
        if card in CONTENDER_IDS:
            rounds = tuple(str(number) for number in PRINTED_ROUNDS)
            return (Field("rounds", "rounds printed on it", str(self.box.printed_rounds[card]), rounds),)
        here = self.box.deck[card]
        star = replace(_STAR, value="yes" if here.star else "no")
        if here.is_order:
            return (Field("order", "its order", here.kind.value, _ORDERS), star)
        return (
            Field("value", "progress value", str(here.value), tuple(str(value) for value in VALUES)),
            Field("heads", "hydra heads", str(here.heads), tuple(str(number) for number in HEADS)),
            Field("signs", "contenders on it", " ".join(here.signs), CONTENDERS, several=True),
            star,
        )

    def confirmed(self, card: str, values: Mapping[str, str]) -> OlympeakCards:
        """The book with this card registered. Raises CardRefused."""
        chosen: dict[str, tuple[str, ...]] = {}
        for field in self.fields(card):
            said = values.get(field.name, "").lower().replace("\N{MINUS SIGN}", "-").replace(",", " ")
            words = tuple(said.split()) if field.several else (said.strip().removeprefix("+"),)
            wrong = next((word for word in words if word not in field.choices), None)
            if wrong is not None or not words:
                seen = repr(wrong) if wrong else "nothing"
                raise CardRefused(f"{field.label}: {', '.join(field.choices)}, not {seen}.")
            chosen[field.name] = words
        left = self.box.unconfirmed - {card}
        if card in CONTENDER_IDS:
            rounds = {**self.box.printed_rounds, card: int(chosen["rounds"][0])}
            return OlympeakCards(replace(self.box, printed_rounds=rounds, unconfirmed=left))
        new = _card(self.box.deck[card], chosen)
        if set(new.signs) == {STARRED_CONTENDER} and not new.star:
            raise CardRefused(
                "A card for white alone has a star: without one two or three players get it (O1)."
            )
        deck = Deck(tuple(new if one.id == card else one for one in self.box.deck))
        return OlympeakCards(replace(self.box, deck=deck, unconfirmed=left))

    def save(self, file: Path) -> None:
        """Keep the whole box as CSV, with the cards not yet registered named in it. Raises OutputError."""
        write_whole(file, dump(self.box))


def _card(old: Card, chosen: Mapping[str, tuple[str, ...]]) -> Card:
    star = chosen["star"][0] == "yes"
    if old.is_order:
        return Card(old.id, Kind(chosen["order"][0]), star=star)
    return Card(
        old.id,
        Kind.PROGRESS,
        int(chosen["value"][0]),
        int(chosen["heads"][0]),
        canonical(chosen["signs"]),
        star,
    )
