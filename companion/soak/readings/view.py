"""The simulated table of Above through its camera, from one place: what it sees of it, by the very geometry of sight."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from companion.games.above.box import Table
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.hidden import SpaceViews
from companion.sensing.known import is_under, touched
from companion.sensing.markers import Marker
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint
from companion.sensing.reading import CardSighting, MiniSighting, Reading, RingPose, TokenSighting
from companion.sensing.sight import Sighting, sighting
from companion.virtual.optics import Optics
from companion.virtual.piece import Piece
from companion.virtual.snapshot import HandPose, Ring

# A card's print is covered by another card that lies so near.
UNDER_CARD_MM = 20.0
# How well sight knows where each ring's print lies.
RING_SIGMA_DEG = 0.1
RING_SIGMA_MM = 0.1


class View:
    """The table through this glass, while its rings lie so."""

    def __init__(self, optics: Optics, rings: tuple[Ring, ...], table: Table) -> None:
        self._optics, self._rings, self._table = optics, rings, table
        self._pose = pose_of(optics)
        self._print = BoardPrint(
            {
                number: RingPose(number, ring.rotation_deg, ring.shift_mm, RING_SIGMA_DEG, RING_SIGMA_MM)
                for number, ring in enumerate(rings, 1)
            }
        )
        self._spaces = SpaceViews(self._pose, table, self._print)
        # Where pieces are in the picture and on the table, worked out once while they lie.
        self._seen: dict[Piece, tuple[Marker, Sighting | None]] = {}

    def is_of(self, optics: Optics, rings: tuple[Ring, ...]) -> bool:
        """Is the table still seen through this glass, and do its rings lie so?"""
        return optics is self._optics and rings == self._rings

    def is_reached(self, hand: Mask) -> bool:
        """Does a hand reach over anything that the game is played with or on?"""
        return self._spaces.is_reached(hand)

    def is_over_board(self, hand: HandPose) -> bool:
        """Are a hand's finger tips over the board, whatever else it reaches over?"""
        return math.hypot(*hand.tip[:2]) < self._table.board.outer_radius_mm

    def reading(self, lying: Sequence[Piece], hand: Mask | None, exposed_at: float = 0.0) -> Reading:
        """What shows, beside a hand (a small mask), of the pieces that lie or stand there; and what is hidden."""
        before = self._seen
        self._seen = {piece: before.get(piece) or self._sighted(piece) for piece in lying}
        cards = [piece for piece in lying if piece.kind == "card"]
        in_picture = {
            piece: found
            for piece, found in self._seen.items()
            if found[1] is not None and self._is_in_picture(found[0]) and not covered(piece, cards)
        }
        shown = [found for found in in_picture.values() if hand is None or not touched(found[0], hand)]
        caps = self._spaces.caps(marker for marker, _ in shown)
        seen = [
            one
            for marker, one in shown
            if not isinstance(one, TokenSighting) or not is_under(marker.centre, caps)
        ]
        under = frozenset(
            one.space
            for found in in_picture.values()
            if found not in shown and isinstance(one := found[1], MiniSighting | TokenSighting) and one.space
        )
        hidden = self._spaces.hidden([marker for marker, _ in shown], hand)
        return Reading(
            exposed_at,
            minis=tuple(one for one in seen if isinstance(one, MiniSighting)),
            tokens=tuple(one for one in seen if isinstance(one, TokenSighting)),
            cards=tuple(one for one in seen if isinstance(one, CardSighting)),
            hidden=hidden.spaces | under,
            rings=self._print.against_ring_one(),
            under_hand=hidden.under_hand | under,
            partly_hidden=hidden.partly,
        )

    def _sighted(self, piece: Piece) -> tuple[Marker, Sighting | None]:
        corners = self._pose.project(piece.marker_corners(self._table)).astype(np.float32)
        marker = Marker(piece.marker, corners)
        return marker, sighting(marker, self._pose, self._table, self._print)

    def _is_in_picture(self, marker: Marker) -> bool:
        return bool(((marker.corners >= 0) & (marker.corners < self._optics.size)).all())


def pose_of(optics: Optics) -> CameraPose:
    """The simulated camera as sight knows one."""
    (fx, _, cx), (_, fy, cy), _ = optics.matrix.tolist()
    lens = Camera(fx, fy, cx, cy, tuple(optics.distortion.tolist()), optics.size)
    return CameraPose(lens, optics.rotation, optics.translation)


def covered(piece: Piece, cards: Iterable[Piece]) -> bool:
    """Is it a card on whose print another one lies?"""
    pose = piece.pose
    return piece.kind == "card" and any(
        other.pose.z > pose.z and math.dist((pose.x, pose.y), (other.pose.x, other.pose.y)) < UNDER_CARD_MM
        for other in cards
    )
