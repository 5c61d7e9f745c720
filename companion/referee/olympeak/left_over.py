"""Cards that a turn leaves before the seats: who could not play takes the card back before a new one counts."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.olympeak.events import EndRound, Play, Reveal
from companion.games.olympeak.position import GameState
from companion.messages import say
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.patience import GONE_S
from companion.referee.verdict import Todo


class LeftOver:
    """Follows the revealed cards of a turn until each has left its zone. `cards`: by seat, those still to go.

    A card counts as gone once it was not seen for a while: one look may miss it. A card face down in its place, in
    two looks, is another choice, even if it is the same card.
    """

    def __init__(self) -> None:
        self.cards: dict[int, str] = {}
        self._order_cards = False
        # By seat and card: what has gone from a place says nothing of the next card that lies there.
        self._gone_since: dict[tuple[int, str], float] = {}
        self._down: frozenset[int] = frozenset()

    def turn_over(self, last: Unit | None, now: float | None) -> None:
        """What `last` leaves lying; cards that had gone by then (`now`) have been taken back already."""
        if last is not None and isinstance(last.events[0], EndRound):
            return  # what lay there before the columns were cleared lies there still
        gone = frozenset() if now is None else self._gone(now)
        self._gone_since.clear()
        self.cards = {}
        if last is None or last.is_open or not isinstance(last.events[0], Reveal):
            return
        self._order_cards = len(last.events) == 1
        played = {event.seat for event in last.events if isinstance(event, Play)}
        cards = enumerate(last.events[0].cards)
        self.cards = {seat: card for seat, card in cards if seat not in played and (seat, card) not in gone}

    def look(self, look: Look, revealed: tuple[str, ...], now: float) -> None:
        """Notes what has gone; `revealed`: the cards of the turn that is being played, if any."""
        watched: Mapping[int, str] = dict(enumerate(revealed)) if revealed else self.cards
        for shown in look.shown.items():
            self._gone_since.pop(shown, None)
        for seat, card in watched.items():
            if look.shown.get(seat) != card and not look.zone_hidden(seat):
                since = now - GONE_S if seat in look.face_down & self._down else now
                self._gone_since[seat, card] = min(since, self._gone_since.get((seat, card), now))
        self._down = look.face_down
        gone = self._gone(now)
        self.cards = {seat: card for seat, card in self.cards.items() if (seat, card) not in gone}

    def forget(self) -> None:
        """What lies there was chosen anew."""
        self.cards = {}

    def acts(self, state: GameState) -> tuple[Todo, ...]:
        """What the players are to do with these cards (O3, O5, O7)."""
        act = "olympeak.to_discard" if self._order_cards else "olympeak.take_to_hand"
        return tuple(
            Todo(say(act, name=state.setup.players[seat].name, card=card), f"reveal {seat}")
            for seat, card in sorted(self.cards.items())
        )

    def _gone(self, now: float) -> frozenset[tuple[int, str]]:
        return frozenset(place for place, since in self._gone_since.items() if now - since >= GONE_S)
