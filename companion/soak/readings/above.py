"""Readings of the simulated table of Above as it truly lies."""

from __future__ import annotations

import math
from collections.abc import Iterable

from companion.sensing.frames import Frame
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.soak.readings.camera import BlankCamera
from companion.tables.above.simulated import SimulatedAbove
from companion.virtual.faults import Fault
from companion.virtual.piece import Piece
from companion.virtual.scene import FALLEN_DEG

PX_PER_MM = 3.0
# A token so near to a miniature's foot cannot be seen for it.
UNDER_MM = 10.0
UNDER_CARD_MM = 20.0


class TrueAbove(BlankCamera):
    """Camera and eyes in one: its readings are true; hands in the picture are motion."""

    def __init__(self, table: SimulatedAbove) -> None:
        super().__init__(lambda: table.people.now)
        self._table = table

    def process(self, frame: Frame) -> Reading:
        """What lies there now."""
        scene = self._table.scene
        snapshot = scene.snapshot()
        if Fault.FRAME_BLACK in snapshot.faults:
            self.settled(False)
            return Reading(frame.exposed_at, frame="the picture is black")
        still = not snapshot.hands and Fault.HAND_LINGERS not in snapshot.faults
        if not self.settled(still):
            return Reading(frame.exposed_at, moving=True)
        minis, tokens, cards = [], [], []
        feet = [(one.pose.x, one.pose.y) for one in snapshot.pieces.values() if one.kind == "mini"]
        for piece in snapshot.pieces.values():
            x, y, z = piece.pose.x, piece.pose.y, piece.pose.z
            if piece.pose.tilt > FALLEN_DEG:
                continue
            if piece.kind == "card":
                if covered(piece, snapshot.pieces.values()):
                    continue
                cards.append(
                    CardSighting(
                        piece.what, piece.number, piece.powered, piece.marker, (x, y, z), corners(piece)
                    )
                )
                continue
            space = None if piece.held else scene.space_at(x, y)
            spaces = () if space is None else ((space, 0.99),)
            if piece.kind == "mini":
                minis.append(MiniSighting(piece.what, piece.marker, spaces, (x, y, z + 35), corners(piece)))
            elif all(math.dist(foot, (x, y)) > UNDER_MM for foot in feet):
                tokens.append(TokenSighting(piece.what, piece.marker, spaces, (x, y, z + 2), corners(piece)))
        return Reading(frame.exposed_at, "ok", False, tuple(minis), tuple(tokens), tuple(cards))


def covered(card: Piece, pieces: Iterable[Piece]) -> bool:
    """Does another card lie on a card's print?"""
    pose = card.pose
    return any(
        other.kind == "card"
        and other.pose.z > pose.z
        and math.dist((pose.x, pose.y), (other.pose.x, other.pose.y)) < UNDER_CARD_MM
        for other in pieces
    )


def corners(piece: Piece) -> tuple[tuple[float, float], ...]:
    """Where the print is in a picture taken from straight above, turned as it lies."""
    x, y, yaw = piece.pose.x * PX_PER_MM, -piece.pose.y * PX_PER_MM, -math.radians(piece.pose.yaw)
    across, along = 20.0 * math.cos(yaw), 20.0 * math.sin(yaw)
    return tuple(
        (x + right * across - down * along, y + right * along + down * across)
        for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
