"""Sight of the OlymPeak table: from pictures to readings of what lies where.

`look` reads one still picture thoroughly. `process` follows a live table frame by frame, as for Above: while hands
move nothing is read, and once the table is settled only what changed is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.above.box import FRAME_IDS
from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Box, Table
from companion.games.olympeak.deck_file import default_box
from companion.sensing.finder import Region
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import Glance, Mask, MotionGate, changed_regions
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect, merge_prints
from companion.sensing.olympeak.backs import Outline, card_outline, shows_print
from companion.sensing.olympeak.closer import find_missed, region_around
from companion.sensing.olympeak.hidden import hidden_parts, parts_of
from companion.sensing.olympeak.layout import (
    Column,
    contender_columns,
    lay_out,
    player_cards,
    tiles_of,
)
from companion.sensing.olympeak.prints import CARD_Z_MM, Placed, Prints, frame_ids, levelled
from companion.sensing.olympeak.reading import OlympeakReading, RevealCard
from companion.sensing.olympeak.scoreboard import board_lie, cubes_on, round_on
from companion.sensing.registration import Registration, Unregistered, register
from companion.sensing.sight import (
    BLACK_LEVEL,
    BUMPED_PX,
    CONFIRM_AFTER,
    SCENERY_AFTER,
    SCENERY_ANYWAY_AFTER,
    SEARCH_ALL_SHARE,
    _around,
    _complaint,
    _same_print,
    _still_there,
    _touched,
    gray_of,
)


@dataclass(frozen=True, eq=False, slots=True)
class _Known:
    """What is known of a settled table: where the camera is, every print, and the outlines of cards unread.

    `outlines`: by seat, a card without a readable print in its reveal zone, and whether it is a back.
    """

    found: Registration
    markers: tuple[Marker, ...]
    outlines: dict[int, tuple[Outline, bool]]


class OlympeakSight:
    """Reads pictures of one OlymPeak table through one camera. `camera` None: the reference lens is assumed.

    `box`: the owner's deck and which marker is on which card; None: the one that comes with the program.
    """

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, box: Box | None = None
    ) -> None:
        self._camera = camera
        self._table = table or Table()
        self._box = box or default_box()
        self._frame = FrameTable()
        self._prints = Prints(self._table, self._box)
        self._gate = MotionGate()
        self._known: _Known | None = None
        self._last = OlympeakReading(0.0, frame="no picture was read yet", moving=True)
        self._quiet = 0
        self._to_confirm = False
        # Where each print is, computed once while the camera stays.
        self._placed: dict[Marker, Placed] = {}
        self._placed_from: CameraPose | None = None

    def look(self, image: Image, exposed_at: float = 0.0) -> OlympeakReading:
        """Everything one still picture shows, searched thoroughly."""
        known = self._survey(image, exposed_at, thoroughly=True)
        if isinstance(known, OlympeakReading):
            return known
        return self._reading(gray_of(image), known, known.markers, exposed_at, None)

    def process(self, frame: Frame) -> OlympeakReading:
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
        elif self._quiet >= CONFIRM_AFTER and self._to_confirm:
            return self._confirm(frame)
        self._last = replace(self._last, exposed_at=frame.exposed_at, moving=False)
        return self._last

    # --- a whole picture -------------------------------------------------------------------------------------

    def _survey(self, image: Image, exposed_at: float, thoroughly: bool = False) -> _Known | OlympeakReading:
        """Everything in a picture, the camera's pose included; or a reading that says what is wrong."""
        gray = gray_of(image)
        size = (gray.shape[1], gray.shape[0])
        try:
            camera = (self._camera or Camera.assumed(size)).scaled_to(size)
        except ValueError as error:
            return OlympeakReading(exposed_at, frame=str(error))
        if float(gray[::8, ::8].mean()) < BLACK_LEVEL:
            return OlympeakReading(
                exposed_at, frame="the picture is black: take the cap off the camera or give the table light"
            )
        markers = detect(gray, QUICK)
        found = register(gray, markers, camera, self._frame)
        if thoroughly or isinstance(found, Unregistered) or len(found.used) < len(FRAME_IDS):
            markers = merge_prints([*markers, *detect(gray, THOROUGH)])
            found = register(gray, markers, camera, self._frame)
        if isinstance(found, Unregistered):
            return OlympeakReading(exposed_at, frame=_complaint(gray, found))
        whole = Region(0, 0, *size)
        markers = self._searched(gray, [whole], markers, found.pose, ())
        outlines = self._outlined(image, gray, markers, found.pose, self._seats())
        return _Known(found, tuple(markers), outlines)

    def _searched(
        self,
        gray: Gray,
        regions: Sequence[Region],
        detected: Iterable[Marker],
        pose: CameraPose,
        known: Sequence[Marker],
    ) -> list[Marker]:
        """The believable ones of the `detected` prints, with what a closer look at the regions finds besides."""
        good = [
            marker
            for marker in detected
            if marker.id in frame_ids() or self._prints.plausible(gray, marker, pose)
        ]
        if regions:
            good += find_missed(gray, pose, self._prints, self._table, [*known, *good], regions)
        return merge_prints(good)

    def _seats(self) -> range:
        return range(len(self._table.reveal_centres_mm))

    def _outlined(
        self, image: Image, gray: Gray, markers: Sequence[Marker], pose: CameraPose, seats: Iterable[int]
    ) -> dict[int, tuple[Outline, bool]]:
        """Cards without a readable print in the seats' reveal zones, and whether each is a back."""
        placed = levelled([self._place(gray, m, pose) for m in markers if self._prints.known(m.id)])
        cards = lay_out(placed, (), self._prints, self._table, self._box)
        with_player_card = player_cards(placed, self._table)
        read = {one.seat for one in cards.reveal}
        read |= {one.seat for one in tiles_of(placed, with_player_card, self._table)} | set(with_player_card)
        found: dict[int, tuple[Outline, bool]] = {}
        for seat in seats:
            if seat in read:
                continue
            outline = card_outline(image, pose, self._table.reveal_centres_mm[seat], self._table)
            if outline is not None:
                found[seat] = (outline, not shows_print(image, pose, outline, self._table))
        return found

    # --- the live table --------------------------------------------------------------------------------------

    def _start_over(self, frame: Frame) -> OlympeakReading:
        known = self._survey(frame.image, frame.exposed_at)
        if isinstance(known, OlympeakReading):
            # The cards are not forgotten because the light went out: they are looked for when it is back.
            self._known = None
            self._gate.accept()
            self._last = known
            return known
        self._known = known
        self._gate.accept()
        self._to_confirm = False
        self._last = self._reading(gray_of(frame.image), known, known.markers, frame.exposed_at, None)
        return self._last

    def _catch_up(self, frame: Frame, glance: Glance) -> OlympeakReading:
        """The table has settled: search what changed, keep the rest."""
        assert self._known is not None
        known = self._known
        pose = known.found.pose
        gray = gray_of(frame.image)
        size = (gray.shape[1], gray.shape[0])
        if self._bumped(gray, known, glance):
            return self._start_over(frame)
        regions = changed_regions(glance.changed, size)
        area = sum((region.x1 - region.x0) * (region.y1 - region.y0) for region in regions)
        if area > SEARCH_ALL_SHARE * size[0] * size[1]:
            return self._start_over(frame)
        if regions:
            markers = self._merged(gray, known, regions, glance)
            seats = [seat for seat in self._seats() if self._zone_in(seat, regions, pose)]
            outlines = {seat: one for seat, one in known.outlines.items() if seat not in seats}
            outlines |= self._outlined(frame.image, gray, markers, pose, seats)
            self._known = known = replace(known, markers=tuple(markers), outlines=outlines)
        self._gate.accept(glance.hand)
        self._to_confirm = True
        hand = glance.hand if glance.hand_in_view else None
        visible = [m for m in known.markers if hand is None or not _touched(m, hand)]
        self._last = self._reading(gray, known, visible, frame.exposed_at, hand)
        return self._last

    def _merged(self, gray: Gray, known: _Known, regions: Sequence[Region], glance: Glance) -> list[Marker]:
        """The prints now: those in the changed regions as found there, all others as they were."""

        def inside(marker: Marker) -> bool:
            return any(region.holds(*marker.centre) for region in regions)

        kept = [marker for marker in known.markers if not inside(marker)]
        detected = [
            marker.moved(region.x0, region.y0)
            for region in regions
            for marker in detect(region.crop(gray), QUICK)
        ]
        # What did not change lies where it lay, and need not be found again.
        still = [
            marker
            for marker in known.markers
            if inside(marker)
            and not any(_same_print(marker, other) for other in detected)
            and not _touched(marker, glance.changed)
            and _still_there(gray, marker)
        ]
        found = self._searched(gray, regions, detected, known.found.pose, [*kept, *still])
        ids = {marker.id for marker in found}
        # A card found elsewhere has moved, unless its old print is plainly still there, too.
        kept = [marker for marker in [*kept, *still] if marker.id not in ids or _still_there(gray, marker)]
        return merge_prints([*found, *kept])

    def _zone_in(self, seat: int, regions: Sequence[Region], pose: CameraPose) -> bool:
        """Does a change reach into a seat's reveal zone?"""
        x, y = self._table.reveal_centres_mm[seat]
        half_w, half_h = self._table.card_mm[0] / 2, self._table.card_mm[1] / 2
        zone = region_around(pose, (x - half_w, y - half_h), (x + half_w, y + half_h), CARD_Z_MM)
        return zone is not None and any(
            zone.x0 < region.x1 and region.x0 < zone.x1 and zone.y0 < region.y1 and region.y0 < zone.y1
            for region in regions
        )

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
        """Has what looked like a hand lain still so long that it is none?"""
        if self._quiet == SCENERY_ANYWAY_AFTER:
            return True
        if self._quiet != SCENERY_AFTER or self._known is None:
            return False
        gray = gray_of(frame.image)
        return all(
            _still_there(gray, marker) for marker in self._known.markers if _touched(marker, glance.hand)
        )

    def _confirm(self, frame: Frame) -> OlympeakReading:
        """The whole of the quiet table once more: what was missed in what changed is found now."""
        assert self._known is not None
        known = self._known
        pose = known.found.pose
        gray = gray_of(frame.image)
        new = [m for m in detect(gray, QUICK) if not any(_same_print(m, old) for old in known.markers)]
        new = self._searched(gray, (), new, pose, ())
        ids = {marker.id for marker in new}
        kept = [m for m in known.markers if m.id not in ids or _still_there(gray, m)]
        self._known = known = replace(known, markers=(*new, *kept))
        self._to_confirm = False
        self._last = self._reading(gray, known, known.markers, frame.exposed_at, None)
        return self._last

    # --- what it means ---------------------------------------------------------------------------------------

    def _place(self, gray: Gray, marker: Marker, pose: CameraPose) -> Placed:
        if pose is not self._placed_from:
            self._placed, self._placed_from = {}, pose
        if marker not in self._placed:
            self._placed[marker] = self._prints.placed(gray, marker, pose)
        return self._placed[marker]

    def _reading(
        self, gray: Gray, known: _Known, markers: Sequence[Marker], exposed_at: float, hand: Mask | None
    ) -> OlympeakReading:
        pose = known.found.pose
        all_placed = [self._place(gray, m, pose) for m in known.markers if self._prints.known(m.id)]
        self._placed = {one.marker: one for one in all_placed}
        all_placed = levelled(all_placed)
        visible = set(markers)
        placed = [one for one in all_placed if one.marker in visible]
        # A hand over a contender card does not take its column away.
        columns = contender_columns(all_placed, self._prints, self._table)
        seen = {one.contender for one in contender_columns(placed, self._prints, self._table) if one.seen}
        cards = lay_out(placed, columns, self._prints, self._table, self._box)
        lie = board_lie(all_placed, self._table)
        with_player_card = player_cards(placed, self._table)
        faces = {one.seat for one in cards.reveal}
        backs = tuple(
            RevealCard(seat, None, (*outline.at, CARD_Z_MM), outline.corners_px)
            for seat, (outline, back) in known.outlines.items()
            if back and seat not in faces and seat not in with_player_card
        )
        reading = OlympeakReading(
            exposed_at,
            contenders=tuple(column.contender for column in columns if column.contender in seen),
            columns=cards.columns,
            reveal=tuple(sorted((*cards.reveal, *backs), key=lambda one: one.seat)),
            discard_top=cards.discard_top,
            cubes=cubes_on(placed, lie, self._table),
            round_marker=round_on(placed, lie, self._table),
            player_cards=tuple(sorted(with_player_card)),
            tiles=tiles_of(placed, with_player_card, self._table),
            stray=cards.stray,
        )
        hidden = self._hidden(reading, columns, known, hand)
        under_hand = {one for one in hidden if one.startswith("reveal ")} if hand is not None else set()
        return replace(
            reading,
            reveal=tuple(
                one
                for one in reading.reveal
                if one.card is not None or f"reveal {one.seat}" not in under_hand
            ),
            hidden=hidden,
        )

    def _hidden(
        self, reading: OlympeakReading, columns: Sequence[Column], known: _Known, hand: Mask | None
    ) -> frozenset[str]:
        """The parts that cannot be seen: what is under a hand or outside, and what must be there and is not seen."""
        hidden = set(hidden_parts(parts_of(reading, columns, self._table), known.found.pose, hand))
        hidden |= {f"reveal {seat}" for seat, (_, back) in known.outlines.items() if not back}
        standing = {one.contender for one in reading.cubes}
        hidden |= {f"cube {one.contender}" for one in columns if one.contender not in standing}
        if reading.round_marker is None:
            hidden.add("round")
        if any(not column.seen for column in columns) or not columns:
            hidden.add("row")
        hidden -= {f"cube {contender}" for contender in standing}
        return frozenset(hidden)
