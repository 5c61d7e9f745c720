"""A ruling of the house: where play goes on although the rules do not lead there, and what cannot be played from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.games.olympeak import whereabouts
from companion.games.olympeak.events import Ruling
from companion.games.olympeak.position import CUBE_MAX, CUBE_MIN, GameState, Phase, Placed
from companion.games.olympeak.refusal import Reason, Refusal


def refusals(state: GameState, event: Ruling) -> Iterator[Refusal]:
    """That it is a ruling, which the rules do not know; and everything that makes it impossible, gravest first."""
    if state.phase in (Phase.PREDICTIONS, Phase.OVER):
        yield Refusal(Reason.PHASE, "O12", "The game is over, now the tiles are turned up")
        return
    for sentence in (*_turn_defects(state, event), *_table_defects(state, event)):
        yield Refusal(Reason.IMPOSSIBLE, "", sentence)
    yield Refusal(
        Reason.RULING,
        "",
        f"The players made a ruling of their own here and played on: {event.text.rstrip('.')}",
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
        phase=_phase(event),
    )
    lying = {each.card for each in event.placed}
    for card in lying - {each.card for each in state.placed}:
        after = _nowhere_else(after, card)
    # Who has played has drawn.
    done_before = set(state.order[: state.index])
    for seat in event.order[: event.played]:
        if seat not in done_before:
            after = whereabouts.draw(after, seat)
    return after


def _phase(event: Ruling) -> Phase:
    if not event.order:
        return Phase.REVEAL
    if event.pending is not None:
        return Phase.CHOICE
    return Phase.PLAY if event.played < len(event.order) else Phase.TURN_END


def _nowhere_else(state: GameState, card: str) -> GameState:
    held, loose = (tuple(known - {card} for known in hand) for hand in (state.held, state.loose))
    return replace(state, held=held, loose=loose, discarded=state.discarded - {card})


def _turn_defects(state: GameState, event: Ruling) -> Iterator[str]:
    seats = list(state.setup.seats)
    if not event.order:
        if event.revealed or event.played or event.pending is not None:
            yield "Nobody has revealed a card, so nobody can have played"
        return
    if sorted(event.order) != seats or len(event.revealed) != len(seats):
        yield f"Each of the {len(seats)} players reveals a card and plays in turn"
        return
    for card in event.revealed:
        if card not in state.setup.deck:
            yield f"{card} is no card of this box"
    if not 0 <= event.played <= len(seats):
        yield f"{event.played} of {len(seats)} players cannot have played"
    elif event.pending is not None:
        lies = any(each.card == event.pending for each in event.placed)
        known = event.pending in state.setup.deck and state.setup.deck[event.pending].is_order
        if not lies or not known or event.played == len(seats):
            yield f"{event.pending} is no order card on which somebody decides"


def _table_defects(state: GameState, event: Ruling) -> Iterator[str]:
    setup = state.setup
    if not 1 <= event.round <= setup.rounds:
        yield f"Round {event.round} is none of the {setup.rounds}"
    if sorted(contender for contender, _ in event.cubes) != sorted(setup.racing):
        yield f"A cube each of {', '.join(setup.racing)} stands on the scoreboard"
    for contender, place in event.cubes:
        if not CUBE_MIN <= place < CUBE_MAX:
            yield f"The {contender} cube on {place}: cubes stand on {CUBE_MIN} to {CUBE_MAX - 1} while the race is on"
    for card, count in Counter(each.card for each in event.placed).items():
        if count > 1:
            yield f"{card} lies in {count} places"
    for each in event.placed:
        if each.card not in setup.deck:
            yield f"{each.card} is no card of this box"
        if each.to not in setup.racing:
            yield f"{each.card} lies under {each.to}, which does not race"
        if each.row < 1 or not 0 <= each.turn <= state.turn or each.seat not in setup.seats:
            yield f"{each.card} lies in row {each.row} of turn {each.turn}, laid by seat {each.seat}: that cannot be"
