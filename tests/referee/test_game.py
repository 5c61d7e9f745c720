"""A game of Above in the journal: read back as it was written, taken back, ruled on, corrected, exported."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.above.records import check
from companion.games.above.setup import initial_position
from companion.referee.corrections import Correction
from companion.referee.game import AboveEntry, course, load, record
from companion.referee.journal_reader import JournalReader
from companion.referee.referee import Referee
from tests.referee.keeping import NAMES, journal_at, newest_game, play_some
from tests.referee.tabletop import random_position, random_turn


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_read_back_as_it_was_written(tmp_path: Path, players: int) -> None:
    path = tmp_path / "new folder" / "journal.db"
    journal = journal_at(path)
    entry, position = play_some(journal, 12, seed=players, players=players)
    entry.refusal("Zeus cannot step back.", "A6")
    journal.close()
    game = newest_game(path)
    start = initial_position(players, random.Random(players))
    assert (game.start, game.position, game.players) == (start, position, NAMES[:players])
    assert len(game.turns) == 12
    assert game.is_open


def test_turns_taken_back_are_gone_but_still_written(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 5)
    turns = load(journal, 1).turns
    entry.take_back()
    assert load(journal, 1).turns == turns[:4]
    entry.take_back(3)
    assert load(journal, 1).turns == turns[:1]
    assert [fact.kind for fact in journal.facts(1)] == ["turn"] * 5 + ["take_back"] * 2
    entry.take_back(2)
    with pytest.raises(ValueError, match="2 turns taken back where there are 1"):
        load(journal, 1)


@pytest.mark.parametrize("players", [2, 4])
def test_the_record_of_a_game_passes_the_checker_after_every_turn(tmp_path: Path, players: int) -> None:
    journal = journal_at(tmp_path / "j.db")
    rng = random.Random(9)
    position = initial_position(players, rng)
    entry = AboveEntry(journal)
    entry.begin(NAMES[:players], position)
    while not position.is_over:
        actions, position = random_turn(position, rng)
        entry.turn(actions)
        if rng.random() < 0.2:
            assert check(record(journal, 1)) is None
    lines = list(record(journal, 1))
    assert check(lines) is None
    assert '"winner"' in lines[-1]
    assert not load(journal, 1).is_open


def test_a_ruling_of_the_house_is_a_departure_that_the_record_names(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 3)
    elsewhere = random_position(2, 9, random.Random(77))
    entry.ruling(
        "Hera cannot step back: a miniature moves forward or sideways (phase 2, A6).", "A6", elsewhere
    )
    _, after = random_turn(elsewhere, random.Random(3))
    entry.turn(random_turn(elsewhere, random.Random(3))[0])
    game = load(journal, 1)
    assert game.position == after
    assert game.turns[3].ruling.startswith("Hera cannot step back")
    lines = list(record(journal, 1))
    line = next(number for number, text in enumerate(lines, 1) if "ruling" in text)
    departure = check(lines)
    assert departure is not None
    assert departure.line == line
    assert "ruling of their own" in departure.text and "Hera cannot step back" in departure.text
    assert check(lines, rulings=True) is None
    # Everything but the ruling is held to the rules all the same.
    broken = [*lines[: line + 1], *lines[line + 2 :]]
    found = check(broken, rulings=True)
    assert found is not None and found.line > line


def test_a_ruling_that_counts_after_all_cites_what_it_cited_also_in_a_game_that_was_closed_between(
    tmp_path: Path,
) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, before = play_some(journal, 3)
    ruled = random_position(2, 9, random.Random(77))
    entry.ruling("Hera cannot step back.", "phase 2, A6", ruled)
    game = load(journal, 1)
    referee = Referee(game.players, AboveEntry(journal, 1), game.position, game.turns)
    referee.take_back()
    assert referee.position == before
    assert referee.answer("keep")
    assert referee.position == ruled
    first, again = (fact.data for fact in journal.facts(1) if fact.kind == "ruling")
    assert again == first


def test_a_correction_keeps_what_was_read_and_what_was_said(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 1)
    said = Correction("mini", "c2", "he", "ar", swapped=True)
    entry.correction(said)
    (fact,) = [fact for fact in journal.facts(1) if fact.kind == "correction"]
    assert fact.data == {"what": "mini", "place": "c2", "read": "he", "said": "ar", "swapped": True}
    assert load(journal, 1).corrections == (said,)


def test_an_abandoned_game_does_not_go_on(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 1)
    entry.abandon()
    assert not load(journal, 1).is_open


def test_the_course_tells_how_the_game_stood_after_each_fact(tmp_path: Path) -> None:
    journal = journal_at(tmp_path / "j.db")
    entry, _ = play_some(journal, 2)
    entry.take_back(2)
    lengths = [len(game.turns) for _, game in course(journal, 1)]
    assert lengths == [0, 1, 2, 0]
    assert [fact.kind if fact else "" for fact, _ in course(journal, 1)] == ["", "turn", "turn", "take_back"]


@pytest.mark.parametrize(
    "write",
    [
        lambda entry: entry.turn([]),
        lambda entry: entry.refusal("no", "A6"),
        lambda entry: entry.abandon(),
    ],
)
def test_nothing_is_written_of_a_game_that_has_not_begun(
    tmp_path: Path, write: Callable[[AboveEntry], None]
) -> None:
    journal = journal_at(tmp_path / "j.db")
    with pytest.raises(ValueError, match="before it has begun"):
        write(AboveEntry(journal))
    assert JournalReader(tmp_path / "j.db").games() == ()
