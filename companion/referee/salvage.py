"""What can still be read of a spoilt journal: games and facts, row by row, from whichever side they can be reached."""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.referee.journal_reader import open_to_read
from companion.referee.schema import SCHEMA_VERSION, STEPS

# The size of a journal's pages.
PAGE_BYTES = 4096
# No journal ever has so many games or facts in one; a higher number is a spoilt one.
MOST = 1_000_000
# A schema version from here on is a spoilt number: there never were so many.
NO_VERSION = 1 << 16

Row = tuple[Any, ...]


def bring_over(source: Path, into: sqlite3.Connection) -> int:
    """Writes the games of a journal that can be read into an empty one, all at once; returns how many.

    Of a game whose middle is spoilt what comes before: its facts are numbered without a gap. One of which nothing is
    left is none. What cannot be opened holds none. Raises sqlite3.Error if it cannot be written.
    """
    games, facts = _readable(source)
    into.execute("BEGIN IMMEDIATE")
    games = {number: header for number, header in games.items() if (number, 1) in facts}
    for number, header in sorted(games.items()):
        into.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", header)
        count = 1
        while (fact := facts.get((number, count))) is not None:
            into.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", fact)
            count += 1
    into.execute("COMMIT")
    return len(games)


def _readable(source: Path) -> tuple[dict[int, Row], dict[tuple[int, int], Row]]:
    """All headers by number, and all facts by game and number, that can be read."""
    games: dict[int, Row] = {}
    facts: dict[tuple[int, int], Row] = {}
    with contextlib.suppress(OSError, struct.error), source.open("rb") as file:
        (version,) = struct.unpack_from(">I", file.read(64), 60)
        if SCHEMA_VERSION < version < NO_VERSION:
            return games, facts
    # With its log, as the database itself does; and the file's pages alone.
    for opened in (open_to_read, _mended):
        with contextlib.suppress(OSError, sqlite3.Error), closing(opened(source)) as db:
            # Bytes that are no text spoil their own row alone.
            db.text_factory = bytes
            _collect(db, games, facts)
    return games, facts


def _mended(source: Path) -> sqlite3.Connection:
    """The pages of a file in memory, the first one as in every journal.

    What was cut off, or is spoilt at its beginning, the database does not open. But all that the first page holds are
    the tables' definitions and where they begin, and both are the same in each journal: they were made in the same
    order, in an empty file.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        model.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        model.executescript(STEPS[0])
        whole = model.serialize()
    data = bytearray(source.read_bytes())
    data += bytes(-len(data) % PAGE_BYTES)
    # Where a table should begin, there is at least an empty page.
    data += bytes(max(len(whole) - len(data), 0))
    data[:PAGE_BYTES] = whole[:PAGE_BYTES]
    # How many pages there are (sqlite.org/fileformat.html, 1.3.7).
    data[28:32] = struct.pack(">I", len(data) // PAGE_BYTES)
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(bytes(data))
    return db


def _collect(db: sqlite3.Connection, games: dict[int, Row], facts: dict[tuple[int, int], Row]) -> None:
    """Adds what can be read from either end, and through the index what lies between."""
    head = "SELECT id, game, players, position, begun_at FROM games"
    for order in ("ASC", "DESC"):
        _add_headers(games, _rows(db, f"{head} ORDER BY id {order}"))
    for number in set(range(1, max(games, default=0))) - set(games):
        _add_headers(games, _rows(db, f"{head} WHERE id = ?", number))
    entry = "SELECT game_id, number, kind, data, written_at FROM entries"
    ways = [(f"{entry} NOT INDEXED ORDER BY rowid {order}", ()) for order in ("ASC", "DESC")]
    by_game = [(f"{entry} WHERE game_id = ? ORDER BY number", (number,)) for number in games]
    for query, values in (*ways, *by_game):
        for row in _rows(db, query, *values):
            if (fact := _fact(row)) is not None:
                facts.setdefault((fact[0], fact[1]), fact)


def _add_headers(games: dict[int, Row], rows: Iterator[Row]) -> None:
    for header in map(header_of, rows):
        if header is not None:
            games.setdefault(header[0], header)


def _rows(db: sqlite3.Connection, query: str, *values: int) -> Iterator[Row]:
    """The rows up to the first that the database cannot read."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        yield from db.execute(query, values)


def header_of(row: Row) -> Row | None:
    """A game's header as it is written, None for one that was never written so."""
    try:
        number, game, players, start, at = row
        names = json.loads(players.decode())
        header = (number, game.decode(), players.decode(), start.decode(), at)
    except (ValueError, AttributeError, RecursionError):
        return None
    named = isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)
    sound = _counts(number) and named and _is_moment(at)
    return header if sound else None


def _fact(row: Row) -> Row | None:
    """A fact as it is written, None for one that was never written so."""
    try:
        game, number, kind, data, at = row
        json.loads(data.decode())
        fact = (game, number, kind.decode(), data.decode(), at)
    except (ValueError, AttributeError, RecursionError):
        return None
    return fact if _counts(game) and _counts(number) and _is_moment(at) else None


def _counts(value: object) -> bool:
    return isinstance(value, int) and 1 <= value <= MOST


def _is_moment(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)
