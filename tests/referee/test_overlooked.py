"""By the switches alone: a turn over a stuck switch is found in what was felt before, when the next one does not fit."""

from __future__ import annotations

import pytest

from companion.games.above.position import Position
from companion.referee.verdict import Kind
from companion.virtual.answers import answer_to
from tests.referee.test_telling import Blind, played

STEPPED = (
    "ze=e2,he=m2,ar=g2,at=e3,ha=i4,de=c1,po=n3,ap=h2 thunder=f6.l5,fertility=i5.m5,gate=e5.i2,"
    "barrier=a4.f4.g3.g4.n2.p6 ze.he.at.ha.po/ze.he.ha.de.ap 1 2"
)
STRUCK = (
    "ze=a4,he=g1,ar=l3,at=k1,ha=d2,de=j1,po=o3,ap=c1 thunder=a6.j6.l6.m3,fertility=p6,gate=d3.f4.i3.i5,"
    "barrier=b6.d6.g5.k2.l4.p5 ze.he.ar.at.ha.de.po/he.ar.at.ha.po.ap 1 2"
)


@pytest.mark.parametrize(
    ("start", "first", "then", "stays"),
    [
        (STEPPED, "activate he, move he l2, disgrace po", "activate ha, move ha j4, place gate a1", {"m2"}),
        # A Thunder besides that nobody has taken off.
        (STRUCK, "activate ap, move ap c2, move ze a5", "activate he, move he g2, disgrace ar", {"a4", "a6"}),
    ],
)
def test_the_next_player_is_not_accused_of_a_switch_that_was_stuck_in_the_turn_before(
    start: str, first: str, then: str, stays: set[str]
) -> None:
    table = Blind(Position.parse(start))
    one = played(table.start, first)
    two = played(one.after, then)
    table.feel(one.after, 9.0, besides=frozenset(stays))
    table.feel(two.after, 12.0, besides=frozenset(stays))
    referee, notes = table.session.referee, table.session.notes
    assert not notes.refusals
    for _ in range(12):
        known = {turn.after for turn in referee.turns}
        untold = [turn for turn in (one, two) if turn.after not in known]
        key = answer_to([choice.key for choice in referee.verdict.choices], untold, 0, [one, two])
        if not untold:
            break
        assert key is None or referee.answer(key)
        table.feel(two.after, 1.0, besides=frozenset(stays))
    assert [turn.after for turn in referee.turns] == [one.after, two.after]
    assert referee.verdict.kind is not Kind.ILLEGAL and not notes.refusals
