"""By the switches alone: what was played before the next turns were begun, while it was still asked for."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.verdict import Kind
from companion.virtual.answers import Played, answer_to
from tests.referee.test_referee import START
from tests.referee.test_telling import Blind, played

FLOODED = Position.parse(START.replace("ze=a1", "ze=h4"))


def _in_order(*texts: str) -> list[Played]:
    turns: list[Played] = []
    for text in texts:
        turns.append(played(turns[-1].after if turns else FLOODED, text))
    return turns


# Poseidon has come to n1 in one turn, or in two: then it is the other player who goes on.
IN_ONE = _in_order("activate po, move po n1, back ze h3, jump ze l6", "activate he, move he c2, disgrace ar")
IN_TWO = _in_order(
    "activate po, move po m2, back ze h3, jump ze l6",
    "activate po, move po n2, back po n1",
    "activate he, move he c2, disgrace ar",
)


@pytest.mark.parametrize("truly", [IN_ONE, IN_TWO], ids=["one turn", "two turns"])
def test_who_goes_on_from_one_turn_or_from_two_decides_nothing(truly: list[Played]) -> None:
    table = Blind(FLOODED)
    referee = table.session.referee
    # The Gate that Zeus came through is taken off late; until then nothing is quite over.
    table.feel(IN_TWO[0].after, 1.0, besides=frozenset({"h3"}))
    table.feel(IN_TWO[1].after, 6.0)
    table.feel(IN_TWO[2].after, 2.0)
    assert not table.session.notes.turns and referee.verdict.kind is Kind.QUESTION
    for _ in range(9):
        untold = truly[len(table.session.notes.turns) :]
        key = answer_to([choice.key for choice in referee.verdict.choices], untold, 0, truly)
        assert key is None or referee.answer(key)
        table.feel(IN_TWO[2].after, 6.0)
        if len(table.session.notes.turns) == len(truly):
            break
    assert [turn.actions for turn in referee.turns] == [turn.turn for turn in truly]
    assert not table.session.notes.refusals


def test_part_of_the_last_turn_put_back_or_a_mistake_is_said_to_be_either() -> None:
    """Athena came through a Fertility token; her player steps on otherwise, or the next one has moved her back."""
    cards = START.replace("/ze.he.ar.at.ha.de.po.ap", "/he.po")
    start = Position.parse(cards.replace("fertility=d3.n4", "fertility=g2.n4"))
    last = played(start, "activate at, move at g2, move at h2, done")
    table = Blind(start)
    table.feel(start, 0.3, without=frozenset({"g1"}))
    table.feel(last.after, 6.0)
    for _ in range(4):
        table.answer(last)
        table.feel(last.after, 1.0)
    referee = table.session.referee
    assert referee.position == last.after
    moved_back = {"without": frozenset({"h2"}), "besides": frozenset({"g2"})}
    table.feel(last.after, 2.0, **moved_back)
    soon = referee.verdict
    table.feel(last.after, 9.0, **moved_back)
    assert (soon.kind, referee.verdict.kind) == (Kind.UNFINISHED, Kind.SETUP)
    assert not table.session.notes.refusals
    assert [todo.space for todo in referee.verdict.todo] == ["h2", "g2"]
    # It was a mistake.
    table.feel(last.after, 2.0)
    ready = referee.verdict
    assert (ready.kind, ready.seat) == (Kind.READY, 1)
    # It was not.
    table.feel(last.after, 9.0, **moved_back)
    otherwise = played(start, "activate at, move at g2, move at f2, done")
    table.feel(otherwise.after, 9.0)
    for _ in range(4):
        key = answer_to([choice.key for choice in referee.verdict.choices], [otherwise], 0)
        assert key is None or referee.answer(key)
        table.feel(otherwise.after, 1.0)
        if referee.position == otherwise.after:
            break
    assert [turn.actions for turn in referee.turns] == [otherwise.turn]


@pytest.mark.parametrize("put_back", [True, False], ids=["put back first", "not put back"])
@pytest.mark.parametrize("broken", [frozenset(), frozenset({"m1"})], ids=["no other", "another"])
def test_a_miniature_that_was_put_back_before_stands_on_no_dead_switch(
    put_back: bool, broken: frozenset[str]
) -> None:
    """Aphrodite may have stepped to p2 unfelt, past the Thunder, and been moved back by Poseidon to where she is felt.

    Another switch that is broken changes nothing in it.
    """
    cards = START.replace(" ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap", " at.ap/he.po")
    start = Position.parse(cards.replace("ap=o1", "ap=o2").replace("thunder=b5", "thunder=a2"))
    table = Blind(start)
    lifted = frozenset({"o2"})
    table.feel(start, 2.0, without=lifted, ignored=broken)
    if put_back:
        table.feel(start, 0.3, ignored=broken)
        table.feel(start, 0.3, without=lifted, ignored=broken)
    table.feel(start, 12.0, without=lifted, besides=frozenset({"p1"}), ignored=broken)
    verdict = table.session.referee.verdict
    assert (verdict.kind in (Kind.ILLEGAL, Kind.SETUP)) is put_back
    assert ("p1" in {todo.space for todo in verdict.todo}) is put_back


@pytest.mark.parametrize("put_back", [True, False], ids=["put back first", "not put back"])
def test_a_miniature_that_was_put_back_before_has_not_come_to_where_a_token_is_felt(put_back: bool) -> None:
    """Athena may have come to g2, whose Thunder is then off the board, and the next player have laid a token on k4."""
    start = Position.parse(START.replace("thunder=b5.f5", "thunder=b5.g2"))
    table = Blind(start)
    lifted = frozenset({"g1"})
    table.feel(start, 2.0, without=lifted)
    if put_back:
        table.feel(start, 0.3)
        table.feel(start, 0.3, without=lifted)
    table.feel(start, 12.0, without=lifted, besides=frozenset({"k4"}))
    verdict = table.session.referee.verdict
    assert verdict.kind is (Kind.ILLEGAL if put_back else Kind.QUESTION)
    assert ("k4" in {todo.space for todo in verdict.todo}) is put_back


def test_another_miniature_may_have_come_by_where_one_has_left_for_a_token_that_it_used_up() -> None:
    """Athena comes to g2 unfelt, in place of its Thunder; Hera rests on g1, then goes to f2, and is not taken for her."""
    start = Position.parse(START.replace("thunder=b5.f5", "thunder=b5.g2").replace("he=c1", "he=f1"))
    first = played(start, "activate at, move at g2")
    table = Blind(start)
    table.feel(first.after, 2.0)
    table.feel(first.after, 0.3, without=frozenset({"f1"}), besides=frozenset({"g1"}))
    then = played(first.after, "activate he, move he f2, disgrace ze")
    table.feel(then.after, 12.0)
    referee = table.session.referee
    assert not table.session.notes.refusals
    for _ in range(6):
        key = answer_to(
            [choice.key for choice in referee.verdict.choices], [first, then][len(referee.turns) :], 0
        )
        assert key is None or referee.answer(key)
        table.feel(then.after, 4.0)
    assert [turn.actions for turn in referee.turns] == [first.turn, then.turn]


def test_a_turn_played_instead_of_the_last_one_over_a_broken_switch_can_be_said() -> None:
    table = Blind()
    broken = frozenset({"n1"})
    table.feel(table.start, 1.0, ignored=broken)
    last = played(table.start, "activate ze, move ze b1, place thunder d2")
    table.feel(last.after, 0.5, without=frozenset({"d2"}), ignored=broken)
    table.feel(last.after, 3.0, ignored=broken)
    referee = table.session.referee
    assert referee.position == last.after
    table.feel(table.start, 0.3, ignored=broken)
    instead = played(table.start, "activate po, move po n1, remove barrier j2")
    # Somebody straightens a miniature again and again.
    for _ in range(4):
        table.feel(instead.after, 4.5, ignored=broken, without=broken)
        said = referee.verdict
        table.feel(instead.after, 0.2, ignored=broken, without=broken | {"c1"})
        table.feel(instead.after, 1.0, ignored=broken, without=broken)
    assert said.kind is Kind.SETUP and said.todo == referee.verdict.todo
    assert not table.session.notes.refusals
    for _ in range(4):
        key = answer_to([choice.key for choice in referee.verdict.choices], [instead], 0)
        assert key is None or referee.answer(key)
        table.feel(instead.after, 2.0, ignored=broken, without=broken)
        if referee.position == instead.after:
            break
    assert [turn.actions for turn in referee.turns] == [instead.turn]


def test_who_came_from_over_a_broken_switch_and_went_on_was_not_put_back() -> None:
    """Hera steps to h5, and on to h6 before its Thunder is taken off: all but a switch that is dead is as before."""
    broken = frozenset({"h4"})
    table = Blind(Position.parse(START.replace("he=c1", "he=h4").replace("thunder=b5.f5", "thunder=b5.h6")))
    first = played(table.start, "activate he, move he h5")
    then = played(first.after, "activate he, move he h6, disgrace po")
    third = played(then.after, "activate ze, move ze b1, place thunder d2")
    table.feel(table.start, 1.0, ignored=broken, without=broken)
    table.feel(first.after, 1.2, ignored=broken, besides=frozenset({"h6"}))
    table.feel(then.after, 1.2, ignored=broken)
    referee = table.session.referee
    table.feel(third.after, 1.2, ignored=broken, without=frozenset({"d2"}))
    table.feel(third.after, 9.0, ignored=broken)
    assert not table.session.notes.turns and referee.verdict.kind is Kind.QUESTION
    for _ in range(9):
        key = answer_to(
            [choice.key for choice in referee.verdict.choices], [first, then, third][len(referee.turns) :], 0
        )
        assert key is None or referee.answer(key)
        table.feel(third.after, 4.0, ignored=broken)
        if len(referee.turns) == 3:
            break
    assert [turn.actions for turn in referee.turns] == [each.turn for each in (first, then, third)]
    assert not table.session.notes.refusals
