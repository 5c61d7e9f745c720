"""The course of a game of Above: the turns it has certainly had, each written down before anything is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.messages import Text, say
from companion.referee.ledger import Ledger
from companion.referee.turn import Turn


class Course:
    """`position`: at the start of the open turn, None before the game has begun. `turns`: the newest last.

    Everything is written to the ledger first; what cannot be written has not happened.
    """

    def __init__(self, ledger: Ledger, position: Position | None, turns: Sequence[Turn] = ()) -> None:
        self.position = position
        self.turns = list(turns)
        self._ledger = ledger

    @property
    def is_over(self) -> bool:
        """Has somebody won?"""
        return self.position is not None and self.position.is_over

    @property
    def seat(self) -> int:
        """Whose turn it is; seat 0 before the game has begun."""
        return 0 if self.position is None else self.position.turn

    @property
    def last(self) -> Turn | None:
        """The last turn that was played by the rules, None if there was none or the house ruled since."""
        return self.turns[-1] if self.turns and self.turns[-1].actions else None

    def begin(self, names: Sequence[str], position: Position) -> None:
        """The game begins from this position."""
        self._ledger.begin(names, position)
        self.position = position

    def play(self, actions: tuple[Action, ...], after: Position) -> None:
        """A turn was completed."""
        before = self._reached()
        self._ledger.turn(actions)
        self.turns.append(Turn(before, actions, after))
        self.position = after

    def rule(self, text: str, rule: str, after: Position) -> None:
        """Play goes on from `after`, although of the table `text` was said."""
        before = self._reached()
        self._ledger.ruling(text, rule, after)
        self.turns.append(Turn(before, (), after, text, rule))
        self.position = after

    def take_back(self, turns: int) -> Text:
        """Takes the last turns back, so many, of which there must be as many; what is to be said of it."""
        self._ledger.take_back(turns)
        self.position = self.turns[-turns].before
        del self.turns[-turns:]
        return say("referee.taken_back", n=turns)

    def _reached(self) -> Position:
        if self.position is None:
            raise ValueError("nothing happens in a game before it has begun")
        return self.position
