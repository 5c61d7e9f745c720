"""Prints placed by hand, for tests of what they mean."""

from __future__ import annotations

import math

import numpy as np

from companion.games.olympeak.box import CARD_IDS, CONTENDER_IDS, Table
from companion.games.olympeak.deck_file import default_box
from companion.sensing.markers import Marker
from companion.sensing.olympeak.prints import Placed, Prints

TABLE = Table()
BOX = default_box()
PRINTS = Prints(TABLE, BOX)


def print_at(marker: int, x: float, y: float, yaw: float = 0.0, height: float | None = None) -> Placed:
    """A print with its own middle at (x, y)."""
    kind = PRINTS.by_id[marker]
    at = np.array([x, y])
    corners = np.full((4, 2), float(marker), dtype=np.float32)
    return Placed(Marker(marker, corners), kind, at, yaw, kind.z_mm if height is None else height)


def card_at(card: str, x: float, y: float, yaw: float = 0.0, height: float | None = None) -> Placed:
    """A card, or a contender's, with its middle at (x, y)."""
    right, up = PRINTS.card_middle
    turn = math.radians(yaw)
    dx = right * math.cos(turn) - up * math.sin(turn)
    dy = right * math.sin(turn) + up * math.cos(turn)
    marker = CONTENDER_IDS[card] if card in CONTENDER_IDS else CARD_IDS[card]
    return print_at(marker, x - dx, y - dy, yaw, height)


def row_of(*contenders: str) -> list[Placed]:
    """A contender row."""
    return [
        card_at(contender, TABLE.column_x(place, len(contenders)), TABLE.contenders_y_mm)
        for place, contender in enumerate(contenders)
    ]
