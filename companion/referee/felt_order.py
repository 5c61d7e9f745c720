"""The order in which switches have felt a turn, where what lies there afterwards does not tell it."""

from __future__ import annotations

from companion.games.above.board import SPACES
from companion.referee.hypothesis import Hypothesis
from companion.referee.reeds import Reeds

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
