"""What switches can know: only which spaces are stood on."""

from __future__ import annotations

import random

import pytest

from companion.games.above.position import Position
from companion.games.above.rules import initial_position
from companion.virtual.deeds import deeds_of, shuffled
from companion.virtual.felt import is_felt_legal
from companion.virtual.illegal import is_explainable
from companion.virtual.mischief import after_deeds, mischief
from companion.virtual.players import random_turn
from companion.virtual.truth import Lie, lie_of

ALL = "ze.he.ar.at.ha.de.po.ap"
MINIS = "ze=a2,he=c2,ar=e1,at=g1,ha=i1,de=k1,po=m2,ap=o1"
POSITION = Position.parse(f"{MINIS} thunder=e5,fertility=k5,gate=c6.m6,barrier=g6 {ALL}/{ALL} 0 2")
TABLE = lie_of(POSITION)


@pytest.mark.parametrize(
    ("table", "felt"),
    [
        (TABLE, True),
        (TABLE.with_mini("ze", "a3"), True),
        (TABLE.with_card(1, "ze", -1).with_mini("ze", "a3"), True),  # another's card: no magnet
        (TABLE.with_token("barrier", "p6"), True),  # Ares may step afterwards
        (TABLE.with_mini("ar", "e2").with_token("gate", "p6"), True),  # a Barrier would feel the same
        (TABLE.with_mini("at", "g2").with_token("gate", "p6"), True),  # two Barriers, and she is in a hand
        (TABLE.with_mini("at", "g2").with_token("gate", "p6").with_token("gate", "p5"), False),
        (TABLE.with_mini("ze", "a5"), True),  # a Barrier, and he is in a hand
        (TABLE.with_mini("ze", "a5").with_mini("he", "c1"), False),
        (TABLE.with_mini("he", "c1"), True),  # Poseidon may have flooded her
        (TABLE.with_token("thunder", "e5", present=False), True),  # he may take it
        (TABLE.with_mini("ze", "g6"), True),  # onto a Barrier: as if he were in a hand
        (TABLE.with_mini("ze", "g6").with_mini("he", "k5"), False),  # nobody holds two
    ],
)
def test_only_which_spaces_are_stood_on_is_felt(table: Lie, felt: bool) -> None:
    assert is_felt_legal(POSITION, table) is felt


def test_nothing_follows_from_a_broken_switch() -> None:
    far = TABLE.with_mini("ze", "a5").with_mini("he", "c1")
    assert not is_felt_legal(POSITION, far)
    assert is_felt_legal(POSITION, far, {"a5", "a2"})


def test_one_more_broken_switch_accounts_for_one_space_and_no_more() -> None:
    far = TABLE.with_mini("ze", "a5").with_mini("he", "c1")
    assert not is_felt_legal(POSITION, far)
    assert is_felt_legal(POSITION, far, broken=1)
    assert not is_felt_legal(POSITION, far.with_mini("ar", "e6").with_mini("ha", "i6"), broken=1)
    # A token laid over a switch that is dead, and the next turn begun: that switch has felt nothing before, either.
    one = TABLE.with_mini("ze", "a3").with_token("thunder", "p6")
    next_begun = one.with_mini("he", "c3").with_mini("ap", "o2")
    assert not is_felt_legal(POSITION, next_begun, before=[TABLE.with_mini("ze", "a3")])
    assert is_felt_legal(POSITION, next_begun, {"p6"}, before=[one])


def test_a_second_token_may_be_the_beginning_of_the_next_turn_if_the_first_was_felt_before() -> None:
    one = TABLE.with_mini("ze", "a3").with_token("thunder", "p6")
    two = one.with_token("thunder", "n6")
    assert not is_felt_legal(POSITION, two)
    assert is_felt_legal(POSITION, two, before=[one])
    assert not is_felt_legal(POSITION, two, before=[TABLE.with_token("thunder", "n6")])


@pytest.mark.parametrize("taken", [True, False], ids=["of the next player", "of another"])
def test_the_next_player_may_hold_whatever_was_picked_after_heras_turn(taken: bool) -> None:
    """Four players: who loses the last card picks four; Poseidon's player may begin by taking a Barrier off."""
    hands = "he.de/ze/he.de.ap/ha.po" if taken else "he.de/ze.ha/he.de.ap/po"
    position = Position.parse(f"{MINIS} thunder=e5,fertility=k5,gate=c6.m6,barrier=g6 {hands} 0 4")
    over = lie_of(position).with_mini("he", "c3")
    begun = over.with_token("barrier", "g6", present=False)
    assert not is_felt_legal(position, begun)
    assert is_felt_legal(position, begun, before=[over]) is taken


def test_all_put_back_is_felt_as_a_turn_taken_back_and_part_of_it_is_not() -> None:
    """Ada's Zeus has gone from a2 to a3 with a Thunder laid; nothing that Ben may play moves him back."""
    now = Position.parse(
        f"{MINIS.replace('a2', 'a3')} thunder=c5.e5,fertility=k5,gate=c6.m6,barrier=g6 ar/de 1 2"
    )
    assert not is_felt_legal(now, TABLE)
    assert not is_felt_legal(now, TABLE, earlier=[now])
    assert is_felt_legal(now, TABLE, earlier=[POSITION, now])
    assert not is_felt_legal(now, TABLE.with_token("thunder", "e6"), earlier=[POSITION, now])
    assert is_felt_legal(now, TABLE.with_token("thunder", "e6"), {"e6"}, earlier=[POSITION, now])


@pytest.mark.parametrize("players", [2, 4])
def test_whatever_is_explainable_is_felt_so(players: int) -> None:
    """Parts of legal turns, in any order, are legal by the switches too; of mischief some is and some is not."""
    rng = random.Random(7)
    position = initial_position(players, rng)
    mischiefs = set()
    for _ in range(8):
        turn, after = random_turn(position, rng)
        deeds, _ = deeds_of(position, turn)
        deeds = shuffled(lie_of(position), deeds, rng)
        for count in range(len(deeds) + 1):
            table = after_deeds(lie_of(position), deeds[:count])
            assert is_explainable(position, table)
            assert is_felt_legal(position, table)
        plan = mischief(position, rng)
        if plan is not None:
            mischiefs.add(is_felt_legal(position, after_deeds(lie_of(position), plan[1])))
        if after.is_over:
            break
        position = after
    assert mischiefs == {True, False}
