"""Which game lies on the table, told by the prints in view."""

from __future__ import annotations

from typing import Literal

from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, TOKEN_BY_ID
from companion.games.olympeak.box import (
    CARD_IDS,
    CONTENDER_BY_ID,
    CUBE_BY_ID,
    PLAYER_CARD_IDS,
    ROUND_MARKER_ID,
    SCOREBOARD_IDS,
    TILE_BY_ID,
)
from companion.sensing.markers import QUICK, Gray, detect

Game = Literal["above", "olympeak"]

_ABOVE = frozenset((*MINI_BY_ID, *TOKEN_BY_ID, *CARD_BY_ID))
_OLYMPEAK = frozenset(
    (
        *CONTENDER_BY_ID,
        *PLAYER_CARD_IDS,
        *TILE_BY_ID,
        *CUBE_BY_ID,
        ROUND_MARKER_ID,
        *SCOREBOARD_IDS,
        *CARD_IDS.values(),
    )
)


def game_on_table(gray: Gray) -> Game:
    """The game of which more pieces are in view; an empty table is taken for Above's."""
    seen = {marker.id for marker in detect(gray, QUICK)}
    return "olympeak" if len(seen & _OLYMPEAK) > len(seen & _ABOVE) else "above"
