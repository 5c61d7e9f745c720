"""What lies on the OlymPeak table as the rules would put it, read from the scene, never from a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.olympeak.position import GameState
from companion.virtual.olympeak.columns import contender_at
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_ZONE

# (card, contender, row) of a card in a column.
Laid = tuple[str, str, int]


@dataclass(frozen=True)
class Lie:
    """Where cards lie open: the columns; before each seat the card, None face down, no entry for nothing."""

    columns: frozenset[Laid]
    zones: Mapping[int, str | None]


def lie_of(state: GameState) -> Lie:
    """How the table lies in a game state."""
    columns = frozenset((each.card, each.contender, each.row) for each in state.placed)
    return Lie(columns, {seat: state.revealed[seat] for seat in state.waiting})


def lie_on(scene: CardScene, players: int) -> Lie:
    """How the simulated table really lies; a card in a hand is nowhere."""
    columns: set[Laid] = set()
    zones: dict[int, str | None] = {}
    with scene.lock:
        for thing in scene.column_cards():
            contender = contender_at(scene, thing.pose.x)
            if contender is not None:
                columns.add((thing.what, contender, thing.layer))
        for thing in scene.things("card"):
            if thing.layer == LAYER_ZONE and not thing.held:
                seat = zone_at(scene, thing.pose.x, thing.pose.y, players)
                if seat is not None:
                    zones[seat] = thing.what if thing.face_up else None
    return Lie(frozenset(columns), zones)


def places_of(start: Lie, table: Lie) -> frozenset[str]:
    """The columns and reveal zones in which something lies otherwise, as the referee's acts name them."""
    columns = {f"column {contender}" for _, contender, _ in start.columns ^ table.columns}
    return frozenset(columns | {f"reveal {seat}" for seat in _other_zones(start, table)})


def names_of(start: Lie, table: Lie) -> frozenset[str]:
    """The cards that lie otherwise."""
    cards = {card for card, _, _ in start.columns ^ table.columns}
    shown = (lie.zones.get(seat) for seat in _other_zones(start, table) for lie in (start, table))
    return frozenset(cards | {card for card in shown if card is not None})


def _other_zones(start: Lie, table: Lie) -> set[int]:
    seats = start.zones.keys() | table.zones.keys()
    # No entry is nothing there, None is a card face down.
    return {seat for seat in seats if start.zones.get(seat, "") != table.zones.get(seat, "")}


def zone_at(scene: CardScene, x: float, y: float, players: int) -> int | None:
    """The seat in whose reveal zone (x, y) lies."""
    for seat, centre in enumerate(scene.table.reveal_centres_mm[:players]):
        if math.dist(centre, (x, y)) < 30:
            return seat
    return None


def cube_places(scene: CardScene) -> dict[str, int]:
    """The place on which each cube stands."""
    return {cube.what: round(scene.table.cube_place(cube.pose.y)) for cube in scene.things("cube")}
