"""Sight of Above: from pictures of the table to readings of what lies where.

`look` reads one still picture thoroughly; `process` follows a live table frame by frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from companion.games.above.box import (
    CARD_BY_ID,
    FRAME_IDS,
    MINI_BY_ID,
    SPARE_FRAME_IDS,
    TOKEN_BY_ID,
    Board,
    Table,
)
from companion.messages import say
from companion.sensing.blank import blank_parts
from companion.sensing.cells import agreement
from companion.sensing.creep import Motion
from companion.sensing.finder import find_missed, plausible
from companion.sensing.follow import Chore, LiveSight
from companion.sensing.frame_prints import of_the_tables_size
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import MARGIN_MM, PICTURE_WIDTH_MM
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.grey import gray_of
from companion.sensing.hidden import SpaceViews
from companion.sensing.kinds import CARD_Z_MM
from companion.sensing.known import Known, is_under, same_print
from companion.sensing.markers import QUICK, Gray, Marker, detect
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import CardSighting, Finding, MiniSighting, Point, Reading, TokenSighting
from companion.sensing.region import Region
from companion.sensing.ring_watch import RingWatch, Standing, carried_along
from companion.sensing.twins import one_of_each
from companion.sensing.unread import Unread

# What colour says against a print is worth telling from here on.
LEAST_DOUBT = 0.01
# A ring that lies as it was placed by to this (degrees, mm) is not placed by anew.
SAME_DEG = 0.06
SAME_MM = 0.1
# A hand that covers this share of the board is looked at twice; with fewer pieces on it only its lines can tell.
BOARD_SHARE = 0.35
FEW_PIECES = 4


Sighting = MiniSighting | TokenSighting | CardSighting


class Sight(LiveSight[Reading]):
    """Reads pictures of one table through one camera. `camera` None: the reference lens is assumed.

    `rings`: where the rings' prints lie, where known from before; they are measured and followed anyway.
    """

    _game = "above"

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, rings: BoardPrint | None = None
    ) -> None:
        self._table = table or Table()
        sides = (self._table.token_marker_mm, self._table.mini_marker_mm, self._table.card_marker_mm)
        nothing = Reading(0.0, frame=say("table.picture_none"), moving=True)
        super().__init__(camera, self._table, min(sides), nothing)
        self._rings = RingWatch(self._table.board, rings)
        # The rings as pieces are placed by.
        self._seen_rings = self._rings.rings
        self._views: SpaceViews | None = None
        # The pieces on the board, by marker, as they stood when they were last read.
        self._standing: dict[int, Standing] = {}
        # By marker, where each piece lay when it was last read.
        self._lay: dict[int, Point] = {}
        # Where each print is by its marker alone, computed once while camera and rings stay; and how doubtful each is by
        # its colour.
        self._placed: dict[Marker, Sighting | None] = {}
        self._doubts: dict[Marker, float] = {}
        # Prints beside the board that are pictures of miniatures.
        self._pictures: frozenset[Marker] = frozenset()
        self._by_look = Unread(self._table)
        # Spaces in glare so bright that nothing is told of them.
        self._burnt: frozenset[str] = frozenset()
        # Spaces, and zones of cards, where the picture shows nothing.
        self._blank: frozenset[str] = frozenset()

    @property
    def rings(self) -> BoardPrint:
        """The rings' poses in the world as last measured."""
        return self._rings.rings

    def look(self, image: Image, exposed_at: float = 0.0) -> Reading:
        # One picture is all there is: what it shows of the rings is believed at once.
        self._views = None
        self._lay = {}
        return super().look(image, exposed_at)

    def _unread(self, exposed_at: float, why: str) -> Reading:
        return Reading(exposed_at, frame=why)

    def _believed(self, gray: Gray, detected: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        markers = list(detected)
        frame = [
            marker
            for marker in markers
            if marker.id in (*FRAME_IDS, *SPARE_FRAME_IDS)
            and of_the_tables_size(marker, pose, self._table.frame_marker_mm)
        ]
        return [*frame, *plausible(gray, markers, pose, self._table, self._blur_px)]

    def _missed(
        self,
        gray: Gray,
        region: Region,
        pose: CameraPose,
        known: Sequence[Marker],
        wanted: frozenset[int] | None,
    ) -> list[Marker]:
        return find_missed(gray, region, pose, self._table, known, self._blur_px, wanted)

    # --- the rings -------------------------------------------------------------------------------------------

    def _is_reached(self, hand: Mask, known: Known) -> bool:
        return self._views is None or self._views.is_reached(hand)

    def _surveyed(self, frame: Frame, gray: Gray, known: Known, only_at: Mask | None) -> None:
        if self._views is None:
            self._rings.first_look(frame.image, known.pose, frame.exposed_at)
        else:
            carried = self._carried(known.pose, known.markers)
            self._rings.look(frame.image, known.pose, frame.exposed_at, carried)
        self._see_spaces(known.pose)
        self._look_for_blanks(frame.image)
        height, width = gray.shape
        whole = [Region(0, 0, width, height)]
        self._appraise(frame.image, gray, known, whole, None, every_mini=True, only_at=only_at)

    def _changed(
        self, frame: Frame, gray: Gray, known: Known, regions: Sequence[Region], hand: Mask | None
    ) -> None:
        carried = partial(self._carried, known.pose, known.markers)
        # A ring that has slipped differs where it lies itself, not in the margin around what differs.
        margin = round(MARGIN_MM * max(gray.shape) / PICTURE_WIDTH_MM)
        inner = [region.shrunk(margin) for region in regions]
        self._rings.changed(frame.image, known.pose, frame.exposed_at, inner, carried, hand)
        self._follow_rings(known.pose)
        self._look_for_blanks(frame.image)
        self._appraise(frame.image, gray, known, regions, hand)

    def _carried(self, pose: CameraPose, markers: Iterable[Marker]) -> dict[int, Motion]:
        """How the pieces were carried along since they were last read, by ring."""
        now = {
            marker.id: pose.intersect(marker.centre, self._standing[marker.id].xyz_mm[2])
            for marker in markers
            if marker.id in self._standing
        }
        places = {marker: (float(point[0]), float(point[1])) for marker, point in now.items()}
        return carried_along(self._standing, places, range(1, self._table.board.rings + 1))

    def _in_doubt(self) -> bool:
        return self._rings.in_doubt

    def _decide(self, frame: Frame, known: Known, hand: Mask | None) -> None:
        self._rings.decide(frame.image, known.pose, frame.exposed_at, hand)
        self._follow_rings(known.pose)

    def _is_no_hand(self, frame: Frame, known: Known, hand: Mask) -> bool:
        """Is what looks like a hand the board itself, which was pushed, with all that stands on it?"""
        if self._rings.cover(known.pose, hand) < BOARD_SHARE:
            return False
        if len(self._standing) < FEW_PIECES:
            return self._rings.was_pushed(frame.image, known.pose, hand)
        return len(self._carried(known.pose, detect(gray_of(frame.image), QUICK))) == self._table.board.rings

    def _findings(self) -> tuple[Finding, ...]:
        return (*super()._findings(), *self._rings.findings)

    def _follow_rings(self, pose: CameraPose) -> None:
        """Places everything anew where a ring lies otherwise; what a look adds to a tenth changes no place."""
        if self._seen_rings.differs(self._rings.rings, SAME_DEG, SAME_MM):
            self._see_spaces(pose)

    def _see_spaces(self, pose: CameraPose) -> None:
        """The camera or a ring has another place: everything is placed anew."""
        self._seen_rings = self._rings.rings
        self._views = SpaceViews(pose, self._table, self._seen_rings)
        self._placed = {}

    def _look_for_blanks(self, image: Image) -> None:
        assert self._views is not None
        blank = blank_parts(image)
        self._blank = self._views.hidden((), blank).spaces if blank.any() else frozenset()

    def _more_chores(self) -> list[Chore]:
        return [partial(self._measure_ring, self._rings.next())]

    def _idle_chores(self, quiet: int) -> list[Chore]:
        return [partial(self._measure_ring, ring) for ring in self._rings.due(quiet)]

    def _measure_ring(self, ring: int, frame: Frame) -> None:
        """Measure one ring again."""
        assert self._known is not None
        self._rings.measure(frame.image, self._known.pose, frame.exposed_at, ring)
        self._follow_rings(self._known.pose)

    # --- the pieces ------------------------------------------------------------------------------------------

    def _read(self, known: Known, visible: Sequence[Marker], exposed_at: float, hand: Mask | None) -> Reading:
        assert self._views is not None
        self._placed = {marker: self._sighted(marker, known.pose) for marker in known.markers}
        weighed = {
            marker: self._weighed(marker, one)
            for marker, one in self._placed.items()
            if one is not None and marker not in self._pictures
        }
        in_view = set(visible)
        each = one_of_each(list(weighed.values()), self._lay)
        self._lay = {one.marker: one.xyz_mm for one in each}
        pieces_only = {id(one) for one in each}
        everything = sorted(
            ((marker, one) for marker, one in weighed.items() if id(one) in pieces_only),
            key=lambda item: item[0].id,
        )
        seen: list[Sighting | None] = [one for marker, one in everything if marker in in_view]
        pieces = [one for _, one in everything if isinstance(one, MiniSighting | TokenSighting)]
        self._by_look.saw(pieces)
        if not self._rings.in_doubt:
            self._standing = {
                one.marker: Standing(one.xyz_mm, ring_of(one.space, self._table.board))
                for one in pieces
                if one.space is not None
            }
        # Whatever a hand reaches into stands where it stood, as far as anybody can see.
        covered = frozenset(
            one.space
            for marker, one in everything
            if isinstance(one, MiniSighting | TokenSighting) and marker not in in_view and one.space
        )
        for one in self._by_look.beside(pieces):
            if hand is None or not is_under(known.pose.project(one.xyz_mm), hand):
                seen.append(one)
            elif one.space is not None:
                covered |= {one.space}
        hidden = self._views.hidden(visible, hand)
        lying = {one.space for one in seen if isinstance(one, MiniSighting | TokenSighting)}
        return Reading(
            exposed_at,
            minis=tuple(one for one in seen if isinstance(one, MiniSighting)),
            tokens=tuple(one for one in seen if isinstance(one, TokenSighting)),
            cards=tuple(one for one in seen if isinstance(one, CardSighting)),
            hidden=hidden.spaces | covered | ((self._burnt | self._blank) - lying),
            rings=self._seen_rings.against_ring_one(),
            under_hand=hidden.under_hand | covered,
            partly_hidden=hidden.partly,
        )

    def _sighted(self, marker: Marker, pose: CameraPose) -> Sighting | None:
        """What a print is and where."""
        if marker in self._placed:
            return self._placed[marker]
        return sighting(marker, pose, self._table, self._seen_rings)

    def _weighed(self, marker: Marker, one: Sighting) -> Sighting:
        """What a print is and where, with what its colour says against it."""
        doubt = self._doubts.get(marker, 0.0)
        if isinstance(one, CardSighting) or doubt < LEAST_DOUBT:
            return one
        return replace(one, spaces=tuple((space, p * (1 - doubt)) for space, p in one.spaces))

    def _pieces(self, placed: Mapping[Marker, Sighting | None]) -> list[MiniSighting | TokenSighting]:
        """The pieces among what was placed, without pictures of them."""
        return [
            one
            for marker, one in placed.items()
            if isinstance(one, MiniSighting | TokenSighting) and marker not in self._pictures
        ]

    def _joined(self, frame: Frame, gray: Gray, known: Known) -> None:
        self._appraise(frame.image, gray, known, (), None)

    def _appraise(
        self,
        image: Image,
        gray: Gray,
        known: Known,
        regions: Sequence[Region],
        hand: Mask | None,
        every_mini: bool = False,
        only_at: Mask | None = None,
    ) -> None:
        """Weigh new prints by their colours, and look for missing pieces by colour, size and place."""
        assert self._views is not None
        if image.ndim == 2:
            return
        placed = self._placed = {marker: self._sighted(marker, known.pose) for marker in known.markers}
        pictures = self._pictures
        self._pictures = frozenset(m for m in placed if any(same_print(m, old) for old in pictures))
        read = self._pieces(placed)
        new = [
            marker
            for marker, one in placed.items()
            if isinstance(one, MiniSighting | TokenSighting) and marker not in self._doubts
        ]
        before = self._doubts
        self._doubts = {marker: before[marker] for marker in placed if marker in before}
        for marker in new:
            one = placed[marker]
            if not isinstance(one, MiniSighting | TokenSighting):
                continue
            again = next((doubt for old, doubt in before.items() if same_print(old, marker)), None)
            if again is None:
                well = marker.likeness
                if well is None:
                    well = agreement(gray, marker.corners, marker.id)
                again = self._by_look.doubt(image, known.pose, one, read, well)
                if not one.spaces and self._by_look.is_picture(image, known.pose, one, read):
                    self._pictures |= {marker}
            self._doubts[marker] = again
        read = self._pieces(placed)
        self._by_look.saw(read)
        self._by_look.search(
            image,
            gray,
            known.pose,
            self._seen_rings,
            read,
            known.markers,
            regions,
            hand,
            every_mini,
            only_at,
        )
        self._burnt = self._views.burnt(image, regions, self._burnt)


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


def ring_of(space: str, board: Board) -> int:
    """The ring of a space by name; the summit is one past the last."""
    return board.rings + 1 if space == "top" else int(space[1:])
