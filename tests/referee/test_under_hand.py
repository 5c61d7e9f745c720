"""A hand lies over the board: what shows beside it may be half of a turn, and what is under it is that turn's."""

from __future__ import annotations

import pytest

from companion.referee.patience import UNDER_HAND_S
from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, started

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


def both_played_beside_a_hand() -> tuple[Session, Tabletop]:
    """Ada's Poseidon has come to m3 over the Fertility token on m2, and Ben has turned his Hera and moved her: an arm
    lies over where Poseidon is."""
    session, table = started(START.replace("fertility=d3", "fertility=m2"))
    table.under_hand = {"n1", "m2", "m3"}
    table.cards[0]["po"] = 0
    table.tokens -= {("gate", "h3"), ("fertility", "m2")}
    table.minis["po"] = "m3"
    session.look(table, 2)
    table.cards[1]["he"] = 0
    table.minis["he"] = "c2"
    session.look(table, 8)
    return session, table


def test_where_a_piece_went_is_not_guessed_while_the_hand_that_hides_it_lies_there() -> None:
    session, table = both_played_beside_a_hand()
    assert session.notes.turns == []
    table.under_hand.clear()
    assert session.look(table, 4).seat == 1
    (turn,) = session.referee.turns
    assert turn.after.space_of("po") == "m3"


def test_where_an_arm_hides_it_for_longer_all_that_may_have_been_played_is_asked_for() -> None:
    session, table = both_played_beside_a_hand()
    session.now += UNDER_HAND_S
    verdict = session.look(table, 2)
    assert verdict.kind is Kind.QUESTION
    texts = {choice.text for choice in verdict.choices}
    assert texts == {"Poseidon: to n1, Gate off h3", "Poseidon: to m2, to m3, Gate off h3"}


def test_a_token_that_a_hand_may_hide_was_not_triggered_unseen() -> None:
    """Ada's Thunder lies under an arm; one laid where Ben's Aphrodite triggers it besides another would be gone, too."""
    session, table = started(START.replace("b5.f5", "f5.n3"))
    table.under_hand = ELSEWHERE
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    table.tokens ^= {("thunder", "h2"), ("thunder", "n3")}
    table.cards[1]["ap"] = 0
    table.minis["ap"] = "o2"
    session.look(table, 8)
    assert session.notes.turns == []
    table.under_hand = set()
    assert session.look(table, 4).seat == 0
    assert [str(actions[-1]) for actions in session.notes.turns] == ["place thunder h2", "move ap o2"]
