"""The house rules: the state from which play goes on when what lies there is taken as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.olympeak.events import Lying, Ruling
from companion.games.olympeak.position import GameState
from companion.referee.olympeak.misfits import Fault, Misfit


def ruling(state: GameState, misfits: Sequence[Misfit], shown: frozenset[int], text: str) -> Ruling:
    """`state`: the end of what explains most; `misfits`: what it leaves unexplained, which now counts.

    `shown`: the seats before which the revealed card still lies. A card of somebody who was still to play is played,
    out of turn if need be; one that nobody revealed counts as played by whose turn it was, in place of the revealed
    one if that has gone.
    """
    turn = _Turn(state, shown)
    for each in misfits:
        match each.fault:
            case Fault.MISSING:
                turn.take(each)
            case Fault.SWAPPED:
                assert each.seat is not None
                turn.revealed[each.seat] = each.card
            case Fault.EXTRA:
                turn.lay(each)
    return turn.ruling(text)


class _Turn:
    """A turn as it is being set right."""

    def __init__(self, state: GameState, shown: frozenset[int]) -> None:
        self.state = state
        self.shown = shown
        self.placed = [Lying(p.card, p.contender, p.row, p.turn, p.seat) for p in state.placed]
        self.revealed = list(state.revealed)
        self.done = list(state.order[: state.index])
        self.waiting = list(state.order[state.index :])
        self.pending = state.pending
        self._moved: dict[str, Lying] = {}

    def take(self, gone: Misfit) -> None:
        """A card is not where it lay; it may lie elsewhere."""
        for each in list(self.placed):
            if (each.card, each.to, each.row) == (gone.card, gone.contender, gone.row):
                self.placed.remove(each)
                self._moved[each.card] = each

    def lay(self, extra: Misfit) -> None:
        """A card lies where the game had none."""
        known = self._moved.get(extra.card)
        if known is not None:
            row = extra.row if known.turn == self.state.turn else known.row
            self.placed.append(replace(known, to=extra.contender, row=row))
            return
        seat = self._player_of(extra.card)
        # Before a reveal there is no turn to which a card belongs.
        turn = self.state.turn if self.state.order else self.state.turn - 1
        self.placed.append(Lying(extra.card, extra.contender, extra.row, turn, seat or 0))
        if seat is None or seat not in self.waiting:
            return
        if self.pending is not None:
            self._waive()
        if seat in self.waiting:
            self.waiting.remove(seat)
            self.done.append(seat)
        deck = self.state.setup.deck
        if extra.card in deck and deck[extra.card].is_order:
            # Its player decides on it next.
            self.done.remove(seat)
            self.waiting.insert(0, seat)
            self.pending = extra.card

    def _waive(self) -> None:
        """Nothing more comes of the order card that is open."""
        self.pending = None
        self.done.append(self.waiting.pop(0))

    def _player_of(self, card: str) -> int | None:
        """Who has played this card; None if it belongs to nobody's turn."""
        if not self.waiting:
            return self.done[-1] if self.done else None
        for seat in self.waiting:
            if self.revealed[seat] == card:
                return seat
        acting = self.waiting[0]
        if self.pending is None and acting in self.shown:
            # The revealed card still lies there: this one was laid besides.
            return self.done[-1] if self.done else None
        if self.pending is None:
            self.revealed[acting] = card
        return acting

    def ruling(self, text: str) -> Ruling:
        """What it has come to."""
        state = self.state
        if self.pending is not None and not any(each.card == self.pending for each in self.placed):
            self._waive()
        return Ruling(
            text=text,
            round=state.round,
            cubes=tuple(state.cube.items()),
            placed=tuple(sorted(self.placed, key=lambda each: (each.row, each.turn))),
            revealed=tuple(self.revealed),
            order=(*self.done, *self.waiting),
            played=len(self.done),
            pending=self.pending,
        )
