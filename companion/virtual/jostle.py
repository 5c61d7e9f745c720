"""Pieces that stand too close push each other apart, as on a real table: two caps cannot share a place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.games.above.box import Table
from companion.virtual.piece import Piece

# (piece name, x, y) → the nearest place at which the piece may stand.
Hold = Callable[[str, float, float], tuple[float, float]]

_ROUNDS = 60
_ON_TOP_MM = 8.5


def overlap(a: Piece, b: Piece, table: Table) -> tuple[float, float]:
    """By how many mm two pieces run into each other (≤ 0: they do not), and the direction from a to b."""
    dx, dy = b.pose.x - a.pose.x, b.pose.y - a.pose.y
    foot = math.hypot(dx, dy)
    # A miniature set down on top of a token stands on it, not in it.
    if a.kind != b.kind and foot < _ON_TOP_MM:
        return (0.0, 0.0)
    lacking = a.footprint(table) + b.footprint(table) + 0.3 - foot
    direction = math.atan2(dy, dx)
    if a.kind == b.kind == "mini":
        top = (0.0, 0.0, table.mini_height_mm)
        cap = b.pose.at(top) - a.pose.at(top)
        missing = table.mini_cap_mm + 0.2 - math.hypot(cap[0], cap[1])
        if missing > lacking:
            lacking, direction = missing, math.atan2(cap[1], cap[0])
    return (lacking, direction)


def pushed_apart(pieces: Sequence[Piece], table: Table, hold: Hold) -> list[Piece]:
    """The pieces moved so that none runs into another, as far as `hold` lets them."""
    moved = {piece.name: piece for piece in pieces}
    for _ in range(_ROUNDS):
        still = True
        for first, second in itertools.combinations(moved, 2):
            lacking, direction = overlap(moved[first], moved[second], table)
            if lacking <= 0:
                continue
            still = False
            share = lacking / 2 + 0.05
            for name, sign in ((first, -1.0), (second, 1.0)):
                pose = moved[name].pose
                x, y = hold(
                    name,
                    pose.x + sign * share * math.cos(direction),
                    pose.y + sign * share * math.sin(direction),
                )
                moved[name] = replace(moved[name], pose=replace(pose, x=x, y=y))
        if still:
            break
    return list(moved.values())
