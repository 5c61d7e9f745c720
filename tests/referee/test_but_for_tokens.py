"""A turn lay there whole, but for a token that it takes off by the rules, and the next player goes on from it."""

from __future__ import annotations

import pytest

from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, started

LOOKS = 6


def hera_played_but_for_a_token(looks: int = LOOKS) -> tuple[Session, Tabletop]:
    """Ada's Hera has gone on over a Fertility token that still lies there, and she has named Ben's Ares."""
    session, table = started(START.replace("fertility=d3", "fertility=c2"))
    table.cards[0]["he"] = 0
    table.minis["he"] = "c3"
    table.cards[1]["ar"] = 0
    verdict = session.look(table, looks)
    assert verdict.kind is Kind.UNFINISHED and not session.notes.turns
    return session, table


def athena_played(table: Tabletop) -> None:
    """Ben's, who exhausts his Demeter card besides: by the cards alone Ada may as well have named that one."""
    table.cards[1]["at"] = table.cards[1]["de"] = 0
    table.minis["at"] = "g2"


@pytest.mark.parametrize("is_taken_off", [True, False])
def test_the_turn_was_as_it_lay_there_and_is_not_asked_for(is_taken_off: bool) -> None:
    session, table = hera_played_but_for_a_token()
    athena_played(table)
    if is_taken_off:
        table.tokens.remove(("fertility", "c2"))
    verdict = session.look(table, 40)
    assert verdict.kind is not Kind.QUESTION
    (turn,) = session.referee.turns
    assert str(turn.actions[-1]) == "disgrace ar"


def test_one_look_tells_no_more_than_what_lies_there_now() -> None:
    session, table = hera_played_but_for_a_token(looks=1)
    athena_played(table)
    table.tokens.remove(("fertility", "c2"))
    assert session.look(table, 40).kind is Kind.QUESTION
    assert not session.notes.turns


def test_what_the_next_player_may_not_do_was_not_played() -> None:
    session, table = hera_played_but_for_a_token()
    table.cards[1]["at"] = 0
    table.minis["at"] = "g4"
    session.look(table, 40)
    assert not session.notes.turns
