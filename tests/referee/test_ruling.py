"""Playing on against the rules, and beginning from whatever lies on the table."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.games.above.position import Position
from companion.referee.evidence import Switches
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop, random_position
from tests.referee.test_referee import NAMES, START, Session, standing, started


def test_the_house_may_play_on_from_what_was_called_illegal() -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a3"
    assert not session.referee.may_rule
    said = session.look(table, 3)
    assert said.kind is Kind.ILLEGAL and session.referee.may_rule
    verdict = session.referee.rule(1)
    assert verdict.kind is Kind.READY and verdict.seat == 1
    assert verdict.text.startswith("The house has ruled")
    position = session.referee.position
    assert position is not None
    assert (position.space_of("ze"), position.turn) == ("a3", 1)
    assert position.powered(0) == ("he", "ar", "at", "ha", "de", "po", "ap")
    assert session.notes.rulings == [(said.text, position)]
    assert session.look(table, 20).kind is Kind.READY
    assert not session.referee.may_rule
    session.referee.take_back()
    assert session.referee.position == Position.parse(START)


def test_a_ruling_that_leaves_the_turn_with_the_same_player() -> None:
    session, table = started()
    table.minis["de"] = "j5"
    session.look(table, 3)
    session.referee.rule(0)
    assert session.referee.position == Position.parse(START.replace("de=k1", "de=j5"))


def test_what_cannot_be_played_from_is_refused_with_everything_that_is_wrong() -> None:
    session, table = started()
    table.minis["ze"] = "c1"
    table.minis["po"] = None
    table.cards[0] = Counter()
    assert session.look(table, 100).kind is Kind.ILLEGAL
    with pytest.raises(Refused) as refused:
        session.referee.rule(1)
    said = str(refused.value)
    assert "Poseidon is not on the board" in said
    assert "On c1 there is room for one: Zeus and Hera" in said
    assert "Ada has no Powered card" in said
    assert len(refused.value.defects) == 3
    assert not session.notes.rulings
    assert session.referee.position == Position.parse(START)


def test_what_a_hand_covers_lies_as_the_game_has_it() -> None:
    session, table = started()
    table.minis["ze"] = "a3"
    session.look(table, 3)
    table.hidden = {"c1", "b5"}
    session.look(table, 3)
    session.referee.rule(1)
    position = session.referee.position
    assert position is not None
    assert (position.space_of("he"), position.tokens_on("thunder")) == ("c1", ("b5", "f5"))


def test_a_ruling_after_a_turn_that_might_have_gone_on_keeps_that_turn() -> None:
    session, table = started()
    table.cards[0]["at"] = 0
    table.minis["at"] = "g2"
    assert session.look(table).kind is Kind.COMPLETE
    table.minis["ze"] = "d6"
    table.cards[1]["ze"] = 0
    assert session.look(table, 3).kind is Kind.ILLEGAL
    session.referee.rule(0)
    assert [bool(turn.ruling) for turn in session.referee.turns] == [False, True]
    assert len(session.notes.turns) == 1


def test_a_ruling_that_puts_a_deity_on_the_summit_ends_the_game_for_who_moved() -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "top"
    assert session.look(table, 3).kind is Kind.ILLEGAL
    assert session.referee.rule(1).winners == (0,)


def test_there_is_nothing_to_rule_on_in_good_order_and_no_such_seat() -> None:
    session, table = started()
    with pytest.raises(Refused, match="nothing to rule on"):
        session.referee.rule(1)
    table.minis["de"] = "j5"
    session.look(table, 3)
    with pytest.raises(Refused, match="no seat 3: 2 play"):
        session.referee.rule(2)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 5), (4, 2), (4, 6)])
def test_a_game_begins_from_any_position_that_is_laid_out(players: int, seed: int) -> None:
    position = random_position(players, 15, random.Random(seed))
    session = Session(None, players)
    verdict = session.look(Tabletop.of(position), 3)
    assert verdict.kind is Kind.SETUP
    verdict = session.referee.start_here(position.turn)
    assert verdict.kind is Kind.READY
    assert session.notes.begun == [position]
    assert session.look(Tabletop.of(position), 3).kind is Kind.READY
    with pytest.raises(Refused, match="under way"):
        session.referee.start_here(0)


def test_a_position_that_cannot_be_is_refused_with_all_its_defects_at_once() -> None:
    session = Session(None)
    table = Tabletop.of(Position.parse(START))
    with pytest.raises(Refused, match="Nothing has been seen"):
        session.referee.start_here(0)
    table.minis.update(ze="c1", po=None, ap=None)
    table.tokens |= {("gate", space) for space in ("a4", "b4", "c4", "d4", "e1")}
    table.cards[1] = Counter()
    session.look(table)
    with pytest.raises(Refused) as refused:
        session.referee.start_here(0)
    assert refused.value.defects == (
        "Poseidon and Aphrodite are not on the board.",
        "On c1 there is room for one: Zeus and Hera cannot both be there.",
        "On e1 there is room for one: Ares and a Gate token cannot both be there.",
        "7 Gate tokens lie on the board, and there are 6.",
        "Ben has no Powered card: lay those that were recovered Powered face up (A5).",
    )
    assert not session.notes.begun


def test_four_hands_that_cannot_be_are_refused() -> None:
    position = random_position(4, 3, random.Random(1))
    table = Tabletop.of(position)
    table.cards = [Counter(ze=2), Counter(ze=1), Counter(he=2, ar=2, at=1), Counter(ha=1)]
    session = Session(None, 4)
    session.look(table)
    with pytest.raises(Refused) as refused:
        session.referee.start_here(0)
    assert refused.value.defects == (
        "Chloe has 5 Powered cards, and holds 4 at most (A5).",
        "3 cards of Zeus lie Powered, and there are two.",
    )


def test_a_game_that_is_over_is_not_begun() -> None:
    session = Session(None)
    session.look(Tabletop.of(Position.parse(START.replace("ze=a1", "ze=top"))))
    with pytest.raises(Refused, match="stands on the summit"):
        session.referee.start_here(0)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_reached_the_summit_unseen_is_asked_and_is_whom_people_name(seat: int) -> None:
    session, table = started()
    for _ in range(40):
        session.now += 0.1
        session.referee.observe(Reading(session.now, "The picture is too dark."))
    table.minis.update(ze="top", he="d4")
    table.cards[0].subtract(["ze"])
    verdict = session.look(table, 40)
    answers = {choice.text: choice.key for choice in verdict.choices}
    assert list(answers) == [f"It is right as it lies, and {name} has won" for name in NAMES[:2]]
    assert session.referee.answer(answers[f"It is right as it lies, and {NAMES[seat]} has won"])
    session.look(table)
    assert session.referee.verdict.kind is Kind.OVER
    assert session.referee.position is not None and session.referee.position.winner == (seat,)


def test_while_hands_are_over_the_table_nothing_is_taken_as_it_lies() -> None:
    session, table = started()
    table.minis["ze"] = "a3"
    assert session.look(table, 40).kind is Kind.ILLEGAL
    session.referee.observe(replace(table.reading(session.now + 0.1), moving=True))
    with pytest.raises(Refused, match="Take your hands off"):
        session.referee.rule(0)
    session.look(table)
    assert session.referee.rule(0).kind is Kind.READY


def test_a_token_under_the_miniature_that_used_it_up_counts_as_taken() -> None:
    """Zeus stands where a Thunder lay; nothing shows any more that it does not, and the switch there is closed."""
    session, table = started()
    table.minis["ze"] = "b5"
    table.tokens.remove(("thunder", "b5"))
    closed = Switches(standing(table) | {space for _, space in table.tokens})
    for _ in range(40):
        session.now += 0.07
        session.referee.observe(table.reading(session.now), closed)
    session.referee.rule(1)
    position = session.referee.position
    assert position is not None and position.space_of("ze") == "b5"
    assert position.tokens_on("thunder") == ("f5",)
