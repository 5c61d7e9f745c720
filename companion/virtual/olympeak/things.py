"""The things of the simulated OlymPeak table: what they are, how they lie, where their markers are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.olympeak.box import Table
from companion.virtual.piece import Pose

Floats = NDArray[np.float64]

CARD_MM = 0.32
PLAYER_CARD_MM = 0.6
# Tiles, the scoreboard and the round marker's disc.
BOARD_MM = 2.0
PHONE_MM = (148.0, 72.0, 8.0)

# What lies on what: a higher layer is drawn over a lower one. Row n of a column is layer n.
LAYER_PHONE, LAYER_PILE, LAYER_ZONE, LAYER_CUBE, LAYER_FAN = -20, -10, 40, 60, 90


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing over the table. `name` is unique: `p014`, `contender red`, `tile 2 first`, `cube blue`.

    `kind`: `card`, `contender`, `player_card`, `tile`, `cube`, `round`, `stack` (a pile's cards below its
    top) or `phone`. `what`: the card's id or the contender. `print_id`: the marker on its face. `held`: in a
    moving hand. `count`: cards in a stack.
    """

    name: str
    kind: str
    what: str
    pose: Pose
    print_id: int | None = None
    layer: int = 0
    face_up: bool = True
    held: bool = False
    count: int = 1

    @property
    def marker(self) -> int | None:
        """The marker id that shows; None face down, and on what has none."""
        return self.print_id if self.face_up else None

    def marker_corners(self, table: Table) -> Floats:
        """World corners (4, 3) of the printed marker: top left, top right, bottom right, bottom left."""
        (x, y), side, height = marker_measures(self.kind, table)
        half = side / 2
        local = np.array(
            [
                [x - half, y + half, height],
                [x + half, y + half, height],
                [x + half, y - half, height],
                [x - half, y - half, height],
            ]
        )
        foot = np.array([self.pose.x, self.pose.y, self.pose.z])
        return np.asarray(foot + local @ self.pose.frame().T, dtype=np.float64)


def marker_measures(kind: str, table: Table) -> tuple[tuple[float, float], float, float]:
    """Centre of the marker from the thing's middle, its side, its height above the foot, all in mm."""
    if kind in ("card", "contender"):
        inset = table.card_marker_inset_mm
        wide, long = table.card_mm
        return (inset - wide / 2, long / 2 - inset), table.card_marker_mm, CARD_MM
    if kind == "player_card":
        return (0.0, 18.0), table.card_marker_mm, PLAYER_CARD_MM
    if kind == "tile":
        return (0.0, 0.0), table.tile_marker_mm, BOARD_MM
    if kind == "cube":
        return (0.0, 0.0), table.cube_marker_mm, table.cube_mm
    return (0.0, 0.0), table.round_marker_mm, BOARD_MM


def size_mm(kind: str, table: Table) -> tuple[float, float, float]:
    """Width (along its print), length and thickness of a thing in mm."""
    if kind == "player_card":
        return (*table.player_card_mm, PLAYER_CARD_MM)
    if kind == "tile":
        return (table.tile_mm, table.tile_mm, BOARD_MM)
    if kind == "cube":
        return (table.cube_mm, table.cube_mm, table.cube_mm)
    if kind == "round":
        return (table.round_marker_diameter_mm, table.round_marker_diameter_mm, BOARD_MM)
    if kind == "phone":
        return PHONE_MM
    return (*table.card_mm, CARD_MM)
