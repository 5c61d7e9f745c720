"""Leaned over: tokens that went out of sight just as a cap came to cover a part of their space.

Sight reads most prints beside a cap that touches them, not all. Whether such a token lies there still nothing tells, as
where a cap covers all of a space. One that goes while the caps around it stay has been taken off.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.board import SPACES, Board
from companion.games.above.box import TOKENS
from companion.games.above.position import Position
from companion.sensing.reading import Reading

_REACH = Board.of().reach
_INDEX = {name: number for number, name in enumerate(SPACES)}


class LeanedOver:
    """Follows the tokens of the game through the settled looks at it."""

    def __init__(self) -> None:
        # By the space of each token: the miniatures that may have covered a part of it when it was last read.
        self._covering: dict[str, frozenset[str]] = {}

    def reading(self, read: Reading, position: Position | None) -> Reading:
        """A settled reading in which what nothing tells of is hidden. `position`: the game's, None before it."""
        if read.blind or position is None:
            return read
        lying = {space for token in TOKENS for space in position.tokens_on(token)}
        self._covering = {space: minis for space, minis in self._covering.items() if space in lying}
        seen = {each.space for each in read.tokens}
        in_doubt = set()
        for space in lying:
            covering = _covering(space, read)
            if space in seen:
                self._covering[space] = covering
            elif covering != self._covering.get(space, covering) and space in read.partly_hidden:
                in_doubt.add(space)
        return replace(read, hidden=read.hidden | in_doubt) if in_doubt else read


def _covering(space: str, read: Reading) -> frozenset[str]:
    """The miniatures, with where they stand, that may cover a part of a space; none where all of it is in view."""
    if space not in read.partly_hidden:
        return frozenset()
    near = _REACH[_INDEX[space]]
    return frozenset(
        f"{mini.deity} {mini.space}"
        for mini in read.minis
        if mini.space is not None and near >> _INDEX[mini.space] & 1
    )
