"""The journal on a disk that is cut off, torn or full, at every byte of a write."""

from __future__ import annotations

import resource
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.game import AboveEntry, load
from companion.referee.journal_reader import JournalError, JournalReader
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


def test_a_disk_that_is_full_at_any_byte_spoils_nothing_and_the_game_goes_on(tmp_path: Path) -> None:
    path, log = tmp_path / "j.db", tmp_path / "j.db-wal"
    small_journal(path, 2)
    journal = journal_at(path)
    entry = AboveEntry(journal, 1)
    told, waited = 2, 0
    for spare in range(0, 6 * PAGE_BYTES, 131):
        with room_for(log.stat().st_size + spare):
            entry.refusal("Zeus cannot reach a3.", "A6")
        told += 1
        waited += journal.waiting
        # What waits is said and counts for whoever reads this journal; the file holds the rest, unhurt.
        assert bool(journal.trouble) == bool(journal.waiting)
        assert journal.lengths() == {1: told} and len(list(journal.facts(1))) == told
        assert kept(put(tmp_path, path.read_bytes(), log.read_bytes())) == (told - journal.waiting, "ok"), (
            spare
        )
        entry.refusal("Zeus cannot reach a3.", "A6")
        told += 1
        assert (journal.waiting, journal.trouble) == (0, "")
    # Some of the writes met the end of the disk, some did not.
    assert 0 < waited < len(range(0, 6 * PAGE_BYTES, 131))
    with closing(JournalReader(path)) as reader:
        assert len(load(reader, 1).turns) == 2
        assert reader.lengths() == {1: told}


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=25))
def test_however_the_room_comes_and_goes_every_fact_is_kept_once_and_in_order(
    steps: list[tuple[int, bool]],
) -> None:
    """`steps`: the game that something happens in, and whether the disk takes it."""
    with tempfile.TemporaryDirectory() as folder, closing(journal_at(Path(folder) / "j.db")) as journal:
        games = [journal.open_game("above", ("Ada", "Ben"), "") for _ in range(2)]
        happened: dict[int, list[int]] = {game: [] for game in games}
        # Long, so that a write always needs a page of its own.
        ballast = "x" * 5000
        for count, (seat, room) in enumerate(steps):
            journal.bound(None if room else 1)
            journal.append(games[seat], "refusal", [count, ballast])
            happened[games[seat]].append(count)
            assert bool(journal.waiting) != room
            for game, counts in happened.items():
                facts = list(journal.facts(game))
                assert [fact.data[0] for fact in facts] == counts
                assert [fact.number for fact in facts] == list(range(1, len(counts) + 1))
        journal.bound(None)
        journal.catch_up()
        assert not journal.waiting
        with closing(JournalReader(journal.path)) as reader:
            assert {game: [fact.data[0] for fact in reader.facts(game)] for game in games} == happened


def test_a_game_that_the_disk_does_not_take_does_not_begin(tmp_path: Path) -> None:
    with closing(journal_at(tmp_path / "j.db")) as journal:
        journal.bound(1)
        with pytest.raises(JournalError, match="Free some space"):
            for _ in range(200):
                journal.open_game("above", ("Ada", "Ben"), "x" * 500)


def test_what_waits_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.referee.journal.MOST_WAITING", 3)
    with closing(journal_at(tmp_path / "j.db")) as journal:
        game = journal.open_game("above", ("Ada", "Ben"), "")
        journal.bound(1)
        for _ in range(3):
            journal.append(game, "refusal", "x" * 5000)
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append(game, "refusal", "x" * 5000)
        assert journal.waiting == 3
