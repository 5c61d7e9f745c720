"""The book of Above: a game goes on, is given up for another, and is exported."""

from __future__ import annotations

import random
from pathlib import Path

from companion.games.above.records import check
from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry, load
from companion.referee.turn import Turn
from companion.tables.above.book import AboveBook
from tests.referee.keeping import journal_at, play_some
from tests.referee.tabletop import random_turn


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
    entry = AboveEntry(journal)
    entry.begin(["Eve", "Fay"], position)
    actions, after = random_turn(position, random.Random(3))
    entry.turn(actions)
    journal.close()
    book = AboveBook(journal_at(tmp_path / "j.db"))
    referee = book.resume()
    assert referee is not None
    assert referee.names == ("Eve", "Fay")
    assert referee.position == after
    assert referee.turns == [Turn(position, actions, after)]
    record = book.record()
    assert record is not None
    assert check(record.splitlines()) is None


def test_a_new_game_sets_the_open_one_aside(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    play_some(journal, 2)
    book = AboveBook(journal)
    assert book.resume() is not None
    assert book.set_aside() is None
    book.referee(4)
    assert book.set_aside() == 1
    play_some(journal, 1, seed=2)
    assert book.set_aside() == 2
    assert book.resume(1) is not None
    assert book.set_aside() == 2


def test_an_abandoned_game_is_offered_no_more(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    play_some(journal, 2)
    play_some(journal, 2, seed=2)
    book = AboveBook(journal)
    book.resume()
    book.abandon()
    assert load(journal, 2).abandoned
    assert book.resume() is None
    assert book.set_aside() == 1
    book.abandon(1)
    assert book.set_aside() is None


def test_a_game_that_was_played_out_is_not_resumed(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    play_some(journal, 500)
    assert AboveBook(journal).resume(1) is None


def test_a_damaged_game_of_long_ago_keeps_nobody_from_playing(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    play_some(journal, 2)
    journal.append(1, "turnip", None)
    play_some(journal, 2, seed=2)
    book = AboveBook(journal)
    assert book.resume() is not None
    assert book.set_aside() is None
