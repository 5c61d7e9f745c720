"""Refusal: why what lies on the table is against the rules, in words, and what must be put back where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import DeclineInsert, Event, Insert, Play, Remove, Stop
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import FINDINGS
from companion.referee.olympeak.explain import Fault, Misfit
from companion.referee.olympeak.look import Look
from companion.referee.verdict import Mark, Todo

_CITED = re.compile(r"\((O\d+)\)")
# So many cards gone at once are being cleared away, which is no play.
CLEARED = 3


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason, whom it concerns, the acts that put it right, the parts of the table to point at.

    `only_missing`: nothing lies wrong, something merely is not seen, so it deserves more patience; unless
    it lies on the discard pile.
    `cleared`: so much is gone that the table is being cleared rather than played on.
    """

    text: str
    rule: str
    seat: int
    todo: tuple[Todo, ...]
    marks: tuple[tuple[str, Mark], ...]
    only_missing: bool
    cleared: bool


def refusal(state: GameState, misfits: Sequence[Misfit], look: Look) -> Refusal:
    """Why `misfits` cannot be: what they leave unexplained at `state`, the end of the best explanation."""
    order = {Fault.EXTRA: 0, Fault.SWAPPED: 1, Fault.MISSING: 2}
    wrongs = sorted(misfits, key=lambda each: (order[each.fault], each.row, each.contender))
    todo, marks = remedies(state, wrongs)
    reason, seat = _reason(state, wrongs[0], wrongs, look)
    cited = _CITED.search(reason)
    missing = sum(each.fault is Fault.MISSING for each in wrongs)
    return Refusal(
        text=f"{reason} {todo[0].text}",
        rule=cited.group(1) if cited else "",
        seat=seat,
        todo=todo,
        marks=marks,
        only_missing=missing == len(wrongs) and look.discard_top not in {each.card for each in wrongs},
        cleared=missing >= CLEARED and missing == len(wrongs),
    )


def remedies(
    state: GameState, wrongs: Sequence[Misfit]
) -> tuple[tuple[Todo, ...], tuple[tuple[str, Mark], ...]]:
    """The acts that put the contradictions right, and the parts of the table they concern.

    A card that lies elsewhere is one act: where it is, and where it belongs.
    """
    elsewhere = {each.card for each in wrongs if each.fault is Fault.EXTRA and state.lying(each.card)}
    todo: list[Todo] = []
    marks: dict[str, Mark] = {}
    for wrong in wrongs:
        if wrong.fault is Fault.MISSING and wrong.card in elsewhere:
            continue
        act, lit = remedy(state, wrong)
        todo.append(act)
        for part, mark in lit:
            marks.setdefault(part, mark)
    return tuple(todo), tuple(marks.items())


def remedy(state: GameState, wrong: Misfit) -> tuple[Todo, list[tuple[str, Mark]]]:
    """The act that puts one contradiction right, and the parts of the table it concerns."""
    names = [player.name for player in state.setup.players]
    if wrong.fault is Fault.SWAPPED:
        assert wrong.seat is not None
        zone = f"reveal {wrong.seat}"
        text = f"{names[wrong.seat]}: lay {state.revealed[wrong.seat]} before you again."
        return Todo(text, zone), [(zone, Mark.WRONG)]
    column = f"column {wrong.contender}"
    if wrong.fault is Fault.MISSING:
        text = f"Put {wrong.card} back under {wrong.contender}, row {wrong.row}."
        return Todo(text, column), [(column, Mark.MISSING)]
    owner = _owner(state, wrong.card)
    if owner is not None:
        zone = f"reveal {owner}"
        text = f"Put {wrong.card} back before {names[owner]}."
        return Todo(text, column), [(column, Mark.WRONG), (zone, Mark.RETURN)]
    home = state.lying(wrong.card)
    if home is not None and home.contender != wrong.contender:
        belongs = f"column {home.contender}"
        text = (
            f"Put {wrong.card} back under {home.contender}, row {home.row}: it lies under {wrong.contender}."
        )
        return Todo(text, belongs), [(column, Mark.WRONG), (belongs, Mark.RETURN)]
    return Todo(f"Take {wrong.card} away from under {wrong.contender}.", column), [(column, Mark.WRONG)]


