"""A completed turn of Above, as it is kept, taken back and told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.games.above.action import Action
from companion.games.above.position import Position


@dataclass(frozen=True, slots=True)
class Turn:
    """The position a turn began from, its actions, the position it led to.

    `ruling`: what was said of the table when the players went on from it although no turn leads there; then there are
    no actions. `rule`: what that cited ("A6").
    """

    before: Position
    actions: tuple[Action, ...]
    after: Position
    ruling: str = ""
    rule: str = ""

    def recovered(self, seat: int) -> bool:
        """Did this seat recover cards in it (A5)?"""
        had, has = Counter(self.before.powered(seat)), Counter(self.after.powered(seat))
        return bool(has - had)
