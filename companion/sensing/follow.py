"""Following a live table, whatever game lies on it.

Most frames show nothing new and cost a glance; while hands move nothing is read; once the table is settled only
what changed is searched, and what is already known elsewhere stays known. What a print means is the game's affair.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Generic, TypeVar

import cv2
import numpy as np

from companion.games.above.box import FRAME_IDS, Table
from companion.messages import say
from companion.sensing.at_edge import no_larger_than_a_piece
from companion.sensing.catching_up import prints_after
from companion.sensing.confirm import confirm
from companion.sensing.frame_look import frame_look
from companion.sensing.frame_prints import of_the_tables_size
from companion.sensing.frame_watch import FrameWatch
from companion.sensing.frames import Frame, Image, Small
from companion.sensing.game import Game, another_game
from companion.sensing.gate import Glance, MotionGate, changed_regions
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.grey import GreyParts, around, gray_of
from companion.sensing.hands import HAND_ANYWHERE_CM2
from companion.sensing.known import (
    Known,
    blur_of,
    is_under,
    middle,
    same_print,
    still_there,
    touched,
    uncovered,
)
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, Thoroughness, detect, merge_prints
from companion.sensing.masks import Mask
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import Finding, Reading
from companion.sensing.region import Region
from companion.sensing.registration import Unregistered, register

# Below this mean grey level a picture is black.
BLACK_LEVEL = 4.0
# More changed than this share of the picture: everything is searched anew.
SEARCH_ALL_SHARE = 0.35
# A print this many pixels from where it was read has been nudged.
NUDGED_PX = 1.5
# So often it is looked whether what looked like a hand lies still and hides nothing that is known.
SCENERY_AFTER = 15
# So often it is looked whether something new can be read in a hand that lies still.
SCENERY_LOOK_AFTER = 75
# What lies in a region is read with so many pixels (of 2304) around it.
AROUND_PX = 40
# Quiet frames after which the whole is confirmed once.
CONFIRM_AFTER = 5
# Quiet frames between exact looks at a frame marker that seems to have been pushed.
LOOK_AGAIN_AFTER = 6

R = TypeVar("R", bound=Reading | OlympeakReading)
Chore = Callable[[Frame], None]


class LiveSight(ABC, Generic[R]):
    """Reads pictures of one table through one camera. `camera` None: the reference lens is assumed.

    `frame`: the table's frame markers; `smallest_mm`: the side of the game's smallest print; `most_cleared_cm2`: as much
    may be cleared away at one go. A game says which prints are its own, where to look closely for those that the
    detector missed, and what they mean.
    """

    def __init__(
        self,
        camera: Camera | None,
        frame: Table,
        smallest_mm: float,
        nothing_yet: R,
        most_cleared_cm2: float = HAND_ANYWHERE_CM2,
    ) -> None:
        self._camera = camera
        self._frame = frame
        self._smallest_mm = smallest_mm
        self._gate = MotionGate(most_cleared_cm2)
        self._known: Known | None = None
        # The prints in view when the whole was last searched, whatever box they are from.
        self._in_view: frozenset[int] = frozenset()
        # Where the camera was last.
        self._pose: CameraPose | None = None
        self._last: R = nothing_yet
        self._quiet = 0
        # Has all that is at rest been read while hands move beside it?
        self._read_beside = False
        self._watch = FrameWatch()
        # How much the picture is blurred, in pixels, as last measured at the frame markers.
        self._blur_px = math.inf
        # Small checks that wait for a quiet frame each.
        self._chores: list[Chore] = []

    _game: ClassVar[Game]

    # --- what a game says ------------------------------------------------------------------------------------

    @abstractmethod
    def _unread(self, exposed_at: float, why: str) -> R:
        """A reading of nothing that says what is wrong with the picture."""

    @abstractmethod
    def _believed(self, gray: Gray, detected: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        """Those of the detected prints that are frame markers or believable pieces."""

    @abstractmethod
    def _missed(
        self,
        gray: Gray,
        region: Region,
        pose: CameraPose,
        known: Sequence[Marker],
        wanted: frozenset[int] | None,
    ) -> list[Marker]:
        """Prints in a region that the detector missed, besides the `known` ones; only `wanted` ids, if given."""

    @abstractmethod
    def _read(self, known: Known, visible: Sequence[Marker], exposed_at: float, hand: Mask | None) -> R:
        """What the prints mean; those not `visible` are under a hand (a small mask)."""

    @abstractmethod
    def _is_reached(self, hand: Mask, known: Known) -> bool:
        """Does a hand (a small mask) reach over anything that the game is played with or on?"""

    def _surveyed(self, frame: Frame, gray: Gray, known: Known, only_at: Mask | None) -> None:
        """A whole picture was searched: what else is to be seen in it? `only_at`: nothing has changed but there."""

    def _changed(
        self, frame: Frame, gray: Gray, known: Known, regions: Sequence[Region], hand: Mask | None
    ) -> None:
        """Some regions changed and were searched: what else is to be seen there?"""

    def _joined(self, frame: Frame, gray: Gray, known: Known) -> None:
        """A closer look at a quiet table has found more prints, or found some a little beside."""

    def _in_doubt(self) -> bool:
        """Is it unclear where the table itself lies, so that nothing on it can be told for sure?"""
        return False

    def _decide(self, frame: Frame, known: Known, hand: Mask | None) -> None:
        """Look once more at what is in doubt."""

    def _is_no_hand(self, frame: Frame, known: Known, hand: Mask) -> bool:
        """Is what the gate takes for a hand none, because what would be under it is seen?"""
        return False

    def _more_chores(self) -> list[Chore]:
        """What else to check after a change, each in a quiet frame."""
        return []

    def _idle_chores(self, quiet: int) -> list[Chore]:
        """What to check of a table that has been quiet for so many frames, each in a frame of its own."""
        return []

    # --- the whole picture -----------------------------------------------------------------------------------

    def look(self, image: Image, exposed_at: float = 0.0) -> R:
        """Everything one still picture shows, searched thoroughly."""
        known = self._survey(Frame(image, exposed_at, 0), None)
        if not isinstance(known, Known):
            return known
        reading = self._read(known, known.markers, exposed_at, None)
        return replace(reading, findings=self._another_game(known.markers))

    def _survey(self, frame: Frame, before: frozenset[int] | None, only_at: Mask | None = None) -> Known | R:
        """Everything in a picture, the camera's pose included; or a reading that says what is wrong.

        `before`: the ids that lay there before, where that is known; then only missing ones are looked for closely.
        `only_at`: the only part (a small mask) that has changed since.
        """
        gray, exposed_at = gray_of(frame.image), frame.exposed_at
        size = (gray.shape[1], gray.shape[0])
        try:
            camera = (self._camera or Camera.assumed(size)).scaled_to(size)
        except ValueError as error:
            return self._unread(exposed_at, str(error))
        if float(gray[::8, ::8].mean()) < BLACK_LEVEL:
            return self._unread(exposed_at, say("table.picture_black"))
        markers = detect(gray, QUICK)
        found = register(gray, markers, camera, self._frame, self._pose)
        if isinstance(found, Unregistered) or len(found.used) < len(FRAME_IDS):
            markers = merge_prints([*markers, *detect(gray, THOROUGH)])
            found = register(gray, markers, camera, self._frame, self._pose)
        if isinstance(found, Unregistered):
            return self._unread(exposed_at, complaint(gray, found))
        self._pose, self._in_view = found.pose, frozenset(marker.id for marker in markers)
        side_mm = self._frame.frame_marker_mm
        self._blur_px = blur_of(
            gray,
            [m for m in markers if m.id in found.used and of_the_tables_size(m, found.pose, side_mm)],
        )
        pieces = self._believed(gray, markers, found.pose)
        wanted = None if before is None else before - {marker.id for marker in pieces}
        if wanted is None or wanted:
            pieces += self._missed(gray, Region(0, 0, *size), found.pose, pieces, wanted)
        known = Known(
            found,
            tuple(merge_prints(pieces)),
            {m.id: middle(gray, m) for m in pieces if m.id in found.used},
        )
        self._surveyed(frame, gray, known, only_at)
        return known

    # --- the live table --------------------------------------------------------------------------------------

    def process(self, frame: Frame) -> R:
        """The next frame of a live table."""
        reading = self._followed(frame)
        if self._in_doubt() and not reading.moving and reading.frame == "ok":
            self._last = reading = replace(reading, moving=True)
        findings = self._findings()
        if reading.findings != findings:
            self._last = reading = replace(reading, findings=findings)
        return reading

    def _followed(self, frame: Frame) -> R:
        # A camera's picture is thinned each time it is asked for.
        thin = frame.thinned
        glance = self._gate.glance_at(thin)
        if not glance.settled:
            if self._is_beside(glance):
                return self._look_beside(frame, thin, glance)
            self._quiet, self._read_beside = 0, False
            self._last = replace(self._last, exposed_at=frame.exposed_at, moving=True, hands_beside=False)
            return self._last
        self._quiet += 1
        self._read_beside = False
        if self._known is None or glance.relit:
            return self._start_over(frame)
        if self._quiet == 1 or glance.shows_change:
            return self._catch_up(frame, thin, glance)
        if self._in_doubt():
            hand = glance.hand if glance.hand_in_view else None
            self._decide(frame, self._known, hand)
            self._last = self._read(self._known, uncovered(self._known.markers, hand), frame.exposed_at, hand)
        elif self._watch.stirred(thin) or (
            self._watch.unsure and self._quiet % LOOK_AGAIN_AFTER == 0 and not glance.hand_in_view
        ):
            if self._camera_knocked(frame, self._known):
                return self._start_over(frame, thing=glance.hand if glance.hand_in_view else None)
        elif glance.hand_in_view:
            if self._is_scenery(frame, glance):
                return self._start_over(frame, thing=glance.hand, only_there=True)
        elif self._quiet >= CONFIRM_AFTER:
            if not self._chores and self._quiet % LOOK_AGAIN_AFTER == 0:
                self._chores = self._idle_chores(self._quiet)
            if self._chores:
                self._chores.pop(0)(frame)
                self._last = self._read(self._known, self._known.markers, frame.exposed_at, None)
        self._last = replace(self._last, exposed_at=frame.exposed_at, moving=False, hands_beside=False)
        return self._last

    def _is_beside(self, glance: Glance) -> bool:
        """Do hands move, or pause, only where nothing of the game lies, so that all of it is at rest?"""
        return (
            self._known is not None
            and glance.restless is not None
            and not self._is_reached(glance.restless, self._known)
        )

    def _look_beside(self, frame: Frame, thin: Small, glance: Glance) -> R:
        """Reads what is at rest while hands move beside it; once they lie still, it is looked at what they are."""
        self._quiet = 0
        if glance.shows_change or not self._read_beside:
            self._catch_up(frame, thin, glance)
        self._read_beside = True
        self._last = replace(
            self._last, exposed_at=frame.exposed_at, moving=False, hands_beside=glance.moving
        )
        return self._last

    def _start_over(
        self, frame: Frame, *, hand: Mask | None = None, thing: Mask | None = None, only_there: bool = False
    ) -> R:
        """Read the whole picture anew: the first one, another light, another view, most of it changed.

        Under a `hand` what was known stays known. `thing`: what looked like a hand, and from now on is none;
        `only_there`: nothing has changed elsewhere, where it stays known too what is not read anew.
        """
        old = self._known.markers if self._known else ()
        before = frozenset(marker.id for marker in old) if self._known else None
        known = self._survey(frame, before, thing if only_there else None)
        if hand is not None:
            self._gate.accept(hand)
        elif thing is not None:
            self._gate.accept_thing(thing)
        else:
            self._gate.accept()
        self._chores = []
        if not isinstance(known, Known):
            # Nothing is known any more: when there is light again, everything is looked for closely.
            self._known = None
            self._last = known
            return known
        seen = {marker.id for marker in known.markers}
        kept = [
            marker
            for marker in old
            if marker.id not in seen
            and (
                (hand is not None and touched(marker, hand))
                or (only_there and thing is not None and not touched(marker, thing))
            )
        ]
        self._known = known
        if kept:
            self._add(frame, gray_of(frame.image), known.markers, kept)
            known = self._known
        self._camera_knocked(frame, known)
        if before is not None:
            width, height = frame.size
            self._chores = [partial(self._look_closer, [Region(0, 0, width, height)])]
        self._last = self._read(known, uncovered(known.markers, hand), frame.exposed_at, hand)
        return self._last

    def _catch_up(self, frame: Frame, thin: Small, glance: Glance) -> R:
        """The table has settled: search what changed, keep the rest."""
        assert self._known is not None
        known = self._known
        size = frame.size
        # What moves, or did so a moment ago, is a hand for sure.
        restless = glance.restless is not None and cv2.countNonZero(glance.restless) > 0
        if glance.hand_in_view and not restless:
            glance = self._told_apart(frame, known, glance)
        hand = glance.hand if glance.hand_in_view else None
        if hand is not None and not restless and self._is_no_hand(frame, known, hand):
            return self._start_over(frame, thing=hand)
        regions = changed_regions(glance.changed, size)
        area = sum((region.x1 - region.x0) * (region.y1 - region.y0) for region in regions)
        if area > SEARCH_ALL_SHARE * size[0] * size[1]:
            return self._start_over(frame, hand=hand)
        frame_markers = [marker for marker in known.markers if marker.id in FRAME_IDS]
        if (
            self._watch.stirred(thin) or any(touched(m, glance.changed) for m in frame_markers)
        ) and self._camera_knocked(frame, known):
            return self._start_over(frame, hand=hand) if restless else self._start_over(frame, thing=hand)
        if regions:
            # Prints at a region's edge are read with what lies around them.
            grey = GreyParts(frame.image, [region.grown(AROUND_PX, size) for region in regions])
            self._known = known = self._prints_after(grey, known, regions, glance.changed)
            self._changed(frame, grey.gray, known, regions, hand)
        self._gate.accept(glance.hand)
        # After each change the whole is confirmed once.
        closer = partial(self._look_closer, regions)
        self._chores = [self._confirm, closer, self._measure_blur, *self._more_chores()]
        self._last = self._read(known, uncovered(known.markers, hand), frame.exposed_at, hand)
        return self._last

    def _told_apart(self, frame: Frame, known: Known, glance: Glance) -> Glance:
        """Pieces at the picture's edge, which look like fingertips there, told from hands.

        What lies still, is no larger than a piece, shows a print and hides none that is known was laid there.
        """
        size = frame.size
        for part in no_larger_than_a_piece(glance.hand, size):
            under = [marker for marker in known.markers if touched(marker, part.mask)]
            region = part.region.grown(AROUND_PX, size)
            gray = GreyParts(
                frame.image, [region, *(around(marker, frame.image, 1.0) for marker in under)]
            ).gray
            if not all(still_there(gray, marker) for marker in under):
                continue
            detected = [m.moved(region.x0, region.y0) for m in detect(region.crop(gray), QUICK)]
            if any(is_under(m.centre, part.mask) for m in self._believed(gray, detected, known.pose)):
                hand, changed = glance.hand & ~part.mask, glance.changed | part.mask
                glance = replace(glance, hand=hand, changed=changed)
        return glance

    def _prints_after(self, grey: GreyParts, known: Known, regions: Sequence[Region], changed: Mask) -> Known:
        """What is known now that some regions have changed."""
        gray, pose = grey.gray, known.pose
        # The corners are found exactly when every cell is read.
        search = Thoroughness(refine=False, smallest_px=known.smallest_px(self._smallest_mm))
        markers = prints_after(
            grey,
            known,
            regions,
            changed,
            search,
            lambda detected: self._believed(gray, detected, pose),
            lambda region, others, wanted: self._missed(gray, region, pose, others, wanted),
        )
        return replace(known, markers=markers)

    def _camera_knocked(self, frame: Frame, known: Known) -> bool:
        """Do the frame markers in view no longer lie where the pose has them? One of many that does not was pushed.

        One look with every frame marker in view measured exactly; it is what the watch goes by from now on.
        """
        look = frame_look(gray_of(frame.image), known, self._frame)
        self._watch.anchor(frame.image, look.in_view)
        if not look.knocked:
            self._watch.note(look.off_mm, look.in_place, frame.exposed_at)
        return look.knocked

    def _is_scenery(self, frame: Frame, glance: Glance) -> bool:
        """Has what looked like a hand lain still, and is none?

        A hand in the very first picture leaves such a ghost behind when it goes. An arm may rest on the table for
        minutes: as long as it hides what is known to lie there and nothing else can be read in it, it is one.
        """
        if self._known is None or self._quiet % SCENERY_AFTER:
            return False
        gray = gray_of(frame.image)
        under = [marker for marker in self._known.markers if touched(marker, glance.hand)]
        if all(still_there(gray, marker) for marker in under):
            return True
        known = {marker.id for marker in under}
        detected = detect(gray, QUICK) if self._quiet % SCENERY_LOOK_AFTER == 0 else []
        return any(
            marker.id not in known and is_under(marker.centre, glance.hand)
            for marker in self._believed(gray, detected, self._known.pose)
        )

    def _findings(self) -> tuple[Finding, ...]:
        """What the owner should know of the table itself."""
        return (*self._watch.findings, *self._another_game(self._known.markers if self._known else ()))

    def _another_game(self, known: Sequence[Marker]) -> tuple[Finding, ...]:
        """Does the other game lie there?"""
        return another_game(self._game, self._in_view, (marker.id for marker in known))

    # --- quiet frames ----------------------------------------------------------------------------------------

    def _confirm(self, frame: Frame) -> None:
        """Look over the whole of a quiet table once more."""
        assert self._known is not None
        known, gray = self._known, gray_of(frame.image)
        look = confirm(gray, known.markers, self._blur_px, known.smallest_px(self._smallest_mm))
        markers = list(known.markers)
        for number, now in look.seen.items():
            if math.dist(now.centre, markers[number].centre) > NUDGED_PX:
                # Pushed too little to be noticed at once.
                markers[number] = now
        self._in_view = frozenset(marker.id for marker in look.fresh)
        fresh = self._believed(gray, look.fresh, known.pose)
        # What was known and does not show, but is read in its place after all, is nothing new.
        fresh = [one for one in fresh if not any(same_print(one, old) for old in markers)]
        self._add(frame, gray, markers, fresh)

    def _measure_blur(self, frame: Frame) -> None:
        """The lens may have been refocused, or dirtied."""
        assert self._known is not None
        self._blur_px = blur_of(gray_of(frame.image), self._known.markers)

    def _look_closer(self, regions: Sequence[Region], frame: Frame) -> None:
        """Look closely where something changed for pieces that nobody knew to be missing."""
        assert self._known is not None
        known, gray = self._known, gray_of(frame.image)
        for region in regions:
            new = self._missed(gray, region, known.pose, self._known.markers, None)
            self._add(frame, gray, self._known.markers, new)

    def _add(self, frame: Frame, gray: Gray, markers: Sequence[Marker], new: Sequence[Marker]) -> None:
        """New prints join the known ones; one that has moved leaves its old place."""
        assert self._known is not None
        before = self._known.markers
        ids = {marker.id for marker in new}
        kept = [m for m in markers if m.id not in ids or still_there(gray, m)]
        self._known = known = replace(self._known, markers=(*new, *kept))
        if not set(known.markers) <= set(before):
            self._joined(frame, gray, known)


def complaint(gray: Gray, found: Unregistered) -> str:
    """What to say of a picture without a pose: a mirrored one is told from an empty one."""
    mirrored = detect(np.ascontiguousarray(gray[:, ::-1]), QUICK)
    if sum(marker.id in FRAME_IDS for marker in mirrored) >= 2:
        return say("table.picture_mirrored")
    return found.reason
