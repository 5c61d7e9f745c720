"""In hand: misfits that may merely show that somebody holds a card, and is about to lay it down."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.cards import Kind
from companion.games.olympeak.position import GameState, Phase
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit


def is_in_hand(state: GameState, misfits: Sequence[Misfit], look: Look) -> bool:
    """May a card in somebody's hand be all that is wrong?"""
    return (
        _remove_in_hand(state, misfits, look)
        or _earlier_in_hand(state, misfits, look)
        or _is_rearranged(state, misfits)
    )


def _remove_in_hand(state: GameState, misfits: Sequence[Misfit], look: Look) -> bool:
    """Is a Remove card in somebody's hand, which may explain that cards are gone as soon as it lies there?"""
    if state.phase is not Phase.PLAY or any(each.fault is not Fault.MISSING for each in misfits):
        return False
    card = state.revealed[state.waiting[0]]
    return state.setup.deck[card].kind is Kind.REMOVE and card not in look.in_view


def _earlier_in_hand(state: GameState, misfits: Sequence[Misfit], look: Look) -> bool:
    """Is the card of the player on turn seen nowhere, while others have laid theirs?

    Cards that were laid in turn look like that while somebody straightens the first one. Who plays before their turn
    has the card of the player on turn still before that one's seat (O2).
    """
    if state.phase is not Phase.PLAY:
        return False
    seat, *later = state.waiting
    laid = {each.card for each in misfits if each.fault is not Fault.MISSING}
    in_turn = bool(laid) and laid <= {state.revealed[other] for other in later}
    card = state.revealed[seat]
    return in_turn and look.is_empty(seat) and card not in (*look.in_view, look.discard_top)


def _is_rearranged(state: GameState, misfits: Sequence[Misfit]) -> bool:
    """Are cards that lay there moved while another one is gone from view? Then somebody is about it still."""
    elsewhere = {each.card for each in misfits if each.fault is Fault.EXTRA}
    in_hand = any(each.fault is Fault.MISSING and each.card not in elsewhere for each in misfits)
    return in_hand and bool(elsewhere) and all(state.lying(card) is not None for card in elsewhere)
