"""Brought to light: tokens that lay in plain view in this turn, where a cap hides them now.

A cap may come to stand before a token that was laid a moment ago, or be lifted only to show one. What was seen there
counts until its space is seen without it, or its print elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.sensing.reading import Reading, TokenSighting

# A print may be misread once, hardly so often as the same.
LOOKS = 3


@dataclass(slots=True)
class _Shown:
    sighting: TokenSighting
    looks: int = 1
    elsewhere: int = 0


class BroughtToLight:
    """Follows the tokens that have come to lie in the open turn through the settled looks at it."""

    def __init__(self) -> None:
        self._shown: dict[str, _Shown] = {}

    def forget(self) -> None:
        """Another turn has begun: what lies there is known."""
        self._shown.clear()

    def reading(self, read: Reading, position: Position | None, switches: Switches | None = None) -> Reading:
        """A settled reading with what it does not show any more. `position`: as the turn began, None before the game."""
        if read.blind or position is None:
            return read
        covered = read.hidden | read.partly_hidden
        elsewhere = {each.marker for each in read.tokens if each.by_marker}
        in_view = {each.space: each for each in read.tokens if each.by_marker and each.space is not None}
        for space, shown in list(self._shown.items()):
            shown.elsewhere = (
                shown.elsewhere + 1 if space not in in_view and shown.sighting.marker in elsewhere else 0
            )
            if (space not in in_view and space not in covered) or shown.elsewhere >= LOOKS:
                del self._shown[space]
        for space, seen in in_view.items():
            known = self._shown.get(space)
            if position.token_at(space) == seen.token:
                self._shown.pop(space, None)
            elif known is not None and known.sighting.token == seen.token:
                known.looks += 1
            else:
                self._shown[space] = _Shown(seen)
        taken = {mini.space for mini in read.minis} | set(in_view) | read.under_hand
        if switches is not None:
            # Where a switch can tell, it tells.
            taken |= set(self._shown) - switches.ignored
        kept = tuple(
            shown.sighting
            for space, shown in self._shown.items()
            if space not in taken and shown.looks >= LOOKS and not shown.elsewhere
        )
        return replace(read, tokens=read.tokens + kept) if kept else read
