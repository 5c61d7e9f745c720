"""Sessions of OlymPeak: opens, resumes and abandons games, each with a referee that writes to the journal."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.box import Box
from companion.games.olympeak.simulation import NAMES
from companion.referee.journal import Journal
from companion.referee.olympeak.journal import OlympeakEntry, last_open, record
from companion.referee.olympeak.referee import OlympeakReferee


class OlympeakBook:
    """The journal as a table of OlymPeak uses it: at most one of its games is open at a time."""

    def __init__(self, journal: Journal, box: Box | None = None, ranking: str = "dense") -> None:
        self._journal = journal
        self._box = box
        self._ranking = ranking
        self._current: OlympeakEntry | None = None

    def resume(self) -> OlympeakReferee | None:
        """The referee of the last game if it can go on, None if there is none."""
        game = last_open(self._journal)
        if game is None:
            return None
        self._current = OlympeakEntry(self._journal, game.id)
        setup = game.start.setup
        referee = OlympeakReferee(
            [player.name for player in setup.players],
            self._current,
            ages=[player.age_order for player in setup.players],
            box=self._box,
            ranking=setup.ranking,
            start=game.start,
            events=game.events,
            unwritten=game.unwritten,
        )
        referee.findings += game.findings
        return referee

    def referee(
        self, players: int, names: Sequence[str] = (), ages: Sequence[int] | None = None
    ) -> OlympeakReferee:
        """The referee of a new game; one that was open is given up. It is written once it begins.

        `ages`: by seat, 0 for the youngest; left out, seat by seat from the youngest.
        """
        open_game = last_open(self._journal)
        if open_game is not None:
            self._journal.abandon(open_game.id)
        self._current = OlympeakEntry(self._journal)
        seated = (*names, *NAMES[len(names) :])[:players]
        return OlympeakReferee(seated, self._current, ages=ages, box=self._box, ranking=self._ranking)

    def record(self) -> str | None:
        """The current game's record as text, None before it has begun."""
        if self._current is None or self._current.game is None:
            return None
        return "".join(f"{line}\n" for line in record(self._journal, self._current.game))

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()
