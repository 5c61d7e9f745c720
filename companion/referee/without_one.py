"""Without one: may a single switch that still feels a miniature which has left it account for what fits no turn?"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation, Hypothesis
from companion.referee.reeds import Reeds

# A miniature (index), and what fits without the switch it stood on.
LeftBehind = tuple[int, Explanation]


def left_behind(position: Position, explanation: Explanation, evidence: Evidence) -> list[LeftBehind]:
    """For each miniature under which one switch may stay closed though it has gone: what fits without that switch."""
    unheld = [item[1] for item in explanation.best.wrong if item[0] == "reed"]
    found: list[LeftBehind] = []
    for deity, space in enumerate(position.minis):
        if space in evidence.stirred or not evidence.magnet_cost(space, present=False):
            continue
        if any(are_near(position, space, other) for other in unheld):
            found.append((deity, explain(position, evidence.without_switch(space), thorough=False)))
    return found


def without_one(behind: Iterable[LeftBehind], evidence: Evidence) -> Explanation | None:
    """What fits if one switch under a miniature stays closed though it has gone; None if nothing does.

    A switch that was stuck all along under a piece is found out only when that piece moves. So the piece must be felt
    where it went, and no other one be missing: a magnet that has come while another has gone is that other one.
    """
    for deity, again in behind:
        finished, partial = (
            tuple(each for each in found if each.fits and _has_left(each, deity, evidence))
            for found in (again.finished, again.partial)
        )
        if partial:
            return Explanation(finished, partial)
    return None


def may_be_two(behind: Iterable[LeftBehind], evidence: Evidence, reeds: Reeds) -> bool:
    """May the piece that is missing stand on a dead switch besides? One that has never closed may be dead."""
    return any(
        each.fits and _has_left(each, deity, evidence, reeds.may_be_dead)
        for deity, again in behind
        for each in again.partial
    )


def _has_left(
    hypothesis: Hypothesis,
    deity: int,
    evidence: Evidence,
    may_be_dead: Callable[[int], bool] = lambda space: False,
) -> bool:
    """Is this miniature felt where the path leads it, and every other one somewhere, unless a switch may be dead?"""
    minis = hypothesis.positions[0].minis
    waiting = {item[1] for item in hypothesis.pending if item[0] == "mini"}
    return (
        ("mini", deity, 0) in hypothesis.trajectory
        and deity not in waiting
        and all(
            may_be_dead(hypothesis.after.minis[other])
            for other in waiting
            if evidence.is_felt_bare(minis[other])
        )
    )


def are_near(position: Position, one: int, other: int) -> bool:
    """Are two spaces so near to each other that one turn may lead from one to the other?"""
    reach = position.board.reach
    return bool(reach[one] & reach[other])
