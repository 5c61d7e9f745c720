"""A steady reading: what lies still is what most looks say it is, whatever one of them makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.referee.votes import Votes, spot_of
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting

S = TypeVar("S", MiniSighting, TokenSighting, CardSighting)


class Steady:
    """Follows the prints of a table of Above through the looks at it."""

    def __init__(self) -> None:
        self._minis, self._tokens, self._cards = Votes(), Votes(), Votes()
        self._stirred = False

    def stirred(self) -> None:
        """Hands have moved, or nothing could be seen."""
        self._stirred = True

    def reading(self, read: Reading) -> Reading:
        """A settled reading with every print under the name that most looks give it."""
        if self._stirred:
            self._stirred = False
            for votes in (self._minis, self._tokens, self._cards):
                votes.stirred()
        minis = _named(self._minis, read.minis, [mini.deity for mini in read.minis])
        tokens = _named(self._tokens, read.tokens, [token.token for token in read.tokens])
        cards = _named(
            self._cards, read.cards, [(card.deity, card.card_set, card.powered) for card in read.cards]
        )
        if minis is None and tokens is None and cards is None:
            return read
        return replace(
            read,
            minis=read.minis
            if minis is None
            else tuple(replace(mini, deity=str(name)) for mini, name in minis),
            tokens=read.tokens
            if tokens is None
            else tuple(replace(token, token=str(name)) for token, name in tokens),
            cards=read.cards if cards is None else tuple(_card(card, name) for card, name in cards),
        )


def _card(card: CardSighting, name: object) -> CardSighting:
    assert isinstance(name, tuple)
    deity, card_set, powered = name
    return replace(card, deity=deity, card_set=card_set, powered=powered)


def _named(votes: Votes, seen: Sequence[S], names: Sequence[object]) -> list[tuple[S, object]] | None:
    """Each sighting with its name by the votes, without those that are not clear; None if all stay as read."""
    spots = [spot_of(one.corners_px) for one in seen]
    told = votes.count(list(zip(spots, names, strict=True)))
    if list(names) == told:
        return None
    return [(one, name) for one, name in zip(seen, told, strict=True) if name is not None]
