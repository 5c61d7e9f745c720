"""Prints: each card on the table is what most looks at it say it is, whatever one of them makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from companion.referee.olympeak.patience import FEW_LOOKS
from companion.referee.votes import Spot, Votes, spot_of
from companion.sensing.olympeak.reading import OlympeakReading, RevealCard


class Prints:
    """Follows the cards that lie face up through the looks at them."""

    def __init__(self) -> None:
        self._votes = Votes()
        self._stirred = False
        # By seat: everything that the card which lies face up before it went by since hands were there.
        self.went_by: dict[int, frozenset[Hashable]] = {}
        self._read_as: dict[int, Counter[str]] = {}
        # By seat: groups of names, each read off one card that nobody touched meanwhile.
        self._of_one: dict[int, set[frozenset[Hashable]]] = {}

    def stirred(self) -> None:
        """Hands have moved, or nothing could be seen."""
        self._stirred = True

    def forget(self) -> None:
        """Nothing seen before counts any more."""
        self._votes.forget()
        self._read_as.clear()
        self._of_one.clear()

    def vouch(self, cards: Sequence[str]) -> None:
        """People have said that these cards were turned up, by seat: none was misread."""
        for seat, card in enumerate(cards):
            self._read_as.setdefault(seat, Counter())[card] += FEW_LOOKS

    def doubt(self, seat: int, card: str) -> None:
        """Whether this card was turned up before this seat is doubtful, however many looks have read it there."""
        counts = self._read_as.setdefault(seat, Counter())
        counts[card] = min(counts[card], FEW_LOOKS)

    def looks_at(self, seat: int, card: str) -> int:
        """In how many looks this card was read before this seat, since one lay there face down."""
        return self._read_as.get(seat, Counter())[card]

    def are_one(self, seat: int, card: str, other: str) -> bool:
        """Was one card that nobody touched read as both before this seat, since one lay there face down?"""
        return any({card, other} <= names for names in self._of_one.get(seat, ()))

    def reading(self, read: OlympeakReading) -> OlympeakReading | None:
        """A settled reading with every card under the name that most looks give it.

        None while some card was read as two things alike: that look says nothing, the next one will.
        """
        if self._stirred:
            self._stirred = False
            self._votes.stirred()
        seen = list(_cards(read))
        told = self._votes.count(seen)
        went_by = self._votes.went_by[len(read.columns) :]
        up = (zone.seat for zone in read.reveal if zone.card is not None)
        self.went_by = dict(zip(up, went_by, strict=False))
        self._note(read.reveal, told[len(read.columns) :], self._votes.reads[len(read.columns) :])
        if any(name is None for name in told):
            return None
        if [name for _, name in seen] == told:
            return read
        names = iter(str(name) for name in told)
        columns = tuple(replace(each, card=next(names)) for each in read.columns)
        reveal = tuple(each if each.card is None else replace(each, card=next(names)) for each in read.reveal)
        stray = tuple(replace(each, card=next(names)) for each in read.stray)
        return replace(read, columns=columns, reveal=reveal, stray=stray)

    def _note(
        self,
        zones: Sequence[RevealCard],
        told: Sequence[Hashable | None],
        reads: Sequence[frozenset[Hashable]],
    ) -> None:
        prints = zip(told, reads, strict=False)
        for zone in zones:
            if zone.card is None:
                self._read_as.pop(zone.seat, None)
                self._of_one.pop(zone.seat, None)
                continue
            name, names = next(prints)
            self._of_one.setdefault(zone.seat, set()).add(names)
            if name == zone.card:
                self._read_as.setdefault(zone.seat, Counter())[zone.card] += 1


def _cards(read: OlympeakReading) -> Iterator[tuple[Spot | None, str]]:
    for column in read.columns:
        yield spot_of(column.corners_px), column.card
    for zone in read.reveal:
        if zone.card is not None:
            yield spot_of(zone.corners_px), zone.card
    for stray in read.stray:
        yield spot_of(stray.corners_px), stray.card
