"""The book of Above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.referee.game import AboveEntry, Game, load, record
from companion.referee.journal import Journal
from companion.referee.journal_reader import ABOVE
from companion.referee.referee import Referee
from companion.tables.book import GameBook


class AboveBook(GameBook[Game, AboveEntry, Referee]):
    """The journal as a table of Above uses it. The players' ages decide nothing in this game.

    `cards`: what is printed on the owner's cards for the set-up.
    """

    box = ABOVE

    def __init__(self, journal: Journal, cards: tuple[SetupCard, ...] = SETUP_CARDS) -> None:
        super().__init__(journal)
        self._cards = cards

    def _load(self, number: int) -> Game:
        return load(self._journal, number)

    def _entry(self, game: int | None = None) -> AboveEntry:
        return AboveEntry(self._journal, game)

    def _resumed(self, game: Game, entry: AboveEntry) -> Referee:
        return Referee(
            game.players,
            entry,
            game.position,
            game.turns,
            corrections=game.corrections,
            cards=self._cards,
        )

    def _begun(self, names: Sequence[str], ages: Sequence[int] | None, entry: AboveEntry) -> Referee:
        return Referee(names, entry, cards=self._cards)

    def _record(self, game: int) -> Iterator[str]:
        return record(self._journal, game)
