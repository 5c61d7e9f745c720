"""A steady look: a card that a look or two miss has not gone. Sight misses one now and then, under glare or
a passing sleeve, and every missed card would begin the counting of looks that agree anew."""

from __future__ import annotations

from dataclasses import replace

from companion.games.olympeak.cards import CONTENDERS
from companion.referee.olympeak.look import Laid, Look

# So long a card that is seen nowhere is taken to lie where it was seen last.
KEEP_S = 0.25


class Steady:
    """Remembers where each card was seen last, and when."""

    def __init__(self) -> None:
        self._laid: dict[Laid, float] = {}
        self._shown: dict[int, tuple[str, float]] = {}

    def forget(self) -> None:
        """Nothing seen before counts any more."""
        self._laid.clear()
        self._shown.clear()

    def look(self, look: Look, now: float) -> Look:
        """The look with cards that were seen a moment ago and are seen nowhere now."""
        laid = self._lately(now)
        in_view = look.in_view
        places = {(each.contender, each.row) for each in look.columns}
        kept = [
            each for each in laid if each.card not in in_view and (each.contender, each.row) not in places
        ]
        shown = {
            seat: card
            for seat, (card, at) in self._shown.items()
            if now - at <= KEEP_S
            and seat not in look.shown
            and seat not in look.face_down
            and card not in in_view
        }
        self._laid = laid | dict.fromkeys(look.columns, now)
        self._shown.update({seat: (card, now) for seat, card in look.shown.items()})
        if not kept and not shown:
            return look
        columns = sorted(
            (*look.columns, *kept),
            key=lambda each: (each.row, CONTENDERS.index(each.contender), each.card),
        )
        return replace(look, columns=tuple(columns), shown={**shown, **look.shown}, kept=True)

    def _lately(self, now: float) -> dict[Laid, float]:
        return {each: at for each, at in self._laid.items() if now - at <= KEEP_S}
