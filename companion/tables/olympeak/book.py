"""The book of OlymPeak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.olympeak.box import Box
from companion.referee.journal import Journal
from companion.referee.olympeak.journal import OlympeakEntry, OlympeakGame, last_open, record
from companion.referee.olympeak.referee import OlympeakReferee
from companion.tables.book import GameBook


class OlympeakBook(GameBook[OlympeakGame, OlympeakEntry, OlympeakReferee]):
    """The journal as a table of OlymPeak uses it. `ranking`: how new games count equal places."""

    def __init__(self, journal: Journal, box: Box | None = None, ranking: str = "dense") -> None:
        super().__init__(journal)
        self._box = box
        self._ranking = ranking

    def _last_open(self) -> OlympeakGame | None:
        return last_open(self._journal)

    def _entry(self, game: int | None = None) -> OlympeakEntry:
        return OlympeakEntry(self._journal, game)

    def _resumed(self, game: OlympeakGame, entry: OlympeakEntry) -> OlympeakReferee:
        setup = game.start.setup
        return OlympeakReferee(
            [player.name for player in setup.players],
            entry,
            ages=[player.age_order for player in setup.players],
            box=self._box,
            ranking=setup.ranking,
            start=game.start,
            events=game.events,
            unwritten=game.unwritten,
            findings=game.findings,
        )

    def _begun(
        self, names: Sequence[str], ages: Sequence[int] | None, entry: OlympeakEntry
    ) -> OlympeakReferee:
        return OlympeakReferee(names, entry, ages=ages, box=self._box, ranking=self._ranking)

    def _record(self, game: int) -> Iterator[str]:
        return record(self._journal, game)
