"""The journal: every game, append-only in SQLite, written before anything is announced; in memory while it cannot be.

One row a fact (a game begun, a turn completed, a turn taken back, a refusal shown, a ruling of the house). WAL with
full synchronisation, so that what was announced survives a power cut. How it is read is in `journal_reader`.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.messages import say
from companion.referee.journal_reader import Fact, JournalError, JournalReader, LockedJournalError, real_place
from companion.referee.schema import migrate
from companion.sensing.reading import Finding

# So many facts wait in memory for room on the disk: weeks of play, and a few megabytes.
MOST_WAITING = 10_000


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A fact of a game that there is no room for on the disk. `text`: its data as JSON; `at`: seconds since 1970."""

    game: int
    kind: str
    text: str
    at: float


class Journal(JournalReader):
    """The games in one SQLite file. `wall_clock` gives seconds since 1970, for people who read it later.

    A file of an earlier schema version is brought to this one. `alone`: no other table may write to the file at
    the same time; JournalError if one does.

    A game that has begun goes on while the disk takes nothing: its facts wait in memory, in order, are read like
    the others, and are written as soon as there is room (`catch_up`). Until then `trouble` says so.
    """

    def __init__(self, path: Path, wall_clock: Callable[[], float], *, alone: bool = False) -> None:
        self.path = path
        self._wall_clock = wall_clock
        self._lock: IO[bytes] | None = None
        self._waiting: deque[_Waiting] = deque()
        self._why = ""
        self._alone = alone
        self._looking: JournalReader | None = None
        self._open()

    def _open(self) -> None:
        """Opens the file for writing. Raises JournalError, and then nothing has changed here."""
        db = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._alone:
                self._lock = self._taken()
            if self.path.exists() and not os.access(self.path, os.W_OK):
                # The database would open it all the same, and every write would fail from then on.
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self._examine()
            # Full synchronisation: a turn that was announced is on the disk. Autocommit, each fact its own
            # transaction.
            db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            version = self._known_version(db)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            migrate(db, version)
        except (OSError, sqlite3.Error) as error:
            if db is not None:
                db.close()
            self._let_go()
            raise self._unusable(error) from error
        self._db = db

    def _examine(self) -> None:
        """A look at the file before it is opened; nobody else writes to it now."""

    def _taken(self) -> IO[bytes]:
        """The lock beside the file; the system lets it go when the process ends, however it ends."""
        path = real_place(self.path)
        lock = path.with_name(f"{path.name}.lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise LockedJournalError(
                f"The journal {self.path} is in use by another table. End that one first, or name another file "
                "with --journal."
            ) from None
        return lock

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def open_game(self, game: str, players: Sequence[str], start: str) -> int:
        """Opens a game (`game`: the box it is played with) that starts from `start`; returns its number."""
        with self._writing():
            cursor = self._db.execute(
                "INSERT INTO games (game, players, position, begun_at) VALUES (?, ?, ?, ?)",
                (game, json.dumps(list(players)), start, self._wall_clock()),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def append(self, number: int, kind: str, data: object) -> None:
        """A fact about a game; `data` as JSON. Raises JournalError if it can neither be written nor wait for it."""
        fact = _Waiting(number, kind, json.dumps(data), self._wall_clock())
        self.catch_up()
        if not self._waiting and self._insert(fact):
            return
        if len(self._waiting) >= MOST_WAITING:
            raise self._unwritten()
        self._waiting.append(fact)

    def reopen(self) -> dict[int, int]:
        """A file that could not be opened is tried again. Games that have another number in it now, by their old one."""
        return {}

    @property
    def findings(self) -> Sequence[Finding]:
        """What people should know about the file itself."""
        return ()

    def looking(self) -> JournalReader:
        """The games as the page looks at them, in another thread; it is closed with the journal."""
        if self._looking is None:
            self._looking = JournalReader(self.path, lasting=True)
        return self._looking

    def catch_up(self) -> None:
        """Writes what waits, as far as there is room. Raises JournalError if the file is no journal any more."""
        while self._waiting and self._insert(self._waiting[0]):
            self._waiting.popleft()

    @property
    def waiting(self) -> int:
        """How many facts are in memory only."""
        return len(self._waiting)

    @property
    def trouble(self) -> str:
        """What people should know and do about the facts that wait; empty if none does."""
        if not self._waiting:
            return ""
        return say("table.journal_waiting", file=str(self.path), why=self._why, n=len(self._waiting))

    def facts(self, number: int) -> Iterator[Fact]:
        """The facts of a game in order, with those that wait."""
        last = 0
        for fact in super().facts(number):
            last = fact.number
            yield fact
        mine = [waiting for waiting in self._waiting if waiting.game == number]
        for count, waiting in enumerate(mine, last + 1):
            yield Fact(count, waiting.kind, json.loads(waiting.text), waiting.at)

    def lengths(self) -> dict[int, int]:
        """How many facts each game has that has any, with those that wait."""
        return dict(Counter(super().lengths()) + Counter(fact.game for fact in self._waiting))

    def _insert(self, fact: _Waiting) -> bool:
        """Writes a fact; False, and why, if the disk does not take it."""
        with self._writing():
            try:
                self._db.execute(
                    "INSERT INTO entries (game_id, number, kind, data, written_at) VALUES "
                    "(?1, (SELECT coalesce(max(number), 0) + 1 FROM entries WHERE game_id = ?1), ?2, ?3, ?4)",
                    (fact.game, fact.kind, fact.text, fact.at),
                )
            except sqlite3.OperationalError as error:
                self._why = str(error)
                return False
        return True

    def bound(self, bytes_: int | None) -> None:
        """The file may not grow beyond so many bytes, as on a disk that is full; None: as far as there is room."""
        (page,) = self._db.execute("PRAGMA page_size").fetchone()
        pages = 2**32 - 2 if bytes_ is None else max(bytes_ // page, 1)
        self._db.execute(f"PRAGMA max_page_count = {pages}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._why = str(error)
            raise self._refused(error) from error

    def _refused(self, error: sqlite3.Error) -> JournalError:
        """What to say of a write that ended in this."""
        return self._unwritten()

    def _unwritten(self) -> JournalError:
        return JournalError(say("table.journal_unwritten", file=str(self.path), why=self._why))

    def close(self) -> None:
        """Closes the file."""
        if self._looking is not None:
            self._looking.close()
        super().close()
        self._let_go()
