"""Restored: has the last turn been put back, in whole or in part, before anybody began another?"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.events import Event, Reveal
from companion.games.olympeak.position import GameState, Phase
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit, placed_misfits
from companion.sensing.olympeak.reading import OlympeakReading


def restored(turns: Sequence[Unit], state: GameState, reading: OlympeakReading) -> tuple[Event, ...] | None:
    """The events of the last turn that still stand, its reveal first, if the table was put back to after them.

    That is sure only if the columns show just that, and every card that is to be played anew lies face up before its
    seat again. None if not.
    """
    if not turns or turns[-1].is_open or state.phase not in _AFTER_TURN:
        return None
    unit = turns[-1]
    if not isinstance(unit.events[0], Reveal):
        return None
    lies = {each.card for each in unit.after.placed}
    look = Look.of(reading, unit.before.placed)
    for count, earlier in enumerate(unit.states):
        # A card that could not be placed lies before its seat as well: only a card that has come back tells.
        came_back = {each.card for each in earlier.placed} != lies
        if count and earlier.phase is Phase.PLAY and came_back and _shows(earlier, look):
            return unit.events[:count]
    return None


_AFTER_TURN = (Phase.REVEAL, Phase.ROUND_END, Phase.PREDICTIONS)


def _shows(state: GameState, look: Look) -> bool:
    misfits, covered, askew = placed_misfits(state, look)
    if misfits or covered or askew:
        return False
    return all(look.shown.get(seat) == state.revealed[seat] for seat in state.waiting)


def is_cleared(turns: Sequence[Unit], misfits: Sequence[Misfit], look: Look) -> bool:
    """Are just the cards of the last turn gone, all of them, and no card lies before anybody?"""
    if not turns or turns[-1].is_open or look.shown or look.face_down:
        return False
    unit = turns[-1]
    played = {each.card for each in unit.after.placed} - {each.card for each in unit.before.placed}
    gone = {each.card for each in misfits if each.fault is Fault.MISSING}
    return bool(played) and gone == played and len(gone) == len(misfits)
