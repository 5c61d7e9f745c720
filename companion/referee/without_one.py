"""Without one: may a single switch that still feels a miniature which has left it account for what fits no turn?"""

from __future__ import annotations

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation


def without_one(position: Position, explanation: Explanation, evidence: Evidence) -> Explanation | None:
    """What fits if one switch under a miniature stays closed though it has gone; None if nothing does.

    A switch that was stuck all along under a piece is found out only when that piece moves.
    """
    unheld = [item[1] for item in explanation.best.wrong if item[0] == "reed"]
    if not unheld:
        return None
    for space in position.minis:
        if space in evidence.stirred or not evidence.magnet_cost(space, present=False):
            continue
        if not any(_near(position, space, other) for other in unheld):
            continue
        again = explain(position, evidence.without_switch(space), thorough=False)
        if again.best.fits:
            return again
    return None


def _near(position: Position, one: int, other: int) -> bool:
    """Are two spaces so near to each other that one turn may lead from one to the other?"""
    reach = position.board.reach
    return bool(reach[one] & reach[other])
