"""Left open: the question which of two turns was played, where nobody answers it and people play on.

All its readings are ends of the same turn, and the same cards lie there after each. So whoever turns up the next cards,
lays them, clears the columns or turns up the tiles has said that the turn is over; and what they show may rule some of
the readings out, for a card lies in one place only.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.events import EndTurn
from companion.games.olympeak.position import GameState, Phase
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, placed_misfits
from companion.referee.olympeak.path import Path
from companion.referee.olympeak.patience import MISSING_S
from companion.referee.olympeak.refusal import CLEARED
from companion.referee.olympeak.reveal import findings, is_possible


def played_on(rivals: Sequence[Path], look: Look, *, tiles: bool) -> tuple[tuple[Path, ...], float] | None:
    """Which of these ends of the turn are still possible now that people have played on, and how long (seconds) that must
    be seen; None while they have not. `tiles`: is a tile turned up?
    """
    ends = [rules.apply(path.state, EndTurn()) for path in rivals]
    wait = _wait(rivals[0].state, ends[0], look, tiles=tiles)
    if wait is None:
        return None
    possible = tuple(path for path, end in zip(rivals, ends, strict=True) if _may_follow(end, look))
    return possible or tuple(rivals), wait


def _wait(last: GameState, end: GameState, look: Look, *, tiles: bool) -> float | None:
    """How long what lies there must be seen, to tell that people play on from `end`; None if it does not tell that."""
    misfits, _, _ = placed_misfits(last, look)
    if end.phase is Phase.REVEAL:
        row = max((each.row for each in last.placed), default=0)
        anew = [seat for seat, card in look.shown.items() if card != last.revealed[seat]]
        if misfits:
            laid = all(each.fault is Fault.EXTRA and each.row > row for each in misfits)
            return 0.0 if laid else None
        return 0.0 if anew and len(look.shown) == len(end.setup.players) else None
    if misfits and all(each.fault is Fault.MISSING for each in misfits):
        # One or two may be in a hand, to be straightened.
        return 0.0 if len(misfits) >= CLEARED else MISSING_S
    return 0.0 if tiles and end.phase is Phase.PREDICTIONS else None


def _may_follow(end: GameState, look: Look) -> bool:
    """Can the cards that are turned up have come from the hands as this end of the turn leaves them?"""
    if end.phase is not Phase.REVEAL or len(look.shown) < len(end.setup.players):
        return True
    cards = tuple(look.shown[seat] for seat in end.setup.seats)
    return is_possible(end, cards) and not findings(end, cards)
