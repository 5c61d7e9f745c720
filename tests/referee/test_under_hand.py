"""A hand lies over the board: what shows beside it may be half of a turn, and what is under it is that turn's."""

from __future__ import annotations

import pytest

from companion.referee.patience import UNDER_HAND_S
from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import Session, started

ELSEWHERE = {"h1", "h2", "h3"}


def zeus_played_beside_a_hand() -> tuple[Session, Tabletop]:
    """Ada's whole turn in plain view, and an arm over the far side of the board."""
    session, table = started()
    table.under_hand = set(ELSEWHERE)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    table.tokens.add(("thunder", "b1"))
    session.look(table, 4)
    return session, table


def test_a_turn_is_over_once_the_hand_is_gone() -> None:
    session, table = zeus_played_beside_a_hand()
    assert session.referee.verdict.seat == 0 and session.notes.turns == []
    table.under_hand.clear()
    assert session.look(table, 2).seat == 1
    assert len(session.notes.turns) == 1


def test_an_arm_may_rest_there_for_longer() -> None:
    session, table = zeus_played_beside_a_hand()
    session.now += UNDER_HAND_S
    assert session.look(table).seat == 1
    assert len(session.notes.turns) == 1


@pytest.mark.parametrize("space", ["h1", "h2"])
def test_what_was_laid_under_the_hand_is_held_against_whose_turn_it_was(space: str) -> None:
    session, table = zeus_played_beside_a_hand()
    table.tokens.add(("thunder", space))
    session.look(table, 2)
    table.under_hand.clear()
    verdict = session.look(table, 4)
    assert verdict.kind is Kind.ILLEGAL and verdict.seat == 0
    assert session.notes.turns == []
