"""Plans as SVG: how the rings lie, and which spaces' switches or lights cannot be trusted."""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.games.above.box import Board
from companion.sensing.place import BoardPrint

# Turns and shifts are drawn so many times as large.
MAGNIFIED = 6.0
SIZE = 420


def rings_plan(rings: BoardPrint, board: Board | None = None) -> str:
    """The rings' lines as they lie against ring 1, MAGNIFIED."""
    board = board or Board()
    parts = [_svg_head("How the rings lie")]
    for number in range(1, board.rings + 1):
        _, outer = board.ring_radii(number)
        parts.append(f'<circle r="{outer:.1f}" class="ring"/>')
    for pose in rings.against_ring_one():
        if pose.ring > board.rings:
            continue
        inner, outer = board.ring_radii(pose.ring)
        x, y = (MAGNIFIED * value for value in pose.shift_mm)
        for column in range(board.columns):
            angle = math.radians(
                board.column_angle(column) + 180.0 / board.columns + MAGNIFIED * pose.rotation_deg
            )
            (x1, y1), (x2, y2) = (
                (r * math.cos(angle) + x, -(r * math.sin(angle) + y)) for r in (inner, outer)
            )
            parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="lie"/>')
    return "".join((*parts, "</svg>"))


def spaces_plan(title: str, marks: Mapping[str, tuple[str, str]], board: Board | None = None) -> str:
    """The board with some spaces marked: by space a class (`bad`, `doubtful`) and what is wrong, which is shown too."""
    board = board or Board()
    parts = [_svg_head(title)]
    names = [
        f"{chr(ord('a') + column)}{ring}"
        for ring in range(1, board.rings + 1)
        for column in range(board.columns)
    ]
    for name in (*names, "top"):
        x, y, _ = board.space_centre(name)
        kind, told = marks.get(name, ("good", ""))
        parts.append(f'<circle cx="{x:.1f}" cy="{-y:.1f}" r="8" class="{kind}"/>')
        if told:
            parts.append(f'<text x="{x:.1f}" y="{-y + 4:.1f}">{name}</text>')
    return "".join((*parts, "</svg>"))


def _svg_head(title: str) -> str:
    return f'<svg viewBox="-200 -200 400 400" width="{SIZE}" role="img" aria-label="{title}">'
