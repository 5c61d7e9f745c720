"""The way out of a refusal: people say that it is right as it lies, before all, and it is written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.objection import HEARD_S
from companion.referee.patience import OBJECTION_S, UNFINISHED_S
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from companion.virtual.answers import answer_to
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session, started

# Ben cannot have begun to use the power of Hera, Hades or Poseidon.
TAME = START.replace("/ze.he.ar.at.ha.de.po.ap", "/ze.ar.at.de.ap")
# So many looks take a little longer than a refusal stands before it can be objected to.
LONG = round(OBJECTION_S / 0.07) + 5
# And so many until everybody has heard what would count.
HEARD = round(HEARD_S / 0.07) + 2


def otherwise_than_believed(thing: str) -> tuple[Session, Tabletop]:
    """Ben is to move, and the game has taken something for what it truly was not."""
    session, table = started(TAME)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "b1"
    table.tokens.add(("thunder", "d5"))
    assert session.look(table, 3).seat == 1
    match thing:
        case "card":
            table.cards[0]["de"] = 0
        case "cards":
            table.cards[0]["de"] = table.cards[0]["at"] = 0
            table.cards[0]["ze"] = 1
        case "mini":
            table.minis["ap"] = "p4"
        case "token":
            table.tokens.add(("gate", "a6"))
    return session, table


@pytest.mark.parametrize("thing", ["card", "cards", "mini", "token"])
def test_no_table_is_called_wrong_for_ever(thing: str) -> None:
    """Whatever lies otherwise than the game believes: who knows better leads it on, from any seat."""
    session, table = otherwise_than_believed(thing)
    refused = session.look(table, 20)
    assert refused.kind is Kind.ILLEGAL and not refused.choices
    open_to = session.look(table, LONG)
    assert open_to.kind is Kind.ILLEGAL and open_to.todo == refused.todo
    assert open_to.text == f"{refused.text} If it is right as it lies, say so."
    assert [choice.text for choice in open_to.choices] == ["It is right as it lies"]
    assert len(session.notes.refusals) == 1
    wanted = session.referee.position
    assert wanted is not None
    truth = Position.parse(_as_it_lies(table, wanted))
    for _ in range(2):
        assert not session.notes.rulings
        keys = [choice.key for choice in session.look(table, HEARD).choices]
        key = answer_to(keys, (), 1, lies=str(truth))
        assert key is not None and session.referee.answer(key)
    assert session.notes.rulings == [(refused.text, truth)]
    assert session.referee.position == truth
    assert session.referee.verdict.text.startswith("The house has ruled: play goes on from here.")
    assert session.look(table, 10).kind is Kind.READY
    assert session.referee.turns[-1].ruling == refused.text


def test_a_turn_that_was_not_begun_need_not_be_finished() -> None:
    """The game believes Ben's Hera card Powered, and it has long been Spent: he seems to be about to move her."""
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "b1"
    table.tokens.add(("thunder", "d5"))
    session.look(table, 3)
    table.cards[1]["he"] = 0
    verdict = session.look(table, 20)
    assert verdict.kind is Kind.UNFINISHED and not verdict.choices
    later = session.look(table, round(UNFINISHED_S / 0.07))
    assert (later.text, [choice.key for choice in later.choices]) == (verdict.text, ["object"])
    believed = session.referee.position
    assert believed is not None
    truth = Position.parse(_as_it_lies(table, believed))
    assert session.referee.answer("object")
    session.look(table, HEARD)
    assert session.referee.answer(f"right:{truth}")
    assert session.referee.position == truth
    assert session.look(table, 10).kind is Kind.READY


def _as_it_lies(table: Tabletop, believed: Position) -> str:
    minis = ",".join(f"{deity}={space}" for deity, space in table.minis.items())
    kinds = ("thunder", "fertility", "gate", "barrier")
    tokens = ",".join(f"{k}={'.'.join(sorted(s for t, s in table.tokens if t == k))}" for k in kinds)
    hands = "/".join(".".join(deity for deity in table.minis if hand[deity]) for hand in table.cards)
    return f"{minis} {tokens} {hands} {believed.turn} {believed.players}"


