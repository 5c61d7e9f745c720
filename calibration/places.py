"""Where the spaces of a board are, as its rings lie: the space under a point, and the point over a space."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.above.box import Board
from companion.sensing.geometry import CameraPose
from companion.sensing.place import BoardPrint, on_print

# The summit is ring 7, and one space.
SUMMIT = "top"


@dataclass(frozen=True, slots=True)
class Lies:
    """A point on a space, and how far it is from the space's middle, in mm."""

    space: str
    off_mm: float


def board_spaces(board: Board) -> tuple[str, ...]:
    """All spaces of a board, column by column, the summit last."""
    columns = (chr(ord("a") + n) for n in range(board.columns))
    return (*(f"{column}{ring}" for column in columns for ring in range(1, board.rings + 1)), SUMMIT)


def ring_of(space: str, board: Board) -> int:
    """The ring of a space; past the last one for the summit."""
    return board.rings + 1 if space == SUMMIT else int(space[1:])


def middle(space: str, rings: BoardPrint, board: Board) -> tuple[float, float, float]:
    """Where the middle of a space is in the world, mm, as its ring lies."""
    x, y, z = board.space_centre(space)
    pose = rings.of(ring_of(space, board))
    turn = math.radians(pose.rotation_deg)
    c, s = math.cos(turn), math.sin(turn)
    return c * x - s * y + pose.shift_mm[0], s * x + c * y + pose.shift_mm[1], z


def space_under(
    pixel: tuple[float, float], pose: CameraPose, rings: BoardPrint, board: Board, above_mm: float = 0.0
) -> Lies | None:
    """The space that a pixel shows, if what is seen there is `above_mm` over the board; None beside the board.

    Rings lie at different heights: of those that the pixel could show, the one on whose space it is nearest to the
    middle is taken.
    """
    found = [
        lies
        for ring in range(1, board.rings + 2)
        if (lies := _on_ring(pixel, ring, pose, rings, board, above_mm)) is not None
    ]
    return min(found, key=lambda lies: lies.off_mm, default=None)


def _on_ring(
    pixel: tuple[float, float], ring: int, pose: CameraPose, rings: BoardPrint, board: Board, above_mm: float
) -> Lies | None:
    at = pose.intersect(pixel, board.ring_z(ring) + above_mm)[:2]
    x, y = on_print(at, rings.of(ring))
    radius = math.hypot(x, y)
    if ring > board.rings:
        return Lies(SUMMIT, radius) if radius <= board.summit_radius_mm else None
    inner, outer = board.ring_radii(ring)
    if not inner <= radius <= outer:
        return None
    column = round((90.0 - math.degrees(math.atan2(y, x))) * board.columns / 360.0) % board.columns
    space = f"{chr(ord('a') + column)}{ring}"
    cx, cy, _ = board.space_centre(space)
    return Lies(space, math.hypot(x - cx, y - cy))


def named(spaces: Iterable[str], most: int = 6) -> str:
    """Spaces in words: `c4`, `c4 and d5`, `c4, d5 and 7 more`."""
    names = list(spaces)
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
