"""The journal's file: what was written stays, whatever happens then, and every version of it is read."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.referee.game import load
from companion.referee.journal import Journal
from companion.referee.journal_reader import ABOVE, OLYMPEAK, JournalError, JournalReader
from companion.referee.olympeak.journal import load as load_olympeak
from companion.referee.schema import SCHEMA_VERSION, STEPS, version_of
from companion.tables.above.kit import AboveKit
from tests.referee.keeping import journal_at, newest_game, play_some

# Files as each version left them. Version 1 holds four games: one of two that was played out, one of four that was
# given up after three turns, one of OlymPeak (three players, three turns and one taken back), and an open one
# of two with a refusal and a turn taken back.
KEPT = Path(__file__).parents[1] / "data" / "journal"
OPEN_AT = (
    "ze=f1,he=g1,ar=a1,at=d2,ha=b1,de=k1,po=l2,ap=n1 thunder=d5,fertility=e2.f2.n5,gate=b4.o4,"
    "barrier=c2.c4.m1.p5 ze.he.at.ha.ap/ze.ha.de 0 2"
)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(journal_at(tmp_path / "j.db")) as journal:
        yield journal


def test_nothing_written_can_be_changed_or_deleted(journal: Journal) -> None:
    entry, _ = play_some(journal, 1)
    entry.refusal("no", "A6")
    with closing(sqlite3.connect(journal.path)) as db:
        for table, column in (("entries", "data"), ("games", "players")):
            for statement in (f"UPDATE {table} SET {column} = ''", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    db.execute(statement)


def test_what_is_being_written_can_be_read_by_another(journal: Journal) -> None:
    entry, position = play_some(journal, 2)
    with closing(JournalReader(journal.path)) as reader:
        assert load(reader, 1).position == position
        (header,) = reader.games()
        assert (header.id, header.game, header.players) == (1, ABOVE, ("Ada", "Ben"))
        assert header.begun_at == 1_700_000_000.0
        entry.take_back()
        assert len(load(reader, 1).turns) == 1


def test_who_only_reads_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "v1.db"
    shutil.copy(KEPT / "v1.db", path)
    before = path.read_bytes()
    with closing(JournalReader(path)) as reader:
        assert len(reader.games()) == 4
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path], "nothing is left beside it"
    with pytest.raises(JournalError, match=r"no journal .*nowhere\.db"):
        JournalReader(tmp_path / "nowhere.db")
    assert not (tmp_path / "nowhere.db").exists()


def test_a_file_of_every_version_is_at_hand() -> None:
    assert {path.name for path in KEPT.glob("*.db")} == {f"v{n}.db" for n in range(1, SCHEMA_VERSION)}


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_a_file_of_an_earlier_version_is_read_and_goes_on(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    shutil.copy(KEPT / f"v{version}.db", path)
    with closing(JournalReader(path)) as reader:
        read = (load(reader, 1), load(reader, 2), load_olympeak(reader, 3), load(reader, 4))
    with closing(Journal(path, lambda: 2_000_000_000.0)) as journal:
        brought = (load(journal, 1), load(journal, 2), load_olympeak(journal, 3), load(journal, 4))
        assert brought == read
        assert [game.is_open for game in brought[:2]] == [False, False]
        assert brought[2].is_open and brought[3].is_open
        assert str(load(journal, 4).position) == OPEN_AT
        assert [header.game for header in journal.games()] == [ABOVE, ABOVE, OLYMPEAK, ABOVE]
        journal.append(4, "take_back", 2)
        assert len(load(journal, 4).turns) == 3
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        brought_to = set(db.execute("SELECT type, name FROM sqlite_schema"))
    with closing(Journal(tmp_path / "new.db", lambda: 0.0)):
        pass
    with closing(sqlite3.connect(tmp_path / "new.db")) as db:
        made = set(db.execute("SELECT type, name FROM sqlite_schema"))
    assert brought_to == made


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "v1.db"
    shutil.copy(KEPT / "v1.db", path)
    broken = (*STEPS[:1], "CREATE TABLE half (done INTEGER); SELECT no_such_function();")
    monkeypatch.setattr("companion.referee.schema.STEPS", broken)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(path, lambda: 0.0)
    with closing(sqlite3.connect(path)) as db:
        assert version_of(db) == 1
        assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").fetchone() == (0,)


def test_a_killed_process_loses_no_announced_turn(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    program = (
        "import os, random, signal, sys\n"
        "from pathlib import Path\n"
        "from companion.games.above.setup import initial_position\n"
        "from companion.games.above.rules import apply, legal_actions\n"
        "from companion.referee.game import AboveEntry\n"
        "from companion.referee.journal import Journal\n"
        "rng = random.Random(3)\n"
        "entry = AboveEntry(Journal(Path(sys.argv[1]), lambda: 0.0))\n"
        "position = initial_position(2, rng)\n"
        "entry.begin(['Ada', 'Ben'], position)\n"
        "for turn in range(5):\n"
        "    actions = []\n"
        "    while not actions or not position.at_turn_start:\n"
        "        actions.append(rng.choice(legal_actions(position)))\n"
        "        position = apply(position, actions[-1])\n"
        "    entry.turn(actions)\n"
        "    print(position, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60
    )
    announced = done.stdout.splitlines()
    assert len(announced) == 5, done.stderr
    assert str(newest_game(path).position) == announced[-1]


def test_a_journal_that_cannot_be_used_is_named_with_what_to_do(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, however long it may be" * 100)
    newer = tmp_path / "newer.db"
    with closing(sqlite3.connect(newer)) as db:
        db.execute("CREATE TABLE plays (id INTEGER)")
        db.execute("PRAGMA user_version = 99")
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE recipes (id INTEGER)")
    for path, said in (
        (broken, r"broken\.db.*--journal"),
        (newer, "newer companion"),
        (foreign, "a database of something else"),
    ):
        before = path.read_bytes()
        with pytest.raises(JournalError, match=said):
            journal_at(path)
        with pytest.raises(JournalError, match=said):
            JournalReader(path)
        assert path.read_bytes() == before
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        journal_at(folder)


def test_a_journal_on_a_medium_that_cannot_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a read-only card: beside the file nothing can be made, not even the shared memory of WAL."""
    path = tmp_path / "v1.db"
    shutil.copy(KEPT / "v1.db", path)
    opened: list[str] = []
    real = sqlite3.connect

    def connect(place: str, **options: object) -> object:
        opened.append(place)
        return real(place, **options) if "immutable" in place else _Closed()  # type: ignore[call-overload]

    monkeypatch.setattr(sqlite3, "connect", connect)
    with closing(JournalReader(path, lasting=True)) as reader:
        assert len(reader.games()) == 4
    assert ["immutable" in place for place in opened] == [False, True]


