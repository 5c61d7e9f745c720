"""A steady reading: what lies still is what most looks say it is, whatever one of them makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.referee.votes import Votes, spot_of
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting

# A print that is read in two ways for longer than this is what the newest look says: a board is never silent.
UNCLEAR_S = 1.0
# Before so many looks at a print somewhere new it is unclear if the newest one differs.
FEW_LOOKS = 4

S = TypeVar("S", MiniSighting, TokenSighting, CardSighting)


class Steady:
    """Follows the prints of a table of Above through the looks at it."""

    def __init__(self) -> None:
        # No piece comes to stand just as another stood; a card turned over in its place may lie just as it lay. Pieces
        # on the board are brushed by the hand that sets another one down beside them.
        self._minis, self._tokens = (Votes(kept=3, brushed=True, few=FEW_LOOKS) for _ in range(2))
        self._cards = Votes(kept=1, few=FEW_LOOKS)
        self._stirred = False
        self._unclear_since: float | None = None
        self._still_since: float | None = None
        # How often an unclear look has parted those before it from those after. Only in the first moment after hands have
        # left, with few looks to judge a print by: one unclear for longer is worn, and must not keep the board silent.
        self.parted = 0
        # What the newest look itself read otherwise than most looks do: kind of thing, and which token or whose card.
        self.contested: frozenset[tuple[str, str]] = frozenset()

    def stirred(self) -> None:
        """Hands have moved, or nothing could be seen."""
        self._stirred = True

    def reading(self, read: Reading) -> Reading | None:
        """A settled reading with every print under the name that most looks give it; None while one of them has none.

        What is not clear may be anything, and is not nothing: nothing follows from such a look.
        """
        if self._stirred:
            self._stirred = False
            self._still_since = read.exposed_at
            for votes in (self._minis, self._tokens, self._cards):
                votes.stirred()
        minis = _named(self._minis, read.minis, [mini.deity for mini in read.minis])
        tokens = _named(self._tokens, read.tokens, [token.token for token in read.tokens])
        cards = _named(
            self._cards, read.cards, [(card.deity, card.card_set, card.powered) for card in read.cards]
        )
        self.contested = frozenset(
            ("token", str(name))
            for token, name in zip(read.tokens, tokens, strict=True)
            if name != token.token
        ) | frozenset(
            ("card", name[0])
            for card, name in zip(read.cards, cards, strict=True)
            if isinstance(name, tuple) and name != (card.deity, card.card_set, card.powered)
        )
        if not (None in minis or None in tokens or None in cards):
            self._unclear_since = None
        elif self._unclear_since is None:
            self._unclear_since = read.exposed_at
            self._part(read.exposed_at)
            return None
        elif read.exposed_at - self._unclear_since < UNCLEAR_S:
            return None
        return replace(
            read,
            minis=tuple(
                mini if name in (None, mini.deity) else replace(mini, deity=str(name))
                for mini, name in zip(read.minis, minis, strict=True)
            ),
            tokens=tuple(
                token if name in (None, token.token) else replace(token, token=str(name))
                for token, name in zip(read.tokens, tokens, strict=True)
            ),
            cards=tuple(_card(card, name) for card, name in zip(read.cards, cards, strict=True)),
        )

    def _part(self, now: float) -> None:
        if self._still_since is not None and now - self._still_since < UNCLEAR_S:
            self.parted += 1


def _card(card: CardSighting, name: object) -> CardSighting:
    if name in (None, (card.deity, card.card_set, card.powered)):
        return card
    assert isinstance(name, tuple)
    deity, card_set, powered = name
    return replace(card, deity=deity, card_set=card_set, powered=powered)


def _named(votes: Votes, seen: Sequence[S], names: Sequence[object]) -> list[object | None]:
    """What each sighting is by the votes; None for one that is not clear."""
    return votes.count([(spot_of(one.corners_px), name) for one, name in zip(seen, names, strict=True)])
