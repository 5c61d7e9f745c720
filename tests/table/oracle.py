"""Eyes that read the simulated table itself instead of its picture: for tests of everything after sight."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np

from companion.sensing.frames import Frame, FrameSource
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.simulation import Simulation
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.kit import Eyes, Kit
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.faults import Fault
from companion.virtual.piece import Piece
from companion.virtual.scene import FALLEN_DEG
from tests.referee.olympeak.table import read as read_cards

TableT = TypeVar("TableT", SimulatedAbove, SimulatedOlympeak)

QUIET_FRAMES = 2
PX_PER_MM = 3.0
# A token so near to a miniature's foot cannot be seen for it.
UNDER_MM = 10.0
UNDER_CARD_MM = 20.0


class TrueCamera(Generic[TableT]):
    """Camera of a table that is read itself: its frames are blank."""

    simulated = True
    notice = ""
    name = "oracle"

    def __init__(self, table: TableT) -> None:
        self._table: TableT = table
        self._number = 0
        self._quiet = 0

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def read(self, timeout_s: float) -> Frame:
        self._number += 1
        return Frame(np.zeros((9, 16, 3), np.uint8), self._table.people.now, self._number)


class Oracle(TrueCamera[SimulatedAbove]):
    """Camera and eyes in one: its readings are true; hands in the picture are motion."""

    def process(self, frame: Frame) -> Reading:
        scene = self._table.scene
        snapshot = scene.snapshot()
        if Fault.FRAME_BLACK in snapshot.faults:
            self._quiet = 0
            return Reading(frame.exposed_at, frame="the picture is black")
        still = not snapshot.hands and Fault.HAND_LINGERS not in snapshot.faults
        self._quiet = self._quiet + 1 if still else 0
        if self._quiet < QUIET_FRAMES:
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


class CardOracle(TrueCamera[SimulatedOlympeak]):
    """The same at a table of OlymPeak."""

    def process(self, frame: Frame) -> OlympeakReading:
        scene, people = self._table.scene, self._table.people
        with scene.lock:
            shot = scene.snapshot()
            if Fault.FRAME_BLACK in shot.faults:
                self._quiet = 0
                return OlympeakReading(frame.exposed_at, frame="the picture is black")
            still = not shot.hands and Fault.HAND_LINGERS not in shot.faults
            self._quiet = self._quiet + 1 if still else 0
            if self._quiet < QUIET_FRAMES:
                return OlympeakReading(frame.exposed_at, moving=True)
            seen = read_cards(scene, people.players, frame.exposed_at, moving=False)
            seats = [int(each.what) for each in scene.things("player_card") if not each.held]
        return replace(seen, player_cards=tuple(sorted(seats)))


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


def watch_by_oracle(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
    """For `soak_game` and `running`."""
    if isinstance(simulation.table, SimulatedOlympeak):
        cards = CardOracle(simulation.table)
        return cards, cards
    assert isinstance(simulation.table, SimulatedAbove)
    oracle = Oracle(simulation.table)
    return oracle, oracle
