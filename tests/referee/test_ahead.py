"""Two turns that nobody saw apart, where a card may belong to either: the next player is called, and nobody asked."""

from __future__ import annotations

import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.verdict import Kind
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session

OF_FOUR = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=d3.n4,gate=h3.l6,barrier=j2.p3"
    " ze.at.ha.de/he.ar.po.ap/ze.ar.ha.de/he.at.po.ap 0 4"
)
ATHENA = "activate at, move at g2, done"
HERA = "activate he, move he c2, disgrace ze"
# What Athena's player may have done instead: then Hera's has yet to name a card.
ALL = "activate at, move at g2, exhaust ze 0"
INSTEAD = {START: f"{ALL}, done", OF_FOUR: f"{ALL}, exhaust ze 2"}
NEXT = "activate de, move de k2, place fertility m5"


def played(position: Position, *turns: str) -> Position:
    for words in ", ".join(turns).split(", "):
        position = apply(position, Action.parse(words))
    return position


def at_table(text: str) -> Session:
    position = Position.parse(text)
    session = Session(position, position.players)
    session.look(Tabletop.of(position), 2)
    return session


def lying_there(text: str) -> tuple[Session, Position]:
    """Athena's turn and Hera's have been seen together only."""
    session, after = at_table(text), played(Position.parse(text), ATHENA, HERA)
    verdict = session.look(Tabletop.of(after), 60)
    assert (verdict.kind, verdict.seat) == (Kind.COMPLETE, after.turn)
    assert not session.notes.turns
    return session, after


@pytest.mark.parametrize("text", [START, OF_FOUR])
def test_the_next_player_is_called_and_by_playing_tells_what_was_played(text: str) -> None:
    session, after = lying_there(text)
    later = played(after, NEXT)
    table = Tabletop.of(later)
    table.minis["de"] = None
    table.tokens.remove(("fertility", "m5"))
    session.look(table, 20)
    assert session.look(Tabletop.of(later), 4).kind is Kind.READY
    assert session.referee.position == later
    assert not session.notes.refusals
    assert [turn.after for turn in session.referee.turns][-2:] == [after, later]


@pytest.mark.parametrize(
    ("text", "said", "whole"),
    [(START, INSTEAD[START], False), (OF_FOUR, INSTEAD[OF_FOUR], False), (OF_FOUR, f"{ALL}, done", True)],
)
def test_who_has_played_another_first_turn_says_so(text: str, said: str, whole: bool) -> None:
    """`whole`: Hera has named what was left of them; or else her player has yet to name a card."""
    session, after = lying_there(text)
    assert session.referee.answer(f"turn:{said}")
    assert session.referee.turns[0].after == played(Position.parse(text), said)
    verdict = session.look(Tabletop.of(after), 40)
    assert verdict.kind is (Kind.READY if whole else Kind.UNFINISHED)
    assert len(session.referee.turns) == 1 + whole


@pytest.mark.parametrize("text", [START, OF_FOUR])
def test_heras_player_who_has_yet_to_name_a_card_names_it_and_nobody_is_accused(text: str) -> None:
    """Named, it lies as if the next player had turned it; only the miniature that moves then tells."""
    session, _ = lying_there(text)
    between = played(Position.parse(text), INSTEAD[text])
    end = played(between, "activate he, move he c2, disgrace ar")
    session.look(Tabletop.of(end), 10)
    assert not session.notes.turns
    later = played(end, NEXT)
    assert session.look(Tabletop.of(later), 6).kind is Kind.READY
    assert session.referee.position == later
    assert [turn.after for turn in session.referee.turns][-2:] == [end, later]
    assert not session.notes.refusals


@pytest.mark.parametrize("text", [START, OF_FOUR])
def test_both_turns_can_be_taken_back(text: str) -> None:
    session, _ = lying_there(text)
    assert session.referee.open_turns == 2
    session.referee.take_back(2 if text == START else 1)
    assert session.referee.position == Position.parse(text)


def test_what_was_put_back_is_forgotten() -> None:
    session, _ = lying_there(START)
    start = Position.parse(START)
    assert session.look(Tabletop.of(start), 4).kind is Kind.READY
    assert session.referee.open_turns == 0
    other = played(start, "activate ze, move ze b1, place thunder e4")
    assert session.look(Tabletop.of(other), 4).kind is Kind.READY
    assert session.referee.position == other
