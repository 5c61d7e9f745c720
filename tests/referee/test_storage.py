"""The journal on a disk that is cut off, torn or full, at every byte of a write."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.referee.game import AboveEntry, load
from companion.referee.journal import JournalError, JournalReader
from tests.referee.keeping import journal_at, play_some

# Small pages make small writes, so that each of their bytes can be tried.
PAGE_BYTES = 512


def small_journal(path: Path, turns: int) -> AboveEntry:
    """A game of so many turns in a journal of small pages; it is still open, and its log not yet taken in."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
    entry, _ = play_some(journal_at(path), turns)
    return entry


def facts(path: Path) -> int:
    """How many facts the file holds for whoever reads it; it is left as it lies."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT max(rowid) FROM entries").fetchone()[0])


def kept(path: Path) -> tuple[int, str]:
    """How many facts the file holds, and what the database itself says of its health."""
    # As a reader, which takes nothing in: every copy is looked at as it lies.
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        (health,) = db.execute("PRAGMA quick_check").fetchone()
        (count,) = db.execute("SELECT count(*) FROM entries").fetchone()
        return count, health


def put(folder: Path, database: bytes, log: bytes) -> Path:
    """A journal as it lies on the disk after a cut."""
    path = folder / "cut.db"
    path.write_bytes(database)
    path.with_name("cut.db-wal").write_bytes(log)
    path.with_name("cut.db-shm").unlink(missing_ok=True)
    return path


@pytest.mark.parametrize("torn", [b"", b"\0", b"\xa5"], ids=["cut", "zeros", "rubbish"])
def test_cut_at_every_byte_of_a_write_only_that_write_is_lost(tmp_path: Path, torn: bytes) -> None:
    """`torn`: what lies where the rest of the write would have come."""
    path, log = tmp_path / "j.db", tmp_path / "j.db-wal"
    entry = small_journal(path, 3)
    before = log.read_bytes()
    entry.refusal("Zeus cannot reach a3.", "A6")
    database, after = path.read_bytes(), log.read_bytes()
    assert after.startswith(before) and len(after) - len(before) > PAGE_BYTES
    step = 1 if not torn else 7
    for cut in range(len(before), len(after), step):
        rest = torn * (len(after) - cut)
        assert facts(put(tmp_path, database, after[:cut] + rest)) == 3, cut
        if cut % 50 == 0:
            assert kept(tmp_path / "cut.db") == (3, "ok")
    assert kept(put(tmp_path, database, after)) == (4, "ok")


def test_torn_while_the_log_is_taken_in_nothing_is_lost(tmp_path: Path) -> None:
    """A checkpoint copies pages from the log to the file; the log stays until all of them are there."""
    path, log = tmp_path / "j.db", tmp_path / "j.db-wal"
    small_journal(path, 6)
    old, written = path.read_bytes(), log.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(FULL)")
    new = path.read_bytes()
    assert new != old
    for cut in range(0, len(new), 61):
        assert kept(put(tmp_path, new[:cut] + old[cut:], written)) == (6, "ok"), cut


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: what a full disk does to a write, at a byte of one's choice."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full_at_any_byte_spoils_nothing_and_is_written_again_when_there_is_room(
    tmp_path: Path,
) -> None:
    path, log = tmp_path / "j.db", tmp_path / "j.db-wal"
    entry = small_journal(path, 2)
    told = 2
    for spare in range(0, 2 * PAGE_BYTES, 67):
        with room_for(log.stat().st_size + spare):
            try:
                entry.refusal("Zeus cannot reach a3.", "A6")
            except JournalError as error:
                # What is said is what happens: a turn that was not told is not counted, and those that were are.
                assert "nothing on the table is judged until" in str(error)
            else:
                told += 1
        copy = put(tmp_path, path.read_bytes(), log.read_bytes())
        assert kept(copy) == (told, "ok"), spare
        entry.refusal("Zeus cannot reach a3.", "A6")
        told += 1
    # At least one of the writes met the end of the disk, and none that was told is missing.
    assert told < 2 + 2 * len(range(0, 2 * PAGE_BYTES, 67))
    with closing(JournalReader(path)) as reader:
        assert len(load(reader, 1).turns) == 2
