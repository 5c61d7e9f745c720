"""The book of a game: opens, resumes and abandons its sessions, each with a referee that writes to the journal."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from companion.errors import CompanionError
from companion.referee.entry import Entry
from companion.referee.journal import Journal, JournalError

# What reading a damaged file ends in: the database's word, or the rules' and the parsers'.
_DAMAGE = (sqlite3.Error, CompanionError, ValueError, TypeError, LookupError, AttributeError, RecursionError)

# Who sits where, as long as nobody has said otherwise.
SEAT_NAMES = ("Ada", "Ben", "Chloe", "Dan", "Eve", "Finn")


class Kept(Protocol):
    """A game as the journal holds it."""

    @property
    def id(self) -> int: ...


KeptT = TypeVar("KeptT", bound=Kept)
EntryT = TypeVar("EntryT", bound=Entry)
RefereeT = TypeVar("RefereeT")


class GameBook(ABC, Generic[KeptT, EntryT, RefereeT]):
    """The journal as a table uses it: at most one game of its kind is open at a time."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._current: EntryT | None = None

    def resume(self) -> RefereeT | None:
        """The referee of the last game if it can go on, None if there is none."""
        game = self._open_game()
        if game is None:
            return None
        self._current = self._entry(game.id)
        return self._resumed(game, self._current)

    def referee(self, players: int, names: Sequence[str] = (), ages: Sequence[int] | None = None) -> RefereeT:
        """The referee of a new game; one that was open is given up. It is written once it begins.

        `names`: by seat, missing ones are made up. `ages`: by seat, 0 for the youngest; left out, seat by seat
        from the youngest.
        """
        open_game = self._open_game()
        if open_game is not None:
            self._journal.abandon(open_game.id)
        self._current = self._entry()
        return self._begun((*names, *SEAT_NAMES[len(names) :])[:players], ages, self._current)

    def _open_game(self) -> KeptT | None:
        try:
            return self._last_open()
        except JournalError:
            raise
        except _DAMAGE as error:
            reason = str(error).removesuffix(".") or type(error).__name__
            raise JournalError(
                f"The journal {self._journal.path} is damaged, its last game cannot be read ({reason}). Move the "
                "file aside, or name another with --journal: a new game is begun then."
            ) from error

    def record(self) -> str | None:
        """The current game's record as text, None before it has begun."""
        if self._current is None or self._current.game is None:
            return None
        return "".join(f"{line}\n" for line in self._record(self._current.game))

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()

    @abstractmethod
    def _last_open(self) -> KeptT | None:
        """The newest game if it can go on."""

    @abstractmethod
    def _entry(self, game: int | None = None) -> EntryT:
        """Where a game is written: a new one, or the one of that number."""

    @abstractmethod
    def _resumed(self, game: KeptT, entry: EntryT) -> RefereeT:
        """The referee of a game that goes on."""

    @abstractmethod
    def _begun(self, names: Sequence[str], ages: Sequence[int] | None, entry: EntryT) -> RefereeT:
        """The referee of a new game."""

    @abstractmethod
    def _record(self, game: int) -> Iterator[str]:
        """The game's record, line by line."""
