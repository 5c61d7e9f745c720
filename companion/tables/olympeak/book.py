"""The book of OlymPeak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.olympeak.box import Box
from companion.referee.journal import Journal
from companion.referee.journal_reader import OLYMPEAK
from companion.referee.olympeak.journal import OlympeakEntry, OlympeakGame, load, record
from companion.referee.olympeak.referee import OlympeakReferee
from companion.tables.book import GameBook


class OlympeakBook(GameBook[OlympeakGame, OlympeakEntry, OlympeakReferee]):
    """The journal as a table of OlymPeak uses it.

    `cards`: the box as its owner has it. `ranking`: how new games count equal places.
    """

    box = OLYMPEAK

    def __init__(self, journal: Journal, cards: Box | None = None, ranking: str = "dense") -> None:
        super().__init__(journal)
        self._cards = cards
        self._ranking = ranking

    def _load(self, number: int) -> OlympeakGame:
        return load(self._journal, number)

    def _entry(self, game: int | None = None) -> OlympeakEntry:
        return OlympeakEntry(self._journal, game)

    def _resumed(self, game: OlympeakGame, entry: OlympeakEntry) -> OlympeakReferee:
        setup = game.start.setup
        return OlympeakReferee(
            [player.name for player in setup.players],
            entry,
            ages=[player.age_order for player in setup.players],
            box=self._cards,
            ranking=setup.ranking,
            start=game.start,
            events=game.events,
            unwritten=game.unwritten,
            findings=game.findings,
            corrections=game.corrections,
        )

    def _begun(
        self, names: Sequence[str], ages: Sequence[int] | None, entry: OlympeakEntry
    ) -> OlympeakReferee:
        return OlympeakReferee(names, entry, ages=ages, box=self._cards, ranking=self._ranking)

    def _record(self, game: int) -> Iterator[str]:
        return record(self._journal, game)
