"""One game's entry in the journal: what a referee writes to. Its game is opened when play begins."""

from __future__ import annotations

from companion.referee.corrections import Correction
from companion.referee.journal import Journal


class Entry:
    """What every game's entry has. `game`: its number in the journal, None until it has begun."""

    def __init__(self, journal: Journal, game: int | None = None) -> None:
        self._journal = journal
        self.game = game

    def refusal(self, text: str, rule: str) -> None:
        """An illegal state was shown to the players."""
        self._append("refusal", {"text": text, "rule": rule})

    def correction(self, correction: Correction) -> None:
        """Somebody said that something is not what it was read as; both are kept."""
        self._append("correction", correction.as_data())

    def abandon(self) -> None:
        """The game is given up."""
        self._append("abandon", None)

    def _append(self, kind: str, data: object) -> None:
        if self.game is None:
            raise ValueError("a game is written to before it has begun")
        self._journal.append(self.game, kind, data)
