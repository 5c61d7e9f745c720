"""The book of a game: opens, resumes and abandons its sessions, each with a referee that writes to the journal."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from companion.messages import say
from companion.referee.entry import Entry
from companion.referee.journal import Journal
from companion.referee.journal_reader import JournalError, JournalReader
from companion.referee.requests import Refused
from companion.sensing.reading import Finding

log = logging.getLogger(__name__)

# Who sits where, as long as nobody has said otherwise.
SEAT_NAMES = ("Ada", "Ben", "Chloe", "Dan", "Eve", "Finn")
# So many of the newest games are looked at for one that is open; an older one is found in the journal's list.
LOOKED_AT = 10


class Kept(Protocol):
    """A game as the journal holds it."""

    @property
    def id(self) -> int: ...

    @property
    def is_open(self) -> bool: ...


KeptT = TypeVar("KeptT", bound=Kept)
EntryT = TypeVar("EntryT", bound=Entry)
RefereeT = TypeVar("RefereeT")


class GameBook(ABC, Generic[KeptT, EntryT, RefereeT]):
    """The journal as a table uses it. Any number of games may be open in it; one at a time is played."""

    box: str

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._current: EntryT | None = None

    @property
    def journal(self) -> JournalReader:
        """The journal, for reading."""
        return self._journal

    @property
    def current(self) -> int | None:
        """The number of the game that is played, None before it has begun."""
        return None if self._current is None else self._current.game

    def resume(self, number: int | None = None) -> RefereeT | None:
        """The referee of a game that goes on, the newest if no `number` is given; None if it cannot."""
        if number is None:
            number = self._journal.newest(self.box)
        game = None if number is None else self._loaded(number)
        if game is None or not game.is_open:
            return None
        self._current = self._entry(game.id)
        return self._resumed(game, self._current)

    def referee(self, players: int, names: Sequence[str] = (), ages: Sequence[int] | None = None) -> RefereeT:
        """The referee of a new game, which is written once it begins. One that was open is set aside, and stays so.

        `names`: by seat, missing ones are made up. `ages`: by seat, 0 for the youngest; left out, seat by seat
        from the youngest.
        """
        if self.current is not None and self.current not in self._journal.lengths():
            # Nothing has happened in it that anybody could go on with.
            self.abandon()
        self._current = self._entry()
        return self._begun(_seated(players, names), ages, self._current)

    def set_aside(self) -> int | None:
        """The newest open game other than the one that is played, None if there is none."""
        mine = [header.id for header in self._journal.games() if header.game == self.box]
        others = (number for number in reversed(mine[-LOOKED_AT:]) if number != self.current)
        return next((number for number in others if self._is_open(number)), None)

    def _is_open(self, number: int) -> bool:
        """Can a game go on? One that cannot be read cannot, and is no reason to play no other."""
        try:
            return self._loaded(number).is_open
        except JournalError:
            return False

    def abandon(self, number: int | None = None) -> None:
        """Gives a game up for good, the one that is played if no `number` is given.

        Raises JournalError for one that is not in the journal or cannot be read, Refused for one that is closed.
        """
        entry = self._current if number is None else self._entry(number)
        if entry is None or entry.game is None:
            return
        if number is not None and not self._loaded(number).is_open:
            raise Refused(say("table.over_already", n=number))
        entry.abandon()

    def _loaded(self, number: int) -> KeptT:
        with self._journal.damage_told(say("table.journal_game", n=number)):
            return self._load(number)

    def record(self) -> str | None:
        """The current game's record as text, None before it has begun."""
        if self.current is None:
            return None
        return "".join(f"{line}\n" for line in self._record(self.current))

    @property
    def waiting(self) -> int:
        """So many facts are in memory only, because the disk does not take them."""
        return self._journal.waiting

    @property
    def trouble(self) -> str:
        """What people should know and do about what is not on the disk yet; empty if all is."""
        return self._journal.trouble

    @property
    def findings(self) -> Sequence[Finding]:
        """What people should know about the journal itself, and what to do about it."""
        return self._journal.findings

    def looking(self) -> JournalReader:
        """The games as the page looks at them, in another thread; it is closed with the book."""
        return self._journal.looking()

    def catch_up(self) -> None:
        """Writes what there was no room for. Raises JournalError if the file is no journal any more."""
        moved = self._journal.reopen()
        if self._current is not None and self._current.game in moved:
            self._current.game = moved[self._current.game]
        self._journal.catch_up()

    def close(self) -> None:
        """Closes the journal; what the disk does not take even now is lost, and the log says so."""
        try:
            self.catch_up()
        except JournalError as error:
            log.error("%s", error)
        if self.trouble:
            log.error("%s", self.trouble)
        self._journal.close()

    @abstractmethod
    def _load(self, number: int) -> KeptT:
        """A game of the journal."""

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


def _seated(players: int, names: Sequence[str]) -> tuple[str, ...]:
    """A name a seat: those that are given, and made up ones that nobody has yet."""
    seated = list(names[:players])
    free = [name for name in SEAT_NAMES if name not in seated]
    for seat in range(len(seated), players):
        name = SEAT_NAMES[seat] if SEAT_NAMES[seat] in free else free[0]
        free.remove(name)
        seated.append(name)
    return tuple(seated)
