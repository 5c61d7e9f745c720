"""What the players say to the question whether a card was chosen anew: the truth."""

from __future__ import annotations

import pytest

from tests.virtual.olympeak.conftest import Choice, Table, make_table

IS_IT_NEW = (Choice("new"), Choice("old"))


@pytest.fixture
def table() -> Table:
    """Two players, of whom nobody has played yet."""
    return make_table(2, 7)


def turned_up(table: Table, *cards: str, unseen: bool = False) -> None:
    """These cards are turned up, by seat, perhaps while something lies over the camera."""
    table.match._waiting.unseen = unseen
    table.match._answers.turned_up(cards)
    table.match._waiting.unseen = False


def test_what_was_turned_up_only_once_lies_there_still(table: Table) -> None:
    turned_up(table, "o01", "o02")
    assert table.match.answer(IS_IT_NEW, 0) == "old"
    turned_up(table, "p001", "o02")
    assert table.match.answer(IS_IT_NEW, 0) == "old"
    assert table.match.answer(IS_IT_NEW) == "new"
    turned_up(table, "p002", "p003")
    assert table.match.answer(IS_IT_NEW) == "old"


def test_the_same_card_turned_up_again_was_chosen_anew(table: Table) -> None:
    turned_up(table, "p001", "p002")
    turned_up(table, "p003", "p002")
    assert table.match.answer(IS_IT_NEW, 1) == "new"
    assert table.match.answer(IS_IT_NEW, 0) == "old"


def test_of_what_nobody_could_see_in_between_the_table_knows_nothing(table: Table) -> None:
    turned_up(table, "p001", "p002")
    turned_up(table, "p003", "p004", unseen=True)
    turned_up(table, "p005", "p002")
    assert table.match.answer(IS_IT_NEW, 1) == "new"
    turned_up(table, "p001", "p004")
    assert table.match.answer(IS_IT_NEW, 1) == "old"


def test_where_neither_is_offered_nothing_is_said(table: Table) -> None:
    turned_up(table, "o01", "o02")
    assert table.match.answer((Choice("new"),), 0) is None
