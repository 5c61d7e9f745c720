"""Scope: what a turn can bring about at all, told by its card alone, so that others need not be searched."""

from __future__ import annotations

from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.referee.hypothesis import Item
from companion.referee.trajectory import state_of

_HERA, _ARES, _ATHENA, _POSEIDON, _APHRODITE = (
    DEITIES.index(code) for code in ("he", "ar", "at", "po", "ap")
)
_BARRIER = TOKENS.index("barrier")
_ARES_LAYS = 2
# The token that a deity's power places.
_PLACES = {
    DEITIES.index("ze"): TOKENS.index("thunder"),
    _ARES: _BARRIER,
    DEITIES.index("ha"): TOKENS.index("gate"),
    DEITIES.index("de"): TOKENS.index("fertility"),
}
# A hand of no more cards than these may be used up within one turn, and then be recovered (A5).
_NEARLY_EMPTY = 3


def can_explain(position: Position, deity: int, item: Item) -> bool:
    """May a turn in which `deity` is activated change this item? Generous: True where it is not quite clear."""
    kind, one, two = item
    if kind == "mini":
        return one == deity or deity in (_POSEIDON, _APHRODITE)
    if kind == "token":
        if not state_of(position, item):
            return _PLACES.get(deity) == one
        if one != _BARRIER or deity == _POSEIDON:
            return True
        # With one left in the Reserve it is laid, and for the second one of the board is moved (A12).
        return deity == _ARES and position.reserve(TOKENS[one]) < _ARES_LAYS
    if kind == "card":
        return _may_change_card(position, deity, one, two)
    return True


def _may_change_card(position: Position, deity: int, seat: int, card: int) -> bool:
    turn = position.turn
    nearly_empty = len(position.powered(seat)) <= _NEARLY_EMPTY
    if seat == turn:
        return card == deity or deity == _ATHENA or nearly_empty
    if (seat - turn) % 2:
        return deity == _HERA
    return deity == _ATHENA  # the teammate's
