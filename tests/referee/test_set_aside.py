"""A journal that is spoilt is found out, set aside whole, and what can be read of its games is brought over."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from companion.referee.game import load
from companion.referee.journal import Journal
from companion.referee.journal_reader import JournalError, JournalReader, LockedJournalError
from companion.referee.salvage import PAGE_BYTES
from companion.referee.schema import SCHEMA_VERSION
from companion.referee.set_aside import Ailment, ailment, ailment_of, asides, is_damage, renew
from companion.referee.unattended import UnattendedJournal
from tests.referee.keeping import play_some

TODAY = date(2026, 11, 30)
KEPT = Path(__file__).parents[1] / "data" / "journal"
GAMES, TURNS = 12, 8


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of some games, closed in order."""
    path = tmp_path_factory.mktemp("played") / "journal.db"
    with closing(Journal(path, lambda: 0.0)) as journal:
        for seed in range(GAMES):
            play_some(journal, TURNS, seed=seed)
    assert path.stat().st_size > 6 * PAGE_BYTES
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    copy = tmp_path / "journal.db"
    shutil.copy(played, copy)
    return copy


def spoil(path: Path, at: int, many: int) -> bytes:
    """So many bytes of a file from one on are others; returns the whole of it."""
    data = bytearray(path.read_bytes())
    data[at : at + many] = random.Random(at).randbytes(len(data[at : at + many]))
    path.write_bytes(data)
    return bytes(data)


def lengths(path: Path) -> dict[int, int]:
    """How many turns each game has that can be played through."""
    with closing(JournalReader(path)) as reader:
        return {header.id: len(load(reader, header.id).turns) for header in reader.games()}


def held(path: Path) -> dict[str, bytes]:
    """A journal and what lies beside it, by name; but for the new one before it is in its place, and indices of logs."""
    return {
        file.name: file.read_bytes()
        for file in path.parent.iterdir()
        if not file.name.startswith(".") and not file.name.endswith("-shm")
    }


def no_second_names(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


@pytest.fixture
def linked(path: Path) -> Path:
    """A link in another folder that leads to the journal, by way of another one."""
    folder = path.parent / "card"
    folder.mkdir()
    (folder / "stick.db").symlink_to(path)
    (folder / "table.db").symlink_to("stick.db")
    return folder / "table.db"


def test_a_link_goes_on_leading_to_the_journal(path: Path, linked: Path) -> None:
    """As to a stick: all stays there, the card gets nothing."""
    before = spoil(path, 0, 100)
    assert ailment(linked) is Ailment.DAMAGED
    aside = renew(linked, Ailment.DAMAGED, TODAY)
    assert aside.file == path.with_name("journal.damaged-2026-11-30.db")
    assert aside.file.read_bytes() == before and aside.games == GAMES
    assert sorted(file.name for file in linked.parent.iterdir()) == ["stick.db", "table.db"]
    assert linked.is_symlink() and linked.resolve() == path
    assert lengths(linked) == lengths(path) == dict.fromkeys(range(1, GAMES + 1), TURNS)
    assert asides(linked) == asides(path) == [aside.file]
    assert ailment_of(aside.file, linked) is Ailment.DAMAGED


def test_behind_a_link_the_log_counts_and_one_table_writes(path: Path, linked: Path) -> None:
    with closing(Journal(linked, lambda: 0.0, alone=True)) as table:
        play_some(table, 3, seed=99)
        assert lengths(linked)[GAMES + 1] == 3
        with pytest.raises(LockedJournalError):
            Journal(path, lambda: 0.0, alone=True)
        cut = {part: Path(f"{path}{part}").read_bytes() for part in ("", "-wal")}
    for part, data in cut.items():
        Path(f"{path}{part}").write_bytes(data)
    # The power was cut, and a page of facts is spoilt, which is in the file alone.
    spoil(path, 5 * PAGE_BYTES, PAGE_BYTES)
    assert ailment(linked) is Ailment.DAMAGED
    kept = renew(linked, Ailment.DAMAGED, TODAY).file
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == cut["-wal"]
    assert lengths(linked)[GAMES + 1] == 3


def test_what_is_sound_is_left_alone(path: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "recipes.db")) as db:
        db.execute("CREATE TABLE games (dish TEXT)")
    for name in ("journal.db", "empty.db", "recipes.db", "nowhere.db"):
        assert ailment(tmp_path / name) is None
    old = tmp_path / "v1.db"
    shutil.copy(KEPT / "v1.db", old)
    assert ailment(old) is None
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "empty.db",
        "journal.db",
        "recipes.db",
        "v1.db",
    ]


