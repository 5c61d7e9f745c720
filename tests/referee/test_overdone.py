"""A turn was over, and its player goes on with it, or puts it back and plays another: nobody else is blamed for it."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.verdict import Kind, Mark
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, started

# Ben has no card that lays a token, takes one off, or moves a miniature of Ada's.
FEW = START.replace("/ze.he.ar.at.ha.de.po.ap", "/he.at")
LONG = 12

Tokens = set[tuple[str, str]]


def played(deity: str, space: str, tokens: Tokens, start: str = FEW) -> tuple[Session, Tabletop]:
    """Ada's turn with this card, which changes these tokens besides, is over."""
    session, table = started(start)
    play(table, deity, space, tokens)
    assert session.look(table, 3).seat == 1
    assert len(session.notes.turns) == 1
    return session, table


def play(table: Tabletop, deity: str, space: str, tokens: Tokens) -> None:
    table.cards[0][deity] = 0
    table.minis[deity] = space
    table.tokens ^= tokens


def put_back(table: Tabletop, start: str = FEW) -> None:
    """All lies as it lay before her turn."""
    before = Tabletop.of(Position.parse(start))
    table.minis, table.tokens, table.cards = before.minis, before.tokens, before.cards


@pytest.mark.parametrize(
    ("deity", "space", "tokens", "more", "said"),
    [
        (
            "ze",
            "a2",
            {("thunder", "d5")},
            ("thunder", "e6"),
            "Zeus places one Thunder token, and there are new",
        ),
        (
            "ha",
            "i2",
            {("gate", "d5")},
            ("gate", "e6"),
            "Hades places one Gate token, and there are new ones on",
        ),
        (
            "de",
            "k2",
            {("fertility", "d5")},
            ("fertility", "e6"),
            "Demeter places one Fertility token, and there",
        ),
        (
            "ar",
            "e2",
            {("barrier", "d5"), ("barrier", "c5")},
            ("barrier", "e6"),
            "Ares places two Barrier tokens, and there are new ones on",
        ),
        ("po", "m2", {("thunder", "b5")}, ("gate", "h3"), "The Gate token is missing from h3"),
    ],
)
def test_one_token_more_than_the_power_allows_is_held_against_who_has_just_used_it(
    deity: str, space: str, tokens: Tokens, more: tuple[str, str], said: str
) -> None:
    session, table = played(deity, space, tokens)
    table.tokens ^= {more}
    verdict = session.look(table, 40)
    assert (verdict.kind, verdict.seat) == (Kind.ILLEGAL, 0)
    assert verdict.text.startswith(said), verdict.text
    assert [space for space, _ in verdict.marks] == [more[1]]
    table.tokens ^= {more}
    assert session.look(table, 3).seat == 1
    assert not session.notes.taken_back


def test_a_power_that_was_skipped_is_not_used_by_the_next_player() -> None:
    start = FEW.replace("b5.f5", "b3.f5")
    session, table = played("ze", "a2", {("thunder", "b3")}, start)
    table.tokens.add(("thunder", "d5"))
    verdict = session.look(table, LONG)
    assert (verdict.kind, verdict.seat) == (Kind.ILLEGAL, 0)
    assert verdict.text.startswith(
        "Zeus triggered Thunder while moving, so its power is skipped; Ben is next (A7)."
    )


def test_who_has_been_moved_and_is_moved_on_was_not_moved_by_the_next_player() -> None:
    session, table = played("ze", "a2", {("thunder", "d5")})
    table.minis["ze"] = "a3"
    verdict = session.look(table, LONG)
    assert (verdict.kind, verdict.seat) == (Kind.ILLEGAL, 0)
    assert dict(verdict.marks) == {"a3": Mark.WRONG, "a2": Mark.RETURN}


@pytest.mark.parametrize(
    ("tokens", "minis", "start"),
    [
        ({("gate", "e6")}, {}, FEW),
        ({("thunder", "b5")}, {}, FEW),
        (set(), {"po": "m2"}, FEW),
        # Ben has a card for this one, and may turn it late.
        (set(), {"ze": "a4"}, FEW.replace("/he.at", "/ze.at")),
    ],
)
def test_what_the_last_turn_was_not_about_is_the_next_ones(
    tokens: Tokens, minis: dict[str, str], start: str
) -> None:
    session, table = played("ze", "a2", {("thunder", "d5")}, start)
    table.tokens ^= tokens
    table.minis.update(minis)
    verdict = session.look(table, 40)
    assert (verdict.kind, verdict.seat) == (Kind.ILLEGAL, 1)


