"""One exact look at the frame markers: which are in view, and do they lie where the camera's pose has them?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.games.above.box import Table
from companion.sensing.geometry import reference_scale
from companion.sensing.grey import around
from companion.sensing.known import Known, middle, still_there
from companion.sensing.markers import QUICK, Gray, Marker, detect
from companion.sensing.registration import tolerance_px

# A frame marker this many pixels (of 2304) from where the pose has it: the camera or the table was bumped.
BUMPED_PX = 0.9
# A marker that is not where it was is looked for so far around, in sides.
_AROUND_SIDES = 0.35


@dataclass(frozen=True, eq=False, slots=True)
class FrameLook:
    """The frame markers `in_view`, and how far (x, y) mm some of them lie off, by id.

    `knocked`: so many of them do not lie where the pose has them that camera or table must have moved.
    """

    in_view: tuple[Marker, ...]
    off_mm: dict[int, tuple[float, float]]
    knocked: bool

    @property
    def in_place(self) -> list[int]:
        """The ids of those that lie where they belong."""
        return [marker.id for marker in self.in_view if marker.id not in self.off_mm]


def frame_look(gray: Gray, known: Known, table: Table) -> FrameLook:
    """Measures every frame marker in view exactly."""
    scale = reference_scale((gray.shape[1], gray.shape[0]))
    agree = tolerance_px(known.pose.camera)
    off_mm: dict[int, tuple[float, float]] = {}
    in_view: list[Marker] = []
    for number, x, y in table.frame_centres_mm:
        marker = _as_it_lies(gray, known, number)
        if marker is None:
            continue
        in_view.append(marker)
        now = middle(gray, marker)
        expected = known.frame.get(number)
        if expected is None:
            # It was covered when the pose was found, or voted out.
            away = math.dist(now, known.pose.project((x, y, 0.0))) > agree
        else:
            away = math.dist(now, expected) > BUMPED_PX * scale
        if away:
            lies = known.pose.intersect(now, 0.0)
            off_mm[number] = (float(lies[0]) - x, float(lies[1]) - y)
    fixed = [marker.id for marker in in_view if marker.id in known.frame]
    moved = [number for number in fixed if number in off_mm]
    knocked = len(moved) >= 2 or (bool(fixed) and len(moved) == len(fixed))
    return FrameLook(tuple(in_view), off_mm, knocked)


def _as_it_lies(gray: Gray, known: Known, number: int) -> Marker | None:
    """A frame marker as it lies now, near where it was last seen; None if it is covered."""
    for marker in known.markers:
        if marker.id != number:
            continue
        if still_there(gray, marker):
            return marker
        region = around(marker, gray, _AROUND_SIDES)
        again = [m for m in detect(region.crop(gray), QUICK) if m.id == number]
        if again:
            return again[0].moved(region.x0, region.y0)
    return None
