"""What the referee of Above writes down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.referee.corrections import Correction


class Ledger(Protocol):
    """Where a game is written down before anything about it is announced.

    `take_back`: the last turns, so many. `ruling`: the players go on from a position that no turn leads to.
    """

    def begin(self, names: Sequence[str], position: Position) -> None: ...

    def turn(self, actions: Sequence[Action]) -> None: ...

    def take_back(self, turns: int = 1) -> None: ...

    def refusal(self, text: str, rule: str) -> None: ...

    def ruling(self, text: str, rule: str, position: Position) -> None: ...

    def correction(self, correction: Correction) -> None: ...
