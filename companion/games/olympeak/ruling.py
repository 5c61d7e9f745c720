"""A ruling of the house: where play goes on although the rules do not lead there, and what cannot be played from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.games.olympeak import whereabouts
from companion.games.olympeak.events import Ruling
from companion.games.olympeak.names import contender_name, contenders_in_row, cube_name
from companion.games.olympeak.piles import Piles
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, CUBE_MIN, GameState, Phase, Placed
from companion.games.olympeak.refusal import Reason, Refusal
from companion.messages import Text, say


def refusals(state: GameState, event: Ruling) -> Iterator[Refusal]:
    """That it is a ruling, which the rules do not know; and everything that makes it impossible, gravest first."""
    if state.phase in (Phase.PREDICTIONS, Phase.OVER):
        yield Refusal(Reason.PHASE, "O12", say("olympeak.tiles_first"))
        return
    for sentence in (*_turn_defects(state, event), *_table_defects(state, event)):
        yield Refusal(Reason.IMPOSSIBLE, "", sentence)
    yield Refusal(
        Reason.RULING,
        "",
        say("olympeak.own_ruling", text=event.text.rstrip(".")),
    )


def apply(state: GameState, event: Ruling) -> GameState:
    """The state from which play goes on."""
    after = replace(
        state,
        round=event.round,
        cubes=tuple(dict(event.cubes)[contender] for contender in state.setup.racing),
        placed=tuple(Placed(each.card, each.to, each.row, each.turn, each.seat) for each in event.placed),
        revealed=event.revealed,
        order=event.order,
        index=event.played,
        pending=event.pending,
    )
    after = replace(after, phase=_phase(after))
    if not event.order:
        # Whole turns may have passed: whatever was known of hands and piles is known no more.
        nothing: tuple[frozenset[str], ...] = (frozenset(),) * len(state.hands)
        return replace(after, piles=Piles.unknown(), discarded=frozenset(), held=nothing, loose=nothing)
    lying = {each.card for each in event.placed}
    for card in lying - {each.card for each in state.placed}:
        after = _nowhere_else(after, card)
    # Who has played has drawn.
    done_before = set(state.order[: state.index])
    for seat in event.order[: event.played]:
        if seat not in done_before:
            after = whereabouts.draw(after, seat)
    return after


def _phase(state: GameState) -> Phase:
    """What a game waits for whose table has come to this (O11, O12)."""
    if state.order:
        if state.pending is not None:
            return Phase.CHOICE
        return Phase.PLAY if state.index < len(state.order) else Phase.TURN_END
    round_over = max(state.columns.values()) >= COLUMN_FULL
    if CUBE_MAX in state.cubes or (round_over and state.round == state.setup.rounds):
        return Phase.PREDICTIONS
    return Phase.ROUND_END if round_over else Phase.REVEAL


def _nowhere_else(state: GameState, card: str) -> GameState:
    held, loose = (tuple(known - {card} for known in hand) for hand in (state.held, state.loose))
    return replace(state, held=held, loose=loose, discarded=state.discarded - {card})


def _turn_defects(state: GameState, event: Ruling) -> Iterator[Text]:
    seats = list(state.setup.seats)
    if not event.order:
        if event.revealed or event.played or event.pending is not None:
            yield say("olympeak.nobody_revealed")
        return
    if sorted(event.order) != seats or len(event.revealed) != len(seats):
        yield say("olympeak.reveal_and_play", n=len(seats))
        return
    for card in event.revealed:
        if card not in state.setup.deck:
            yield say("olympeak.no_card_of_box", card=card)
    if not 0 <= event.played <= len(seats):
        yield say("olympeak.cannot_have_played", played=event.played, n=len(seats))
    elif event.pending is not None:
        lies = any(each.card == event.pending for each in event.placed)
        known = event.pending in state.setup.deck and state.setup.deck[event.pending].is_order
        if not lies or not known or event.played == len(seats):
            yield say("olympeak.no_open_order", card=event.pending)


def _table_defects(state: GameState, event: Ruling) -> Iterator[Text]:
    setup = state.setup
    if not 1 <= event.round <= setup.rounds:
        yield say("olympeak.no_such_round", round=event.round, rounds=setup.rounds)
    if sorted(contender for contender, _ in event.cubes) != sorted(setup.racing):
        yield say("olympeak.cube_each", contenders=contenders_in_row(setup.racing))
    for contender, place in event.cubes:
        highest = CUBE_MAX - 1 if event.order else CUBE_MAX
        if not CUBE_MIN <= place <= highest:
            yield say("olympeak.cube_off", cube=cube_name(contender), place=place, low=CUBE_MIN, high=highest)
    for card, count in Counter(each.card for each in event.placed).items():
        if count > 1:
            yield say("olympeak.in_places", card=card, n=count)
    for each in event.placed:
        if each.card not in setup.deck:
            yield say("olympeak.no_card_of_box", card=each.card)
        if each.to not in setup.racing:
            yield say("olympeak.lies_under_out", card=each.card, contender=contender_name(each.to))
        if each.row < 1 or not 0 <= each.turn <= state.turn or each.seat not in setup.seats:
            yield say(
                "olympeak.cannot_be_there", card=each.card, row=each.row, turn=each.turn, seat=each.seat
            )
