"""What is wrong with an event in a state, rule by rule. `rules` is the door to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from companion.games.olympeak import ruling, whereabouts
from companion.games.olympeak.cards import FEW_PLAYERS, Kind
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
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Reason, Refusal

_PHASES: dict[type[Event], Phase] = {
    Reveal: Phase.REVEAL,
    Play: Phase.PLAY,
    Blocked: Phase.PLAY,
    Stop: Phase.CHOICE,
    Remove: Phase.CHOICE,
    Insert: Phase.CHOICE,
    DeclineInsert: Phase.CHOICE,
    EndTurn: Phase.TURN_END,
    EndRound: Phase.ROUND_END,
    Predictions: Phase.PREDICTIONS,
}
_CHOICES: dict[type[Event], Kind] = {
    Stop: Kind.STOP,
    Remove: Kind.REMOVE,
    Insert: Kind.INSERT,
    DeclineInsert: Kind.INSERT,
}
_RULINGS = {Kind.STOP: "O7", Kind.REMOVE: "O8", Kind.INSERT: "O9", Kind.PROGRESS: "O4"}


def refusals(state: GameState, event: Event) -> Iterator[Refusal]:
    """Everything that is wrong with `event`, gravest first; nothing when it is legal."""
    if isinstance(event, Ruling):
        yield from ruling.refusals(state, event)
        return
    if state.phase is not _PHASES[type(event)] or (
        state.phase is Phase.CHOICE and state.pending_kind is not _CHOICES[type(event)]
    ):
        yield _wrong_moment(state)
        return
    match event:
        case Reveal():
            yield from _refuse_reveal(state, event)
        case Predictions():
            yield from _refuse_predictions(state, event)
        case EndTurn() | EndRound():
            return
        case _:
            if event.seat != state.seat:
                yield _wrong_seat(state, event.seat)
                return
    match event:
        case Play() | Blocked():
            yield from _refuse_turn(state, event)
        case Remove(card=card) if card is not None and card not in state.removable():
            yield _not_removable(state, card)
        case Insert():
            yield from _refuse_insert(state, event)
        case DeclineInsert(drew=True) if not state.piles.total:
            yield Refusal(
                Reason.NOTHING_TO_DRAW, "O6", "Both piles are empty, so nobody can have drawn a card"
            )


def _wrong_moment(state: GameState) -> Refusal:
    seat = state.seat
    name = state.setup.players[seat].name if seat is not None else ""
    match state.phase:
        case Phase.REVEAL:
            return Refusal(Reason.PHASE, "O2", "First every player reveals a card")
        case Phase.PLAY:
            return Refusal(Reason.PHASE, "O2", f"First {name} is to play {state.revealed[seat or 0]}")
        case Phase.CHOICE:
            kind = state.pending_kind or Kind.STOP
            return Refusal(
                Reason.PHASE, _RULINGS[kind], f"First {name} decides on the {kind.value.capitalize()} card"
            )
        case Phase.TURN_END:
            return Refusal(Reason.PHASE, "O10", "The turn is over, first the cubes move")
        case Phase.ROUND_END:
            return Refusal(Reason.PHASE, "O11", "The round is over, first the columns are cleared")
        case Phase.PREDICTIONS:
            return Refusal(Reason.PHASE, "O12", "The game is over, now the tiles are turned up")
        case Phase.OVER:
            return Refusal(Reason.PHASE, "O12", "The game is over and scored")
        case _:
            assert_never(state.phase)


def _wrong_seat(state: GameState, seat: int) -> Refusal:
    players = state.setup.players
    who = players[seat].name if 0 <= seat < len(players) else f"seat {seat}"
    turn = players[state.seat or 0].name
    return Refusal(Reason.SEAT, "O2", f"It is {turn}'s turn, not {who}'s")


def _refuse_reveal(state: GameState, event: Reveal) -> Iterator[Refusal]:
    count = len(state.setup.players)
    if len(event.cards) != count:
        shown = len(event.cards)
        yield Refusal(
            Reason.COUNT, "O2", f"Each of the {count} players reveals one card, and {shown} are shown"
        )
        return
    for seat, card in enumerate(event.cards):
        if card in event.cards[:seat]:
            yield Refusal(Reason.TWICE, "O17", f"{card} lies before two players, and there is only one of it")
        elif wrong := whereabouts.misplaced(state, seat, card):
            yield wrong


def _refuse_turn(state: GameState, event: Play | Blocked) -> Iterator[Refusal]:
    name = state.setup.players[event.seat].name
    revealed = state.revealed[event.seat]
    if event.card != revealed:
        yield Refusal(Reason.SWAPPED, "O2", f"{name} revealed {revealed} and must play it, not {event.card}")
    elif isinstance(event, Play):
        yield from _refuse_place(state, event)
    elif targets := state.targets(revealed):
        yield Refusal(
            Reason.MUST_PLACE,
            "O5",
            f"{name} must place {state.setup.deck[revealed]}, it can go under {' or '.join(targets)}",
        )


def _refuse_insert(state: GameState, event: Insert) -> Iterator[Refusal]:
    other = whereabouts.is_waiting(state, event.card)
    if other is not None:
        owner = state.setup.players[other].name
        yield Refusal(Reason.ON_TABLE, "O9", f"{event.card} lies revealed before {owner}, not in the hand")
    elif wrong := whereabouts.misplaced(whereabouts.draw(state, event.seat), event.seat, event.card):
        yield wrong
        if wrong.reason is Reason.UNKNOWN_CARD:
            return
    yield from _refuse_place(state, event)


def _refuse_place(state: GameState, event: Play | Insert) -> Iterator[Refusal]:
    card = state.setup.deck[event.card]
    row, free = state.open_row
    if event.to not in state.setup.racing:
        yield Refusal(Reason.OUT_OF_PLAY, "O1", f"{event.to.capitalize()} does not race in this game")
    elif not card.is_order and event.to not in card.signs:
        yield Refusal(Reason.SIGN, "O4", f"{card} may not go under {event.to}, it does not show that sign")
    elif event.to not in free:
        yield Refusal(
            Reason.TAKEN,
            "O4",
            f"{event.to.capitalize()} already has a card in row {row}, free there: {', '.join(free)}",
        )
    elif event.row is not None and event.row != row:
        yield Refusal(Reason.ROW, "O4", f"{card.id} belongs in row {row}, not in row {event.row}")


def _not_removable(state: GameState, card: str) -> Refusal:
    removable = state.removable()
    which = f"only {' or '.join(removable)}" if removable else "nothing"
    return Refusal(
        Reason.NOT_REMOVABLE,
        "O8",
        f"Remove takes another card of its own row, here {which}, and {card} is none",
    )


def _refuse_predictions(state: GameState, event: Predictions) -> Iterator[Refusal]:
    players = state.setup.players
    if not len(event.first) == len(event.second) == len(players):
        yield Refusal(Reason.COUNT, "O15", "Each player predicts one contender first and one second")
        return
    for player, first, second in zip(players, event.first, event.second, strict=True):
        for tile in (first, second):
            if tile not in state.setup.racing:
                yield Refusal(
                    Reason.OUT_OF_PLAY, "O1", f"{player.name} predicted {tile}, which does not race"
                )
        if first == second:
            yield Refusal(Reason.SAME_TILE, "O15", f"{player.name} predicted {first} both first and second")
    if len(players) <= FEW_PLAYERS:
        for tile, count in Counter(event.second).items():
            if count > 1:
                yield Refusal(
                    Reason.SHARED_SECOND,
                    "O15",
                    f"Two players predicted {tile} second, but those tiles are dealt from one set",
                )