@pytest.mark.parametrize(
    ("at", "many"), [(0, 16), (0, 100), (18, 1), (40, 20), (0, PAGE_BYTES)], ids=lambda value: str(value)
)
def test_where_the_first_page_is_spoilt_no_game_is_lost(path: Path, at: int, many: int) -> None:
    before = spoil(path, at, many)
    assert ailment(path) is Ailment.DAMAGED
    aside = renew(path, Ailment.DAMAGED, TODAY)
    assert aside.file.name == "journal.damaged-2026-11-30.db"
    assert aside.file.read_bytes() == before
    assert (aside.games, ailment(path)) == (GAMES, None)
    assert lengths(path) == dict.fromkeys(range(1, GAMES + 1), TURNS)


@pytest.mark.parametrize("name", ["companion.toml", "photo.png", "notes", "places.sqlite"])
def test_what_belongs_to_somebody_else_is_left_where_it_is(tmp_path: Path, name: str) -> None:
    """Named by mistake: text, bytes, the spoilt database of another program, and one with a version of its own."""
    foreign = tmp_path / name
    with closing(sqlite3.connect(foreign)) as db:
        db.executescript("CREATE TABLE places (url TEXT); PRAGMA user_version = 77")
    database = foreign.read_bytes()
    contents = [
        *(b'journal = "companion.toml"\n'[:size] for size in (2, 20, 27)),
        b"# settings\n" * 900,
        random.Random(1).randbytes(9_000),
        database,
        database[:18] + b"\0" + database[19:],
        database[:4_000],
    ]
    for content in contents:
        foreign.write_bytes(content)
        assert ailment(foreign) is None, content[:30]
        with closing(UnattendedJournal(foreign, lambda: 0.0)) as table:
            assert name in table.trouble and table.findings == (), content[:30]
            play_some(table, 1)
            assert len(table.games()) == 1
        assert foreign.read_bytes() == content
        assert {file.name for file in tmp_path.iterdir()} == {name, f"{name}.lock"}


def test_a_journal_of_any_name_is_known_by_what_is_left_of_it(path: Path) -> None:
    """Its table's description, or without the first page its games."""
    for size in (0, 100, PAGE_BYTES):
        named = path.with_name(f"evenings-{size}")
        named.write_bytes(random.Random(size).randbytes(size) + path.read_bytes()[size:])
        assert ailment(named) is (Ailment.DAMAGED if size else None)
    named.write_bytes(bytes(100) + path.read_bytes()[100:PAGE_BYTES])
    assert ailment(named) is Ailment.DAMAGED


