"""Sight: from pictures of the table to readings of what lies where.

`look` reads one still picture thoroughly. `process` follows a live table frame by frame: most frames show
nothing new and cost a glance; while hands move nothing is read; once the table is settled only what changed is
searched, and what is already known elsewhere stays known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
from companion.sensing.finder import Region, find_missed, plausible
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import STRIDE, Glance, Mask, MotionGate, changed_regions
from companion.sensing.geometry import Camera, CameraPose
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
    """What is known of a settled table: where the camera is, every print in the picture, and the spaces' views."""

    found: Registration
    markers: tuple[Marker, ...]
    views: SpaceViews


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
        self._chores: list[int] = []
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
        known = self._survey(image, exposed_at)
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
            self._do_chore(frame)
        self._last = replace(self._last, exposed_at=frame.exposed_at, moving=False)
        return self._last

    # --- a whole picture -------------------------------------------------------------------------------------

    def _survey(self, image: Image, exposed_at: float) -> _Known | Reading:
        """Everything in a picture, the camera's pose and the rings' included; or a reading that says what is wrong."""
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
        whole = Region(0, 0, *size)
        pieces = self._searched(gray, [whole], markers, found.pose, ())
        return _Known(found, tuple(pieces), SpaceViews(found.pose, self._table, self._rings))

    def _searched(
        self,
        gray: Gray,
        regions: Sequence[Region],
        detected: Iterable[Marker],
        pose: CameraPose,
        known: Sequence[Marker],
    ) -> list[Marker]:
        """The believable ones of the `detected` prints, with what a closer look at the regions finds besides."""
        frame_ids = (*FRAME_IDS, *SPARE_FRAME_IDS)
        good = [
            marker
            for marker in detected
            if marker.id in frame_ids or plausible(gray, marker, pose, self._table)
        ]
        for region in regions:
            good += find_missed(gray, region, pose, self._table, [*known, *good])
        return merge_prints(good)

    # --- the live table --------------------------------------------------------------------------------------

    def _start_over(self, frame: Frame) -> Reading:
        known = self._survey(frame.image, frame.exposed_at)
        if isinstance(known, Reading):
            # The pieces are not forgotten because the light went out: they are looked for when it is back.
            self._known = None
            self._gate.accept()
            self._last = known
            return known
        self._known = known
        self._gate.accept()
        self._chores = []
        self._last = self._reading(known, known.markers, frame.exposed_at, None)
        return self._last

    def _catch_up(self, frame: Frame, glance: Glance) -> Reading:
        """The table has settled: search what changed, keep the rest."""
        assert self._known is not None
        known = self._known
        gray = gray_of(frame.image)
        size = (gray.shape[1], gray.shape[0])
        if self._bumped(gray, known, glance):
            return self._start_over(frame)
        regions = changed_regions(glance.changed, size)
        area = sum((region.x1 - region.x0) * (region.y1 - region.y0) for region in regions)
        if area > SEARCH_ALL_SHARE * size[0] * size[1]:
            return self._start_over(frame)
        markers = list(known.markers)
        if regions:
            kept = [m for m in markers if not any(region.holds(*m.centre) for region in regions)]
            detected = [
                marker.moved(region.x0, region.y0)
                for region in regions
                for marker in detect(region.crop(gray), QUICK)
            ]
            found = self._searched(gray, regions, detected, known.found.pose, kept)
            ids = {marker.id for marker in found}
            # A piece found elsewhere has moved, unless its old print is plainly still there, too.
            kept = [m for m in kept if m.id not in ids or _still_there(gray, m)]
            # What a margin cut through was not searched, and has not changed.
            cut = [
                m
                for m in markers
                if m.id not in ids
                and any(region.holds(*m.centre) for region in regions)
                and not _touched(m, glance.changed)
                and _still_there(gray, m)
            ]
            markers = merge_prints([*found, *kept, *cut])
            self._known = known = replace(known, markers=tuple(markers))
        self._gate.accept(glance.hand)
        # After each change the whole is confirmed once, and one ring is measured again: rings only creep.
        self._next_ring = self._next_ring % self._table.board.rings + 1
        self._chores = [0, self._next_ring]
        hand = glance.hand if glance.hand_in_view else None
        visible = [m for m in markers if hand is None or not _touched(m, hand)]
        self._last = self._reading(known, visible, frame.exposed_at, hand)
        return self._last

    def _bumped(self, gray: Gray, known: _Known, glance: Glance) -> bool:
        """Do the frame markers in view no longer lie where the pose has them?"""
        scale = gray.shape[1] / 2304
        moved = 0
        seen = 0
        for marker in known.markers:
            if marker.id not in known.found.used or _touched(marker, glance.hand):
                continue
            region = _around(marker, gray, 0.35)
            again = next((m for m in detect(region.crop(gray), QUICK) if m.id == marker.id), None)
            if again is None:
                continue
            seen += 1
            x, y = again.moved(region.x0, region.y0).centre
            moved += bool(np.hypot(x - marker.centre[0], y - marker.centre[1]) > BUMPED_PX * scale)
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

    def _do_chore(self, frame: Frame) -> None:
        """One small check of the quiet table: the whole once more (0), then each ring's lie."""
        assert self._known is not None
        chore = self._chores.pop(0)
        known = self._known
        pose = known.found.pose
        if chore:
            self._rings = self._gauge.measure(frame.image, pose, self._rings, only=chore)
            known = replace(known, views=SpaceViews(pose, self._table, self._rings))
        else:
            gray = gray_of(frame.image)
            # What was read before and still lies there needs no second proof.
            new = [m for m in detect(gray, QUICK) if not any(_same_print(m, old) for old in known.markers)]
            new = self._searched(gray, (), new, pose, ())
            ids = {marker.id for marker in new}
            kept = [m for m in known.markers if m.id not in ids or _still_there(gray, m)]
            known = replace(known, markers=(*new, *kept))
        self._known = known
        self._last = self._reading(known, known.markers, frame.exposed_at, None)

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
