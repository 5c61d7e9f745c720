"""Begun early: the next player's miniature has moved before anybody could see that the last turn was over.

Hands never left the board between the two turns, and the card of the second one lies as it lay: it is turned late, or
was the last one and is among those that are recovered (A5).
"""

from __future__ import annotations

from collections.abc import Set

from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.hypothesis import Hypothesis, Item


def is_begun_early(
    first: Hypothesis, left: Set[tuple[int, int]], then: Hypothesis, evidence: Evidence, touched: Set[int]
) -> bool:
    """Is `first` a turn that was played, and `then` the next one, of which a miniature alone tells?

    `left`: tokens that `first` took off and that lie there still. `touched`: the deities that have left their space, if
    only for a moment. Otherwise what does not fit the first turn is somebody's mistake.
    """
    mover = mover_of(then)
    # Whoever was moved where it cannot go with its own card has been moved wrongly, not twice.
    if mover is None or mover[1] == first.actions[0].deity_index:
        return False
    has_moved = evidence.mini_cost(mover[1], then.trajectory[mover][0]) >= CONTRADICTION
    return then.fits and has_moved and _is_over(first, left) and _was_played(first, left, touched)


def mover_of(turn: Hypothesis) -> Item | None:
    """The miniature that moves with the card of this turn."""
    mover: Item | None = ("mini", turn.actions[0].deity_index, 0) if turn.actions else None
    return mover if mover in turn.trajectory else None


def _is_over(turn: Hypothesis, left: Set[tuple[int, int]]) -> bool:
    """Is nothing to be done in this turn but to take off the tokens that are `left`?"""
    to_do = (*turn.pending, *turn.unsure)
    return turn.is_complete and all(item[0] == "token" and item[1:] in left for item in to_do)


def _was_played(turn: Hypothesis, left: Set[tuple[int, int]], touched: Set[int]) -> bool:
    """Does anything tell of this turn but its card? Else another miniature was moved than the one that it is for."""
    return turn.actions[0].deity_index in touched or any(
        states[0] != states[-1] and (kind == "mini" or (kind == "token" and (one, two) not in left))
        for (kind, one, two), states in turn.trajectory.items()
    )
