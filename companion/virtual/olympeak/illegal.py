"""What lies against the rules of OlymPeak, told by trying every legal course of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from operator import attrgetter

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import Blocked, DeclineInsert, Event, Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase
from companion.virtual.olympeak.truth import Lie, lie_of

# A state of one game: the set-up, with its whole deck, is always the same.
_COURSE = attrgetter(*(field.name for field in fields(GameState) if field.name != "setup"))


def is_explainable(state: GameState, lie: Lie) -> bool:
    """Whether some legal course of the open turn from `state` has led to this table so far.

    A revealed card that lies nowhere may be in a hand; another card in its place may not.
    """
    open_states = [state]
    seen = {_COURSE(state)}
    while open_states:
        here = open_states.pop()
        if _fits(here, lie):
            return True
        for event in _left_traces(here, lie):
            after = rules.apply(here, event)
            known = len(seen)
            seen.add(_COURSE(after))
            if len(seen) > known:
                open_states.append(after)
    return False


def _fits(state: GameState, lie: Lie) -> bool:
    if len(state.placed) != len(lie.columns) or lie_of(state).columns != lie.columns:
        return False
    return all(lie.zones.get(seat, state.revealed[seat]) == state.revealed[seat] for seat in state.waiting)


def _left_traces(state: GameState, lie: Lie) -> Iterator[Event]:
    """The legal events that this table does not contradict."""
    seat = state.seat
    if seat is None:
        return
    row = state.open_row[0]
    if state.phase is Phase.PLAY:
        card = state.revealed[seat]
        targets = state.targets(card)
        if not targets:
            yield Blocked(seat, card)
        yield from (Play(seat, card, to, row) for to in targets)
    elif state.pending_kind is Kind.STOP:
        yield from (Stop(seat, True), Stop(seat, False))
    elif state.pending_kind is Kind.REMOVE:
        yield Remove(seat, None)
        lying = {card for card, _, _ in lie.columns}
        yield from (Remove(seat, card) for card in state.removable() if card not in lying)
    else:
        yield DeclineInsert(seat, False)
        for card, to, at in sorted(lie.columns - lie_of(state).columns):
            insert = Insert(seat, card, to, at)
            if next(rules.refusals(state, insert), None) is None:
                yield insert
