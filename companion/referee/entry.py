"""One game's entry in the journal: what a referee writes to. Its game is opened when play begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.messages import Text, text_of
from companion.referee.corrections import Correction
from companion.referee.journal import Journal


def as_kept(text: str, rule: str) -> dict[str, Any]:
    """What was said, in English as every record has it, and so that it can be said in any language again."""
    data: dict[str, Any] = {"text": str(text), "rule": str(rule)}
    return {**data, "said": text.as_data()} if isinstance(text, Text) else data


def as_said(data: Mapping[str, Any]) -> str:
    """What was kept, in every language where it can be; games of earlier versions have it in English."""
    return text_of(data.get("said"), str(data["text"]))


class Entry:
    """What every game's entry has. `game`: its number in the journal, None until it has begun."""

    def __init__(self, journal: Journal, game: int | None = None) -> None:
        self._journal = journal
        self.game = game

    def refusal(self, text: str, rule: str) -> None:
        """An illegal state was shown to the players."""
        self._append("refusal", as_kept(text, rule))

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
