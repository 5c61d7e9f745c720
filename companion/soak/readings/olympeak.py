"""Readings of the simulated table of OlymPeak as it truly lies, as far as its camera can see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from companion.games.olympeak.box import Table
from companion.sensing.frames import Frame
from companion.sensing.geometry import CameraPose
from companion.sensing.known import touched
from companion.sensing.markers import Marker
from companion.sensing.masks import Mask
from companion.sensing.olympeak.hidden import (
    Box2D,
    hidden_parts,
    is_reached,
    parts_of,
    parts_under,
    with_missing,
)
from companion.sensing.olympeak.layout import Column
from companion.sensing.olympeak.reading import (
    ColumnCard,
    Corners,
    CubeSighting,
    OlympeakReading,
    RevealCard,
    TilesSighting,
)
from companion.sensing.olympeak.rows import row_slots
from companion.soak.readings.arms import Arms
from companion.soak.readings.camera import BlankCamera
from companion.soak.readings.view import pose_of
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.faults import Fault
from companion.virtual.olympeak.columns import contender_at
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_ZONE, Floats, Thing
from companion.virtual.olympeak.truth import zone_at
from companion.virtual.optics import Optics
from companion.virtual.piece import Pose
from companion.virtual.snapshot import HandPose


class TrueOlympeak(BlankCamera):
    """Camera and eyes in one: its readings are true, and tell no more than pictures would."""

    def __init__(self, table: SimulatedOlympeak) -> None:
        super().__init__(lambda: table.people.now)
        self._table = table
        self._arms = Arms()
        # Through this glass, the camera as sight knows one.
        self._glass: tuple[Optics, CameraPose] | None = None
        # The parts of the table as they lay when it was last read.
        self._parts: dict[str, Box2D] = {}
        # What was last read of what, as long as it lies so.
        self._shown: (
            tuple[tuple[CameraPose, tuple[Thing, ...], frozenset[HandPose]], OlympeakReading] | None
        ) = None

    def process(self, frame: Frame) -> OlympeakReading:
        """What can be seen there now."""
        scene, arms = self._table.scene, self._arms
        with scene.lock:
            shot = scene.snapshot()
            if Fault.FRAME_BLACK in shot.faults:
                self._arms = Arms()
                return OlympeakReading(frame.exposed_at, frame="the picture is black")
            arms.see(shot.hands, shot.faults)
            if arms.is_first or any(self._is_over_part(hand) for hand in arms.restless):
                return OlympeakReading(frame.exposed_at, moving=True)
            reach = arms.cover(arms.restless, shot.optics)
            if reach.any() and self._is_reached(reach, shot.optics):
                return OlympeakReading(frame.exposed_at, moving=True)
            shows = (self._pose(shot.optics), tuple(shot.things.values()), arms.all)
            if self._shown is None or self._shown[0] != shows:
                self._shown = shows, self._read(shot.optics)
        beside = arms.moving and bool(reach.any())
        return replace(self._shown[1], exposed_at=frame.exposed_at, hands_beside=beside)

    def _read(self, optics: Optics) -> OlympeakReading:
        scene, arms = self._table.scene, self._arms
        hand = arms.cover(arms.all, optics) if arms.all else None
        seen = read(scene, self._table.people.players, 0.0, moving=False, hand=hand)
        seats = (int(one.what) for one in in_view(scene, scene.things("player_card"), hand) if not one.held)
        columns = columns_of(scene, seen)
        self._parts = parts_of(seen, columns, scene.table)
        hidden = hidden_parts(self._parts, self._pose(optics), hand)
        if hand is not None:
            hidden |= parts_under(read(scene, self._table.people.players, 0.0, moving=False), seen)
        # A back is seen by its outline alone: under a hand it is not seen.
        reveal = (one for one in seen.reveal if one.card or f"reveal {one.seat}" not in hidden)
        return replace(
            seen,
            reveal=tuple(reveal),
            player_cards=tuple(sorted(seats)),
            hidden=with_missing(hidden, seen, columns),
        )

    def _is_over_part(self, hand: HandPose) -> bool:
        """Are a hand's finger tips over a part of the table, whatever else it reaches over?"""
        x, y, _ = hand.tip
        return any(left <= x <= right and low <= y <= high for left, low, right, high in self._parts.values())

    def _is_reached(self, hand: Mask, optics: Optics) -> bool:
        return not self._parts or is_reached(self._parts.values(), self._pose(optics), hand)

    def _pose(self, optics: Optics) -> CameraPose:
        if self._glass is None or self._glass[0] is not optics:
            self._glass = optics, pose_of(optics)
        return self._glass[1]


