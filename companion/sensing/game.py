"""Which game lies on the table, told by the prints in view."""

from __future__ import annotations

from collections.abc import Iterable
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
from companion.messages import say
from companion.sensing.markers import QUICK, Gray, detect
from companion.sensing.reading import Finding

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


_OTHER: dict[Game, tuple[Game, frozenset[int]]] = {
    "above": ("olympeak", _OLYMPEAK),
    "olympeak": ("above", _ABOVE),
}
TITLES: dict[Game, str] = {"above": "Above", "olympeak": "OlymPeak"}
# A piece or two of the other box lie about; so many are a game.
A_GAME = 4


def another_game(played: Game, seen: Iterable[int], known: Iterable[int]) -> tuple[Finding, ...]:
    """A finding where prints `seen` are the other game's: A_GAME at least, and more than are `known` of this one."""
    other, pieces = _OTHER[played]
    theirs = pieces.intersection(seen)
    if len(theirs) < A_GAME or len(theirs) <= len(_OTHER[other][1].intersection(known)):
        return ()
    titles = {"lies": TITLES[other], "played": TITLES[played]}
    return (
        Finding("another-game", say("table.other_game", **titles), say("table.other_game_todo", **titles)),
    )


def game_on_table(gray: Gray) -> Game:
    """The game of which more pieces are in view; an empty table is taken for Above's."""
    seen = {marker.id for marker in detect(gray, QUICK)}
    return "olympeak" if len(seen & _OLYMPEAK) > len(seen & _ABOVE) else "above"