def test_where_the_end_is_cut_off_what_lies_before_is_brought_over(path: Path) -> None:
    whole = path.read_bytes()
    # The middle of the pages that hold facts.
    path.write_bytes(whole[: len(whole) * 8 // 10])
    assert ailment(path) is Ailment.DAMAGED
    aside = renew(path, Ailment.DAMAGED, TODAY)
    brought = lengths(path)
    assert 0 < len(brought) == aside.games < GAMES
    assert all(0 < turns <= TURNS for turns in brought.values())
    assert ailment(path) is None


def test_nothing_that_was_set_aside_is_ever_overwritten(path: Path) -> None:
    contents = []
    for at in (0, 30, 10):
        contents.append(spoil(path, at, 60))
        renew(path, Ailment.DAMAGED, TODAY)
    names = [f"journal.damaged-2026-11-30{nth}.db" for nth in ("", "-2", "-3")]
    assert [file.name for file in asides(path)] == names
    assert [file.read_bytes() for file in asides(path)] == contents
    assert lengths(path) == dict.fromkeys(range(1, GAMES + 1), TURNS)


def test_its_log_goes_with_it_and_counts(path: Path) -> None:
    """Where the power was cut, the last turns are in the log beside the file."""
    table = Journal(path, lambda: 0.0)
    play_some(table, 3, seed=99)
    folder = path.parent / "cut"
    folder.mkdir()
    for part in ("", "-wal"):
        shutil.copy(f"{path}{part}", folder)
    table.close()
    cut = folder / path.name
    log = cut.with_name("journal.db-wal").read_bytes()
    # A page of facts, which is in the file alone.
    spoil(cut, 5 * PAGE_BYTES, PAGE_BYTES)
    assert ailment(cut) is Ailment.DAMAGED
    aside = renew(cut, Ailment.DAMAGED, TODAY)
    assert aside.file.with_name(f"{aside.file.name}-wal").read_bytes() == log
    assert not cut.with_name("journal.db-wal").exists()
    assert lengths(cut)[GAMES + 1] == 3


def test_a_stick_that_knows_no_second_names_will_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with FAT."""
    monkeypatch.setattr("os.link", no_second_names)
    before = spoil(path, 0, 100)
    aside = renew(path, Ailment.DAMAGED, TODAY)
    assert aside.file.read_bytes() == before and lengths(path)[GAMES] == TURNS


def test_one_that_cannot_be_moved_stays_where_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    before = spoil(path, 0, 100)
    monkeypatch.setattr("os.link", refuse)
    monkeypatch.setattr("shutil.copyfile", refuse)
    with pytest.raises(OSError, match="Read-only"):
        renew(path, Ailment.DAMAGED, TODAY)
    assert path.read_bytes() == before and asides(path) == []


@pytest.mark.parametrize(
    ("of", "step", "name", "knows_links"),
    [
        (shutil, "copyfile", "journal.db-wal", False),
        (shutil, "copyfile", "journal.db", False),
        (os, "fsync", "", False),
        *[(Path, "unlink", "journal.db-wal", knows) for knows in (True, False)],
        *[(Path, "replace", ".journal.db.new", knows) for knows in (True, False)],
    ],
)
def test_cut_off_in_the_middle_there_is_a_journal_and_nothing_is_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch, of: object, step: str, name: str, knows_links: bool
) -> None:
    """Whatever step fails, and halfway: all is where it was, and the next attempt ends well."""
    path.with_name("journal.db-wal").write_bytes(b"a log that is none")
    spoil(path, 0, 100)
    before = held(path)
    real = getattr(of, step)

    def refuse(file: object, *args: object, **options: object) -> object:
        if name and getattr(file, "name", "") != name:
            return real(file, *args, **options)
        if step == "copyfile":
            (copy,) = args
            assert isinstance(copy, Path)
            copy.write_bytes(b"half of it")
        raise OSError(5, "Input/output error")

    if not knows_links:
        monkeypatch.setattr("os.link", no_second_names)
    with monkeypatch.context() as patch:
        patch.setattr(of, step, refuse)
        with pytest.raises(OSError, match="Input/output"):
            renew(path, Ailment.DAMAGED, TODAY)
        assert held(path) == before
    kept = renew(path, Ailment.DAMAGED, TODAY).file
    assert kept.name == "journal.damaged-2026-11-30.db" and lengths(path)[GAMES] == TURNS
    moved = {name.replace("journal.db", kept.name): data for name, data in before.items()}
    assert {file: data for file, data in held(path).items() if file != path.name} == moved


def test_one_of_a_newer_companion_is_named_so_and_not_read(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert ailment(path) is Ailment.NEWER
    aside = renew(path, Ailment.NEWER, TODAY)
    assert (aside.file.name, aside.games) == ("journal.newer-2026-11-30.db", 0)
    assert ailment(aside.file) is Ailment.NEWER and lengths(path) == {}


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE games SET players = '5' WHERE id = 3",
        "UPDATE games SET players = CAST(x'ff' AS TEXT) WHERE id = 3",
        "PRAGMA writable_schema = ON; "
        "UPDATE sqlite_schema SET sql = replace(sql, 'data TEXT', 'dbta TEXT') WHERE name = 'entries'",
    ],
)
def test_damage_that_the_database_does_not_see_is_found_out(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER games_are_never_changed")
        db.executescript(sql)
    assert ailment(path) is Ailment.DAMAGED
    assert renew(path, Ailment.DAMAGED, TODAY).games >= GAMES - 1
    assert ailment(path) is None


def test_the_disk_and_who_may_use_it_are_no_damage(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error) as nowhere:
        sqlite3.connect(tmp_path / "no" / "folder.db")
    with closing(sqlite3.connect(":memory:")) as db, pytest.raises(sqlite3.Error) as nonsense:
        db.execute("SELECT * FROM games")
    assert not is_damage(nowhere.value) and is_damage(nonsense.value)
    assert not is_damage(None) and not is_damage(JournalError("in use"))
