"""The prints after a change in some regions of the picture: those found there, and those that are known elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.sensing.grey import GreyParts, around
from companion.sensing.known import Known, same_print, still_shown, touched
from companion.sensing.markers import Marker, Thoroughness, detect, merge_prints
from companion.sensing.masks import Mask
from companion.sensing.region import Region

# A print is read with this much around it, in sides.
AROUND_SIDES = 0.3

Believed = Callable[[Iterable[Marker]], list[Marker]]
Missed = Callable[[Region, Sequence[Marker], frozenset[int]], list[Marker]]


def prints_after(
    grey: GreyParts,
    known: Known,
    regions: Sequence[Region],
    changed: Mask,
    search: Thoroughness,
    believed: Believed,
    missed: Missed,
) -> tuple[Marker, ...]:
    """What lies on the table now that some regions have changed.

    `changed`: the small mask of what did. `believed`: of the detected prints those that are frame markers or pieces.
    `missed`: prints of some ids that the detector missed in a region, besides others that are known.
    """
    gray = grey.gray
    inside = [m for m in known.markers if any(region.holds(*m.centre) for region in regions)]
    kept = [m for m in known.markers if m not in inside]
    # What a margin reaches has not changed.
    unchanged = [m for m in inside if not touched(m, changed)]
    detected = [
        marker.moved(region.x0, region.y0)
        for region in regions
        for marker in detect(region.crop(gray), search)
    ]
    stayed = [old for old in unchanged if any(same_print(old, marker) for marker in detected)]
    fresh = [marker for marker in detected if not any(same_print(old, marker) for old in stayed)]
    found = [*stayed, *believed(fresh)]
    ids = {marker.id for marker in found}
    # A margin may cut through it.
    cut = still_shown(gray, [m for m in unchanged if m.id not in ids])
    # Only for what is missing now a closer look is worth the time; the rest follows when it is quiet.
    missing = {m.id for m in inside} - ids - {m.id for m in cut}
    if missing:
        for region in regions:
            found += missed(region, [*kept, *cut, *found], frozenset(missing))
    ids = {marker.id for marker in found}
    # A piece found elsewhere has moved, unless its old print is plainly still there, too.
    moved = [m for m in kept if m.id in ids]
    grey.add([around(marker, gray, AROUND_SIDES) for marker in moved])
    there = still_shown(gray, moved)
    kept = [m for m in kept if m not in moved or m in there]
    return tuple(merge_prints([*found, *cut, *kept]))
