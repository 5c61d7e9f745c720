"""The journal's schema: one step a version, and how a file of an earlier version is brought to this one."""

from __future__ import annotations

import sqlite3

# Step n leads from version n to n + 1. A step that was released is never edited: files written by it exist.
STEPS: tuple[str, ...] = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        players TEXT NOT NULL,
        position TEXT NOT NULL,
        begun_at REAL NOT NULL
    ) STRICT;
    CREATE TABLE entries (
        game_id INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        written_at REAL NOT NULL,
        PRIMARY KEY (game_id, number)
    ) STRICT;
    CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    """,
    # Rulings of the house and corrections are written, which a companion of version 1 cannot replay; and the
    # head of a game is guarded like its entries.
    """
    CREATE TRIGGER games_are_never_changed BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE TRIGGER games_are_never_deleted BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
    CREATE INDEX games_by_box ON games (game, id);
    """,
)
SCHEMA_VERSION = len(STEPS)


def version_of(db: sqlite3.Connection) -> int | None:
    """The schema version of a file: 0 for an empty one, None for a database that is no journal."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if version == 0 and not tables:
        return 0
    # A newer version may keep its games otherwise, but says so by its number.
    known = version > SCHEMA_VERSION or {"games", "entries"} <= tables
    return int(version) if version > 0 and known else None


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Brings a journal of an earlier `version` to this one, all at once or not at all.

    `db` must be in autocommit mode.
    """
    if version == SCHEMA_VERSION:
        return
    steps = "".join(STEPS[version:])
    db.executescript(f"BEGIN IMMEDIATE;{steps}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
