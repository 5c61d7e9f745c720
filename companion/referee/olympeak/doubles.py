"""Doubles: one physical card in two places at once is a second print (O17)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from companion.referee.olympeak.look import Look
from companion.referee.olympeak.patience import TWICE_S


class Doubles:
    """Follows the cards that lie twice, so that each is pointed out once."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._told: set[str] = set()

    def look(self, look: Look, now: float) -> list[str]:
        """The cards that have lain twice for a while (`now` in seconds) and were not pointed out yet."""
        self._since = {card: self._since.get(card, now) for card in look.twice}
        return [
            card for card, since in self._since.items() if now - since >= TWICE_S and card not in self._told
        ]

    def are_told(self, cards: AbstractSet[str]) -> None:
        """These have been pointed out."""
        self._told |= cards
