"""A look: one settled reading in the terms of the game, its row slots matched to the rows of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.olympeak.cards import CONTENDERS
from companion.games.olympeak.position import Placed
from companion.sensing.olympeak.reading import ColumnCard, OlympeakReading

# Below this probability of its column and row, a card is somewhere on the table and no more.
_SURE = 0.5


@dataclass(frozen=True, slots=True)
class Laid:
    """A card seen in a column. `row`: the row of the rules, from 1."""

    card: str
    contender: str
    row: int


@dataclass(frozen=True, slots=True)
class Look:
    """What lies where.

    `columns`: cards in columns, top row first. `shown`: the card face up before each seat. `face_down`: seats
    with a card face down. `beside`: cards face up whose place is not clear. `twice`: cards with two
    prints in view. `hidden`: as in the reading. `kept`: some of it was seen a moment ago and is not seen now.
    """

    columns: tuple[Laid, ...]
    shown: dict[int, str]
    face_down: frozenset[int]
    beside: frozenset[str]
    discard_top: str | None
    twice: frozenset[str]
    hidden: frozenset[str]
    kept: bool = False

    @classmethod
    def of(cls, reading: OlympeakReading, lying: Sequence[Placed] = ()) -> Look:
        """The look that a reading gives when the cards in `lying` were placed in earlier turns."""
        sure = [card for card in reading.columns if card.p >= _SURE and card.contender in CONTENDERS]
        rows = _rows(sure, lying)
        laid = tuple(
            sorted(
                (Laid(card.card, card.contender, rows[card.row]) for card in sure),
                key=lambda each: (each.row, CONTENDERS.index(each.contender), each.card),
            )
        )
        shown = {each.seat: each.card for each in reading.reveal if each.card is not None}
        prints = Counter([*(each.card for each in laid), *shown.values()])
        return cls(
            columns=laid,
            shown=shown,
            face_down=frozenset(
                each.seat for each in reading.reveal if each.card is None and each.seat not in shown
            ),
            beside=frozenset(card.card for card in reading.columns if card.p < _SURE)
            | frozenset(card.card for card in reading.stray),
            discard_top=reading.discard_top,
            twice=frozenset(card for card, count in prints.items() if count > 1),
            hidden=reading.hidden,
        )

    @property
    def in_columns(self) -> frozenset[str]:
        """The cards seen in columns."""
        return frozenset(each.card for each in self.columns)

    @property
    def in_view(self) -> frozenset[str]:
        """Every card seen face up anywhere but on the discard pile."""
        return self.in_columns | self.beside | frozenset(self.shown.values())

    @property
    def columns_hidden(self) -> bool:
        """Is some column covered, so that rows cannot be counted for certain?"""
        return any(part.startswith("column") for part in self.hidden)

    def covers(self, contender: str) -> bool:
        """Is the column of this contender covered?"""
        return f"column {contender}" in self.hidden

    def zone_hidden(self, seat: int) -> bool:
        """Is the place before this seat covered?"""
        return f"reveal {seat}" in self.hidden

    def is_empty(self, seat: int) -> bool:
        """Is the place before this seat in plain view and bare?"""
        return seat not in self.shown and seat not in self.face_down and not self.zone_hidden(seat)


def _rows(cards: Sequence[ColumnCard], lying: Sequence[Placed]) -> dict[int, int]:
    """The row of the rules for each slot.

    Slots only keep the order of rows: cards of earlier turns tell which row their slot is, and slots below
    all of those are the turn's new rows, one after the other. A slot between two known rows is the upper one
    if no row is missing there: a card in it was laid into a row that is closed.
    """
    known = {(each.card, each.contender): each.row for each in lying}
    votes: dict[int, Counter[int]] = {}
    for card in cards:
        rows = votes.setdefault(card.row, Counter())
        if (card.card, card.contender) in known:
            rows[known[card.card, card.contender]] += 1
    anchored = _in_order(
        [(slot, *rows.most_common(1)[0]) for slot, rows in sorted(votes.items()) if rows], votes
    )
    last_old = max((each.row for each in lying), default=0)
    lowest = max(anchored, default=0)
    numbered: dict[int, int] = {}
    row = 0
    for slot in sorted(votes):
        if slot in anchored:
            row = max(row, anchored[slot])
        elif slot > lowest:
            row = max(row, last_old) + 1
        else:
            following = min(anchored[other] for other in anchored if other > slot)
            row = min(row + 1, max(row, following - 1))
        numbered[slot] = row
    return numbered


def _in_order(known: Sequence[tuple[int, int, int]], slots: Iterable[int]) -> dict[int, int]:
    """The slots whose rows go downwards with them; `known`: from the top, slot, row, how many cards say so.

    A card of an earlier turn that was pushed up or down in its column tells nothing of the rows: most cards have it.
    Cards of one row may make two slots, but nothing lies between them.
    """
    order = {slot: number for number, slot in enumerate(sorted(slots))}
    best: list[tuple[int, dict[int, int]]] = []
    for n, (slot, row, cards) in enumerate(known):
        above = [
            best[m]
            for m, (other, higher, _) in enumerate(known[:n])
            if higher < row or (higher == row and order[slot] - order[other] == 1)
        ]
        count, kept = max(above, key=lambda chain: chain[0], default=(0, {}))
        best.append((count + cards, kept | {slot: row}))
    return max(best, key=lambda chain: chain[0], default=(0, {}))[1]
