"""Wording: what the referee of OlymPeak says, in sentences for players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, GameState
from companion.games.olympeak.scoring import ordinal
from companion.referee.verdict import Choice, Todo


def listed(words: Iterable[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    items = list(words)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + f" {last} " + items[-1]


def name_of(state: GameState, seat: int) -> str:
    """The player's name."""
    return state.setup.players[seat].name


def order_text(state: GameState) -> str:
    """The order of play of a turn just revealed, with its reason (O2)."""
    order = state.order
    first = state.setup.deck[state.revealed[order[0]]]
    heads = "head" if first.heads == 1 else "heads"
    names = ", ".join(name_of(state, seat) for seat in order)
    return f"Order of play: {names} (hydra with {first.heads} {heads}, {first.value:+d})."


def play_text(state: GameState) -> str:
    """What the seat to act is to do with its revealed card."""
    seat = state.seat
    assert seat is not None
    card = state.revealed[seat]
    under = listed(state.targets(card), "or")
    return f"{name_of(state, seat)}: lay {state.setup.deck[card]} in row {state.open_row[0]} under {under}."


def blocked_act(state: GameState, seat: int) -> Todo:
    """What a player does who cannot place, or was stopped (O5, O7)."""
    text = f"{name_of(state, seat)}: take {state.revealed[seat]} back to your hand and draw a card."
    return Todo(text, f"reveal {seat}")


def prevented_text(state: GameState, seat: int) -> str:
    """Why a player takes the revealed card back (O5)."""
    return f"{name_of(state, seat)} cannot place {state.revealed[seat]} (O5)."


def choice_text(state: GameState, answer: str | None) -> str:
    """The order that is open."""
    seat = state.seat
    assert seat is not None
    name, card = name_of(state, seat), state.pending
    match state.pending_kind:
        case Kind.STOP:
            others = listed(name_of(state, each) for each in state.waiting)
            return f"{name} may stop the turn with {card}: {others} would not play (O7)."
        case Kind.REMOVE:
            if answer not in (None, "decline"):
                return f"{name}: put {answer} on the discard pile (O8)."
            which = listed(state.removable(), "or")
            return f"{name} may take {which} away to the discard pile with {card} (O8)."
        case _:
            row, free = state.open_row
            under = listed(free, "or")
            return (
                f"{name} may draw a card with {card} and lay one more from hand, in row {row} "
                f"under {under} (O9)."
            )


def choices_of(state: GameState) -> tuple[Choice, ...]:
    """The answers to an open order."""
    seat = state.seat
    assert seat is not None
    name = name_of(state, seat)
    match state.pending_kind:
        case Kind.STOP:
            return (Choice("stop", f"{name} stops the turn"), Choice("decline", f"{name} lets it go on"))
        case Kind.REMOVE:
            cards = tuple(Choice(card, f"Remove {state.setup.deck[card]}") for card in state.removable())
            return (*cards, Choice("decline", f"{name} removes nothing"))
        case _:
            drew = (Choice("drew", f"{name} drew a card and lays none"),) if state.piles.total else ()
            return (*drew, Choice("decline", f"{name} does not use the order"))


def turn_over_text(before: GameState, after: GameState) -> str:
    """How the cubes move at the end of a turn (O10)."""
    moves = [
        f"{contender} {new - old:+d} to {new}"
        for (contender, old), new in zip(before.cube.items(), after.cubes, strict=True)
        if new != old
    ]
    return (
        f"Turn {before.turn} is over: {', '.join(moves)}."
        if moves
        else (f"Turn {before.turn} is over, no cube moves.")
    )


def round_over_text(state: GameState) -> str:
    """Why the round is over and what is to be done (O11)."""
    full = [c.capitalize() for c, count in state.columns.items() if count >= COLUMN_FULL]
    verb = "has" if len(full) == 1 else "have"
    return (
        f"Round {state.round} is over: {listed(full)} {verb} {COLUMN_FULL} cards or more. Put all cards of the columns "
        "on the discard pile."
    )


def exchange_text(state: GameState) -> str:
    """What follows a round (O11)."""
    return f"Round {state.round} begins. Everybody may discard cards and draw as many."


def game_over_text(state: GameState) -> str:
    """Why the game is over, and the tiles (O12)."""
    top = [c.capitalize() for c, cube in state.cube.items() if cube == CUBE_MAX]
    verb = "stands" if len(top) == 1 else "stand"
    why = f"{listed(top)} {verb} on the peak" if top else "the last round is over"
    return f"The game is over: {why}. Turn your two tiles up."


def places_text(state: GameState) -> str:
    """The contenders in their places."""
    assert state.outcome is not None
    standing = sorted(state.outcome.places, key=lambda each: each[1])
    return ", ".join(f"{c.capitalize()} {ordinal(place)}" for c, place in standing)


def result_text(state: GameState) -> str:
    """Who won, and the places."""
    outcome = state.outcome
    assert outcome is not None
    who = listed(name_of(state, seat) for seat in outcome.winners)
    points = outcome.points[outcome.winners[0]]
    verb = "wins" if len(outcome.winners) == 1 else "win together"
    return f"{who} {verb} with {points} points. {places_text(state)}."


def event_text(before: GameState, event: Event, after: GameState) -> str:
    """An event in a few words, for the history."""
    match event:
        case Ruling():
            return "a ruling of the house: played on from what lay there"
        case Reveal():
            if not after.order:
                return "only order cards: all are discarded"
            return ""
        case Play(seat=seat, card=card, to=to):
            return f"{name_of(before, seat)} {card} under {to}"
        case Blocked(seat=seat, card=card):
            return f"{name_of(before, seat)} cannot place {card}"
        case Stop(seat=seat, stop=stop):
            return f"{name_of(before, seat)} stops the turn" if stop else ""
        case Remove(seat=seat, card=removed):
            return f"{name_of(before, seat)} removes {removed}" if removed else ""
        case Insert(seat=seat, card=card, to=to):
            return f"{name_of(before, seat)} inserts {card} under {to}"
        case DeclineInsert():
            return ""
        case EndTurn():
            moves = [
                f"{contender} {new}"
                for (contender, old), new in zip(before.cube.items(), after.cubes, strict=True)
                if new != old
            ]
            return "cubes: " + ", ".join(moves) if moves else "no cube moves"
        case EndRound():
            return f"round {before.round} is over"
        case Predictions():
            return "tiles turned up: " + places_text(after)


def unit_text(states: Sequence[GameState], events: Sequence[Event]) -> str:
    """A turn in a line."""
    texts = (
        event_text(before, event, after)
        for before, event, after in zip(states, events, states[1:], strict=False)
    )
    return "; ".join(text for text in texts if text)
