"""The book of Above: a game goes on, is given up for another, and is exported."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.above.records import check
from companion.games.above.setup import initial_position
from companion.referee.journal import Journal
from companion.tables.above.book import AboveBook
from tests.referee.tabletop import random_turn


def journal_at(path: Path) -> Journal:
    return Journal(path, lambda: 0.0)


def test_nothing_is_written_before_a_game_begins(tmp_path: Path) -> None:
    book = AboveBook(journal_at(tmp_path / "j.db"))
    assert book.resume() is None
    referee = book.referee(4, ("Zoe",))
    assert referee.names == ("Zoe", "Ben", "Chloe", "Dan")
    assert book.record() is None
    assert book.resume() is None
    book.close()


def test_an_open_game_goes_on_with_its_turns(tmp_path: Path) -> None:
    position = initial_position(2, random.Random(3))
    journal = journal_at(tmp_path / "j.db")
    number = journal.begin(["Eve", "Fay"], position)
    actions, after = random_turn(position, random.Random(3))
    journal.turn(number, actions)
    journal.close()
    book = AboveBook(journal_at(tmp_path / "j.db"))
    referee = book.resume()
    assert referee is not None
    assert referee.names == ("Eve", "Fay")
    assert referee.position == after
    assert referee.turns == [(position, tuple(actions))]
    record = book.record()
    assert record is not None
    assert check(record.splitlines()) is None


def test_a_new_game_gives_the_open_one_up(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    number = journal.begin(["Eve", "Fay"], initial_position(2, random.Random(3)))
    AboveBook(journal).referee(2)
    assert journal.load(number).abandoned
    assert AboveBook(journal).resume() is None
