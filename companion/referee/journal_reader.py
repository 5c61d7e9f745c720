"""The journal as it is read: the games in one file, their facts in order, and what is damaged told.

Positions are never stored as the truth: a game is its header and its facts, and the rules replay them. Games of
both boxes lie in one file, told apart by `game`; what their facts mean is in `game` for Above and in
`olympeak/journal`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.errors import CompanionError
from companion.messages import say
from companion.referee.schema import SCHEMA_VERSION, migrate, version_of

ABOVE, OLYMPEAK = "above", "olympeak"
BOXES = {ABOVE: "Above", OLYMPEAK: "OlymPeak"}

# What reading a damaged file ends in: the database's word, or the rules' and the parsers'.
_DAMAGE = (sqlite3.Error, CompanionError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the message says which file and what to do."""


class LockedJournalError(JournalError):
    """Another table writes to the journal."""


class DamagedJournalError(JournalError):
    """The journal was found to be spoilt while it was written: the table has to start anew on what can be read of it."""


@dataclass(frozen=True, slots=True)
class Header:
    """A game's first row: the box it is played with, the players by seat, what it starts from, when (s, 1970)."""

    id: int
    game: str
    players: tuple[str, ...]
    start: str
    begun_at: float


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened, in order from 1: what kind of thing, its data, when (seconds since 1970)."""

    number: int
    kind: str
    data: Any
    written_at: float


class JournalReader:
    """The games in one SQLite file, for reading alone: of this schema version or an earlier one.

    A table may be writing to the file at the same time; `lasting`: one may begin to while it is read.
    """

    def __init__(self, path: Path, *, lasting: bool = False) -> None:
        self.path = path
        try:
            if not path.is_file():
                raise JournalError(f"There is no journal {path}. Name another file with --journal.")
            self._db = open_to_read(path, lasting=lasting)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        try:
            blank = not self._known_version(self._db)
        except (OSError, sqlite3.Error) as error:
            self._db.close()
            raise self._unusable(error) from error
        if blank:
            # A file in which nothing was ever written holds no game, and is as good as any other.
            self._db.close()
            self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            migrate(self._db, 0)

    @classmethod
    def over(cls, db: sqlite3.Connection, path: Path) -> JournalReader:
        """The games of a database that is open already and stands for the file `path`."""
        reader = cls.__new__(cls)
        reader.path, reader._db = path, db
        return reader

    def _known_version(self, db: sqlite3.Connection) -> int:
        version = version_of(db)
        if version is None:
            raise JournalError(
                f"{self.path} is a database of something else, not a journal. Name another file with --journal."
            )
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"The journal {self.path} was written by a newer companion (schema {version}, this "
                f"one knows {SCHEMA_VERSION}). Update the companion, or name another file with --journal."
            )
        return version

    def _unusable(self, error: Exception) -> JournalError:
        if isinstance(error, JournalError):
            return error
        return JournalError(
            f"The journal {self.path} cannot be opened ({error}). Name another file with --journal, "
            "or move this one aside: a new one is begun."
        )

    def games(self) -> tuple[Header, ...]:
        """All games, the oldest first. Raises JournalError for a damaged file."""
        with self.damage_told(say("table.journal_list")):
            query = "SELECT id, game, players, position, begun_at FROM games ORDER BY id"
            return tuple(_header(row) for row in self._db.execute(query))

    def header(self, number: int, game: str | None = None) -> Header:
        """A game's header. Raises JournalError if there is no such game (`game`: of this box)."""
        query = "SELECT id, game, players, position, begun_at FROM games WHERE id = ?"
        with self.damage_told(say("table.journal_game", n=number)):
            row = self._db.execute(query, (number,)).fetchone()
            if row is None or game not in (None, row[1]):
                if game:
                    raise JournalError(
                        say("table.journal_none_of", file=str(self.path), box=BOXES[game], n=number)
                    )
                raise JournalError(say("table.journal_none", file=str(self.path), n=number))
            return _header(row)

    def lengths(self) -> dict[int, int]:
        """How many facts each game has that has any."""
        with self.damage_told(say("table.journal_list")):
            return dict(self._db.execute("SELECT game_id, count(*) FROM entries GROUP BY game_id"))

    def newest(self, game: str) -> int | None:
        """The number of the newest game played with this box, None if there is none."""
        with self.damage_told(say("table.journal_list")):
            row = self._db.execute("SELECT max(id) FROM games WHERE game = ?", (game,)).fetchone()
            number: int | None = row[0]
            return number

    def facts(self, number: int) -> Iterator[Fact]:
        """The facts of a game in order."""
        query = "SELECT number, kind, data, written_at FROM entries WHERE game_id = ? ORDER BY number"
        for expected, (count, kind, text, at) in enumerate(self._db.execute(query, (number,)), 1):
            if count != expected:
                raise ValueError(f"entry {expected} is missing")
            yield Fact(count, kind, json.loads(text), at)

    @contextmanager
    def damage_told(self, what: str) -> Iterator[None]:
        """Whatever reading `what` ends in is told as a JournalError."""
        try:
            yield
        except JournalError:
            raise
        except _DAMAGE as error:
            reason = str(error).removesuffix(".") or type(error).__name__
            raise JournalError(
                say("table.journal_damaged", file=str(self.path), what=what, why=reason)
            ) from error

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def _header(row: tuple[int, str, str, str, float]) -> Header:
    number, game, players, start, begun_at = row
    return Header(number, game, tuple(json.loads(players)), start, begun_at)


def real_place(path: Path) -> Path:
    """Where a journal's file truly lies, behind symbolic links: there the database keeps its log, too."""
    return Path(os.path.realpath(path))


def open_to_read(path: Path, *, lasting: bool = False) -> sqlite3.Connection:
    """Opens a journal's file for reading alone; `lasting`: a table may begin to write to it while it is read.

    Raises sqlite3.Error.
    """
    path = real_place(path)
    place = f"file:{quote(str(path))}?mode=ro"
    # Who writes keeps a log beside the file. Without one the file is still, and nothing need be put beside it.
    written = path.with_name(f"{path.name}-wal").exists()
    if not written and not lasting:
        place += "&immutable=1"
    db = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
    try:
        _read_schema(db)
    except sqlite3.DatabaseError as error:
        db.close()
        if not isinstance(error, sqlite3.OperationalError):
            raise
        # In a folder that may not be written to, as on a read-only medium, nobody else writes either.
        if written or not lasting:
            raise
        db = sqlite3.connect(f"{place}&immutable=1", uri=True, isolation_level=None, check_same_thread=False)
    return db


def _read_schema(db: sqlite3.Connection) -> None:
    try:
        db.execute("SELECT count(*) FROM sqlite_schema")
    except UnicodeDecodeError:
        # The database quotes what it has found, and that is no text.
        raise sqlite3.DatabaseError("malformed database schema") from None
