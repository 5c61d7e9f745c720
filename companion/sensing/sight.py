"""Sight: from pictures of the table to readings of what lies where.

`look` reads one still picture thoroughly. `process` follows a live table frame by frame: most frames show
nothing new and cost a glance; while hands move nothing is read; once the table is settled only what changed is
searched, and what is already known elsewhere stays known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from companion.games.above.box import (
    CARD_BY_ID,
    FRAME_IDS,
    MINI_BY_ID,
    SPARE_FRAME_IDS,
    TOKEN_BY_ID,
    Table,
)
from companion.sensing.decoder import agreement
from companion.sensing.edges import sharpened
from companion.sensing.finder import Region, find_missed, plausible
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import STRIDE, Glance, Mask, MotionGate, changed_regions
from companion.sensing.geometry import REFERENCE_SIZE, Camera, CameraPose
from companion.sensing.hidden import SpaceViews
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect, merge_prints
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.sensing.registration import Registration, Unregistered, register
from companion.sensing.rings import RingGauge

# Below this mean grey level a picture is black.
BLACK_LEVEL = 4.0
# More changed than this share of the picture: everything is searched anew.
SEARCH_ALL_SHARE = 0.35
# A frame marker this many pixels (of 2304) from where the pose has it: the camera or the table was bumped.
BUMPED_PX = 0.9
# A print this many pixels from where it was read has been nudged.
NUDGED_PX = 1.5
# A card's print lies this high.
CARD_Z_MM = 0.5
# A known print is still there if it correlates with the picture this well.
STILL_THERE = 0.5
# Still frames after which what looked like a hand is taken for scenery: if nothing known is under it, and at all.
SCENERY_AFTER = 15
SCENERY_ANYWAY_AFTER = 75
# Quiet frames after which the whole is confirmed once.
CONFIRM_AFTER = 5


Sighting = MiniSighting | TokenSighting | CardSighting


@dataclass(frozen=True, eq=False, slots=True)
class _Known:
    """What is known of a settled table: where the camera is, every print in the picture, and the spaces' views.

    `frame`: where the frame markers' middles are in the picture, to a tenth of a pixel.
    """

    found: Registration
    markers: tuple[Marker, ...]
    views: SpaceViews
    frame: dict[int, tuple[float, float]]


class Sight:
    """Reads pictures of one table through one camera. `camera` None: the reference lens is assumed.

    `rings`: where the rings' prints lie, where known from before; they are measured and followed anyway.
    """

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, rings: BoardPrint | None = None
    ) -> None:
        self._camera = camera
        self._table = table or Table()
        self._rings = rings or BoardPrint()
        self._gauge = RingGauge(self._table.board)
        self._gate = MotionGate()
        self._known: _Known | None = None
        self._last = Reading(0.0, frame="no picture was read yet", moving=True)
        self._quiet = 0
        # Small checks that wait for a quiet frame each.
        self._chores: list[Callable[[Frame], None]] = []
        self._next_ring = 0
        # Where each print is, computed once while camera and rings stay.
        self._placed: dict[Marker, Sighting | None] = {}
        self._placed_in: SpaceViews | None = None

    @property
    def rings(self) -> BoardPrint:
        """The rings' poses in the world as last measured."""
        return self._rings

    def look(self, image: Image, exposed_at: float = 0.0) -> Reading:
        """Everything one still picture shows, searched thoroughly."""
        known = self._survey(image, exposed_at, None)
        if isinstance(known, Reading):
            return known
        return self._reading(known, known.markers, exposed_at, None)

    def process(self, frame: Frame) -> Reading:
        """The next frame of a live table."""
        glance = self._gate.glance(frame.image)
        if not glance.settled:
            self._quiet = 0
            self._last = replace(self._last, exposed_at=frame.exposed_at, moving=True)
            return self._last
        self._quiet += 1
        if self._known is None or glance.relit:
            return self._start_over(frame)
        if self._quiet == 1 or glance.changed.any():
            return self._catch_up(frame, glance)
        if glance.hand_in_view:
            if self._is_scenery(frame, glance):
                return self._start_over(frame)
        elif self._quiet >= CONFIRM_AFTER and self._chores:
            self._chores.pop(0)(frame)
            self._last = self._reading(self._known, self._known.markers, frame.exposed_at, None)
        self._last = replace(self._last, exposed_at=frame.exposed_at, moving=False)
        return self._last

    # --- a whole picture -------------------------------------------------------------------------------------

    def _survey(self, image: Image, exposed_at: float, before: frozenset[int] | None) -> _Known | Reading:
        """Everything in a picture, the camera's pose and the rings' included; or a reading that says what is wrong.

        `before`: the ids that lay there before, where that is known; then only missing ones are looked for closely.
        """
        gray = gray_of(image)
        size = (gray.shape[1], gray.shape[0])
        try:
            camera = (self._camera or Camera.assumed(size)).scaled_to(size)
        except ValueError as error:
            return Reading(exposed_at, frame=str(error))
        if float(gray[::8, ::8].mean()) < BLACK_LEVEL:
            return Reading(
                exposed_at,
                frame="the picture is black: take the cap off the camera or give the table light",
            )
        markers = detect(gray, QUICK)
        found = register(gray, markers, camera, self._table)
        if isinstance(found, Unregistered) or len(found.used) < len(FRAME_IDS):
            markers = merge_prints([*markers, *detect(gray, THOROUGH)])
            found = register(gray, markers, camera, self._table)
        if isinstance(found, Unregistered):
            return Reading(exposed_at, frame=_complaint(gray, found))
        self._rings = self._gauge.measure(image, found.pose, self._rings)
        pieces = self._believed(gray, markers, found.pose)
        wanted = None if before is None else before - {marker.id for marker in pieces}
        if wanted is None or wanted:
            pieces += find_missed(gray, Region(0, 0, *size), found.pose, self._table, pieces, wanted)
        return _Known(
            found,
            tuple(merge_prints(pieces)),
            SpaceViews(found.pose, self._table, self._rings),
            {m.id: _middle(gray, m) for m in pieces if m.id in found.used},
        )

    def _believed(self, gray: Gray, detected: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        """Those of the detected prints that are frame markers or believable pieces."""
        frame_ids = (*FRAME_IDS, *SPARE_FRAME_IDS)
        return [
            marker
            for marker in detected
            if marker.id in frame_ids or plausible(gray, marker, pose, self._table)
        ]

    # --- the live table --------------------------------------------------------------------------------------

    def _start_over(self, frame: Frame) -> Reading:
        """Read the whole picture anew: the first one, another light, another view."""
        before = frozenset(marker.id for marker in self._known.markers) if self._known else None
        known = self._survey(frame.image, frame.exposed_at, before)
        self._gate.accept()
        self._chores = []
        if isinstance(known, Reading):
            # Nothing is known any more: when there is light again, everything is looked for closely.
            self._known = None
            self._last = known
            return known
        self._known = known
        if before is not None:
            height, width = frame.image.shape[:2]
            self._chores = [partial(self._look_closer, [Region(0, 0, width, height)])]
        self._last = self._reading(known, known.markers, frame.exposed_at, None)
        return self._last

    def _catch_up(self, frame: Frame, glance: Glance) -> Reading:
        """The table has settled: search what changed, keep the rest."""
        assert self._known is not None
        known = self._known
        gray = gray_of(frame.image)
        size = (gray.shape[1], gray.shape[0])
        regions = changed_regions(glance.changed, size)
        area = sum((region.x1 - region.x0) * (region.y1 - region.y0) for region in regions)
        if area > SEARCH_ALL_SHARE * size[0] * size[1] or self._bumped(gray, known):
            return self._start_over(frame)
        if regions:
            self._known = known = replace(known, markers=self._merged(gray, known, regions, glance))
        self._gate.accept(glance.hand)
        # After each change the whole is confirmed once, and one ring is measured again: rings only creep.
        self._next_ring = self._next_ring % self._table.board.rings + 1
        self._chores = [
            self._confirm,
            partial(self._look_closer, regions),
            partial(self._measure_ring, self._next_ring),
        ]
        hand = glance.hand if glance.hand_in_view else None
        visible = [m for m in known.markers if hand is None or not _touched(m, hand)]
        self._last = self._reading(known, visible, frame.exposed_at, hand)
        return self._last

    def _merged(
        self, gray: Gray, known: _Known, regions: Sequence[Region], glance: Glance
    ) -> tuple[Marker, ...]:
        """The prints after a change in some regions: those found there, and those elsewhere."""
        pose = known.found.pose
        inside = [m for m in known.markers if any(region.holds(*m.centre) for region in regions)]
        kept = [m for m in known.markers if m not in inside]
        detected = [
            marker.moved(region.x0, region.y0)
            for region in regions
            for marker in detect(region.crop(gray), QUICK)
        ]
        found = self._believed(gray, detected, pose)
        ids = {marker.id for marker in found}
        # What a margin cut through has not changed.
        cut = [
            m for m in inside if m.id not in ids and not _touched(m, glance.changed) and _still_there(gray, m)
        ]
        # Only for what is missing now a closer look is worth the time; the rest follows when it is quiet.
        missing = {m.id for m in inside} - ids - {m.id for m in cut}
        if missing:
            for region in regions:
                around = [*kept, *cut, *found]
                found += find_missed(gray, region, pose, self._table, around, frozenset(missing))
        ids = {marker.id for marker in found}
        # A piece found elsewhere has moved, unless its old print is plainly still there, too.
        kept = [m for m in kept if m.id not in ids or _still_there(gray, m)]
        return tuple(merge_prints([*found, *cut, *kept]))

    def _bumped(self, gray: Gray, known: _Known) -> bool:
        """Do the frame markers in view no longer lie where the pose has them?"""
        far = BUMPED_PX * gray.shape[1] / REFERENCE_SIZE[0]
        moved = seen = 0
        for marker in known.markers:
            if marker.id not in known.frame:
                continue
            if _still_there(gray, marker):
                now = _middle(gray, marker)
            else:
                region = _around(marker, gray, 0.35)
                again = [m for m in detect(region.crop(gray), QUICK) if m.id == marker.id]
                if not again:
                    continue
                now = again[0].moved(region.x0, region.y0).centre
            seen += 1
            moved += math.dist(now, known.frame[marker.id]) > far
        return moved >= 2 or (seen > 0 and moved == seen)

    def _is_scenery(self, frame: Frame, glance: Glance) -> bool:
        """Has what looked like a hand lain still so long that it is none?

        A hand in the very first picture leaves such a ghost behind when it goes.
        """
        if self._quiet == SCENERY_ANYWAY_AFTER:
            return True
        if self._quiet != SCENERY_AFTER or self._known is None:
            return False
        gray = gray_of(frame.image)
        return all(
            _still_there(gray, marker) for marker in self._known.markers if _touched(marker, glance.hand)
        )

    def _confirm(self, frame: Frame) -> None:
        """Look over the whole of a quiet table once more."""
        assert self._known is not None
        known, gray = self._known, gray_of(frame.image)
        fresh: list[Marker] = []
        markers = list(known.markers)
        for marker in detect(gray, QUICK):
            same = next((n for n, old in enumerate(markers) if _same_print(marker, old)), None)
            if same is None:
                fresh.append(marker)
            elif math.dist(marker.centre, markers[same].centre) > NUDGED_PX:
                # Pushed too little to be noticed at once.
                markers[same] = marker
        self._add(gray, markers, self._believed(gray, fresh, known.found.pose))

    def _look_closer(self, regions: Sequence[Region], frame: Frame) -> None:
        """Look closely where something changed for pieces that nobody knew to be missing."""
        assert self._known is not None
        known, gray = self._known, gray_of(frame.image)
        for region in regions:
            new = find_missed(gray, region, known.found.pose, self._table, self._known.markers)
            self._add(gray, self._known.markers, new)

    def _add(self, gray: Gray, markers: Sequence[Marker], new: Sequence[Marker]) -> None:
        """New prints join the known ones; one that has moved leaves its old place."""
        assert self._known is not None
        ids = {marker.id for marker in new}
        kept = [m for m in markers if m.id not in ids or _still_there(gray, m)]
        self._known = replace(self._known, markers=(*new, *kept))

    def _measure_ring(self, ring: int, frame: Frame) -> None:
        """Measure one ring again."""
        assert self._known is not None
        pose = self._known.found.pose
        self._rings = self._gauge.measure(frame.image, pose, self._rings, only=ring)
        self._known = replace(self._known, views=SpaceViews(pose, self._table, self._rings))

    def _reading(
        self, known: _Known, markers: Sequence[Marker], exposed_at: float, hand: Mask | None
    ) -> Reading:
        if known.views is not self._placed_in:
            self._placed, self._placed_in = {}, known.views
        for marker in markers:
            if marker not in self._placed:
                self._placed[marker] = sighting(marker, known.found.pose, self._table, self._rings)
        self._placed = {marker: self._placed[marker] for marker in markers}
        seen = [self._placed[marker] for marker in sorted(markers, key=lambda marker: marker.id)]
        return Reading(
            exposed_at,
            minis=tuple(one for one in seen if isinstance(one, MiniSighting)),
            tokens=tuple(one for one in seen if isinstance(one, TokenSighting)),
            cards=tuple(one for one in seen if isinstance(one, CardSighting)),
            hidden=known.views.hidden(markers, hand),
            rings=self._rings.against_ring_one(),
        )


def gray_of(image: Image) -> Gray:
    """A BGR picture (h, w, 3) or a gray one (h, w) as gray uint8."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def sighting(marker: Marker, pose: CameraPose, table: Table, rings: BoardPrint) -> Sighting | None:
    """A miniature, token or card placed on the table by its marker; None for any other marker."""
    corners = tuple((float(x), float(y)) for x, y in marker.corners)
    if marker.id in MINI_BY_ID:
        spaces, xyz = place(marker, pose, table, rings)
        return MiniSighting(MINI_BY_ID[marker.id], marker.id, spaces, xyz, corners)
    if marker.id in TOKEN_BY_ID:
        spaces, xyz = place(marker, pose, table, rings)
        return TokenSighting(TOKEN_BY_ID[marker.id], marker.id, spaces, xyz, corners)
    if marker.id in CARD_BY_ID:
        deity, card_set, powered = CARD_BY_ID[marker.id]
        x, y, z = (float(value) for value in pose.intersect(marker.centre, CARD_Z_MM))
        return CardSighting(deity, card_set, powered, marker.id, (x, y, z), corners)
    return None


def _complaint(gray: Gray, found: Unregistered) -> str:
    """What to say of a picture without a pose: a mirrored one is told from an empty one."""
    mirrored = detect(np.ascontiguousarray(gray[:, ::-1]), QUICK)
    if sum(marker.id in FRAME_IDS for marker in mirrored) >= 2:
        return "the picture is mirrored: switch off mirroring (horizontal flip) in the camera's settings"
    return found.reason


def _around(marker: Marker, gray: Gray, margin: float) -> Region:
    """The part of the picture around a marker, with a margin in sides."""
    spare = marker.side_px * margin
    low, high = marker.corners.min(axis=0) - spare, marker.corners.max(axis=0) + spare
    return Region(
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(gray.shape[1], int(high[0]) + 1),
        min(gray.shape[0], int(high[1]) + 1),
    )


def _middle(gray: Gray, marker: Marker) -> tuple[float, float]:
    """A large print's middle to a tenth of a pixel, from its edges."""
    x, y = sharpened(gray, marker.corners).mean(axis=0)
    return (float(x), float(y))


def _still_there(gray: Gray, marker: Marker) -> bool:
    """Does the print still show where it was seen?"""
    return agreement(gray, marker.corners, marker.id) >= STILL_THERE


def _same_print(one: Marker, other: Marker) -> bool:
    """Are two detections the same print in the same place?"""
    return one.id == other.id and math.dist(one.centre, other.centre) < 0.25 * other.side_px


def _touched(marker: Marker, mask: Mask) -> bool:
    """Does a small mask reach into a marker?"""
    low = np.maximum((marker.corners.min(axis=0) / STRIDE).astype(int), 0)
    high = (marker.corners.max(axis=0) / STRIDE).astype(int) + 1
    return bool(mask[low[1] : high[1] + 1, low[0] : high[0] + 1].any())
