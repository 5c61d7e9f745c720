"""Magnets: which piece holds which switch closed, and which switches no piece accounts for."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.above.board import SPACES
from companion.games.above.position import Position
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Item, Trajectory


def unheld(position: Position, trajectory: Trajectory, closed: Iterable[int]) -> list[Item]:
    """The closed switches (by space) for which no piece is left on this path from `position`; one, if any.

    A token lies where it lies, a miniature may be in any of its states, but only in one of them.
    """
    standing = {space: deity for deity, space in enumerate(position.minis)}
    able: dict[int, list[int]] = {}
    lying = 0
    for laid in position.laid:
        lying |= laid
    for (kind, one, two), states in trajectory.items():
        if kind == "mini":
            for space in set(states):
                able.setdefault(space, []).append(one)
        elif kind == "token" and any(states):
            lying |= 1 << two
    moved = {item[1] for item in trajectory if item[0] == "mini"}
    held: dict[int, int] = {}

    def found_for(space: int, tried: set[int]) -> bool:
        """Is a miniature free for this space, if need be after another one has made room?"""
        candidates = able.get(space, [])
        if space in standing and standing[space] not in moved:
            candidates = [*candidates, standing[space]]
        for deity in candidates:
            if deity in tried:
                continue
            tried.add(deity)
            if deity not in held or found_for(held[deity], tried):
                held[deity] = space
                return True
        return False

    for space in closed:
        if not lying >> space & 1 and not found_for(space, set()):
            return [("reed", space, 0)]
    return []


def gainsaying(evidence: Evidence, position: Position) -> frozenset[int]:
    """The spaces whose switch is believed and says otherwise than a position."""
    standing = position.stood_on
    return frozenset(
        space
        for space in range(len(SPACES))
        if (
            evidence.is_felt_bare(space)
            if standing >> space & 1
            else evidence.magnet_cost(space, present=False) > 0
        )
    )


def contrary(evidence: Evidence, position: Position) -> int:
    """How many switches that are believed say otherwise than a position."""
    return len(gainsaying(evidence, position))


def amiss(evidence: Evidence, position: Position) -> list[Item]:
    """What lies otherwise than in a position, as far as switches that are believed tell: pieces missed, then magnets."""
    found: list[Item] = []
    come: list[Item] = []
    for space in sorted(gainsaying(evidence, position)):
        if space in position.minis:
            found.append(("mini", position.minis.index(space), 0))
        elif position.stood_on >> space & 1:
            found += [
                ("token", token, space) for token, laid in enumerate(position.laid) if laid >> space & 1
            ]
        else:
            come.append(("reed", space, 0))
    return found + come
