"""Sight of the OlymPeak table: from pictures to readings of what lies where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Box, Table
from companion.games.olympeak.deck_file import default_box
from companion.messages import say
from companion.sensing.blank import blank_parts
from companion.sensing.follow import LiveSight
from companion.sensing.frame_prints import of_the_tables_size
from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.known import Known
from companion.sensing.markers import Gray, Marker, merge_prints
from companion.sensing.masks import Mask
from companion.sensing.olympeak.backs import Outline, card_outline, shows_print
from companion.sensing.olympeak.closer import find_missed, region_around
from companion.sensing.olympeak.hidden import (
    Box2D,
    hidden_parts,
    is_reached,
    parts_of,
    parts_under,
    with_missing,
)
from companion.sensing.olympeak.layout import (
    Column,
    contender_columns,
    lay_out,
    player_cards,
    private_prints,
    tiles_of,
)
from companion.sensing.olympeak.prints import CARD_Z_MM, Placed, Prints, frame_ids, levelled
from companion.sensing.olympeak.reading import OlympeakReading, RevealCard
from companion.sensing.olympeak.scoreboard import board_lie, cubes_on, round_on
from companion.sensing.region import Region

# The longest column that is cleared away: five rows, and as many as a turn has players with an Insert each.
MOST_ROWS = 12


class OlympeakSight(LiveSight[OlympeakReading]):
    """Reads pictures of one OlymPeak table through one camera. `camera` None: the reference lens is assumed.

    `box`: the owner's deck and which marker is on which card; None: the one that comes with the program.
    """

    _game = "olympeak"

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, box: Box | None = None
    ) -> None:
        nothing = OlympeakReading(0.0, frame=say("table.picture_none"), moving=True)
        self._table = table or Table()
        self._box = box or default_box()
        self._prints = Prints(self._table, self._box)
        super().__init__(
            camera, FrameTable(), self._prints.smallest_mm, nothing, _all_columns_cm2(self._table)
        )
        # Where each print is, computed once while the camera stays.
        self._placed: dict[Marker, Placed] = {}
        self._placed_from: CameraPose | None = None
        # By seat, a card without a readable print in its reveal zone, and whether it is a back.
        self._outlines: dict[int, tuple[Outline, bool]] = {}
        # Where the picture shows nothing.
        self._blank: Mask | None = None
        # The parts of the table as they lay when it was last read.
        self._parts: dict[str, Box2D] = {}

    def _unread(self, exposed_at: float, why: str) -> OlympeakReading:
        return OlympeakReading(exposed_at, frame=why)

    def _believed(self, gray: Gray, detected: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        markers = list(detected)
        frame = [
            marker
            for marker in markers
            if marker.id in frame_ids() and of_the_tables_size(marker, pose, self._frame.frame_marker_mm)
        ]
        return merge_prints([*frame, *self._prints.plausible(gray, markers, pose, self._blur_px)])

    def _missed(
        self,
        gray: Gray,
        region: Region,
        pose: CameraPose,
        known: Sequence[Marker],
        wanted: frozenset[int] | None,
    ) -> list[Marker]:
        return find_missed(gray, pose, self._prints, self._table, known, region, self._blur_px, wanted)

    def _is_reached(self, hand: Mask, known: Known) -> bool:
        return not self._parts or is_reached(self._parts.values(), known.pose, hand)

    def _surveyed(self, frame: Frame, gray: Gray, known: Known, only_at: Mask | None) -> None:
        self._place_all(gray, known)
        self._blank = blank_parts(frame.image)
        self._outlines = self._outlined(frame.image, known, range(len(self._table.reveal_centres_mm)))

    def _changed(
        self, frame: Frame, gray: Gray, known: Known, regions: Sequence[Region], hand: Mask | None
    ) -> None:
        self._place_all(gray, known)
        self._blank = blank_parts(frame.image)
        seats = [
            seat
            for seat in range(len(self._table.reveal_centres_mm))
            if self._reaches_into(seat, regions, known.pose)
        ]
        kept = {seat: one for seat, one in self._outlines.items() if seat not in seats}
        self._outlines = kept | self._outlined(frame.image, known, seats)

    def _add(self, frame: Frame, gray: Gray, markers: Sequence[Marker], new: Sequence[Marker]) -> None:
        super()._add(frame, gray, markers, new)
        assert self._known is not None
        self._place_all(gray, self._known)

    def _place_all(self, gray: Gray, known: Known) -> None:
        """Place the prints that are new."""
        before = self._placed if known.pose is self._placed_from else {}
        self._placed_from = known.pose
        self._placed = {
            marker: before.get(marker) or self._prints.placed(gray, marker, known.pose)
            for marker in known.markers
            if self._prints.known(marker.id)
        }

    def _reaches_into(self, seat: int, regions: Sequence[Region], pose: CameraPose) -> bool:
        """Does a change reach into a seat's reveal zone?"""
        x, y = self._table.reveal_centres_mm[seat]
        half_w, half_h = self._table.card_mm[0] / 2, self._table.card_mm[1] / 2
        zone = region_around(pose, (x - half_w, y - half_h), (x + half_w, y + half_h), CARD_Z_MM)
        return zone is not None and any(zone.overlap(region) is not None for region in regions)

    def _outlined(self, image: Image, known: Known, seats: Iterable[int]) -> dict[int, tuple[Outline, bool]]:
        """Cards without a readable print in the seats' reveal zones, and whether each is a back."""
        placed = levelled(list(self._placed.values()))
        cards = lay_out(placed, (), self._prints, self._table, self._box)
        with_player_card = player_cards(placed, self._table)
        read = {one.seat for one in cards.reveal} | set(with_player_card)
        read |= {one.seat for one in tiles_of(placed, with_player_card, self._table)}
        found: dict[int, tuple[Outline, bool]] = {}
        for seat in seats:
            if seat in read:
                continue
            outline = card_outline(image, known.pose, self._table.reveal_centres_mm[seat], self._table)
            if outline is not None:
                found[seat] = (outline, not shows_print(image, known.pose, outline, self._table))
        return found

    def _read(
        self, known: Known, visible: Sequence[Marker], exposed_at: float, hand: Mask | None
    ) -> OlympeakReading:
        everything = levelled([self._placed[m] for m in known.markers if m in self._placed])
        in_view = set(visible)
        placed = [one for one in everything if one.marker in in_view]
        # A hand over a contender card does not take its column away.
        columns = contender_columns(everything, self._prints, self._table)
        seen = {one.contender for one in contender_columns(placed, self._prints, self._table) if one.seen}
        cards = lay_out(placed, columns, self._prints, self._table, self._box)
        lie = board_lie(everything, self._table)
        with_player_card = player_cards(placed, self._table)
        faces = {one.seat for one in cards.reveal} | set(with_player_card)
        backs = [
            RevealCard(seat, None, (*outline.at, CARD_Z_MM), outline.corners_px)
            for seat, (outline, back) in self._outlines.items()
            if back and seat not in faces
        ]
        reading = OlympeakReading(
            exposed_at,
            contenders=tuple(column.contender for column in columns if column.contender in seen),
            columns=cards.columns,
            reveal=cards.reveal,
            discard_top=cards.discard_top,
            cubes=cubes_on(placed, lie, self._table),
            round_marker=round_on(placed, lie, self._table),
            player_cards=tuple(sorted(with_player_card)),
            tiles=tiles_of(placed, with_player_card, self._table),
            stray=cards.stray,
            private=private_prints(placed, self._box),
        )
        hidden = self._hidden(reading, columns, known.pose, hand)
        if len(placed) < len(everything):
            hidden |= parts_under(lay_out(everything, columns, self._prints, self._table, self._box), cards)
        # A back is seen by its outline alone: under a hand it is not seen.
        backs = [one for one in backs if hand is None or f"reveal {one.seat}" not in hidden]
        reveal = tuple(sorted((*cards.reveal, *backs), key=lambda one: one.seat))
        return replace(reading, reveal=reveal, hidden=hidden)

    def _hidden(
        self, reading: OlympeakReading, columns: Sequence[Column], pose: CameraPose, hand: Mask | None
    ) -> frozenset[str]:
        """The parts that cannot be seen: what is under a hand or outside, and what must be there and is not seen."""
        parts = self._parts = parts_of(reading, columns, self._table)
        hidden = set(hidden_parts(parts, pose, hand))
        if self._blank is not None and self._blank.any():
            hidden |= hidden_parts(parts, pose, self._blank)
        hidden |= {f"reveal {seat}" for seat, (_, back) in self._outlines.items() if not back}
        return with_missing(hidden, reading, columns)


def _all_columns_cm2(table: Table) -> float:
    """As much as all columns cover: between two rounds they are gone at one go."""
    wide, tall = table.card_mm
    return len(table.lanes_x_mm) * wide * (tall + (MOST_ROWS - 1) * table.row_pitch_mm) / 100
