"""Traces: where cards were seen to lie since the last turn was over, whether or not that was announced."""

from __future__ import annotations

from companion.referee.olympeak.look import Look


class Traces:
    """`lain`: by card, the column where two looks in a row have last seen it, or people have said that it lay; one look
    may mistake a card.
    """

    def __init__(self) -> None:
        self.lain: dict[str, str] = {}
        self._seen: dict[str, str] = {}

    def forget(self) -> None:
        """A turn is over."""
        self.lain, self._seen = {}, {}

    def lay(self, card: str, contender: str) -> None:
        """People have said so."""
        self.lain = {**self.lain, card: contender}

    def look(self, look: Look) -> None:
        """One settled look, as it was seen."""
        now = {each.card: each.contender for each in look.columns}
        self.lain = self.lain | {
            card: contender for card, contender in now.items() if self._seen.get(card) == contender
        }
        self._seen = now