@pytest.mark.parametrize("is_seen_right", [False, True])
@pytest.mark.parametrize(
    ("deity", "space", "tokens"), [("ze", "p1", {("thunder", "c5")}), ("de", "k2", {("fertility", "e6")})]
)
def test_what_is_played_after_such_a_mistake_takes_the_place_of_the_turn(
    deity: str, space: str, tokens: Tokens, is_seen_right: bool
) -> None:
    """All was put back while hands lay over the board, whether or not her turn lay there as it was in between."""
    session, table = played("ze", "a2", {("thunder", "d5")})
    table.tokens.add(("thunder", "h1"))
    assert session.look(table, LONG).kind is Kind.ILLEGAL
    if is_seen_right:
        table.tokens.remove(("thunder", "h1"))
        assert session.look(table, LONG).kind is Kind.READY
    put_back(table)
    play(table, deity, space, tokens)
    verdict = session.look(table, LONG)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 1)
    assert session.notes.taken_back == 1
    (turn,) = session.referee.turns
    assert turn.actions[0].deity == deity
    assert len(session.notes.refusals) == 1


def begun_anew() -> tuple[Session, Tabletop]:
    """After such a mistake Ada has put all of it back, and has come halfway through another turn."""
    session, table = played("ze", "a2", {("thunder", "d5")})
    table.tokens.add(("thunder", "h1"))
    session.look(table, LONG)
    put_back(table)
    play(table, "de", "k2", set())
    verdict = session.look(table, LONG)
    assert (verdict.kind, verdict.seat) == (Kind.UNFINISHED, 0)
    assert not session.referee.turns and session.notes.taken_back == 1
    return session, table


def test_the_next_player_may_go_on_before_the_other_turn_was_seen_whole() -> None:
    session, table = begun_anew()
    table.tokens.add(("fertility", "e6"))
    table.cards[1]["he"] = 0
    table.minis["he"] = "c2"
    table.cards[0]["ap"] = 0
    assert session.look(table, LONG).kind is Kind.READY
    assert [turn.actions[0].deity for turn in session.referee.turns] == ["de", "he"]


def test_the_turn_that_was_put_back_may_be_played_again() -> None:
    session, table = begun_anew()
    put_back(table)
    play(table, "ze", "a2", {("thunder", "d5")})
    assert session.look(table, LONG).seat == 1
    assert [turn.actions[0].deity for turn in session.referee.turns] == ["ze"]


def test_once_the_next_player_has_begun_the_turn_stays_as_it_was() -> None:
    session, table = played("ze", "a2", {("thunder", "d5")})
    table.tokens.add(("thunder", "h1"))
    session.look(table, LONG)
    table.tokens.remove(("thunder", "h1"))
    table.cards[1]["at"] = 0
    assert session.look(table, LONG).seat == 1
    table.cards[1]["at"] = 1
    table.tokens ^= {("thunder", "d5"), ("thunder", "e6")}
    assert session.look(table, LONG).kind is Kind.ILLEGAL
    assert not session.notes.taken_back


def test_another_card_played_in_place_of_the_last_one_needs_no_word() -> None:
    """Nobody turns a card back but to take its turn back, and with hands over the board nobody sees that alone."""
    session, table = played("ze", "a2", {("thunder", "d5")})
    put_back(table)
    play(table, "de", "k2", {("fertility", "e6")})
    verdict = session.look(table, LONG)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 1)
    (turn,) = session.referee.turns
    assert turn.actions[0].deity == "de"
    assert not session.notes.refusals


def test_a_card_turned_besides_the_last_one_takes_nothing_back() -> None:
    session, table = played("ze", "a2", {("thunder", "d5")})
    play(table, "de", "k2", {("fertility", "e6")})
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL
    assert not session.notes.taken_back
