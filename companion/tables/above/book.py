"""The book of Above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.referee.entry import AboveEntry
from companion.referee.journal import Game
from companion.referee.referee import Referee
from companion.tables.book import GameBook


class AboveBook(GameBook[Game, AboveEntry, Referee]):
    """The journal as a table of Above uses it. The players' ages decide nothing in this game."""

    def _last_open(self) -> Game | None:
        return self._journal.last_open()

    def _entry(self, game: int | None = None) -> AboveEntry:
        return AboveEntry(self._journal, game)

    def _resumed(self, game: Game, entry: AboveEntry) -> Referee:
        turns = [(turn.before, turn.actions) for turn in game.turns]
        return Referee(game.players, entry, game.position, turns)

    def _begun(self, names: Sequence[str], ages: Sequence[int] | None, entry: AboveEntry) -> Referee:
        return Referee(names, entry)

    def _record(self, game: int) -> Iterator[str]:
        return self._journal.record(game)
