"""Cards that a turn leaves before the seats: who could not play takes the card back before a new one counts."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.olympeak.events import EndRound, Play, Reveal
from companion.games.olympeak.position import GameState
from companion.messages import say
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.patience import EXCHANGE_S, GONE_S
from companion.referee.verdict import Todo


class LeftOver:
    """Follows the revealed cards of a turn until each has left its zone. `cards`: by seat, those still to go.

    A card counts as gone once it was seen nowhere for a while: one look may miss it. A card face down in its place, in
    two looks, is another choice, even if it is the same card. `unwatched`: seats whose card was out of sight for so
    long that it may have been chosen anew meanwhile; of such a doubt the players are asked once (`is_asked`), and
    what they have said (`is_known_old`) holds until there is a new one.
    """

    def __init__(self) -> None:
        self.cards: dict[int, str] = {}
        self._order_cards = False
        # By seat and card: what has gone from a place says nothing of the next card that lies there.
        self._gone_since: dict[tuple[int, str], float] = {}
        self._down: frozenset[int] = frozenset()
        # When each card was last seen in its place, by seat and card.
        self._seen_at: dict[tuple[int, str], float] = {}
        self.unwatched: frozenset[int] = frozenset()
        self.is_asked = self.is_known_old = False

    def turn_over(self, last: Unit | None, now: float | None) -> None:
        """What `last` leaves lying; cards that had gone by then (`now`) have been taken back already."""
        if last is not None and isinstance(last.events[0], EndRound):
            return  # what lay there before the columns were cleared lies there still
        gone = frozenset() if now is None else self._gone(now)
        seen_at = dict(self._seen_at)
        self._gone_since.clear()
        self._seen_at.clear()
        self.forget()
        if last is None or last.is_open or not isinstance(last.events[0], Reveal):
            return
        self._order_cards = len(last.events) == 1
        played = {event.seat for event in last.events if isinstance(event, Play)}
        cards = enumerate(last.events[0].cards)
        self.cards = {seat: card for seat, card in cards if seat not in played and (seat, card) not in gone}
        if now is None:
            self.unwatched = frozenset(self.cards)  # nobody knows how long nobody has looked
        else:
            self._seen_at = {place: seen_at.get(place, now) for place in self.cards.items()}

    def look(self, look: Look, revealed: tuple[str, ...], now: float) -> None:
        """Notes what has gone; `revealed`: the cards of the turn that is being played, if any."""
        watched: Mapping[int, str] = dict(enumerate(revealed)) if revealed else self.cards
        self.glance(look.shown, now, watched)
        for shown in look.shown.items():
            self._gone_since.pop(shown, None)
        elsewhere = look.in_columns | look.beside
        for seat, card in watched.items():
            if card in elsewhere:
                # Laid where it may not lie: it comes back, and is in nobody's hand meanwhile.
                self._gone_since.pop((seat, card), None)
                self._seen_at[seat, card] = now
            elif look.shown.get(seat) != card and not look.zone_hidden(seat):
                since = now - GONE_S if seat in look.face_down & self._down else now
                self._gone_since[seat, card] = min(since, self._gone_since.get((seat, card), now))
        self._down = look.face_down
        gone = self._gone(now)
        self.cards = {seat: card for seat, card in self.cards.items() if (seat, card) not in gone}

    def glance(self, shown: Mapping[int, str], now: float, watched: Mapping[int, str] | None = None) -> None:
        """Which cards are seen to lie where they lay, by seat, if between moving hands; `watched`: those meant."""
        for seat, card in (self.cards if watched is None else watched).items():
            if shown.get(seat) != card:
                continue
            if now - self._seen_at.get((seat, card), now) >= EXCHANGE_S:
                self.unwatched |= {seat}
                self.is_known_old = False
            self._seen_at[seat, card] = now

    def forget(self) -> None:
        """What lies there was chosen anew."""
        self.cards = {}
        self.unwatched = frozenset()
        self.is_asked = self.is_known_old = False

    def is_old(self) -> None:
        """The players have said that what lies there has lain there since the last turn."""
        self.unwatched = frozenset()
        self.is_asked, self.is_known_old = False, True

    def acts(self, state: GameState) -> tuple[Todo, ...]:
        """What the players are to do with these cards (O3, O5, O7)."""
        act = "olympeak.to_discard" if self._order_cards else "olympeak.take_to_hand"
        return tuple(
            Todo(say(act, name=state.setup.players[seat].name, card=card), f"reveal {seat}")
            for seat, card in sorted(self.cards.items())
        )

    def _gone(self, now: float) -> frozenset[tuple[int, str]]:
        return frozenset(place for place, since in self._gone_since.items() if now - since >= GONE_S)
