"""Which games can be played, and by how many."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.olympeak.deck_file import DeckError, default_box, dump
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.referee import Referee
from companion.sensing.reading import CardSighting, Reading
from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan
from companion.soak.report import SoakReport
from companion.tables.catalogue import GAMES, UnknownGame, kit_for
from tests.table.running import FEW_FRAMES_PER_S


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_kit_for_each_of_its_numbers(game: str) -> None:
    kit = kit_for(game)
    assert kit.name == game
    assert [kit_for(game, players).title for players in kit.seats] == [kit.title] * len(kit.seats)


def test_an_unknown_game_is_told_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match=r'no table for "chess". Known: above, olympeak'):
        kit_for("chess")


def test_too_many_players_are_told_how_many_may_play() -> None:
    with pytest.raises(UnknownGame, match=r"Above is played by 2 or 4, not 3. Use --players 2"):
        kit_for("above", 3)
    with pytest.raises(UnknownGame, match=r"2, 3, 4, 5 or 6, not 7"):
        kit_for("olympeak", 7)


@pytest.fixture
def own_deck(tmp_path: Path) -> Path:
    """A deck whose owner stuck two markers the other way round and has one card that differs."""
    text = dump(default_box()).replace("p001,115,", "p001,888,").replace("p002,116,", "p002,115,")
    path = tmp_path / "deck.csv"
    path.write_text(
        text.replace("p001,888,", "p001,116,").replace("p003,117,progress,0", "p003,117,progress,3")
    )
    return path


def test_the_owners_deck_is_the_one_that_is_played_with(own_deck: Path, tmp_path: Path) -> None:
    book = kit_for("olympeak", 2, own_deck).book(tmp_path / "journal.db", lambda: 0.0)
    referee = book.referee(2)
    book.close()
    assert isinstance(referee, OlympeakReferee)
    assert referee.box.deck["p003"].value == 3
    assert referee.box.card_ids["p001"] == 116
    assert not referee.box.assumed


def test_the_owners_letters_and_rings_are_told_at_set_up(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    file.write_text("card,letter,ring\nhe1,k,3\nat2,c,6\n")
    book = kit_for("above", 2, file, named=True).book(tmp_path / "journal.db", lambda: 0.0)
    referee = book.referee(2)
    book.close()
    assert isinstance(referee, Referee)
    first = CardSighting("he", 1, True, 0, (0.0, 250.0, 0.0))
    second = CardSighting("at", 2, True, 0, (60.0, 250.0, 0.0))
    for at, cards in enumerate([(), (first,), (first, second)]):
        verdict = referee.observe(Reading(float(at), cards=cards))
    assert "Place a Thunder token on k6: Hera names column k, Athena ring 6." in [
        todo.text for todo in verdict.todo
    ]


def test_a_game_is_seen_and_judged_by_the_owners_deck(own_deck: Path) -> None:
    report = SoakReport()
    kit = kit_for("olympeak", 2, own_deck)
    soak_game(kit, SoakPlan(2, 31, turns=2), report, frames_per_s=FEW_FRAMES_PER_S)
    assert report.turns >= 2
    assert report.illegal_caught == report.illegal_shown
    assert (report.incidents, report.wrong_accepted, report.false_alarms, report.stuck) == ([], 0, 0, 0)


def test_a_deck_that_was_named_must_be_there_and_right(tmp_path: Path) -> None:
    missing = tmp_path / "deck.csv"
    assert kit_for("olympeak", 2, missing).name == "olympeak"
    with pytest.raises(DeckError, match="cannot be read"):
        kit_for("olympeak", 2, missing, named=True)
    missing.write_text("card,marker\n")
    with pytest.raises(DeckError, match="line 1: the columns must be"):
        kit_for("olympeak", 2, missing)
