"""A reading of OlymPeak as people have corrected it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.olympeak.box import Box
from companion.messages import say
from companion.referee.corrections import Correction, Corrections
from companion.referee.requests import Refused
from companion.sensing.olympeak.reading import OlympeakReading

CARD = "card"


class Corrected:
    """What was said about the cards of one game, and readings with it put in.

    A card's place is its column or the seat it lies before, as in a reading: `column red`, `reveal 1`.
    """

    def __init__(self, box: Box, given: Sequence[Correction] = ()) -> None:
        self._deck = box.deck
        self._cards = Corrections(CARD, given)

    def reading(self, read: OlympeakReading) -> OlympeakReading:
        """The reading with every card under its right name."""
        if not self._cards:
            return read
        names = iter(self._cards.names(list(_seen(read))))
        columns = tuple(replace(each, card=next(names)) for each in read.columns)
        reveal = tuple(each if each.card is None else replace(each, card=next(names)) for each in read.reveal)
        stray = tuple(replace(each, card=next(names)) for each in read.stray)
        top = None if read.discard_top is None else next(names)
        return replace(read, columns=columns, reveal=reveal, stray=stray, discard_top=top)

    def correction(self, read: OlympeakReading, place: str, shown: str, said: str) -> Correction:
        """The correction of the card `shown` at `place`, in the raw reading `read`, to `said`.

        Raises Refused with a sentence.
        """
        if said not in self._deck:
            raise Refused(say("olympeak.no_such_card", name=said))
        seen = list(_seen(read))
        names = self._cards.names(seen)
        for (spot, raw), name in zip(seen, names, strict=True):
            if (spot, name) == (place, shown):
                return Correction(CARD, place, raw, said, said in names)
        raise Refused(say("referee.not_there_now"))

    def add(self, correction: Correction) -> None:
        """One more."""
        self._cards.add(correction)


def _seen(read: OlympeakReading) -> Iterator[tuple[str, str]]:
    """Where each card that is face up lies, and what it was read as."""
    for column in read.columns:
        yield f"column {column.contender}", column.card
    for zone in read.reveal:
        if zone.card is not None:
            yield f"reveal {zone.seat}", zone.card
    for stray in read.stray:
        yield "beside", stray.card
    if read.discard_top is not None:
        yield "discard", read.discard_top
