"""A whole turn that the switches have felt is gone by while another reading of it is left; what is done next decides."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.gap import SETTLED_S
from companion.referee.verdict import Kind
from companion.virtual.answers import Played, answer_to
from tests.referee.test_referee import START
from tests.referee.test_telling import Blind, played

# Over this switch nothing tells whether a token lies there.
STUCK = frozenset({"a4"})
ZEUS = "activate ze, move ze b1, place thunder d2"
OVER_STUCK = "activate ze, move ze b1, place thunder a4"


def table_with_a_stuck_switch(start: str = START) -> Blind:
    table = Blind(Position.parse(start))
    table.feel(table.start, 1.0, ignored=STUCK)
    return table


def answered(table: Blind, *turns: Played) -> None:
    """Says which of what is offered is true, once."""
    referee = table.session.referee
    key = answer_to([choice.key for choice in referee.verdict.choices], turns, 0)
    assert key is not None and referee.answer(key)


def presumed_otherwise() -> tuple[Blind, Played, Played]:
    """The Thunder lies over the broken switch indeed, and Ben lays his token before he moves Demeter: both turns."""
    table = table_with_a_stuck_switch()
    first = played(table.start, OVER_STUCK)
    then = played(first.after, "activate de, move de l1, place fertility d2")
    felt = played(table.start, ZEUS).after
    table.feel(felt, 1.5, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(felt, 4.0, ignored=STUCK)
    return table, first, then


def test_what_is_done_next_decides_and_nobody_is_asked() -> None:
    """A Thunder may lie over the broken switch, and the one that was felt be Ben's first act. It is not."""
    table = table_with_a_stuck_switch()
    first = played(table.start, ZEUS)
    table.feel(first.after, 0.5, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(first.after, 1.0, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(first.after, 4.0, ignored=STUCK)
    referee = table.session.referee
    verdict = referee.verdict
    assert verdict.kind is Kind.COMPLETE and verdict.seat == 1 and referee.may_be_over == first.after
    assert [choice.key for choice in verdict.choices] == ["done", f"turn:{OVER_STUCK}"]
    assert not table.session.notes.turns
    then = played(first.after, "activate de, move de l1, place fertility h6")
    table.feel(then.after, 2.0, without=frozenset({"h6"}), ignored=STUCK)
    # Were the token at d2 Demeter's, this turn would be over; it is told what is left, if it is not.
    assert referee.verdict.kind is Kind.UNFINISHED and referee.verdict.seat == 1
    table.feel(then.after, 4.0, ignored=STUCK)
    assert [turn.after for turn in referee.turns] == [first.after]
    assert referee.may_be_over == then.after


def test_who_is_next_is_called_at_once_and_what_comes_too_soon_after_that_decides_nothing() -> None:
    """Another token is laid within a second: nobody plays so fast, and it need not be Ben's."""
    table = table_with_a_stuck_switch()
    turn = played(table.start, ZEUS)
    table.feel(turn.after, 1.0, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(turn.after, SETTLED_S + 0.2, ignored=STUCK)
    referee = table.session.referee
    assert referee.verdict.kind is Kind.COMPLETE and referee.verdict.seat == 1
    assert referee.may_be_over == turn.after and not table.session.notes.turns
    table.feel(turn.after, SETTLED_S + 0.2, besides=frozenset({"h6"}), ignored=STUCK)
    assert referee.verdict.kind is not Kind.COMPLETE and referee.may_be_over is None
    assert not table.session.notes.turns
    table.feel(turn.after, SETTLED_S + 0.2, ignored=STUCK)
    assert referee.verdict.kind is Kind.COMPLETE and referee.may_be_over == turn.after
    assert not table.session.notes.turns and not table.session.notes.refusals


POSEIDON = (
    "ze=p3,he=l2,ar=d3,at=h2,ha=i3,de=n3,po=j2,ap=c2 thunder=,fertility=b3.j3.k3,gate=a4.b1.l5.m4,"
    "barrier=f4.g5.j6.m5.o5 ar.ha.de.po/ar.at.de.po.ap 0 2"
)


def test_who_goes_on_though_the_next_player_was_called_is_told_to() -> None:
    """Poseidon stands where he may have come back to, and the Barrier has been taken off; then he moves on."""
    table = Blind(Position.parse(POSEIDON))
    turn = played(table.start, "activate po, move po j3, move po k3, move po k4, remove barrier f4")
    table.feel(table.start, 1.0)
    # The token that he steps onto is moved in its place.
    table.feel(table.start, 1.0, without=frozenset({"j2", "j3"}))
    table.feel(turn.after, SETTLED_S + 0.2, without=frozenset({"k4"}), besides=frozenset({"j3"}))
    referee = table.session.referee
    assert referee.verdict.kind is Kind.COMPLETE and referee.verdict.seat == 1
    table.feel(turn.after, SETTLED_S + 0.2, without=frozenset({"k4"}))
    assert referee.verdict.seat == 0 and referee.may_be_over is None
    table.feel(turn.after, SETTLED_S + 0.2)
    assert referee.verdict.seat == 1
    table.feel(turn.after, 6.0)
    then = played(turn.after, "activate de, move de o3, place fertility o2")
    table.feel(then.after, 1.0, without=frozenset({"o2"}))
    assert [each.after for each in referee.turns] == [turn.after]
    assert not table.session.notes.refusals


def test_who_has_done_the_other_thing_says_so_when_it_matters() -> None:
    """The Thunder lies over the broken switch indeed, and Ben lays his token before he moves Demeter."""
    table, first, then = presumed_otherwise()
    # What lies over the broken switch is not felt.
    table.feel(then.after, 6.0, without=STUCK, ignored=STUCK)
    referee = table.session.referee
    assert not table.session.notes.turns
    answered(table, first, then)
    table.feel(then.after, 3.0, without=STUCK, ignored=STUCK)
    assert [turn.after for turn in referee.turns] == [first.after, then.after]


@pytest.mark.parametrize(
    "text",
    [
        "activate po, move po n1, remove gate l6",
        "activate he, move he c2, disgrace ze",
        "activate ar, move ar e2, place barrier c5, place barrier d6",
    ],
)
def test_what_is_played_on_without_waiting_decides_nothing_untrue(text: str) -> None:
    """The same, and the third player goes on at once: it is asked, and what was played is offered."""
    table, first, then = presumed_otherwise()
    table.feel(then.after, 2.0, without=STUCK, ignored=STUCK)
    third = played(then.after, text)
    referee = table.session.referee
    for _ in range(16):
        table.feel(third.after, 1.0, without=STUCK, ignored=STUCK)
    assert not table.session.notes.turns and not table.session.notes.refusals
    for _ in range(9):
        if len(referee.turns) < 3:
            answered(table, *[first, then, third][len(referee.turns) :])
            table.feel(third.after, 3.0, without=STUCK, ignored=STUCK)
    assert [turn.after for turn in referee.turns] == [first.after, then.after, third.after]


def test_a_mistake_of_the_next_player_is_the_next_players() -> None:
    table = table_with_a_stuck_switch()
    first = played(table.start, ZEUS)
    table.feel(first.after, 1.5, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(first.after, 4.0, ignored=STUCK)
    assert table.session.referee.verdict.kind is Kind.COMPLETE
    # Athena is taken two rings up.
    table.feel(first.after, 14.0, without=frozenset({"g1"}), besides=frozenset({"g3"}), ignored=STUCK)
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.ILLEGAL and verdict.seat == 1
    assert [turn.after for turn in table.session.referee.turns] == [first.after]


def test_a_mistake_after_a_turn_of_many_readings_is_the_next_players() -> None:
    """The Reserve is empty: as far as switches tell any of the Barriers may lie over one of those that are broken."""
    broken = STUCK | frozenset({"c6"})
    table = Blind(Position.parse(START.replace("barrier=j2.p3", "barrier=b2.d5.j2.l4.n2.p3")))
    table.feel(table.start, 1.0, ignored=broken)
    first = played(table.start, "activate ar, move ar e2, shift barrier j2 f3, shift barrier l4 h5")
    lifted, on_the_way = frozenset({"e1"}), frozenset({"h5"})
    table.feel(table.start, 0.3, without=lifted, ignored=broken)
    table.feel(first.after, 1.5, without=on_the_way, besides=frozenset({"l4"}), ignored=broken)
    table.feel(first.after, 4.0, ignored=broken)
    referee = table.session.referee
    assert referee.may_be_over == first.after
    table.feel(first.after, 14.0, without=frozenset({"g1"}), besides=frozenset({"g3"}), ignored=broken)
    verdict = referee.verdict
    assert verdict.kind is Kind.ILLEGAL and verdict.seat == 1
    assert {todo.space for todo in verdict.todo} & {"g1", "g3"}
    assert [turn.after for turn in referee.turns] == [first.after]


def test_who_comes_from_over_a_broken_switch_need_not_be_felt_to_go() -> None:
    """Zeus stood over a switch that is known to be stuck, and was felt to come: nobody is asked."""
    stuck = frozenset({"a1"})
    table = Blind()
    table.feel(table.start, 1.0, ignored=stuck)
    turn = played(table.start, ZEUS)
    table.feel(turn.after, 1.5, without=frozenset({"d2"}), besides=stuck, ignored=stuck)
    kinds = set()
    for _ in range(12):
        table.feel(turn.after, 0.5, besides=stuck, ignored=stuck)
        kinds.add(table.session.referee.verdict.kind)
    then = played(turn.after, "activate po, move po n1, remove gate l6")
    table.feel(then.after, 1.5, without=frozenset({"n1"}), besides=stuck, ignored=stuck)
    assert Kind.QUESTION not in kinds
    assert [each.after for each in table.session.referee.turns] == [turn.after]


ARES = (
    "ze=f1,he=d2,ar=n1,at=h1,ha=p1,de=b1,po=l2,ap=j3 thunder=h6.p4,fertility=k1,gate=c2.i5,barrier=b2.o3 "
    "ze.ar.at.ha.de.po/ze.ar.at.ha.de.po.ap 0 2"
)


def test_what_no_switch_has_felt_is_no_excuse_for_the_next_player() -> None:
    """Ben takes a Barrier off that Ada has laid. As if Aphrodite had moved Ares, and Zeus left a switch unfelt."""
    table = Blind(Position.parse(ARES))
    first = played(table.start, "activate ar, move ar n2, place barrier e1, place barrier d6")
    table.feel(table.start, 1.0, besides=frozenset({"e1"}))
    table.feel(first.after, 1.0, without=frozenset({"d6"}))
    table.feel(first.after, 3.0)
    referee = table.session.referee
    assert referee.may_be_over == first.after and not table.session.notes.turns
    gone = frozenset({"j3", "d6"})
    table.feel(first.after, 16.0, without=gone, besides=frozenset({"j4"}))
    assert [turn.after for turn in referee.turns] == [first.after]
    assert referee.verdict.kind is Kind.ILLEGAL and referee.verdict.seat == 1


def test_a_third_turn_that_was_begun_before_the_first_was_certain_accuses_nobody() -> None:
    """Ben's Demeter goes back to where she came from: to the switches it may be Ares, who lays both tokens first."""
    table = table_with_a_stuck_switch()
    first = played(table.start, "activate de, move de l1, place fertility a3")
    table.feel(first.after, 1.5, without=frozenset({"a3"}), ignored=STUCK)
    table.feel(first.after, 3.0, ignored=STUCK)
    referee = table.session.referee
    assert referee.verdict.kind is Kind.COMPLETE
    then = played(first.after, "activate de, move de k1, place fertility h6")
    table.feel(then.after, 2.0, ignored=STUCK)
    assert not table.session.notes.turns
    third = played(then.after, "activate ze, move ze b1, place thunder f3")
    table.feel(third.after, 9.0, ignored=STUCK)
    assert not table.session.notes.refusals
    for _ in range(3):
        if len(referee.turns) < 3:
            answered(table, first, then, third)
            table.feel(third.after, 3.0, ignored=STUCK)
    assert referee.position == third.after
    assert [turn.after for turn in referee.turns] == [first.after, then.after, third.after]


def test_who_was_called_and_has_played_what_no_switch_tells_is_not_told_to_play_for_ever() -> None:
    """Ben's Poseidon has left a switch that stays closed for one where a Thunder lay, which he took off late."""
    table = table_with_a_stuck_switch(START.replace("thunder=b5.f5", "thunder=f5.m2"))
    first = played(table.start, ZEUS)
    table.feel(first.after, 1.5, without=frozenset({"d2"}), ignored=STUCK)
    table.feel(first.after, 30.0, ignored=STUCK)
    referee = table.session.referee
    waiting = referee.verdict
    assert waiting.kind is Kind.COMPLETE and "tell" in {choice.key for choice in waiting.choices}
    then = played(first.after, "activate po, move po m2")
    table.feel(first.after, 0.3, without=frozenset({"m2"}), ignored=STUCK)
    felt = {"besides": frozenset({"m1"}), "ignored": STUCK}
    table.feel(then.after, 16.0, **felt)
    assert referee.verdict.kind is Kind.QUESTION
    for _ in range(9):
        untold = [first, then][len(referee.turns) :]
        key = answer_to([choice.key for choice in referee.verdict.choices], untold, 0, [first, then])
        assert key is None or referee.answer(key)
        table.feel(then.after, 6.0, **felt)
        if len(referee.turns) == len([first, then]):
            break
    assert [turn.after for turn in referee.turns] == [first.after, then.after]
