"""Sessions: opens, resumes and abandons games, each with a referee that writes to the journal."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.referee.journal import Journal
from companion.referee.referee import Referee

DEFAULT_NAMES = ("Ada", "Ben", "Chloe", "Dan")


class GameBook:
    """The journal as the table uses it: at most one game is open at a time."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._current: _Entry | None = None

    def resume(self) -> Referee | None:
        """The referee of the last game if it can go on, None if there is none."""
        game = self._journal.last_open()
        if game is None:
            return None
        self._current = _Entry(self._journal, game.id)
        turns = [(turn.before, turn.actions) for turn in game.turns]
        return Referee(game.players, self._current, game.position, turns)

    def referee(self, players: int, names: Sequence[str] = (), ages: Sequence[int] | None = None) -> Referee:
        """The referee of a new game; a game that was open is given up. It is written once it begins.

        `ages` decides nothing in Above.
        """
        open_game = self._journal.last_open()
        if open_game is not None:
            self._journal.abandon(open_game.id)
        self._current = _Entry(self._journal)
        return Referee((*names, *DEFAULT_NAMES[len(names) :])[:players], self._current)

    def record(self) -> str | None:
        """The current game's record as text, None before it has begun."""
        if self._current is None or self._current.game is None:
            return None
        return "".join(f"{line}\n" for line in self._journal.record(self._current.game))

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()


class _Entry:
    """The referee's ledger for one game in the journal."""

    def __init__(self, journal: Journal, game: int | None = None) -> None:
        self._journal = journal
        self.game = game

    def begin(self, names: Sequence[str], position: Position) -> None:
        self.game = self._journal.begin(names, position)

    def turn(self, actions: Sequence[Action]) -> None:
        self._journal.turn(self._begun(), actions)

    def take_back(self) -> None:
        self._journal.take_back(self._begun())

    def refusal(self, text: str, rule: str) -> None:
        self._journal.refusal(self._begun(), text, rule)

    def _begun(self) -> int:
        if self.game is None:
            raise ValueError("a game is written to before it has begun")
        return self.game
