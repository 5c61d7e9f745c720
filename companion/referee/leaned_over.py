"""Leaned over: tokens that went out of sight just as a cap came to cover a part of their space.

Sight reads most prints beside a cap that touches them, not all. Whether such a token lies there still nothing tells, as
where a cap covers all of a space. One that goes while the caps around it stay has been taken off.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.board import SPACES, Board
from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.sensing.reading import Reading

_REACH = Board.of().reach
_INDEX = {name: number for number, name in enumerate(SPACES)}


class LeanedOver:
    """Follows the tokens on the board through the settled looks at it, also those that have just been laid."""

    def __init__(self) -> None:
        # By token and space: the miniatures that may have covered a part of it when it was last read.
        self._covering: dict[tuple[str, str], frozenset[str]] = {}

    def reading(self, read: Reading, position: Position | None, switches: Switches | None = None) -> Reading:
        """A settled reading in which what nothing tells of is hidden. `position`: the game's, None before it."""
        if read.blind or position is None:
            return read
        seen = {(each.token, each.space) for each in read.tokens if each.space is not None}
        covered = read.partly_hidden | read.hidden
        self._covering = {lay: minis for lay, minis in self._covering.items() if lay[1] in covered}
        self._covering |= {(token, space): _covering(space, read) for token, space in seen}
        # Where another one is read, the one that lay there has made room for it. Where a switch can tell, it tells.
        read_on = {space for _, space in seen}
        in_doubt = {
            space
            for (token, space), covering in self._covering.items()
            if space not in read_on and position.token_at(space) == token
            if space in read.partly_hidden and covering != _covering(space, read)
            if switches is None or space in switches.ignored
        }
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
