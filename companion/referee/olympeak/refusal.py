"""Refusal: why what lies on the table is against the rules, in words, and what must be put back where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind
from companion.games.olympeak.events import DeclineInsert, Event, Insert, Play, Remove, Stop
from companion.games.olympeak.names import contender_name
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import FINDINGS
from companion.messages import Text, say, sentences
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
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
        text=sentences(reason, todo[0].text),
        rule=say("names.ruling", ruling=cited.group(1)) if cited else "",
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
        text = say("olympeak.lay_again", name=names[wrong.seat], card=state.revealed[wrong.seat])
        return Todo(text, zone), [(zone, Mark.WRONG)]
    column, contender = f"column {wrong.contender}", contender_name(wrong.contender)
    if wrong.fault is Fault.MISSING:
        text = say("olympeak.put_back_under", card=wrong.card, contender=contender, row=wrong.row)
        return Todo(text, column), [(column, Mark.MISSING)]
    owner = _owner(state, wrong.card)
    if owner is not None:
        zone = f"reveal {owner}"
        text = say("olympeak.put_back_before", card=wrong.card, name=names[owner])
        return Todo(text, column), [(column, Mark.WRONG), (zone, Mark.RETURN)]
    home = state.lying(wrong.card)
    if home is not None and home.contender != wrong.contender:
        belongs = f"column {home.contender}"
        text = say(
            "olympeak.put_back_from",
            card=wrong.card,
            contender=contender_name(home.contender),
            row=home.row,
            other=contender,
        )
        return Todo(text, belongs), [(column, Mark.WRONG), (belongs, Mark.RETURN)]
    text = say("olympeak.take_away_under", card=wrong.card, contender=contender)
    return Todo(text, column), [(column, Mark.WRONG)]


def _owner(state: GameState, card: str) -> int | None:
    """The seat before which `card` should still lie."""
    return next((seat for seat in state.waiting if state.revealed[seat] == card), None)


def _reason(state: GameState, wrong: Misfit, wrongs: Sequence[Misfit], look: Look) -> tuple[Text, int]:
    acting = state.seat if state.seat is not None else 0
    if wrong.fault is Fault.SWAPPED:
        assert wrong.seat is not None
        name = state.setup.players[wrong.seat].name
        revealed = state.revealed[wrong.seat]
        text = say("olympeak.must_play_revealed", name=name, revealed=revealed, card=wrong.card)
        return say("olympeak.cited", sentence=text, ruling="O2"), wrong.seat
    if wrong.fault is Fault.MISSING:
        if state.pending_kind is Kind.REMOVE:
            told = rules.explain_illegal(state, Remove(acting, wrong.card))
            if told is not None:
                return told, acting
        under = contender_name(wrong.contender)
        return say("olympeak.missing_under", card=wrong.card, contender=under), acting
    return _extra(state, wrong, wrongs, look, acting)


def _extra(
    state: GameState, wrong: Misfit, wrongs: Sequence[Misfit], look: Look, acting: int
) -> tuple[Text, int]:
    """Why a card may not lie where it lies."""
    card, contender = wrong.card, contender_name(wrong.contender)
    home = state.lying(card)
    if home is not None:
        gone = any(each.fault is Fault.MISSING and each.card == card for each in wrongs)
        if gone:
            under = contender_name(home.contender)
            return say("olympeak.stays_where_played", card=card, contender=under, row=home.row), acting
        twice = say("olympeak.lies_twice", card=card)
        return say("olympeak.cited", sentence=twice, ruling="O17"), acting
    # An optional order that is still open is waived when somebody goes on to play.
    later = _waived(state)
    owner = _owner(later, card)
    if owner is not None:
        event: Event = Play(owner, card, wrong.contender, wrong.row)
        # Were it in order but for the open choice, the search would have found it.
        told = rules.explain_illegal(later, event)
        return told or say("olympeak.may_not_go_now", card=card, contender=contender), owner
    if card in state.discarded and card in state.revealed:
        return say("olympeak.was_removed", card=card), acting
    if card in state.revealed:
        seat = state.revealed.index(card)
        name = state.setup.players[seat].name
        return say("olympeak.goes_back_to_hand", name=name, card=card), seat
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
            text = say("olympeak.two_at_once", name=name, played=last.card, card=card, contender=contender)
            return text, last.seat
        return say("olympeak.not_revealed", card=card, contender=contender), acting
    if state.phase in (Phase.ROUND_END, Phase.PREDICTIONS):
        # Most likely a second card of whoever played last.
        laid = state.placed[-1].seat if state.placed else acting
        if state.phase is Phase.ROUND_END:
            return say("olympeak.after_round", card=card, contender=contender), laid
        return say("olympeak.after_game", card=card, contender=contender), laid
    return say("olympeak.too_early", card=card, contender=contender), acting


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
