"""A reading of Above as people have corrected it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.box import DEITIES, TOKENS, Table
from companion.messages import say
from companion.referee.corrections import Correction, Corrections
from companion.referee.requests import Refused
from companion.sensing.reading import Reading

MINI, TOKEN, CARD = "mini", "token", "card"
_SAID = {MINI: DEITIES, TOKEN: TOKENS, CARD: DEITIES}


class Corrected:
    """What was said about the pieces and cards of one game, and readings with it put in.

    A miniature goes by its deity, a card by deity and set, a token by type and marker, since tokens of a type are
    alike. A piece's place is its space, a card's `cards` and the seat.
    """

    def __init__(self, table: Table, players: int, given: Sequence[Correction] = ()) -> None:
        self._table = table
        self._players = players
        self._kinds = {what: Corrections(what, given) for what in _SAID}

    def reading(self, read: Reading) -> Reading:
        """The reading with every piece and card under its right name."""
        if not any(self._kinds.values()):
            return read
        minis, tokens, cards = (
            [name.partition(" ")[0] for name in self._kinds[what].names(self._seen(read, what))]
            for what in (MINI, TOKEN, CARD)
        )
        return replace(
            read,
            minis=tuple(replace(each, deity=n) for each, n in zip(read.minis, minis, strict=True)),
            tokens=tuple(replace(each, token=n) for each, n in zip(read.tokens, tokens, strict=True)),
            cards=tuple(replace(each, deity=n) for each, n in zip(read.cards, cards, strict=True)),
        )

    def correction(self, read: Reading, what: str, place: str, shown: str, said: str) -> Correction:
        """The correction of what is `shown` at `place`, in the raw reading `read`, to `said`.

        Raises Refused with a sentence.
        """
        if said not in _SAID.get(what, ()):
            raise Refused(say("above.no_such_name", name=said))
        seen = self._seen(read, what)
        names = self._kinds[what].names(seen)
        for (spot, raw), name in zip(seen, names, strict=True):
            is_now, _, which = name.partition(" ")
            if (spot, is_now) == (place, shown):
                wanted = f"{said} {which}".rstrip()
                return Correction(what, place, raw, wanted, wanted in names)
        raise Refused(say("referee.not_there_now"))

    def add(self, correction: Correction) -> None:
        """One more."""
        self._kinds[correction.what].add(correction)

    def _seen(self, read: Reading, what: str) -> list[tuple[str, str]]:
        """Where each piece or card of a kind is, and what it was read as."""
        if what == MINI:
            return [(mini.space or "", mini.deity) for mini in read.minis]
        if what == TOKEN:
            return [(token.space or "", f"{token.token} {token.marker}") for token in read.tokens]
        seats = (self._table.seat_at(card.xyz_mm[0], card.xyz_mm[1], self._players) for card in read.cards)
        return [
            (f"cards {seat}", f"{card.deity} {card.card_set}")
            for seat, card in zip(seats, read.cards, strict=True)
        ]
