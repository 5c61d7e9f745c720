"""The rules of OlymPeak: what is legal, why something is not, and what follows from it.

`legal` lists the decisions open to the player who is to act, `apply` gives the state after an event or
raises `IllegalEvent`, `explain_illegal` says in one sentence why an event would be refused. What involves no
decision (order of play, draws, rows, cubes) happens inside `apply`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from companion.games.olympeak import ruling, whereabouts
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Ruling,
    Stop,
)
from companion.games.olympeak.legality import refusals
from companion.games.olympeak.position import (
    COLUMN_FULL,
    CUBE_MAX,
    CUBE_MIN,
    GameState,
    Phase,
    Placed,
    order_of_play,
)
from companion.games.olympeak.refusal import IllegalEvent, Reason
from companion.games.olympeak.scoring import outcome
from companion.messages import Text

__all__ = ["apply", "cubes_after_turn", "explain_illegal", "legal", "refusals"]


def legal(state: GameState) -> tuple[Event, ...]:
    """The events that may come next.

    Of an Insert, every card that the player may hold as far as anybody can tell. Empty when the game is over,
    and while all players act at once (reveal, predictions): `explain_illegal` judges what they show.
    """
    if state.phase is Phase.TURN_END:
        return (EndTurn(),)
    if state.phase is Phase.ROUND_END:
        return (EndRound(),)
    seat = state.seat
    if seat is None:
        return ()
    if state.phase is Phase.PLAY:
        card = state.revealed[seat]
        row = state.open_row[0]
        plays: tuple[Event, ...] = tuple(Play(seat, card, to, row) for to in state.targets(card))
        return plays or (Blocked(seat, card),)
    if state.pending_kind is Kind.STOP:
        return (Stop(seat, False), Stop(seat, True))
    if state.pending_kind is Kind.REMOVE:
        return (Remove(seat, None), *(Remove(seat, card) for card in state.removable()))
    declines = (DeclineInsert(seat, False), DeclineInsert(seat, True))
    drawn = whereabouts.draw(state, seat)
    row = state.open_row[0]
    return (
        *declines[: 2 if state.piles.total else 1],
        *(
            Insert(seat, card, to, row)
            for card in whereabouts.may_hold(drawn, seat)
            for to in state.targets(card)
        ),
    )


def explain_illegal(state: GameState, event: Event) -> Text | None:
    """In one sentence with its ruling, why `event` is refused; None when it is legal."""
    first = next(refusals(state, event), None)
    return first.text if first else None


def apply(state: GameState, event: Event, *, accept: frozenset[Reason] = frozenset()) -> GameState:
    """The state after `event`; raises IllegalEvent. `accept`: findings after which the game goes on."""
    if wrong := tuple(each for each in refusals(state, event) if each.reason not in accept):
        raise IllegalEvent(wrong)
    match event:
        case Ruling():
            return ruling.apply(state, event)
        case Reveal():
            return _reveal(state, event)
        case Play() | Insert():
            return _place(state, event)
        case Blocked():
            return _next_seat(whereabouts.take_back(state, event.seat))
        case Stop():
            return _stop(state, event)
        case Remove():
            return _remove(state, event)
        case DeclineInsert():
            drawn = whereabouts.draw(state, event.seat) if event.drew else state
            return _next_seat(whereabouts.draw(drawn, event.seat))
        case EndTurn():
            return _end_turn(state)
        case EndRound():
            return _end_round(state)
        case Predictions():
            result = outcome(state.cube, state.setup.ranking, event.first, event.second)
            return replace(state, phase=Phase.OVER, outcome=result)
        case _:
            assert_never(event)


def cubes_after_turn(state: GameState) -> tuple[int, ...]:
    """Where the cubes go at the end of the turn, along `setup.racing` (O10)."""
    steps: Counter[str] = Counter()
    for each in state.this_turn:
        steps[each.contender] += state.setup.deck[each.card].value
    return tuple(
        min(CUBE_MAX, max(CUBE_MIN, cube + steps[contender])) for contender, cube in state.cube.items()
    )


def _reveal(state: GameState, event: Reveal) -> GameState:
    after = state
    for seat, card in enumerate(event.cards):
        after = whereabouts.leave_hand(after, seat, card)
    order = order_of_play(state.setup, event.cards)
    if order:
        return replace(after, phase=Phase.PLAY, revealed=event.cards, order=order, index=0)
    after = whereabouts.discard(after, event.cards)
    for seat in state.setup.seats:
        after = whereabouts.draw(after, seat)
    return _next_turn(after)


def _place(state: GameState, event: Play | Insert) -> GameState:
    after = state
    if isinstance(event, Insert):
        after = whereabouts.leave_hand(whereabouts.draw(state, event.seat), event.seat, event.card)
    lying = Placed(event.card, event.to, state.open_row[0], state.turn, event.seat)
    after = replace(after, placed=(*after.placed, lying))
    if state.setup.deck[event.card].is_order:
        return replace(after, phase=Phase.CHOICE, pending=event.card)
    return _next_seat(whereabouts.draw(after, event.seat))


def _stop(state: GameState, event: Stop) -> GameState:
    after = whereabouts.draw(state, event.seat)
    if not event.stop:
        return _next_seat(after)
    for seat in state.waiting:
        after = whereabouts.take_back(after, seat)
    return replace(after, phase=Phase.TURN_END, pending=None, index=len(state.order))


def _remove(state: GameState, event: Remove) -> GameState:
    after = state
    if event.card is not None:
        placed = tuple(each for each in state.placed if each.card != event.card)
        after = whereabouts.discard(replace(state, placed=placed), (event.card,))
    return _next_seat(whereabouts.draw(after, event.seat))


def _next_seat(state: GameState) -> GameState:
    index = state.index + 1
    phase = Phase.PLAY if index < len(state.order) else Phase.TURN_END
    return replace(state, phase=phase, index=index, pending=None)


def _next_turn(state: GameState) -> GameState:
    return replace(
        state, phase=Phase.REVEAL, turn=state.turn + 1, revealed=(), order=(), index=0, pending=None
    )


def _end_turn(state: GameState) -> GameState:
    cubes = cubes_after_turn(state)
    after = replace(_next_turn(state), cubes=cubes)
    round_over = max(state.columns.values()) >= COLUMN_FULL
    if CUBE_MAX in cubes or (round_over and state.round == state.setup.rounds):
        return replace(after, phase=Phase.PREDICTIONS)
    return replace(after, phase=Phase.ROUND_END) if round_over else after


def _end_round(state: GameState) -> GameState:
    cleared = whereabouts.discard(replace(state, placed=()), (each.card for each in state.placed))
    return replace(whereabouts.exchange(cleared), phase=Phase.REVEAL, round=state.round + 1)
