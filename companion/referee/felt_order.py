"""The order in which switches have felt a turn, where what lies there afterwards does not tell it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import or_

from companion.games.above.board import SPACES, bits
from companion.referee.hypothesis import Hypothesis
from companion.referee.reeds import Reeds

# A hand that passes with a piece closes a switch for less (seconds).
STOOD_S = 1.0
_INDEX = {name: number for number, name in enumerate(SPACES)}


def has_relaid(reeds: Reeds, turn: Hypothesis) -> bool:
    """Have the switches felt that the second token was shifted (A12) to where the first one was taken from?

    What lies there looks as if the second token alone had been shifted, and the other one never been touched. But then a
    magnet would have come to the one space after it had left the other; and the third one would not have been open all
    the while, from before the first token came to lie there until after the second one was taken up.
    """
    shifts = [action for action in turn.actions if action.kind == "shift"]
    if len(shifts) != 2 or shifts[0].origin != shifts[1].space:
        return False
    first, second = shifts
    came, went = (reeds.changes(_INDEX[name or ""]) for name in (first.space, second.origin))
    if len(came) != 1 or len(went) != 1:
        return False  # more than one token has passed there
    gaps = reeds.spells(_INDEX[first.origin or ""], closed=False)
    return any(since < came[0] < went[0] < until for since, until in gaps)


def came_by(reeds: Reeds, pairs: Sequence[tuple[Hypothesis, Hypothesis]]) -> Hypothesis | None:
    """Of pairs of turns that account for what lies there now, the first turn after which the pieces lay as was felt.

    What only this one has set down on some space has stood there for a while and has gone on since, and every other has
    set something down where nothing was felt in all that time. But a switch may be dead there, and a hand have rested
    with a piece over another space in the second turn: what has stood must have come before any of that was felt. None
    if the switches tell no single one.
    """
    turns = [first for first, _ in pairs]
    stood = [turn.after.stood_on & ~turn.positions[0].stood_on for turn in turns]
    began = [_began(reeds, first, then) for first, then in pairs]
    told = []
    for number, mine in enumerate(stood):
        others = stood[:number] + stood[number + 1 :]
        felt = [space for space in bits(mine) if _has_stood(reeds, space, min(began))]
        tells = all(any(not other >> space & 1 for space in felt) for other in others)
        if tells and all(
            any(reeds.is_still_open(space) for space in bits(other & ~mine)) for other in others
        ):
            told.append(number)
    return turns[told[0]] if len(told) == 1 else None


def _began(reeds: Reeds, first: Hypothesis, then: Hypothesis) -> float:
    """When (seconds) something was first felt that only the second of two turns can have done; -inf if nothing was."""
    changed = [at for space in bits(_changed(then) & ~_changed(first)) for at in reeds.changes(space)]
    return min(changed, default=-math.inf)


def _changed(turn: Hypothesis) -> int:
    """The spaces (a bit set) where something came to stand in a turn, or went, if only on the way."""
    before = turn.positions[0].stood_on
    return reduce(or_, (position.stood_on ^ before for position in turn.positions), 0)


def _has_stood(reeds: Reeds, space: int, begun: float) -> bool:
    """Has a magnet come to this space before `begun` (seconds), stayed for a while and gone again?"""
    spells = reeds.spells(space, closed=True)
    return any(since < begun and until - since >= STOOD_S for since, until in spells)
