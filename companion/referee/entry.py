"""One game's entry in the journal: what a referee writes to. Its game is opened when play begins."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.referee.journal import Journal


class Entry:
    """What every game's entry has. `game`: its number in the journal, None until it has begun."""

    def __init__(self, journal: Journal, game: int | None = None) -> None:
        self._journal = journal
        self.game = game

    def refusal(self, text: str, rule: str) -> None:
        """An illegal state was shown to the players."""
        self._journal.refusal(self._begun(), text, rule)

    def _begun(self) -> int:
        if self.game is None:
            raise ValueError("a game is written to before it has begun")
        return self.game


class AboveEntry(Entry):
    """The ledger of a referee of Above."""

    def begin(self, names: Sequence[str], position: Position) -> None:
        """The set-up lies on the table: the game is opened."""
        self.game = self._journal.begin(names, position)

    def turn(self, actions: Sequence[Action]) -> None:
        """A turn was completed."""
        self._journal.turn(self._begun(), actions)

    def take_back(self) -> None:
        """The last turn was taken back."""
        self._journal.take_back(self._begun())
