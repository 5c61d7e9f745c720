"""Readings of the simulated table of OlymPeak as it truly lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from companion.games.olympeak.box import Table
from companion.sensing.frames import Frame
from companion.sensing.olympeak.reading import (
    ColumnCard,
    Corners,
    CubeSighting,
    OlympeakReading,
    RevealCard,
    TilesSighting,
)
from companion.sensing.olympeak.rows import row_slots
from companion.soak.readings.camera import BlankCamera
from companion.tables.olympeak.simulated import SimulatedOlympeak
from companion.virtual.faults import Fault
from companion.virtual.olympeak.columns import contender_at
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_ZONE, Floats, Thing
from companion.virtual.olympeak.truth import zone_at
from companion.virtual.piece import Pose


class TrueOlympeak(BlankCamera):
    """Camera and eyes in one: its readings are true; hands in the picture are motion."""

    def __init__(self, table: SimulatedOlympeak) -> None:
        super().__init__(lambda: table.people.now)
        self._table = table

    def process(self, frame: Frame) -> OlympeakReading:
        """What lies there now."""
        scene, people = self._table.scene, self._table.people
        with scene.lock:
            shot = scene.snapshot()
            if Fault.FRAME_BLACK in shot.faults:
                self.settled(False)
                return OlympeakReading(frame.exposed_at, frame="the picture is black")
            still = not shot.hands and Fault.HAND_LINGERS not in shot.faults
            if not self.settled(still):
                return OlympeakReading(frame.exposed_at, moving=True)
            seen = read(scene, people.players, frame.exposed_at, moving=False)
            seats = [int(each.what) for each in scene.things("player_card") if not each.held]
        return replace(seen, player_cards=tuple(sorted(seats)))


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


def read(scene: CardScene, players: int, at: float, *, moving: bool) -> OlympeakReading:
    """What lies on the simulated table, as perfect sight would read it."""
    table = scene.table
    prints = prints_of(scene, scene.things("card"))
    row = sorted((thing.pose.x, thing.what) for thing in scene.things("contender"))
    top = sum(thing.pose.y for thing in scene.things("contender")) / len(row)
    cards = [(thing, contender_at(scene, thing.pose.x) or "") for thing in scene.column_cards()]
    slots = row_slots([(contender, thing.pose.y) for thing, contender in cards], top)
    slot_of = {index: slot.row for slot in slots for index in slot.members}
    zones = []
    discard_top = None
    for thing in scene.things("card"):
        seat = zone_at(scene, thing.pose.x, thing.pose.y, players)
        where = (thing.pose.x, thing.pose.y, 0.0)
        if thing.layer == LAYER_ZONE and not thing.held and seat is not None:
            zones.append(RevealCard(seat, thing.what if thing.face_up else None, where, prints[thing.name]))
        elif thing.layer < 0 and thing.face_up and not thing.held:
            discard_top = thing.what
    cubes = [(cube.what, table.cube_place(cube.pose.y)) for cube in scene.things("cube") if not cube.held]
    marker = [disc.pose.y for disc in scene.things("round") if not disc.held]
    tiles: dict[int, dict[str, str]] = defaultdict(dict)
    for tile in scene.things("tile"):
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
