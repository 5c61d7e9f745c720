"""The journal: every game, append-only in SQLite, written before anything is announced.

One row a fact (a game begun, a turn completed, a turn taken back, a refusal shown, the end). Positions are
never stored as the truth: a game is its header and its turns, and the rules replay them. WAL with full
synchronisation, so that what was announced survives a power cut. Games of both boxes lie in one file, told
apart by `game`; what OlymPeak writes is in `olympeak/journal`.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from companion.errors import CompanionError
from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions

SCHEMA_VERSION = 1
ABOVE, OLYMPEAK = "above", "olympeak"
_BOXES = {ABOVE: "Above", OLYMPEAK: "OlymPeak"}

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    players TEXT NOT NULL,
    position TEXT NOT NULL,
    begun_at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS entries (
    game_id INTEGER NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    written_at REAL NOT NULL,
    PRIMARY KEY (game_id, number)
) STRICT;
CREATE TRIGGER IF NOT EXISTS entries_are_never_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS entries_are_never_deleted BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


class JournalError(CompanionError, OSError):
    """The journal cannot be read or written; the message says which file and what to do."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One completed turn: the position it began from, its actions, the position it led to."""

    before: Position
    actions: tuple[Action, ...]
    after: Position


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the journal holds it. `turns`: those not taken back. `abandoned`: closed without a winner."""

    id: int
    players: tuple[str, ...]
    start: Position
    turns: tuple[Turn, ...]
    abandoned: bool

    @property
    def position(self) -> Position:
        """The position after the last completed turn."""
        return self.turns[-1].after if self.turns else self.start

    @property
    def is_open(self) -> bool:
        """Can the game go on?"""
        return not self.abandoned and not self.position.is_over


class Journal:
    """The games in one SQLite file. `wall_clock` gives seconds since 1970, for people who read it later.

    `alone`: no other table may write to the file at the same time; JournalError if one does.
    """

    def __init__(self, path: Path, wall_clock: Any, *, alone: bool = False) -> None:
        self.path = path
        self._wall_clock = wall_clock
        self._lock: IO[bytes] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if alone:
                self._lock = self._taken()
            # Full synchronisation: a turn that was announced is on the disk. Autocommit, each entry its own
            # transaction.
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._migrate()
        except JournalError:
            self._let_go()
            raise
        except (OSError, sqlite3.Error) as error:
            self._let_go()
            raise JournalError(
                f"The journal {path} cannot be opened ({error}). Name another file with --journal, "
                "or move this one aside: a new one is begun."
            ) from error

    def _taken(self) -> IO[bytes]:
        """The lock beside the file; the system lets it go when the process ends, however it ends."""
        lock = self.path.with_name(f"{self.path.name}.lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise JournalError(
                f"The journal {self.path} is in use by another table. End that one first, or name another file "
                "with --journal."
            ) from None
        return lock

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"The journal {self.path} was written by a newer companion (schema {version}, this "
                f"one knows {SCHEMA_VERSION}). Update the companion, or name another file with --journal."
            )
        self._db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")

    # -- writing

    def begin(self, players: Sequence[str], position: Position) -> int:
        """Opens a game of Above and returns its number."""
        return self.open_game(ABOVE, players, str(position))

    def open_game(self, kind: str, players: Sequence[str], start: str) -> int:
        """Opens a game (`kind`: the box it is played with) that starts from `start`; returns its number."""
        with self._writing():
            cursor = self._db.execute(
                "INSERT INTO games (game, players, position, begun_at) VALUES (?, ?, ?, ?)",
                (kind, json.dumps(list(players)), start, self._wall_clock()),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def turn(self, game: int, actions: Sequence[Action]) -> None:
        """A turn was completed."""
        self._append(game, "turn", [str(action) for action in actions])

    def take_back(self, game: int) -> None:
        """The last turn was taken back."""
        self._append(game, "take_back", None)

    def refusal(self, game: int, text: str, rule: str) -> None:
        """An illegal state was shown to the players."""
        self._append(game, "refusal", {"text": text, "rule": rule})

    def abandon(self, game: int) -> None:
        """The game was given up for a new one."""
        self._append(game, "abandon", None)

    def append(self, game: int, kind: str, data: object) -> None:
        """Any other fact about a game; `data` as JSON."""
        self._append(game, kind, data)

    def _append(self, game: int, kind: str, data: object) -> None:
        with self._writing():
            self._db.execute(
                "INSERT INTO entries (game_id, number, kind, data, written_at) VALUES "
                "(?1, (SELECT coalesce(max(number), 0) + 1 FROM entries WHERE game_id = ?1), ?2, ?3, ?4)",
                (game, kind, json.dumps(data), self._wall_clock()),
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(
                f"The journal {self.path} cannot be written ({error}). Free some space on the disk; "
                "the game goes on, but its newest turns would be lost in a power cut."
            ) from error

    # -- reading

    def last_open(self) -> Game | None:
        """The newest game of Above if it can go on, else None."""
        number = self.newest(ABOVE)
        if number is None:
            return None
        game = self.load(number)
        return game if game.is_open else None

    def newest(self, kind: str) -> int | None:
        """The number of the newest game played with this box, None if there is none."""
        row = self._db.execute("SELECT max(id) FROM games WHERE game = ?", (kind,)).fetchone()
        number: int | None = row[0]
        return number

    def start_of(self, number: int, kind: str) -> tuple[tuple[str, ...], str]:
        """The players of a game and what it starts from. Raises JournalError if there is no such game."""
        query = "SELECT players, position FROM games WHERE id = ? AND game = ?"
        row = self._db.execute(query, (number, kind)).fetchone()
        if row is None:
            raise JournalError(f"The journal {self.path} holds no {_BOXES[kind]} game number {number}.")
        return tuple(json.loads(row[0])), row[1]

    def entries(self, number: int) -> Iterator[tuple[str, Any]]:
        """The facts of a game in order: what kind of fact, and its data."""
        query = "SELECT number, kind, data FROM entries WHERE game_id = ? ORDER BY number"
        for expected, (count, kind, text) in enumerate(self._db.execute(query, (number,)), 1):
            if count != expected:
                raise ValueError(f"entry {expected} is missing")
            yield kind, json.loads(text)

    def load(self, number: int) -> Game:
        """A game with its turns, replayed by the rules. Raises JournalError if it is not there or damaged."""
        players, text = self.start_of(number, ABOVE)
        turns: list[Turn] = []
        abandoned = False
        start = position = Position.parse(text)
        for kind, data in self.entries(number):
            if kind == "turn":
                actions = tuple(Action.parse(action) for action in data)
                before = position
                for action in actions:
                    position = apply(position, action)
                turns.append(Turn(before, actions, position))
            elif kind == "take_back":
                position = turns.pop().before
            elif kind == "abandon":
                abandoned = True
            elif kind != "refusal":
                raise ValueError(f"nobody knows what an entry of kind {kind!r} is")
        return Game(number, players, start, tuple(turns), abandoned)

    def record(self, number: int) -> Iterator[str]:
        """The game as record lines (JSON Lines, without line ends)."""
        game = self.load(number)
        header = {"game": "above", "version": 1, "players": list(game.players), "position": str(game.start)}
        yield _line(header)
        for turn in game.turns:
            position = turn.before
            for action in turn.actions:
                legal = [str(legal) for legal in legal_actions(position)]
                yield _line({"seat": position.decides, "legal": legal, "action": str(action)})
                position = apply(position, action)
            yield _line({"position": str(position)})
        if game.position.is_over:
            yield _line({"winner": list(game.position.winner)})

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
        self._let_go()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
