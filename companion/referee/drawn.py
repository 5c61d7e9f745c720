"""The cards drawn for the set-up: in pairs, one names the column of a token, the next its ring (A3)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.above.board import SPACES
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.games.above.names import deity_name
from companion.games.above.setup import STARTERS, STARTERS_PER_TYPE
from companion.messages import say
from companion.sensing.reading import Reading


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """Where a token goes by two cards, and why."""

    token: str
    space: str
    why: str


class Drawn:
    """Follows the pile of all 16 cards as it is turned up one by one: the order in which they are first seen.

    Once several cards come into view at a time nobody can tell their order: then nothing is said any more. Of a card that
    is not among `cards` nothing is known: where its token goes people read themselves.
    """

    def __init__(self, cards: tuple[SetupCard, ...] = SETUP_CARDS) -> None:
        self._cards = {(card.deity, card.card_set): card for card in cards}
        self._order: list[tuple[str, int]] = []
        self._lost = False

    def look(self, reading: Reading) -> None:
        """One settled reading while the game is set up."""
        seen = {(card.deity, card.card_set) for card in reading.cards}
        if not seen and self._lost:
            # All were taken up again, to be shuffled.
            self._order, self._lost = [], False
        new = sorted(seen - set(self._order))
        if len(new) > 1:
            self._lost = True
        self._order += new

    @property
    def spaces(self) -> tuple[DrawnSpace, ...]:
        """Where the tokens go by the cards turned up so far, in the order in which they are placed."""
        if self._lost:
            return ()
        tokens = [token for token in STARTERS for _ in range(STARTERS_PER_TYPE)]
        cards = [self._cards.get(key) for key in self._order]
        told = (
            _space(token, first, second)
            for token, first, second in zip(tokens, cards[::2], cards[1::2], strict=False)
            if first is not None and second is not None
        )
        return tuple(each for each in told if each.space in SPACES)


def _space(token: str, first: SetupCard, second: SetupCard) -> DrawnSpace:
    space = f"{first.column}{second.ring}"
    why = say(
        "above.cards_name",
        first=deity_name(first.deity),
        column=first.column,
        second=deity_name(second.deity),
        ring=second.ring,
    )
    return DrawnSpace(token, space, why)