def test_everybody_hears_what_would_count_before_it_does() -> None:
    session, table = otherwise_than_believed("cards")
    session.look(table, LONG + 20)
    assert session.referee.answer("object")
    asked = session.look(table)
    assert asked.kind is Kind.QUESTION and asked.by_rules
    assert asked.text == (
        "Then this counts: Ada's Zeus card is Powered; Ada's Athena card is Spent; "
        "Ada's Demeter card is Spent. Does everybody agree?"
    )
    assert [choice.text for choice in asked.choices] == [
        "It is right as it lies, and Ben's turn begins",
        "It is right as it lies, and Ada's turn begins",
        "No, it is not right so",
    ]
    assert session.look(table, 20) == asked
    assert session.referee.answer("none")
    assert session.look(table).kind is Kind.ILLEGAL
    assert not session.notes.rulings


def test_who_has_broken_a_rule_and_knows_it_says_so() -> None:
    """Truthful people: what was refused rightly they never call right."""
    session, table = otherwise_than_believed("card")
    open_to = session.look(table, LONG + 20)
    assert answer_to([choice.key for choice in open_to.choices], (), 1, lies=None) is None
    assert session.referee.answer("object")
    keys = [choice.key for choice in session.referee.verdict.choices]
    assert answer_to(keys, (), 1, lies=str(session.referee.position)) is None


def test_hands_that_come_and_go_do_not_put_the_way_out_off() -> None:
    session, table = otherwise_than_believed("card")
    session.look(table, 50)
    session.now += 0.07
    session.referee.observe(replace(table.reading(session.now), moving=True))
    assert session.look(table, LONG - 40).choices


def test_what_was_put_right_is_refused_anew_only_after_a_while() -> None:
    session, table = otherwise_than_believed("card")
    assert session.look(table, LONG + 20).choices
    assert session.referee.answer("object")
    table.cards[0]["de"] = 1
    assert session.look(table, 3).kind is Kind.READY
    assert not session.referee.answer("object")
    table.cards[0]["de"] = 0
    again = session.look(table, 20)
    assert again.kind is Kind.ILLEGAL and not again.choices


def test_only_what_is_seen_to_lie_still_can_be_called_right() -> None:
    session, table = otherwise_than_believed("card")
    session.look(table, LONG + 20)
    assert session.referee.answer("object")
    key = session.look(table, HEARD).choices[0].key
    session.now += 0.07
    session.referee.observe(replace(table.reading(session.now), moving=True))
    with pytest.raises(Refused, match="Take your hands off"):
        session.referee.answer(key)
    assert not session.notes.rulings


def test_who_presses_twice_has_not_let_anybody_hear_it() -> None:
    session, table = otherwise_than_believed("card")
    session.look(table, LONG + 20)
    for _ in range(2):
        # Who has said no, and objects once more, begins anew.
        assert session.referee.answer("object")
        key = session.referee.verdict.choices[0].key
        for _ in range(HEARD - 4):
            with pytest.raises(Refused, match="Let everybody hear it first"):
                session.referee.answer(key)
            session.look(table)
        assert session.referee.answer("none")
        session.look(table)
    assert session.referee.answer("object")
    session.look(table, HEARD)
    assert session.referee.answer(key)
    assert len(session.notes.rulings) == 1


def test_what_cannot_be_played_from_has_no_such_way_out() -> None:
    session, table = started()
    table.minis["ze"] = "c1"
    verdict = session.look(table, LONG + 20)
    assert verdict.kind is Kind.ILLEGAL and not verdict.choices


@pytest.mark.parametrize("players", [2, 4])
def test_who_has_won_is_asked_side_by_side_and_the_turn_is_named(players: int) -> None:
    """A deity stands on the summit that cannot have come there: who was on turn comes first, a partner wins with them."""
    session, table = on_the_summit(players)
    session.look(table, LONG + 20)
    assert session.referee.answer("object")
    asked = session.look(table, HEARD)
    assert asked.text.endswith("; it was Ada's turn. Does everybody agree?")
    assert [choice.text for choice in asked.choices] == [
        "It is right as it lies, and Ada has won",
        "It is right as it lies, and Ben has won",
        "No, it is not right so",
    ]
    assert session.referee.answer(asked.choices[0].key)
    assert session.referee.verdict.kind is Kind.OVER


def on_the_summit(players: int) -> tuple[Session, Tabletop]:
    hands = "/".join(
        ["ze.he.ar.at.ha.de.po.ap"] * 2 if players == 2 else ["ze.he", "ar.at", "ha.de", "po.ap"]
    )
    start = f"{START.rpartition(' ')[0].rpartition(' ')[0].rpartition(' ')[0]} {hands} 0 {players}"
    session = Session(Position.parse(start), players)
    table = Tabletop.of(Position.parse(start))
    session.look(table)
    table.minis["ap"] = "top"
    return session, table
