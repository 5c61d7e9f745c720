"""The pieces of the simulated table: what they are and how they lie."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import CARD_IDS, DEITIES, MINI_IDS, TOKEN_IDS, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a piece is: its foot (x, y, z) in mm, its `yaw`, its `tilt` towards `lean` (degrees)."""

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    tilt: float = 0.0
    lean: float = 0.0

    def frame(self) -> Floats:
        """Rotation matrix (3, 3): columns are the print's right and up and the axis."""
        yaw, tilt, lean = (math.radians(a) for a in (self.yaw, self.tilt, self.lean))
        turn = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
        # Leaning is a turn about the level axis at right angles to the direction it leans to.
        ax, ay = -math.sin(lean), math.cos(lean)
        c, s = math.cos(tilt), math.sin(tilt)
        tip = np.array(
            [
                [c + ax * ax * (1 - c), ax * ay * (1 - c), ay * s],
                [ax * ay * (1 - c), c + ay * ay * (1 - c), -ax * s],
                [-ay * s, ax * s, c],
            ]
        )
        return np.asarray(tip @ turn, dtype=np.float64)

    def at(self, offset: tuple[float, float, float]) -> Floats:
        """World point (3,) of a point given in the piece's own frame, from its foot."""
        point: Floats = np.array([self.x, self.y, self.z]) + self.frame() @ np.array(offset)
        return point


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing of the box. `name` is unique: `mini ze`, `token 18`, `card ze 1`.

    `kind`: `mini`, `token` or `card`; `what`: the deity or the token type. Cards have a `set` and show their
    Powered side or not. `held`: in somebody's hand.
    """

    name: str
    kind: str
    what: str
    pose: Pose
    number: int = 0
    powered: bool = True
    held: bool = False

    @property
    def marker(self) -> int:
        """The marker id that shows."""
        if self.kind == "mini":
            return MINI_IDS[self.what]
        if self.kind == "token":
            return self.number
        return CARD_IDS[(self.what, self.number, self.powered)]

    @property
    def magnetic(self) -> bool:
        """Whether a magnet is built in: miniatures and tokens."""
        return self.kind != "card"

    def marker_corners(self, table: Table) -> Floats:
        """World corners (4, 3) of the marker: printed top left, top right, bottom right, bottom left."""
        side, height = marker_measures(self.kind, table)
        half = side / 2
        frame = self.pose.frame()
        foot = np.array([self.pose.x, self.pose.y, self.pose.z])
        local = np.array(
            [[-half, half, height], [half, half, height], [half, -half, height], [-half, -half, height]]
        )
        return np.asarray(foot + local @ frame.T, dtype=np.float64)

    def footprint(self, table: Table) -> float:
        """Radius in mm of the room the piece needs on the table."""
        if self.kind == "mini":
            return table.mini_base_mm / 2
        if self.kind == "token":
            return table.token_diameter_mm / 2
        return math.hypot(table.card_width_mm, table.card_length_mm) / 2


def marker_measures(kind: str, table: Table) -> tuple[float, float]:
    """Side of the marker and its height above the piece's foot, both in mm."""
    if kind == "mini":
        return table.mini_marker_mm, table.mini_height_mm
    if kind == "token":
        return table.token_marker_mm, table.token_height_mm
    return table.card_marker_mm, CARD_THICKNESS_MM


CARD_THICKNESS_MM = 0.35


def box_of_pieces() -> dict[str, Piece]:
    """Every piece of the box, all lying at the origin: 8 miniatures, 24 tokens, 16 cards."""
    nowhere = Pose(0.0, 0.0)
    pieces = [Piece(f"mini {d}", "mini", d, nowhere) for d in DEITIES]
    pieces += [
        Piece(f"token {n}", "token", token, nowhere, n) for token, ids in TOKEN_IDS.items() for n in ids
    ]
    pieces += [Piece(f"card {d} {n}", "card", d, nowhere, n) for n in (1, 2) for d in DEITIES]
    return {piece.name: piece for piece in pieces}
