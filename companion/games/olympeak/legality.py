"""What is wrong with an event in a state, rule by rule. `rules` is the door to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from companion.games.olympeak import ruling, whereabouts
from companion.games.olympeak.cards import CONTENDERS, FEW_PLAYERS, Kind
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
from companion.games.olympeak.names import contender_name, contenders_in_row, order_name
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Reason, Refusal
from companion.messages import either, say

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
            yield Refusal(Reason.NOTHING_TO_DRAW, "O6", say("olympeak.nothing_to_draw"))


def _wrong_moment(state: GameState) -> Refusal:
    seat = state.seat
    name = state.setup.players[seat].name if seat is not None else ""
    match state.phase:
        case Phase.REVEAL:
            return Refusal(Reason.PHASE, "O2", say("olympeak.reveal_first"))
        case Phase.PLAY:
            card = state.revealed[seat or 0]
            return Refusal(Reason.PHASE, "O2", say("olympeak.play_first", name=name, card=card))
        case Phase.CHOICE:
            kind = state.pending_kind or Kind.STOP
            text = say("olympeak.decide_first", name=name, order=order_name(kind.value))
            return Refusal(Reason.PHASE, _RULINGS[kind], text)
        case Phase.TURN_END:
            return Refusal(Reason.PHASE, "O10", say("olympeak.cubes_first"))
        case Phase.ROUND_END:
            return Refusal(Reason.PHASE, "O11", say("olympeak.clear_first"))
        case Phase.PREDICTIONS:
            return Refusal(Reason.PHASE, "O12", say("olympeak.tiles_first"))
        case Phase.OVER:
            return Refusal(Reason.PHASE, "O12", say("olympeak.scored"))
        case _:
            assert_never(state.phase)


def _wrong_seat(state: GameState, seat: int) -> Refusal:
    players = state.setup.players
    who: str = players[seat].name if 0 <= seat < len(players) else say("names.seat", n=seat)
    turn = players[state.seat or 0].name
    return Refusal(Reason.SEAT, "O2", say("olympeak.wrong_seat", turn=turn, who=who))


def _refuse_reveal(state: GameState, event: Reveal) -> Iterator[Refusal]:
    count = len(state.setup.players)
    if len(event.cards) != count:
        shown = len(event.cards)
        yield Refusal(Reason.COUNT, "O2", say("olympeak.one_each", n=count, shown=shown))
        return
    for seat, card in enumerate(event.cards):
        if card in event.cards[:seat]:
            yield Refusal(Reason.TWICE, "O17", say("olympeak.before_two", card=card))
        elif wrong := whereabouts.misplaced(state, seat, card):
            yield wrong


def _refuse_turn(state: GameState, event: Play | Blocked) -> Iterator[Refusal]:
    name = state.setup.players[event.seat].name
    revealed = state.revealed[event.seat]
    if event.card != revealed:
        text = say("olympeak.must_play_revealed", name=name, revealed=revealed, card=event.card)
        yield Refusal(Reason.SWAPPED, "O2", text)
    elif isinstance(event, Play):
        yield from _refuse_place(state, event)
    elif targets := state.targets(revealed):
        yield Refusal(
            Reason.MUST_PLACE,
            "O5",
            say(
                "olympeak.must_place",
                name=name,
                card=state.setup.deck[revealed].words,
                contenders=either(map(contender_name, targets)),
            ),
        )


def _refuse_insert(state: GameState, event: Insert) -> Iterator[Refusal]:
    other = whereabouts.is_waiting(state, event.card)
    if other is not None:
        owner = state.setup.players[other].name
        text = say("olympeak.revealed_elsewhere", card=event.card, owner=owner)
        yield Refusal(Reason.ON_TABLE, "O9", text)
    elif wrong := whereabouts.misplaced(whereabouts.draw(state, event.seat), event.seat, event.card):
        yield wrong
        if wrong.reason is Reason.UNKNOWN_CARD:
            return
    yield from _refuse_place(state, event)


def _refuse_place(state: GameState, event: Play | Insert) -> Iterator[Refusal]:
    card = state.setup.deck[event.card]
    row, free = state.open_row
    to = _contender(event.to)
    if event.to not in state.setup.racing:
        yield Refusal(Reason.OUT_OF_PLAY, "O1", say("olympeak.races_not", contender=to))
    elif not card.is_order and event.to not in card.signs:
        yield Refusal(Reason.SIGN, "O4", say("olympeak.no_such_sign", card=card.words, contender=to))
    elif event.to not in free:
        yield Refusal(
            Reason.TAKEN,
            "O4",
            say("olympeak.is_taken", contender=to, row=row, free=contenders_in_row(free)),
        )
    elif event.row is not None and event.row != row:
        yield Refusal(Reason.ROW, "O4", say("olympeak.wrong_row", card=card.id, row=row, other=event.row))


def _not_removable(state: GameState, card: str) -> Refusal:
    removable = state.removable()
    if removable:
        text = say("olympeak.removes_only", cards=either(removable), card=card)
    else:
        text = say("olympeak.removes_nothing", card=card)
    return Refusal(Reason.NOT_REMOVABLE, "O8", text)


def _contender(name: str) -> str:
    """A contender as players call it; anything else by its own word."""
    return contender_name(name) if name in CONTENDERS else name


def _refuse_predictions(state: GameState, event: Predictions) -> Iterator[Refusal]:
    players = state.setup.players
    if not len(event.first) == len(event.second) == len(players):
        yield Refusal(Reason.COUNT, "O15", say("olympeak.two_tiles_each"))
        return
    for player, first, second in zip(players, event.first, event.second, strict=True):
        for tile in (first, second):
            if tile not in state.setup.racing:
                text = say("olympeak.predicted_out", name=player.name, contender=_contender(tile))
                yield Refusal(Reason.OUT_OF_PLAY, "O1", text)
        if first == second:
            text = say("olympeak.predicted_twice", name=player.name, contender=_contender(first))
            yield Refusal(Reason.SAME_TILE, "O15", text)
    if len(players) <= FEW_PLAYERS:
        for tile, count in Counter(event.second).items():
            if count > 1:
                yield Refusal(
                    Reason.SHARED_SECOND,
                    "O15",
                    say("olympeak.second_shared", contender=_contender(tile)),
                )