def _owner(state: GameState, card: str) -> int | None:
    """The seat before which `card` should still lie."""
    return next((seat for seat in state.waiting if state.revealed[seat] == card), None)


def _reason(state: GameState, wrong: Misfit, wrongs: Sequence[Misfit], look: Look) -> tuple[str, int]:
    acting = state.seat if state.seat is not None else 0
    if wrong.fault is Fault.SWAPPED:
        assert wrong.seat is not None
        name = state.setup.players[wrong.seat].name
        revealed = state.revealed[wrong.seat]
        return f"{name} revealed {revealed} and must play it, not {wrong.card} (O2).", wrong.seat
    if wrong.fault is Fault.MISSING:
        if state.pending_kind is Kind.REMOVE:
            told = rules.explain_illegal(state, Remove(acting, wrong.card))
            if told is not None:
                return told, acting
        return f"{wrong.card} is missing under {wrong.contender}: only Remove takes cards away (O8).", acting
    return _extra(state, wrong, wrongs, look, acting)


def _extra(
    state: GameState, wrong: Misfit, wrongs: Sequence[Misfit], look: Look, acting: int
) -> tuple[str, int]:
    """Why a card may not lie where it lies."""
    card, place = wrong.card, f"under {wrong.contender}"
    home = state.lying(card)
    if home is not None:
        gone = any(each.fault is Fault.MISSING and each.card == card for each in wrongs)
        if gone:
            return f"{card} was played under {home.contender} in row {home.row} and stays there (O4).", acting
        return f"{card} lies twice on the table, and there is only one of it (O17).", acting
    # An optional order that is still open is waived when somebody goes on to play.
    later = _waived(state)
    owner = _owner(later, card)
    if owner is not None:
        event: Event = Play(owner, card, wrong.contender, wrong.row)
        # Were it in order but for the open choice, the search would have found it.
        return rules.explain_illegal(later, event) or f"{card} may not go {place} now (O4).", owner
    if card in state.discarded and card in state.revealed:
        return f"{card} was removed and belongs on the discard pile (O8).", acting
    if card in state.revealed:
        seat = state.revealed.index(card)
        name = state.setup.players[seat].name
        return f"{name} could not place {card} this turn and takes it back to hand (O5).", seat
    if state.phase is Phase.CHOICE and state.pending_kind is Kind.INSERT:
        event = Insert(acting, card, wrong.contender, wrong.row)
        told = next((r.text for r in rules.refusals(state, event) if r.reason not in FINDINGS), None)
        if told is not None:
            return told, acting
    if state.phase in (Phase.PLAY, Phase.CHOICE):
        if state.phase is Phase.PLAY and look.shown.get(acting) != state.revealed[acting]:
            told = rules.explain_illegal(state, Play(acting, card, wrong.contender, wrong.row))
            if told is not None:
                return told, acting
        if state.this_turn:
            last = state.this_turn[-1]
            name = state.setup.players[last.seat].name
            return (
                f"Two cards at once: {name} played {last.card}, and {card} lies {place}, "
                "which nobody revealed (O2)."
            ), last.seat
        return f"{card} lies {place}, and nobody revealed it: only a revealed card is played (O2).", acting
    return f"{card} lies {place} too early: first every player reveals a card (O2).", acting


def _waived(state: GameState) -> GameState:
    while state.phase is Phase.CHOICE and state.seat is not None:
        match state.pending_kind:
            case Kind.STOP:
                event: Event = Stop(state.seat, False)
            case Kind.REMOVE:
                event = Remove(state.seat, None)
            case _:
                event = DeclineInsert(state.seat, False)
        state = rules.apply(state, event)
    return state
