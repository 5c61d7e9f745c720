"""Sight of Above: from pictures of the table to readings of what lies where.

`look` reads one still picture thoroughly; `process` follows a live table frame by frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from companion.games.above.box import (
    CARD_BY_ID,
    FRAME_IDS,
    MINI_BY_ID,
    SPARE_FRAME_IDS,
    TOKEN_BY_ID,
    Table,
)
from companion.sensing.finder import Region, find_missed, plausible
from companion.sensing.follow import Chore, Known, LiveSight, gray_of
from companion.sensing.frames import Frame, Image
from companion.sensing.gate import Mask
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.hidden import SpaceViews
from companion.sensing.markers import Gray, Marker
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.sensing.rings import RingGauge

__all__ = ["Sight", "gray_of", "sighting"]

# A card's print lies this high.
CARD_Z_MM = 0.5


Sighting = MiniSighting | TokenSighting | CardSighting


class Sight(LiveSight[Reading]):
    """Reads pictures of one table through one camera. `camera` None: the reference lens is assumed.

    `rings`: where the rings' prints lie, where known from before; they are measured and followed anyway.
    """

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, rings: BoardPrint | None = None
    ) -> None:
        self._table = table or Table()
        super().__init__(camera, self._table, Reading(0.0, frame="no picture was read yet", moving=True))
        self._rings = rings or BoardPrint()
        self._gauge = RingGauge(self._table.board)
        self._views: SpaceViews | None = None
        self._next_ring = 0
        # Where each print is, computed once while camera and rings stay.
        self._placed: dict[Marker, Sighting | None] = {}

    @property
    def rings(self) -> BoardPrint:
        """The rings' poses in the world as last measured."""
        return self._rings

    def _unread(self, exposed_at: float, why: str) -> Reading:
        return Reading(exposed_at, frame=why)

    def _believed(self, gray: Gray, detected: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        frame_ids = (*FRAME_IDS, *SPARE_FRAME_IDS)
        return [
            marker
            for marker in detected
            if marker.id in frame_ids or plausible(gray, marker, pose, self._table)
        ]

    def _missed(
        self,
        gray: Gray,
        region: Region,
        pose: CameraPose,
        known: Sequence[Marker],
        wanted: frozenset[int] | None,
    ) -> list[Marker]:
        return find_missed(gray, region, pose, self._table, known, wanted)

    def _surveyed(self, image: Image, gray: Gray, known: Known) -> None:
        self._rings = self._gauge.measure(image, known.pose, self._rings)
        self._see_spaces(known.pose)

    def _see_spaces(self, pose: CameraPose) -> None:
        """The camera or a ring has another place: everything is placed anew."""
        self._views = SpaceViews(pose, self._table, self._rings)
        self._placed = {}

    def _more_chores(self) -> list[Chore]:
        # One ring is measured again: rings only creep.
        self._next_ring = self._next_ring % self._table.board.rings + 1
        return [partial(self._measure_ring, self._next_ring)]

    def _measure_ring(self, ring: int, frame: Frame) -> None:
        """Measure one ring again."""
        assert self._known is not None
        pose = self._known.pose
        self._rings = self._gauge.measure(frame.image, pose, self._rings, only=ring)
        self._see_spaces(pose)

    def _read(self, known: Known, visible: Sequence[Marker], exposed_at: float, hand: Mask | None) -> Reading:
        assert self._views is not None
        self._placed = {
            marker: self._placed[marker]
            if marker in self._placed
            else sighting(marker, known.pose, self._table, self._rings)
            for marker in visible
        }
        seen = [self._placed[marker] for marker in sorted(visible, key=lambda marker: marker.id)]
        return Reading(
            exposed_at,
            minis=tuple(one for one in seen if isinstance(one, MiniSighting)),
            tokens=tuple(one for one in seen if isinstance(one, TokenSighting)),
            cards=tuple(one for one in seen if isinstance(one, CardSighting)),
            hidden=self._views.hidden(visible, hand),
            rings=self._rings.against_ring_one(),
        )


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
