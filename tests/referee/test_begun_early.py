"""The next player begins before anybody could see that the last turn was over, and the card does not show it yet."""

from __future__ import annotations

import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.verdict import Kind, Mark
from tests.referee.tabletop import Tabletop
from tests.referee.test_halfway import at_table, played

TWO = (
    "ze=a1,he=c1,ar=e1,at=g2,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3"
    " ze.he.ar.at.po.ap/ze.he.ar.at.po.ap 0 2"
)
FOUR = (
    "ze=b1,he=o1,ar=k1,at=e2,ha=d5,de=a1,po=d1,ap=h2 thunder=,fertility=a5.i2,gate=d2.n3,barrier=g3.j4.l3.l6"
    " he.po/ze.ap/ar.de.po/ze.at 2 4"
)
JUMPED = "activate po, move po d2, jump po n3, remove barrier l3"
# Whose card is to be turned, and what is put back if it is not.
ATHENA = "If Dan plays Athena: Put Dan's Athena card on the discard pile. If not: Put Athena back on e2."
ZEUS = "If Ben plays Zeus: Turn Ben's Zeus card to its Spent side. If not: Put Zeus back on a1."


def then(after: Position, turn: str) -> Position:
    for action in turn.split(", "):
        after = apply(after, Action.parse(action))
    return after


@pytest.mark.parametrize("goes_on", [True, False])
@pytest.mark.parametrize(
    ("text", "first", "left", "second", "said"),
    [
        # The last card: it is among those that are recovered, and does not leave its place (A5).
        (FOUR, JUMPED, "", "activate at, move at f2, exhaust ze 3, recover 3 ze at po ap, done", ATHENA),
        # Nobody has taken the Gate off yet.
        (FOUR, JUMPED, "gate d2", "activate at, move at f2, exhaust ze 3, recover 3 ze at po ap, done", ATHENA),
        (TWO, "activate ar, move ar e2, place barrier c5, place barrier d6", "",
         "activate ze, move ze b1, place thunder d4", ZEUS),
        # Pushed back in the one turn, and moved in the next.
        (TWO, "activate po, move po m2, back at g1", "", "activate at, move at h1, exhaust ze 1, done",
         "If Ben plays Athena: Turn Ben's Athena card to its Spent side. If not: Put Athena back on g1."),
    ],
)  # fmt: skip
def test_a_miniature_that_moves_before_the_last_turn_was_seen_whole_accuses_nobody(
    text: str, first: str, left: str, second: str, said: str, goes_on: bool
) -> None:
    session, _ = at_table(text)
    over = played(text, first)
    end = then(over, second)
    lies = Tabletop.of(over)
    lies.minis = Tabletop.of(end).minis
    if left:
        lies.tokens.add((left.split()[0], left.split()[1]))
    verdict = session.look(lies, 40)
    assert (verdict.kind, verdict.text) == (Kind.UNFINISHED, said)
    assert verdict.seat == over.turn and Mark.WRONG not in dict(verdict.marks).values()
    session.look(Tabletop.of(end if goes_on else over), 4)
    assert session.referee.answer("done") or not (goes_on and second.endswith("done"))
    assert session.look(Tabletop.of(end if goes_on else over), 4).kind is Kind.READY
    assert session.referee.position == (end if goes_on else over)
    assert not session.notes.refusals


@pytest.mark.parametrize(
    ("turn", "deity", "space"),
    [
        ("activate at, move at h2, done", "at", "i2"),  # two steps with one card
        ("activate ar", "ze", "b1"),  # not the miniature of the card
        ("activate ze, move ze b1, place thunder d4", "he", "c3"),  # where no turn leads
    ],
)
def test_what_no_next_turn_accounts_for_is_refused(turn: str, deity: str, space: str) -> None:
    session, _ = at_table(TWO)
    lies = Tabletop.of(played(TWO, turn))
    lies.minis[deity] = space
    assert session.look(lies, 40).kind is Kind.ILLEGAL
