"""Without one: may a single switch that still feels a miniature which has left it account for what fits no turn?"""

from __future__ import annotations

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation, Hypothesis


def without_one(position: Position, explanation: Explanation, evidence: Evidence) -> Explanation | None:
    """What fits if one switch under a miniature stays closed though it has gone; None if nothing does.

    A switch that was stuck all along under a piece is found out only when that piece moves. So the piece must be felt
    where it went, and no other one be missing: a magnet that has come while another has gone is that other one.
    """
    unheld = [item[1] for item in explanation.best.wrong if item[0] == "reed"]
    if not unheld:
        return None
    for deity, space in enumerate(position.minis):
        if space in evidence.stirred or not evidence.magnet_cost(space, present=False):
            continue
        if not any(are_near(position, space, other) for other in unheld):
            continue
        again = explain(position, evidence.without_switch(space), thorough=False)
        finished, partial = (
            tuple(each for each in found if each.fits and _has_left(each, deity, evidence))
            for found in (again.finished, again.partial)
        )
        if partial:
            return Explanation(finished, partial)
    return None


def _has_left(hypothesis: Hypothesis, deity: int, evidence: Evidence) -> bool:
    """Is this miniature felt where the path leads it, and every other one somewhere?"""
    minis = hypothesis.positions[0].minis
    waiting = {item[1] for item in hypothesis.pending if item[0] == "mini"}
    return (
        ("mini", deity, 0) in hypothesis.trajectory
        and deity not in waiting
        and not any(evidence.is_felt_bare(minis[other]) for other in waiting)
    )


def are_near(position: Position, one: int, other: int) -> bool:
    """Are two spaces so near to each other that one turn may lead from one to the other?"""
    reach = position.board.reach
    return bool(reach[one] & reach[other])
