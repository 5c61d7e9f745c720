"""By the switches alone: one that stays closed may be stuck, but is no excuse for a piece that went elsewhere."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.verdict import Kind, Mark
from tests.referee.test_telling import Blind, played

HADES_HAS_MOVED = (
    "ze=k2,he=m3,ar=e6,at=c5,ha=l2,de=a1,po=d1,ap=d4 thunder=e2.p3,fertility=g5,gate=a6,barrier=f5.g3.h2.p4"
    " he.de.po/{cards} 1 2"
)


@pytest.mark.parametrize(
    ("cards", "put"),
    [
        ("he.po", "m2"),  # as if Poseidon had moved Hera back from a switch that stays closed
        ("he.ap", "n3"),  # as if Aphrodite had let her step aside
        ("he.ap", "m4"),  # or forward; or as if she had stepped there herself
    ],
)
def test_a_miniature_that_the_wrong_player_moves_is_no_stuck_switch_under_its_neighbour(
    cards: str, put: str
) -> None:
    table = Blind(Position.parse(HADES_HAS_MOVED.format(cards=cards)))
    table.feel(table.start, 9.0, without=frozenset({"l2"}), besides=frozenset({put}))
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.ILLEGAL
    assert put in verdict.text
    assert [todo.space for todo in verdict.todo] == [put]
    table.feel(table.start)
    assert table.session.referee.verdict.kind is Kind.READY


@pytest.mark.parametrize(
    "turn", ["activate he, move he m4, disgrace po", "activate he, move he n3, disgrace de"]
)
def test_a_miniature_that_has_left_a_stuck_switch_is_accused_of_nothing(turn: str) -> None:
    table = Blind(Position.parse(HADES_HAS_MOVED.format(cards="he.po")))
    whole = played(table.start, turn)
    table.feel(whole.after, 9.0, besides=frozenset({"m3"}))
    assert table.session.referee.verdict.kind is not Kind.ILLEGAL
    table.answer(whole)
    assert table.session.referee.position == whole.after


def test_a_magnet_that_only_a_stuck_switch_accounts_for_is_shown_while_a_turn_is_still_to_be_played() -> None:
    """Poseidon may have moved Ares back from a switch that stays closed, before he moves himself; or it is a mistake."""
    table = Blind(
        Position.parse(
            "ze=j3,he=l2,ar=c3,at=a4,ha=n2,de=o4,po=h3,ap=e1 thunder=h5,fertility=b6.f6.i6,gate=l1.p5,"
            "barrier=e3.f2.f3.g6 at.po.ap/ar.de/ze.ha/at 0 4"
        )
    )
    table.feel(table.start, 9.0, besides=frozenset({"c2"}))
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.SETUP and verdict.marks == (("c2", Mark.REMOVE),)
    whole = played(table.start, "activate po, move po g3, back ar c2")
    table.feel(whole.after, 6.0, besides=frozenset({"c3"}))
    table.answer(whole)
    assert table.session.referee.position == whole.after


def test_a_stuck_switch_and_a_dead_one_in_one_turn_accuse_nobody() -> None:
    """Aphrodite comes to a dead switch and moves Poseidon from one that stays closed: or she was put where he is felt."""
    table = Blind(
        Position.parse(
            "ze=c3,he=k1,ar=g1,at=i1,ha=c1,de=e1,po=a1,ap=m1 thunder=j6,fertility=i5.l3,gate=,barrier=f4.p6 "
            "ze.he.ar.at.ha.de.po.ap/he.ar.at.ha.de.po.ap 0 2"
        )
    )
    whole = played(table.start, "activate ap, move ap m2, move po a2")
    table.feel(whole.after, 20.0, without=frozenset({"m2"}), besides=frozenset({"a1"}))
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.SETUP and verdict.marks == (("a2", Mark.REMOVE),)
    assert not table.session.notes.refusals
    table.answer(whole, 20)
    assert table.session.referee.position == whole.after
