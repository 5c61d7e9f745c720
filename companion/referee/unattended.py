"""The journal of a table that starts by itself: whatever becomes of the file, the table plays, and nothing is deleted.

A spoilt file, or one of a newer companion, is set aside and a new one begun. One that cannot be opened or written (no
rights, no folder, a medium that is read-only) is waited for: until it can, games are kept in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.messages import say
from companion.referee.journal import MOST_WAITING, Journal
from companion.referee.journal_reader import (
    DamagedJournalError,
    Header,
    JournalError,
    JournalReader,
    LockedJournalError,
)
from companion.referee.salvage import bring_over
from companion.referee.schema import migrate
from companion.referee.set_aside import Ailment, Aside, ailment, is_damage, may_be_journal, renew
from companion.sensing.reading import Finding

_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class UnattendedJournal(Journal):
    """The journal for writing, alone, where nobody would move a file aside or mend a folder first.

    Raises LockedJournalError if another table writes to it, and DamagedJournalError when the file turns out to be
    spoilt while it is written: opened anew, it is set aside.
    """

    def __init__(self, path: Path, wall_clock: Callable[[], float]) -> None:
        # In the place of a file that cannot be opened: what could be read of it, and what was played since.
        self._memory: JournalReader | None = None
        self._read: dict[Header, int] = {}
        self._ailment: Ailment | None = None
        self._aside: Aside | None = None
        super().__init__(path, wall_clock, alone=True)

    def _open(self) -> None:
        try:
            self._open_or_renew()
        except LockedJournalError:
            raise
        except JournalError as error:
            self._keep_in_memory()
            self._why = _reason(error)

    def _open_or_renew(self) -> None:
        """Raises JournalError for a file that cannot be opened and is not spoilt."""
        try:
            super()._open()
        except JournalError as error:
            spoilt = is_damage(error.__cause__) and may_be_journal(self.path)
            if self._ailment is not None or not spoilt:
                raise
            # No examination found it: it is set aside all the same, once.
            self._ailment = Ailment.DAMAGED
            super()._open()
        finally:
            self._ailment = None

    def _examine(self) -> None:
        self._ailment = self._ailment or ailment(self.path)
        if self._ailment is not None:
            today = datetime.fromtimestamp(self._wall_clock(), UTC).astimezone().date()
            self._aside = renew(self.path, self._ailment, today)

    def _keep_in_memory(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._db, 0)
        bring_over(self.path, self._db)
        self._memory = JournalReader.over(self._db, self.path)
        self._read = _lengths(self._memory)

    @property
    def findings(self) -> Sequence[Finding]:
        aside = self._aside
        if aside is None:
            return ()
        file = str(aside.file)
        if aside.why is Ailment.NEWER:
            text = say("table.journal_newer_aside", file=file)
            todo = say("table.journal_newer_aside_todo", command=f"companion journal list --journal {file}")
        else:
            text = say("table.journal_damaged_aside", file=file, n=aside.games)
            todo = say("table.journal_damaged_aside_todo", command="companion bundle")
        return (Finding(f"aside {file}", text, todo),)

    def looking(self) -> JournalReader:
        return self._memory or super().looking()

    @property
    def waiting(self) -> int:
        if self._memory is None:
            return super().waiting
        return sum(self._memory.lengths().values()) - sum(self._read.values())

    @property
    def trouble(self) -> str:
        if self._memory is None:
            return super().trouble
        return say(
            "table.journal_unopened",
            file=str(self.path),
            why=self._why,
            n=self.waiting,
            command="companion doctor",
        )

    def append(self, number: int, kind: str, data: object) -> None:
        if self._memory is not None and self.waiting >= MOST_WAITING:
            raise self._unwritten()
        super().append(number, kind, data)

    def reopen(self) -> dict[int, int]:
        memory = self._memory
        if memory is None:
            return {}
        in_memory = self._db
        try:
            self._open_or_renew()
        except JournalError as error:
            self._why = _reason(error)
            return {}
        try:
            moved = self._take_over(memory, in_memory)
        except (sqlite3.Error, JournalError) as error:
            self._db.close()
            self._db = in_memory
            self._let_go()
            self._why = _reason(error)
            return {}
        # The page may be reading this moment: what was in memory is freed when nobody does any more.
        self._memory = None
        return moved

    def _take_over(self, memory: JournalReader, rows: sqlite3.Connection) -> dict[int, int]:
        """What was played in memory (`rows` its database), into the file, all at once.

        A game that lies there as it was read goes on; others are added, under another number if theirs is taken.
        """
        there, played = _lengths(self), _lengths(memory)
        taken = {header.id for header in there}
        moved: dict[int, int] = {}
        self._db.execute("BEGIN IMMEDIATE")
        for header, length in played.items():
            known, number = self._read.get(header), header.id
            if known == length:
                continue
            if known is None or there.get(header) != known:
                known = 0
                if number in taken:
                    number = moved[header.id] = max(taken) + 1
                taken.add(number)
                head = "SELECT game, players, position, begun_at FROM games WHERE id = ?"
                (row,) = rows.execute(head, (header.id,))
                self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (number, *row))
            since = "SELECT number, kind, data, written_at FROM entries WHERE game_id = ? AND number > ?"
            for fact in rows.execute(since, (header.id, known)):
                self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (number, *fact))
        self._db.execute("COMMIT")
        return moved

    def _refused(self, error: sqlite3.Error) -> JournalError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN:
            return DamagedJournalError(say("table.journal_spoilt", file=str(self.path), why=str(error)))
        return super()._refused(error)


def own_journal(path: Path, wall_clock: Callable[[], float], *, unattended: bool) -> Journal:
    """The journal for a table that writes to it alone; `unattended`: it runs by itself. Raises JournalError."""
    return UnattendedJournal(path, wall_clock) if unattended else Journal(path, wall_clock, alone=True)


def _lengths(journal: JournalReader) -> dict[Header, int]:
    """How many facts each game has."""
    lengths = journal.lengths()
    return {header: lengths.get(header.id, 0) for header in journal.games()}


def _reason(error: Exception) -> str:
    """Why a file cannot be opened, without what a person at a terminal would do."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return str(cause)
    if isinstance(cause, OSError) and not isinstance(cause, JournalError) and cause.strerror:
        return cause.strerror
    return str(error).removesuffix(".")
