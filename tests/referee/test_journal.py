"""The journal: what was announced is on the disk, whatever happens then."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.above.records import check
from companion.games.above.setup import initial_position
from companion.referee.journal import Journal, JournalError
from companion.tables.above.kit import AboveKit
from tests.referee.tabletop import random_turn


def journal_at(path: Path) -> Journal:
    return Journal(path, lambda: 1_700_000_000.0)


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_read_back_as_it_was_written(tmp_path: Path, players: int) -> None:
    rng = random.Random(players)
    start = position = initial_position(players, rng)
    journal = journal_at(tmp_path / "new folder" / "journal.db")
    names = ["Ada", "Ben", "Chloe", "Dan"][:players]
    number = journal.begin(names, start)
    for _ in range(12):
        actions, position = random_turn(position, rng)
        journal.turn(number, actions)
    journal.refusal(number, "Zeus cannot step back.", "A6")
    journal.close()
    game = journal_at(tmp_path / "new folder" / "journal.db").last_open()
    assert game is not None
    assert (game.start, game.position, game.players) == (start, position, tuple(names))
    assert len(game.turns) == 12


def test_a_turn_taken_back_is_gone_but_still_written(tmp_path: Path) -> None:
    rng = random.Random(1)
    journal = journal_at(tmp_path / "j.db")
    start = initial_position(2, rng)
    number = journal.begin(["Ada", "Ben"], start)
    actions, after = random_turn(start, rng)
    journal.turn(number, actions)
    journal.turn(number, random_turn(after, rng)[0])
    journal.take_back(number)
    assert journal.load(number).position == after
    with sqlite3.connect(tmp_path / "j.db") as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (3,)


def test_nothing_written_can_be_changed_or_deleted(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    number = journal.begin(["Ada", "Ben"], initial_position(2, random.Random(1)))
    journal.refusal(number, "no", "A6")
    with sqlite3.connect(tmp_path / "j.db") as db:
        for statement in ("UPDATE entries SET data = ''", "DELETE FROM entries"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)


def test_the_record_of_a_game_passes_the_checker(tmp_path: Path) -> None:
    rng = random.Random(9)
    journal = journal_at(tmp_path / "j.db")
    position = initial_position(2, rng)
    number = journal.begin(["Ada", "Ben"], position)
    while not position.is_over:
        actions, position = random_turn(position, rng)
        journal.turn(number, actions)
        assert check(journal.record(number)) is None
    lines = list(journal.record(number))
    assert check(lines) is None
    assert '"winner"' in lines[-1]
    assert journal.last_open() is None


def test_an_abandoned_game_is_not_resumed(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    number = journal.begin(["Ada", "Ben"], initial_position(2, random.Random(1)))
    journal.abandon(number)
    assert journal.last_open() is None


def test_a_killed_process_loses_no_announced_turn(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    program = (
        "import os, random, signal, sys\n"
        "from pathlib import Path\n"
        "from companion.games.above.setup import initial_position\n"
        "from companion.games.above.rules import apply, legal_actions\n"
        "from companion.referee.journal import Journal\n"
        "rng = random.Random(3)\n"
        "journal = Journal(Path(sys.argv[1]), lambda: 0.0)\n"
        "position = initial_position(2, rng)\n"
        "number = journal.begin(['Ada', 'Ben'], position)\n"
        "for turn in range(5):\n"
        "    actions = []\n"
        "    while not actions or not position.at_turn_start:\n"
        "        actions.append(rng.choice(legal_actions(position)))\n"
        "        position = apply(position, actions[-1])\n"
        "    journal.turn(number, actions)\n"
        "    print(position, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60
    )
    announced = done.stdout.splitlines()
    assert len(announced) == 5, done.stderr
    game = journal_at(path).last_open()
    assert game is not None
    assert str(game.position) == announced[-1]


def test_a_journal_that_cannot_be_used_is_named_with_what_to_do(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, however long it may be" * 100)
    with pytest.raises(JournalError, match=r"broken\.db.*--journal"):
        journal_at(broken)
    newer = tmp_path / "newer.db"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="newer companion"):
        journal_at(newer)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        journal_at(folder)


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
        "DELETE FROM entries WHERE number = 2",
        "UPDATE games SET players = '5'",
        "UPDATE games SET position = 'junk'",
        "bytes",
    ],
)
def test_a_damaged_game_is_named_with_what_to_do(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "j.db"
    rng = random.Random(2)
    journal = journal_at(path)
    position = initial_position(2, rng)
    number = journal.begin(["Ada", "Ben"], position)
    for _ in range(4):
        actions, position = random_turn(position, rng)
        journal.turn(number, actions)
    journal.close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("DROP TRIGGER entries_are_never_changed")
        db.execute("DROP TRIGGER entries_are_never_deleted")
        if damage != "bytes":
            db.execute(damage)
    db.close()
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