def in_view(scene: CardScene, things: Sequence[Thing], hand: Mask | None) -> list[Thing]:
    """Those of some things into whose print no hand (a small mask) reaches."""
    if hand is None:
        return list(things)
    prints = prints_of(scene, things)
    return [one for one in things if not touched(Marker(0, np.array(prints[one.name], np.float32)), hand)]


def columns_of(scene: CardScene, seen: OlympeakReading) -> list[Column]:
    """The columns from left to right, and whether their contenders' cards were read."""
    row = sorted(scene.things("contender"), key=lambda thing: thing.pose.x)
    return [Column(one.what, one.pose.x, one.pose.y, one.what in seen.contenders) for one in row]


def prints_of(scene: CardScene, things: Sequence[Thing]) -> dict[str, Corners]:
    """By each thing's name, where its print's corners are in the picture."""
    if not things:
        return {}
    corners = np.concatenate([_corners(thing.kind, thing.pose, scene.table) for thing in things])
    seen = scene.optics.project(corners).reshape(-1, 4, 2).tolist()
    return {thing.name: tuple((u, v) for u, v in quad) for thing, quad in zip(things, seen, strict=True)}


@lru_cache(maxsize=4096)
def _corners(kind: str, pose: Pose, table: Table) -> Floats:
    """Most things lie still: their corners are worked out once."""
    return Thing("", kind, "", pose).marker_corners(table)


def read(
    scene: CardScene, players: int, at: float, *, moving: bool, hand: Mask | None = None
) -> OlympeakReading:
    """What lies on the simulated table beside a hand (a small mask), as perfect sight would read it."""
    table = scene.table

    def things(kind: str) -> list[Thing]:
        return in_view(scene, scene.things(kind), hand)

    prints = prints_of(scene, scene.things("card"))
    row = sorted((thing.pose.x, thing.what) for thing in things("contender"))
    top = float(np.mean([thing.pose.y for thing in scene.things("contender")]))
    cards = [
        (thing, contender_at(scene, thing.pose.x) or "")
        for thing in in_view(scene, scene.column_cards(), hand)
    ]
    slots = row_slots([(contender, thing.pose.y) for thing, contender in cards], top)
    slot_of = {index: slot.row for slot in slots for index in slot.members}
    zones = []
    discard_top = None
    for thing in things("card"):
        seat = zone_at(scene, thing.pose.x, thing.pose.y, players)
        where = (thing.pose.x, thing.pose.y, 0.0)
        if thing.layer == LAYER_ZONE and not thing.held and seat is not None:
            zones.append(RevealCard(seat, thing.what if thing.face_up else None, where, prints[thing.name]))
        elif thing.layer < 0 and thing.face_up and not thing.held:
            discard_top = thing.what
    cubes = [(cube.what, table.cube_place(cube.pose.y)) for cube in things("cube") if not cube.held]
    marker = [disc.pose.y for disc in things("round") if not disc.held]
    tiles: dict[int, dict[str, str]] = defaultdict(dict)
    for tile in things("tile"):
        if tile.face_up and not tile.held:
            _, seat_text, side = tile.name.split()
            tiles[int(seat_text)][side] = tile.what
    return OlympeakReading(
        at,
        moving=moving,
        contenders=tuple(what for _, what in row),
        columns=tuple(
            ColumnCard(
                contender,
                slot_of[index],
                thing.what,
                0.99,
                (thing.pose.x, thing.pose.y, 0.0),
                prints[thing.name],
            )
            for index, (thing, contender) in enumerate(cards)
            if contender
        ),
        reveal=tuple(zones),
        discard_top=discard_top,
        cubes=tuple(CubeSighting(c, round(p), p - round(p), (0.0, 0.0, 0.0)) for c, p in cubes),
        round_marker=min((1, 2, 3), key=lambda n: abs(table.round_centre(n)[1] - marker[0]))
        if marker
        else None,
        tiles=tuple(
            TilesSighting(seat, pair.get("first"), pair.get("second")) for seat, pair in tiles.items()
        ),
    )