class _Closed:
    """A connection to a file beside which nothing can be made."""

    def execute(self, statement: str) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    def close(self) -> None: ...


def test_a_table_that_writes_alone_is_not_joined_by_another(tmp_path: Path) -> None:
    first = Journal(tmp_path / "j.db", lambda: 0.0, alone=True)
    with pytest.raises(JournalError, match=r"j\.db is in use by another table"):
        Journal(tmp_path / "j.db", lambda: 0.0, alone=True)
    first.close()
    Journal(tmp_path / "j.db", lambda: 0.0, alone=True).close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET data = '{' WHERE number = 2",
        "UPDATE entries SET data = '5' WHERE number = 2",
        "UPDATE entries SET data = '[\"move ze top\"]' WHERE number = 2",
        "UPDATE entries SET kind = 'turnip' WHERE number = 2",
        "UPDATE entries SET kind = 'take_back', data = '7' WHERE number = 2",
        "UPDATE entries SET kind = 'correction', data = '{\"was\": 1}' WHERE number = 2",
        "UPDATE entries SET kind = 'ruling', data = '{}' WHERE number = 2",
        "DELETE FROM entries WHERE number = 2",
        "UPDATE games SET players = '5'",
        "UPDATE games SET position = 'junk'",
        "bytes",
    ],
)
def test_a_damaged_game_is_named_with_what_to_do(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "j.db"
    journal = journal_at(path)
    play_some(journal, 4, seed=2)
    journal.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        for trigger in ("entries_are_never_changed", "entries_are_never_deleted", "games_are_never_changed"):
            db.execute(f"DROP TRIGGER {trigger}")
        if damage != "bytes":
            db.execute(damage)
    if damage == "bytes":
        # The pages of the tables themselves, behind the file's head with its schema.
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xff" * (len(content) - 4096)
        path.write_bytes(content)
    with (
        closing(AboveKit().book(path, lambda: 0.0)) as book,
        pytest.raises(JournalError, match=r"j\.db .*--journal"),
    ):
        book.resume()


def test_a_file_in_which_nothing_was_written_holds_no_game(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with closing(JournalReader(path)) as reader:
        assert reader.games() == ()
        assert (reader.newest("above"), reader.lengths()) == (None, {})
        with pytest.raises(JournalError, match="holds no game number 1"):
            reader.header(1)
    assert path.read_bytes() == b""
    with closing(Journal(path, lambda: 1.0)) as journal:
        assert journal.open_game("above", ["Ada", "Ben"], "x") == 1


def test_a_migration_that_was_cut_off_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """All steps are one transaction: whoever opens the file next finds the old version, or the new one whole."""
    path = tmp_path / "j.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(f"{STEPS[0]}PRAGMA user_version = 1;")
    db.execute("INSERT INTO games (game, players, position, begun_at) VALUES ('above', '[]', 'x', 1.0)")
    # As when the process ends before it could commit.
    db.executescript(f"BEGIN IMMEDIATE;{STEPS[1]}PRAGMA user_version = 2;")
    db.close()
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("PRAGMA user_version").fetchone() == (1,)
    with closing(Journal(path, lambda: 1.0)) as journal:
        assert [game.id for game in journal.games()] == [1]
