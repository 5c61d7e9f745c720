"""Which prints are the table's own frame markers: a telephone or a photograph beside the board may show the table, too.

Such a picture's four corners agree as well as the real ones do, for a table seen from far away. But the table itself
is always larger than its picture lying on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Marker

# Prints of one frame, one of each id.
Frame = tuple[Marker, ...]

# From the near to the far side of the table the next print is smaller by less, however the camera is tilted.
OTHER_SCALE = 1.8
# A print larger by this is no noise, blur or bent lens.
CLEARLY_LARGER = 1.3
# So many prints of one id are looked at, the largest.
MOST_COPIES = 3


def frames_in_view(seen: Sequence[Marker]) -> list[Frame]:
    """Every choice of one print of each id that could be one table's frame, prints of another scale apart.

    None is part of another; without a picture of the table in view there is exactly one.
    """
    by_id: dict[int, list[Marker]] = {}
    for marker in sorted(seen, key=lambda one: -one.side_px):
        by_id.setdefault(marker.id, []).append(marker)
    choices: list[frozenset[Marker]] = []
    for choice in itertools.product(*(prints[:MOST_COPIES] for prints in by_id.values())):
        choices += [part for part in _scales(choice) if part not in choices]
    whole = [one for one in choices if not any(one < other for other in choices)]
    return [tuple(sorted(one, key=lambda marker: marker.id)) for one in whole]


def _scales(prints: Iterable[Marker]) -> list[frozenset[Marker]]:
    """Prints parted where the next smaller one is smaller by OTHER_SCALE."""
    parts: list[list[Marker]] = []
    for marker in sorted(prints, key=lambda one: -one.side_px):
        if parts and parts[-1][-1].side_px < OTHER_SCALE * marker.side_px:
            parts[-1].append(marker)
        else:
            parts.append([marker])
    return [frozenset(part) for part in parts]


def is_a_picture(frame: Frame, seen: Iterable[Marker]) -> bool:
    """Is a frame print in view that is clearly larger than these: one of their ids, or than any of them?"""
    sides = {marker.id: marker.side_px for marker in frame}
    largest = max(sides.values())
    return any(
        other.side_px > CLEARLY_LARGER * sides[other.id]
        if other.id in sides
        else other.side_px > OTHER_SCALE * largest
        for other in seen
    )


def is_of_size(side_px: float, expected: Floats) -> bool:
    """Is a print as large as the square (4, 2) of pixels that is expected?"""
    side = float(np.linalg.norm(expected - np.roll(expected, 1, axis=0), axis=1).mean())
    return side / CLEARLY_LARGER < side_px < side * CLEARLY_LARGER


def of_the_tables_size(marker: Marker, pose: CameraPose, side_mm: float) -> bool:
    """Is a print as large as a frame marker would be where it lies on the table? One in a picture is not."""
    x, y = (float(v) for v in pose.intersect(marker.centre, 0.0)[:2])
    half = side_mm / 2
    square = np.array(
        [
            [x - half, y + half, 0.0],
            [x + half, y + half, 0.0],
            [x + half, y - half, 0.0],
            [x - half, y - half, 0.0],
        ]
    )
    return is_of_size(marker.side_px, pose.project(square))
