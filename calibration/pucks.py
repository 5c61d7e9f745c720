"""Calibration pucks: discs with a marker, laid on named spaces of a ring whose print cannot be read.

Two pucks far apart on a ring give its turn and shift, as well as they were laid on the middles of their spaces.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from companion.errors import CompanionError
from companion.games.above.box import Board
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Marker
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose

PUCK_IDS: tuple[int, ...] = tuple(range(235, 241))
# A round sticker on a disc as thick as a token.
PUCK_MARKER_MM = 14.0
PUCK_DIAMETER_MM = 22.0
PUCK_HEIGHT_MM = 2.0
# People lay a puck on the middle of a space to about this.
LAID_SIGMA_MM = 0.8
# Two pucks of a ring must lie so far apart, or they do not tell its turn.
LEAST_APART_MM = 60.0
# A puck so far from where a ring could have its space lies on another one.
MOST_OFF_MM = 22.0


class PucksError(CompanionError, ValueError):
    """Pucks that do not measure a ring. The message says which and what to do."""


def parse_pucks(texts: Iterable[str], board: Board) -> dict[int, str]:
    """Which puck lies on which space, from `235=a3`, `236=i3`, …: space by marker id. Raises PucksError."""
    laid: dict[int, str] = {}
    for text in texts:
        number, _, space = (part.strip().lower() for part in text.partition("="))
        if not number.isdecimal() or int(number) not in PUCK_IDS:
            raise PucksError(
                f"--puck {text}: pucks have the numbers {PUCK_IDS[0]} to {PUCK_IDS[-1]}; write 235=a3 for puck 235 on a3."
            )
        last = chr(ord("a") + board.columns - 1)
        if not (
            len(space) >= 2
            and "a" <= space[0] <= last
            and space[1:].isdecimal()
            and 1 <= int(space[1:]) <= board.rings
        ):
            raise PucksError(
                f"--puck {text}: there is no space {space!r}; they are a1 to {last}{board.rings}."
            )
        if int(number) in laid or space in laid.values():
            raise PucksError(f"--puck {text}: a puck lies on one space, and a space holds one puck.")
        laid[int(number)] = space
    return laid


def ring_poses(
    markers: Iterable[Marker], laid: Mapping[int, str], pose: CameraPose, board: Board
) -> BoardPrint:
    """The poses of the rings on which pucks lie, in the world. Raises PucksError, naming the puck or the ring."""
    seen = [marker for marker in markers if marker.id in laid]
    ids = [marker.id for marker in seen]
    for puck, space in laid.items():
        if ids.count(puck) != 1:
            trouble = "is not seen" if puck not in ids else "is seen twice"
            raise PucksError(f"puck {puck} on {space} {trouble}; lay it in view, its marker up.")
    by_ring: dict[int, list[tuple[Floats, Floats]]] = defaultdict(list)
    for marker in seen:
        space = laid[marker.id]
        ring = int(space[1:])
        at = pose.intersect(marker.centre, board.ring_z(ring) + PUCK_HEIGHT_MM)[:2]
        meant = np.array(board.space_centre(space)[:2])
        if math.dist(at, meant) > MOST_OFF_MM:
            raise PucksError(
                f"puck {marker.id} lies {math.dist(at, meant):.0f} mm from {space}: does it lie on another space?"
            )
        by_ring[ring].append((meant, at))
    return BoardPrint({ring: _fitted(ring, pairs) for ring, pairs in sorted(by_ring.items())})


def _fitted(ring: int, pairs: list[tuple[Floats, Floats]]) -> RingPose:
    """The turn and shift that bring a ring's spaces (first of each pair, (2,) mm) to its pucks (second)."""
    meant = np.array([pair[0] for pair in pairs])
    at = np.array([pair[1] for pair in pairs])
    inner, outer = meant - meant.mean(axis=0), at - at.mean(axis=0)
    lever = float((inner**2).sum())
    apart = max((math.dist(one, other) for one in meant for other in meant), default=0.0)
    if len(pairs) < 2 or apart < LEAST_APART_MM:
        raise PucksError(
            f"ring {ring} needs two pucks, at least {LEAST_APART_MM:g} mm apart; lay them on opposite sides."
        )
    cross = float((inner[:, 0] * outer[:, 1] - inner[:, 1] * outer[:, 0]).sum())
    turn = math.atan2(cross, float((inner * outer).sum()))
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array([[c, -s], [s, c]])
    shift = at.mean(axis=0) - rotation @ meant.mean(axis=0)
    # More pucks than are needed tell how well they were laid.
    misses = at - (meant @ rotation.T + shift)
    spare = 2 * len(pairs) - 3
    laid_mm = max(LAID_SIGMA_MM, math.sqrt(float((misses**2).sum()) / spare))
    sigma_turn = laid_mm / math.sqrt(lever)
    # The shift is told at the ring's middle, which may be far from the pucks'.
    lever_mm = float(np.linalg.norm(meant.mean(axis=0))) / math.sqrt(2)
    sigma_shift = math.hypot(laid_mm / math.sqrt(len(pairs)), sigma_turn * lever_mm)
    return RingPose(
        ring, math.degrees(turn), (float(shift[0]), float(shift[1])), math.degrees(sigma_turn), sigma_shift
    )


def better_of(lines: BoardPrint, pucks: BoardPrint) -> BoardPrint:
    """Each ring as it is known best: by its printed lines, or by pucks."""
    poses = dict(lines.poses)
    for ring, pose in pucks.poses.items():
        if ring not in poses or pose.sigma_deg < poses[ring].sigma_deg:
            poses[ring] = pose
    return BoardPrint(poses)
