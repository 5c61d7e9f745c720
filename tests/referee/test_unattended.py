"""A table that starts by itself plays whatever has become of its journal, and nothing of it is deleted."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.above.setup import initial_position
from companion.messages import render
from companion.referee.game import load
from companion.referee.journal import Journal
from companion.referee.journal_reader import (
    DamagedJournalError,
    JournalError,
    JournalReader,
    LockedJournalError,
)
from companion.referee.schema import SCHEMA_VERSION
from companion.referee.set_aside import asides
from companion.referee.unattended import UnattendedJournal
from companion.sitting import Sitting
from companion.tables.above.book import AboveBook
from companion.tables.replay import JournalArchive
from tests.referee.keeping import play_some
from tests.referee.tabletop import random_turn

NOON = 1_796_040_000.0  # on 2026-11-30


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two games, the second of them open; its log is not taken in."""
    folder = tmp_path_factory.mktemp("played")
    with closing(Journal(folder / "table.db", lambda: NOON)) as journal:
        for seed in (1, 2):
            play_some(journal, 4, seed=seed)
        for part in ("", "-wal"):
            shutil.copy(folder / f"table.db{part}", folder / f"journal.db{part}")
    return folder


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    """A copy of it, whose log is taken in."""
    for part in ("", "-wal"):
        shutil.copy(played / f"journal.db{part}", tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path / "journal.db"


def book_at(path: Path) -> AboveBook:
    return AboveBook(UnattendedJournal(path, lambda: NOON))


def evening(path: Path) -> tuple[int, str, list[str]]:
    """Everything a table does with its journal at its start, and a game; games listed, trouble, and what is told."""
    with closing(book_at(path)) as book:
        try:
            referee = book.resume()
        except JournalError:
            referee = None  # one damaged game
        Sitting(book, referee or book.referee(2), None)
        games = len(book.looking().games())
        writer = book._journal
        number = writer.open_game("above", ("Ada", "Ben"), "")
        writer.append(number, "refusal", 1)
        assert [fact.data for fact in writer.facts(number)] == [1]
        return games, book.trouble, [finding.text for finding in book.findings]


def garbled(data: bytes, how: str, at: int) -> bytes:
    """What a card may make of a file, beginning at a byte."""
    rng, spoilt = random.Random(at), bytearray(data)
    if how == "cut":
        return data[:at]
    many = {"byte": 1, "zeros": 700, "rubbish": 300, "page": 4096}[how]
    at = at // 4096 * 4096 if how == "page" else at
    hit = len(spoilt[at : at + many])
    spoilt[at : at + many] = bytes(hit) if how == "zeros" else rng.randbytes(hit)
    return bytes(spoilt)


SPOILT = [
    *[("", "byte", at) for at in (3, 18, 45, 62, 3700)],
    *[("", "cut", at) for at in (0, 50, 4096, 15000)],
    *[("", "zeros", at) for at in (0, 9500)],
    *[("", "rubbish", at) for at in (90, 3500, 13000)],
    *[("", "page", at) for at in (4096, 8192)],
    *[("-wal", "cut", at) for at in (20, 30_000)],
    ("-wal", "rubbish", 30_000),
]


def test_wherever_a_file_is_spoilt_the_table_starts_and_stays(played: Path, tmp_path: Path) -> None:
    """Also where a byte makes it look like something else: a file that is not to be written, or one of the future."""
    with (
        closing(sqlite3.connect(played / "table.db")) as db,
        closing(sqlite3.connect(tmp_path / "all")) as whole,
    ):
        db.backup(whole)
    in_log = {f"journal.db{part}": (played / f"journal.db{part}").read_bytes() for part in ("", "-wal")}
    assert len(in_log["journal.db-wal"]) > 60_000
    kept = []
    for count, (part, how, at) in enumerate(SPOILT):
        content = dict(in_log) if part else {"journal.db": (tmp_path / "all").read_bytes()}
        content[f"journal.db{part}"] = garbled(content[f"journal.db{part}"], how, at)
        folder = tmp_path / f"{count}"
        folder.mkdir()
        for name, data in content.items():
            (folder / name).write_bytes(data)
        games, trouble, told = evening(folder / "journal.db")
        asides_ = asides(folder / "journal.db")
        assert (trouble, len(asides_)) == ("", len(told)), (part, how, at)
        assert all(file.read_bytes() == content["journal.db"] for file in asides_), (part, how, at)
        # And the next time everything is in order.
        with closing(UnattendedJournal(folder / "journal.db", lambda: NOON)) as again:
            assert (again.trouble, again.findings, len(again.games())) == ("", (), games + 1), (part, how, at)
        kept.append(games)
    # Two games each, unless the very page was hit that holds them.
    assert sum(games == 2 for games in kept) > len(SPOILT) // 2 and 0 in kept


def test_one_spoilt_file_is_told_of_in_a_sentence_and_its_game_goes_on(path: Path) -> None:
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with closing(book_at(path)) as book:
        referee = book.resume()
        assert referee is not None and (book.current, len(referee.turns)) == (2, 4)
        (finding,) = book.findings
        assert "journal.damaged-2026-11-30.db. 2 games could still be read" in finding.text
        assert render(finding.text, "fr").startswith("Le journal était endommagé")
    with closing(book_at(path)) as book:
        assert book.findings == ()


def test_one_of_a_newer_companion_is_told_of_and_read_by_that_one_again(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with closing(book_at(path)) as book:
        assert book.resume() is None and book.trouble == ""
        (finding,) = book.findings
        assert "newer version" in finding.text and "Update" in finding.todo
    (aside,) = asides(path)
    assert (aside.name, aside.read_bytes()) == ("journal.newer-2026-11-30.db", before)


def test_who_only_reads_and_who_starts_it_by_hand_moves_nothing(path: Path) -> None:
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with pytest.raises(JournalError, match=r"journal\.db cannot be opened"):
        JournalReader(path)
    with pytest.raises(JournalError, match=r"journal\.db cannot be opened"):
        Journal(path, lambda: NOON, alone=True)
    assert asides(path) == []


def test_another_table_that_writes_to_it_is_an_error(path: Path) -> None:
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    with closing(UnattendedJournal(path, lambda: NOON)):
        with pytest.raises(LockedJournalError, match="in use by another table"):
            UnattendedJournal(path, lambda: NOON)
        assert len(asides(path)) == 1


class Locked:
    """A folder that cannot be made, as where a file lies in its place."""

    def __init__(self, path: Path) -> None:
        self.path = path / "journal.db"
        path.touch()

    def mend(self) -> None:
        self.path.parent.unlink()


def play(book: AboveBook, turns: int, seed: int = 5) -> int:
    """A game of so many turns that begins now; its number."""
    book.referee(2)
    entry, rng = book._current, random.Random(seed)
    assert entry is not None
    position = initial_position(2, rng)
    entry.begin(("Ada", "Ben"), position)
    for _ in range(turns):
        actions, position = random_turn(position, rng)
        entry.turn(actions)
    assert entry.game is not None
    return entry.game


def test_where_no_file_can_be_made_the_table_plays_and_keeps_it_later(tmp_path: Path) -> None:
    place = Locked(tmp_path / "games")
    with closing(book_at(place.path)) as book:
        archive = JournalArchive(book.looking, lambda: book.current)
        assert book.resume() is None
        assert "cannot be opened (" in book.trouble and "(entries: 0)" in book.trouble
        assert play(book, 3) == 1
        assert "(entries: 3)" in book.trouble and book.waiting == 3
        assert [(game.id, game.turns, game.current) for game in archive.games()] == [(1, 3, True)]
        book.catch_up()
        assert book.waiting == 3
        place.mend()
        book.catch_up()
        assert (book.trouble, book.waiting, book.current) == ("", 0, 1)
        assert book._current is not None
        book._current.refusal("no", "A6")
        assert [(game.turns, game.refusals) for game in archive.games()] == [(3, 1)]
    with closing(JournalReader(place.path)) as reader:
        assert len(load(reader, 1).turns) == 3 and reader.lengths() == {1: 4}


@pytest.fixture
def still(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """The journal's medium may not be written to as long as this holds True."""
    holds = [True]
    real = Journal._taken

    def taken(journal: Journal) -> object:
        if holds[0]:
            raise OSError(30, "Read-only file system")
        return real(journal)

    monkeypatch.setattr(Journal, "_taken", taken)
    yield holds


def test_what_can_be_read_goes_on_where_nothing_can_be_written(path: Path, still: list[bool]) -> None:
    with closing(book_at(path)) as book:
        assert "(Read-only file system)" in book.trouble
        referee = book.resume()
        assert referee is not None and (book.current, len(referee.turns)) == (2, 4)
        referee.take_back()
        assert play(book, 2) == 3
        assert len(JournalArchive(book.looking).games()) == 3
        still[0] = False
        book.catch_up()
        assert (book.trouble, book.current) == ("", 3)
    with closing(JournalReader(path)) as reader:
        assert [len(load(reader, number).turns) for number in (1, 2, 3)] == [4, 3, 2]


def test_a_file_that_may_only_be_read_is_waited_for_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after somebody has played as root: the database opens such a file without a word."""
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda place, mode: (place, mode) != (path, os.W_OK))
        with pytest.raises(JournalError, match="Permission denied"):
            Journal(path, lambda: NOON)
        book = book_at(path)
    with closing(book):
        assert "(Permission denied)" in book.trouble and book.resume() is not None
        book.catch_up()
        assert (book.trouble, book.current) == ("", 2)


def test_games_that_another_has_written_meanwhile_keep_their_numbers(path: Path, still: list[bool]) -> None:
    with closing(book_at(path)) as book:
        referee = book.resume()
        assert referee is not None
        referee.take_back()
        assert play(book, 1) == 3
        with closing(Journal(path, lambda: NOON)) as other:
            other.append(2, "abandon", None)
            play_some(other, 4, seed=9)
        still[0] = False
        book.catch_up()
        # Game 2 has gone on otherwise there: both ways are kept.
        assert (book.trouble, book.current) == ("", 5)
        assert book._current is not None
        book._current.refusal("no", "A6")
    with closing(JournalReader(path)) as reader:
        games = [load(reader, number) for number in range(1, 6)]
        assert [len(game.turns) for game in games] == [4, 4, 4, 3, 1]
        assert [game.abandoned for game in games] == [False, True, False, False, False]
        assert reader.lengths()[5] == 2


def test_a_folder_or_somebody_elses_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    with closing(sqlite3.connect(tmp_path / "recipes.db")) as db:
        db.execute("CREATE TABLE games (dish TEXT)")
    before = (tmp_path / "recipes.db").read_bytes()
    for name, why in (("folder.db", "cannot be opened"), ("recipes.db", "a database of something else")):
        games, trouble, told = evening(tmp_path / name)
        assert (games, told) == (0, []) and why in trouble
    assert (tmp_path / "folder.db").is_dir() and (tmp_path / "recipes.db").read_bytes() == before


def test_damage_found_out_while_it_is_written_ends_the_table_and_is_mended_at_the_next_start(
    path: Path,
) -> None:
    with closing(book_at(path)) as book:
        assert book.resume() is not None and book._current is not None
        # The leaves of the tables and the index, behind the back of the running table.
        data = bytearray(path.read_bytes())
        data[4096:] = b"\xa5" * (len(data) - 4096)
        path.write_bytes(data)
        book._journal._db.execute("PRAGMA shrink_memory")
        with pytest.raises(DamagedJournalError, match="starts anew"):
            for _ in range(50):
                book._current.refusal("no", "A6")
    games, trouble, told = evening(path)
    assert trouble == "" and len(told) == 1 and games == 0
