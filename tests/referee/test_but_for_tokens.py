"""A turn lay there whole, but for a token that it takes off by the rules, and the next player goes on from it."""

from __future__ import annotations

import pytest

from companion.games.above.box import DEITIES
from companion.referee.verdict import Kind, Mark
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


# Where tokens lie, who comes upon one or the other and where that ends.
EITHER = [
    ("fertility=d3.n4", "fertility=e2.f1", "ar", "f2", "fertility"),
    ("gate=h3.l6", "gate=d1.f1.h3", "ar", "h3", "gate"),
]


def one_of_two_was_triggered(before: str, tokens: str, mover: str, end: str) -> tuple[Session, Tabletop]:
    """Ada's miniature has come upon one of two tokens that lie there still, and its power is carried out."""
    session, table = started(START.replace(before, tokens))
    table.cards[0][mover] = 0
    table.minis[mover] = end
    table.tokens |= {("barrier", "c5"), ("barrier", "o4")}
    session.look(table, LOOKS)
    return session, table


@pytest.mark.parametrize(("before", "tokens", "mover", "end", "token"), EITHER)
@pytest.mark.parametrize("number", [0, 1])
def test_which_of_two_tokens_was_triggered_is_told_once_it_goes(
    before: str, tokens: str, mover: str, end: str, token: str, number: int
) -> None:
    session, table = one_of_two_was_triggered(before, tokens, mover, end)
    verdict = session.referee.verdict
    either = [space for space in tokens.partition("=")[2].split(".") if space != end]
    assert verdict.kind is Kind.UNFINISHED and not session.notes.turns
    assert any(all(space in todo.text for space in either) for todo in verdict.todo)
    assert {(space, Mark.REMOVE) for space in either} <= {*verdict.marks}
    # Ben begins before any of them has gone.
    table.cards[1]["at"] = 0
    table.minis["at"] = "g2"
    session.look(table, LOOKS)
    assert not session.notes.turns
    for space in {either[number], end}:
        table.tokens.discard((token, space))
    assert session.look(table, LOOKS).kind is Kind.COMPLETE
    (turn,) = session.referee.turns
    assert turn.after.tokens_on(token) == (either[1 - number],)


@pytest.mark.parametrize(("before", "tokens", "mover", "end", "token"), EITHER)
def test_which_of_two_tokens_was_triggered_is_asked_where_play_goes_on(
    before: str, tokens: str, mover: str, end: str, token: str
) -> None:
    session, table = one_of_two_was_triggered(before, tokens, mover, end)
    table.cards[1]["at"] = 0
    table.minis["at"] = "g2"
    assert session.look(table, 40).kind is Kind.QUESTION
    assert not session.notes.turns


def recovered_but_for_a_token() -> tuple[Session, Tabletop]:
    """Ada's Hera has gone on as before, but named Ben's last card: all his cards are Powered again."""
    start = START.replace("fertility=d3", "fertility=c2").replace("/ze.he.ar.at.ha.de.po.ap", "/po")
    session, table = started(start)
    table.cards[0]["he"] = 0
    table.minis["he"] = "c3"
    table.cards[1].update(deity for deity in DEITIES if deity != "po")
    verdict = session.look(table, LOOKS)
    assert verdict.kind is Kind.UNFINISHED and not session.notes.turns
    # Now Ben turns one of them, as it lay before Ada's turn, and holds its miniature.
    table.cards[1]["ar"] = 0
    table.minis["ar"] = None
    session.look(table, LOOKS)
    assert not session.notes.turns
    return session, table


def test_a_card_that_was_recovered_and_turned_does_not_hide_that_the_turn_had_lain_there() -> None:
    session, table = recovered_but_for_a_token()
    table.minis["ar"] = "e2"
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.UNFINISHED and verdict.seat == 1
    (turn,) = session.referee.turns
    assert str(turn.actions[-1]) == "disgrace po"


def test_a_recovered_card_does_not_make_a_turn_of_what_its_player_may_not_do() -> None:
    session, table = recovered_but_for_a_token()
    table.minis["ar"] = "e4"
    session.look(table, 40)
    assert not session.notes.turns
