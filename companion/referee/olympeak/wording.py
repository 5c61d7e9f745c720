"""Wording: what the referee of OlymPeak says, in sentences for players."""

from __future__ import annotations

from collections.abc import Sequence

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
from companion.games.olympeak.names import contender_name, contenders_listed
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, GameState
from companion.messages import Text, clauses, either, listed, row, say
from companion.referee.verdict import Choice, Todo

# What the journal says of turns that nobody could see.
UNSEEN = say("olympeak.unseen")


def name_of(state: GameState, seat: int) -> str:
    """The player's name."""
    return state.setup.players[seat].name


def order_text(state: GameState) -> Text:
    """The order of play of a turn just revealed, with its reason (O2)."""
    order = state.order
    first = state.setup.deck[state.revealed[order[0]]]
    names = row(name_of(state, seat) for seat in order)
    return say("olympeak.order_of_play", names=names, heads=first.heads, value=f"{first.value:+d}")


def play_text(state: GameState) -> Text:
    """What the seat to act is to do with its revealed card."""
    seat = state.seat
    assert seat is not None
    card = state.revealed[seat]
    return say(
        "olympeak.lay",
        name=name_of(state, seat),
        card=state.setup.deck[card].words,
        row=state.open_row[0],
        contenders=either(map(contender_name, state.targets(card))),
    )


def blocked_act(state: GameState, seat: int) -> Todo:
    """What a player does who cannot place, or was stopped (O5, O7)."""
    text = say("olympeak.take_to_hand", name=name_of(state, seat), card=state.revealed[seat])
    return Todo(text, f"reveal {seat}")


def prevented_text(state: GameState, seat: int) -> Text:
    """Why a player takes the revealed card back (O5)."""
    return say("olympeak.cannot_place", name=name_of(state, seat), card=state.revealed[seat])


def choice_text(state: GameState, answer: str | None) -> Text:
    """The order that is open."""
    seat = state.seat
    assert seat is not None
    name, card = name_of(state, seat), state.pending or ""
    match state.pending_kind:
        case Kind.STOP:
            others = listed(name_of(state, each) for each in state.waiting)
            return say("olympeak.may_stop", name=name, card=card, others=others)
        case Kind.REMOVE:
            if answer is not None and answer != "decline":
                return say("olympeak.to_discard_by_order", name=name, card=answer)
            return say("olympeak.may_remove", name=name, cards=either(state.removable()), card=card)
        case _:
            number, free = state.open_row
            under = either(map(contender_name, free))
            return say("olympeak.may_insert", name=name, card=card, row=number, contenders=under)


def choices_of(state: GameState) -> tuple[Choice, ...]:
    """The answers to an open order."""
    seat = state.seat
    assert seat is not None
    name = name_of(state, seat)
    match state.pending_kind:
        case Kind.STOP:
            return (
                Choice("stop", say("olympeak.stops", name=name)),
                Choice("decline", say("olympeak.lets_go_on", name=name)),
            )
        case Kind.REMOVE:
            cards = tuple(
                Choice(card, say("olympeak.remove_card", card=state.setup.deck[card].words))
                for card in state.removable()
            )
            return (*cards, Choice("decline", say("olympeak.removes_none", name=name)))
        case _:
            drew = (Choice("drew", say("olympeak.drew", name=name)),) if state.piles.total else ()
            return (*drew, Choice("decline", say("olympeak.uses_not", name=name)))


def turn_over_text(before: GameState, after: GameState) -> Text:
    """How the cubes move at the end of a turn (O10)."""
    moves = [
        say("olympeak.move", contender=contender_name(contender), by=f"{new - old:+d}", place=new)
        for (contender, old), new in zip(before.cube.items(), after.cubes, strict=True)
        if new != old
    ]
    if moves:
        return say("olympeak.turn_over", n=before.turn, moves=row(moves))
    return say("olympeak.turn_over_still", n=before.turn)


def round_over_text(state: GameState) -> Text:
    """Why the round is over and what is to be done (O11)."""
    full = contenders_listed(c for c, count in state.columns.items() if count >= COLUMN_FULL)
    return say("olympeak.round_over", n=state.round, contenders=full, most=COLUMN_FULL)


def exchange_text(state: GameState) -> Text:
    """What follows a round (O11)."""
    return say("olympeak.exchange", n=state.round)


def game_over_text(state: GameState) -> Text:
    """Why the game is over, and the tiles (O12)."""
    top = [contender for contender, cube in state.cube.items() if cube == CUBE_MAX]
    if top:
        return say("olympeak.over_peak", contenders=contenders_listed(top))
    return say("olympeak.over_rounds")


def places_text(state: GameState) -> Text:
    """The contenders in their places."""
    assert state.outcome is not None
    standing = sorted(state.outcome.places, key=lambda each: each[1])
    return row(say("olympeak.came", contender=contender_name(c), place=place) for c, place in standing)


def result_text(state: GameState) -> Text:
    """Who won, and the places."""
    outcome = state.outcome
    assert outcome is not None
    who = listed(name_of(state, seat) for seat in outcome.winners)
    points = outcome.points[outcome.winners[0]]
    return say("olympeak.result", names=who, n=points, places=places_text(state))


def event_text(before: GameState, event: Event, after: GameState) -> str:
    """An event in a few words, for the history."""
    match event:
        case Ruling(text=text) if text == UNSEEN:
            return say("olympeak.did_unseen")
        case Ruling():
            return say("olympeak.did_rule")
        case Reveal():
            if not after.order:
                return say("olympeak.did_all_orders")
            return ""
        case Play(seat=seat, card=card, to=to):
            return say(
                "olympeak.did_play", name=name_of(before, seat), card=card, contender=contender_name(to)
            )
        case Blocked(seat=seat, card=card):
            return say("olympeak.did_not_place", name=name_of(before, seat), card=card)
        case Stop(seat=seat, stop=stop):
            return say("olympeak.stops", name=name_of(before, seat)) if stop else ""
        case Remove(seat=seat, card=removed):
            return say("olympeak.did_remove", name=name_of(before, seat), card=removed) if removed else ""
        case Insert(seat=seat, card=card, to=to):
            under = contender_name(to)
            return say("olympeak.did_insert", name=name_of(before, seat), card=card, contender=under)
        case DeclineInsert():
            return ""
        case EndTurn():
            moves = [
                say("olympeak.moved_to", contender=contender_name(contender), place=new)
                for (contender, old), new in zip(before.cube.items(), after.cubes, strict=True)
                if new != old
            ]
            return say("olympeak.did_move", moves=row(moves)) if moves else say("olympeak.did_not_move")
        case EndRound():
            return say("olympeak.did_end_round", n=before.round)
        case Predictions():
            return say("olympeak.did_turn_tiles", places=places_text(after))


def unit_text(states: Sequence[GameState], events: Sequence[Event]) -> str:
    """A turn in a line."""
    texts = (
        event_text(before, event, after)
        for before, event, after in zip(states, events, states[1:], strict=False)
    )
    return clauses(text for text in texts if text)
