"""What lies there while people are still at it: cards turned one by one, a token taken off before the piece is moved."""

from __future__ import annotations

import random

import pytest

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.evidence import Switches
from companion.referee.verdict import Kind, Verdict
from tests.referee.tabletop import Tabletop, random_turn
from tests.referee.test_referee import Session

FERTILITY = (
    "ze=m2,he=g2,ar=g1,at=a1,ha=n1,de=a2,po=l1,ap=m1 thunder=,fertility=c1.f1.i1.k2.n2.o1,gate=p1,barrier="
    " he.ha.po/at.de/ze.he.ar.ap/po 0 4"
)
TWO_OF_A_KIND = (
    "ze=a1,he=j4,ar=p3,at=o5,ha=m3,de=j5,po=m5,ap=l4 thunder=,fertility=i3,gate=j3,barrier=a2.h1.h2.h6.i6.l6"
    " ze.ar.ha/ze.at.ap.ap/he/de 2 4"
)
ATHENAS_LAST = (
    "ze=g2,he=m3,ar=n2,at=d3,ha=m2,de=g3,po=k3,ap=i2 thunder=k2.l2,fertility=i3.j2.j3.n3,gate=,barrier="
    " at/he 0 2"
)
PICKED = (
    "ze=p5,he=g5,ar=a3,at=f3,ha=l4,de=b3,po=n4,ap=k3 thunder=j3,fertility=b5.i3.o5,gate=a4.l5,"
    "barrier=d3.g4.k4.m4.n5.o4 ze/ha/he.po.ap/ar.po 0 4"
)
LAST = (
    "ze=k6,he=o6,ar=a5,at=g6,ha=f6,de=m6,po=n6,ap=g5 thunder=b1.c2.f1.m3,fertility=c1.f2.i2.j4.k2.n2,"
    "gate=b2.d2.g1.n1,barrier=i3.k5.l1.m2.m5.p4 ar.ap/ze 1 2"
)
GATE = (
    "ze=n2,he=l1,ar=j1,at=b2,ha=o1,de=d1,po=c2,ap=i2 thunder=g1.p2,fertility=j2.n1,gate=a1.c1.h1.h2.k1.m1,"
    "barrier=d2.e1.f2.k2.o2.p1 he.ar.ha.de/po/de/ze.he.ar 2 4"
)


def played(text: str, turn: str) -> Position:
    position = Position.parse(text)
    for action in turn.split(", "):
        position = apply(position, Action.parse(action))
    return position


def at_table(text: str) -> tuple[Session, Tabletop]:
    session, table = Session(Position.parse(text), int(text[-1])), Tabletop.of(Position.parse(text))
    assert session.look(table).kind is Kind.READY
    return session, table


HADES = "activate ha, move ha o1, move ha o2, place gate j5"


def test_a_fertility_taken_off_first_is_no_walk_forth_and_back() -> None:
    session, table = at_table(FERTILITY)
    end = played(FERTILITY, HADES)
    table.cards[0]["ha"] = 0
    table.tokens = Tabletop.of(end).tokens
    verdict = session.look(table, 4)
    assert verdict.kind is Kind.UNFINISHED
    # Who has walked there and back knows what to say, who has not what to do.
    assert verdict.text == "If Ada's turn is over as it lies, say so. If not: Move Hades to o2."
    assert [choice.key for choice in verdict.choices] == ["done"]
    # As nothing else is left to do the next player is called after a while, and the one who has yet to step does.
    verdict = session.look(table, 40)
    assert (verdict.kind, verdict.seat) == (Kind.COMPLETE, end.turn)
    assert verdict.text.startswith("If Ada's turn is over as it lies, Ben:")
    assert verdict.text.endswith("If not: Move Hades to o2.")
    assert not session.notes.turns
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    assert session.referee.position == end
    assert not session.notes.refusals


def test_who_has_walked_forth_and_back_unseen_is_not_asked_but_believed_when_the_next_player_goes_on() -> (
    None
):
    session, _ = at_table(FERTILITY)
    end = played(FERTILITY, HADES.replace("move ha o2", "move ha n1"))
    assert end.minis == Position.parse(FERTILITY).minis
    verdict = session.look(Tabletop.of(end), 40)
    assert (verdict.kind, verdict.seat) == (Kind.COMPLETE, end.turn)
    _, later = random_turn(end, random.Random(1))
    session.look(Tabletop.of(later), 4)
    assert session.referee.turns[0].after == end
    assert not session.notes.refusals


def test_athenas_player_who_has_gone_forth_and_back_unseen_may_exhaust_more() -> None:
    text = FERTILITY.replace(" he.ha.po/", " at.ha.po/").replace("c1.f1.i1", "b1.c1.f1")
    session, _ = at_table(text)
    end = played(text, "activate at, move at b1, move at a1, done")
    verdict = session.look(Tabletop.of(end), 40)
    assert (verdict.kind, verdict.seat) == (Kind.COMPLETE, end.turn)
    assert "may exhaust more" in verdict.text
    assert not session.notes.turns


@pytest.mark.parametrize("taken_off", [False, True])
def test_nobody_is_called_while_more_than_a_step_is_left_to_do(taken_off: bool) -> None:
    """A card that was turned, and a token that was taken off first, are the beginning of a turn."""
    session, table = at_table(FERTILITY)
    table.cards[0]["ha"] = 0
    if taken_off:
        table.tokens.remove(("fertility", "o1"))
    assert session.look(table, 60).kind is Kind.UNFINISHED
    assert not session.notes.turns


def test_two_cards_of_a_kind_that_hera_names_go_one_after_the_other() -> None:
    session, table = at_table(TWO_OF_A_KIND)
    end = played(TWO_OF_A_KIND, "activate he, recover 2 ar at ha po, move he k4, disgrace ap")
    done = Tabletop.of(end)
    table.minis, table.cards[2] = done.minis, done.cards[2]
    table.cards[1]["ap"] = 1
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.UNFINISHED
    assert [todo.text for todo in verdict.todo] == ["Put Ben's Aphrodite card on the discard pile."]
    assert session.look(done, 3).kind is Kind.READY
    assert session.referee.position == end
    assert not session.notes.refusals


@pytest.mark.parametrize(
    ("text", "turn", "late"),
    [
        (ATHENAS_LAST, "activate at, move at e3, exhaust he 0, done", ["ha"]),
        (ATHENAS_LAST, "activate at, move at e3, done", ["ha", "de"]),
        (PICKED, "activate ze, recover 0 he at de ap, move ze a5, place thunder m6", ["de"]),
    ],
)
def test_who_recovers_card_by_card_is_not_accused_of_the_last(text: str, turn: str, late: list[str]) -> None:
    session, _ = at_table(text)
    end = played(text, turn)
    table = Tabletop.of(end)
    for deity in late:
        del table.cards[0][deity]
    if text == PICKED:
        table.cards[0]["ze"] = 1  # and the card that was exhausted still lies there
    session.look(table, 40)
    for deity in late:
        table.cards[0][deity] = 1
        session.look(table, 40)
    verdict = session.look(Tabletop.of(end), 40)
    assert verdict.kind in (Kind.READY, Kind.COMPLETE)
    assert session.referee.position == end or session.referee.may_be_over == end
    assert not session.notes.refusals


LAST_ONES = "ze=j1,he=e1,ar=a1,at=b2,ha=b1,de=l1,po=d3,ap=k1 thunder=b5,fertility=o6,gate=e5,barrier=f3 {last}/ar.ap 0 2"


@pytest.mark.parametrize(
    ("turn", "card", "moved"),
    [
        ("activate he, move he f1, disgrace ar", "he", {"he": "e1"}),
        ("activate po, move po e3, remove fertility o6", "po", {"po": "d3"}),
        ("activate ze, move ze i1, place thunder c5", "ar", {"ar": "p1"}),
    ],
)
def test_who_has_just_recovered_and_moves_once_more_is_refused(
    turn: str, card: str, moved: dict[str, str]
) -> None:
    # Each of these steps Ben's Aphrodite might have made, and the card might still be one to recover.
    text = LAST_ONES.format(last=turn.split()[1].rstrip(","))
    session, _ = at_table(text)
    end = played(text, turn)
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    table = Tabletop.of(end)
    del table.cards[0][card]
    assert session.look(table, 40).kind is Kind.UNFINISHED  # a card alone may be one that is recovered late
    table.minis.update(moved)
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL
    assert "Ben's turn" in verdict.text
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    assert [str(action) for action in session.notes.turns[0]] == turn.split(", ")
    assert len(session.notes.turns) == 1


def test_who_turns_up_a_card_that_nobody_recovers_is_still_told() -> None:
    session, _ = at_table(PICKED.replace(" ze/ha", " ze.he/ha"))
    end = played(PICKED.replace(" ze/ha", " ze.he/ha"), "activate ze, move ze a5, place thunder m6")
    table = Tabletop.of(end)
    assert session.look(table, 3).kind is Kind.READY
    table.cards[0]["de"] = 1
    assert session.look(table, 40).kind is Kind.ILLEGAL


@pytest.mark.parametrize("space", ["k6", "j6"])
def test_who_recovered_and_plays_the_same_deity_once_more_is_told_whose_turn_it_is(space: str) -> None:
    session, _ = at_table(LAST)
    end = played(LAST, "activate ze, move ze l6, place thunder h4")
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    table = Tabletop.of(end)
    table.minis["ze"], table.cards[1]["ze"] = space, 0
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL
    assert session.referee.position == end


def test_a_thunder_taken_off_first_tells_where_a_gate_led() -> None:
    session, table = at_table(GATE)
    end = played(GATE, "activate de, recover 2 at ha de ap, move de c1, jump de h1")
    table.tokens.discard(("thunder", "g1"))
    table.cards[2]["ap"] = 1
    assert session.look(table, 40).kind is Kind.UNFINISHED
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    assert session.referee.position == end
    assert not session.notes.refusals


POWER_FIRST = (
    "ze=k2,he=a2,ar=b1,at=f2,ha=g2,de=m2,po=o1,ap=i1 thunder=a4.k4,fertility=b4.j5.p1,gate=b3.g4.n1,"
    "barrier=d3.h6.l5.l6 ze.ar.ha.po.ap/he.po 0 2"
)
BELOW_THE_GATE = POWER_FIRST.replace("thunder=a4.k4", "thunder=k4")
ONE_GATE = POWER_FIRST.replace("gate=b3.g4.n1", "gate=n1").replace("ar=b1", "ar=c1")


@pytest.mark.parametrize(
    ("text", "turn", "stands", "left", "says"),
    [
        # Of two Gates one would skip the power (A7) that was carried out already.
        (POWER_FIRST, "activate po, move po n1, jump po g4, back de m1", "n1", ["g4", "n1"], "to g4"),
        # Either will do: neither is named alone.
        (BELOW_THE_GATE, "activate po, move po n1, jump po g4, back de m1", "n1", ["g4", "n1"], "b3, g4"),
        # Through the Gate and flooded back at once: both Gates lie there still.
        (BELOW_THE_GATE, "activate po, move po n1, jump po b3, back po b2", "b2", ["b3", "n1"], "Gate"),
        (BELOW_THE_GATE, "activate po, move po n1, jump po g4, back po g3", "g3", ["g4", "n1"], "Gate"),
        # Where the jump might have led, somebody was flooded back to, or a token was laid.
        (ONE_GATE, "activate po, move po n1, jump po b1, back he a1", "n1", ["n1"], "Gate"),
        (
            ONE_GATE.replace("po=o1", "po=p3").replace("ha=g2", "ha=o1"),
            "activate ha, move ha n1, jump ha b1, place gate a1",
            "n1",
            ["n1"],
            "Gate",
        ),
    ],
)
def test_a_power_carried_out_before_the_jump_from_a_gate_accuses_nobody(
    text: str, turn: str, stands: str, left: list[str], says: str
) -> None:
    session, table = at_table(text)
    end = Tabletop.of(played(text, turn))
    table.cards, table.minis, table.tokens = end.cards, dict(end.minis), set(end.tokens)
    table.minis[turn.split(", ")[0].split()[1]] = stands
    table.tokens.update(("gate", space) for space in left)
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.UNFINISHED
    assert says in verdict.text
    assert session.look(end, 3).kind is Kind.READY
    assert session.referee.position == played(text, turn)
    assert not session.notes.refusals


FLOODED = (
    "ze=j1,he=b2,ar=e1,at=h2,ha=p2,de=n1,po=d2,ap=l1 thunder=h4,fertility=d3.o1,gate=a6.c3.e2,barrier=j4.k1.k4.n6"
    " ar.de.ap/ze.at/po.ap/he.ha.de 2 4"
)
SISTERS = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=d3.n4,gate=h3.l6,barrier=j2.p3"
    " ar.at.ha.ap/ze.he.de.po/ar.at.ha.ap/ze.he.de.po 0 4"
)


@pytest.mark.parametrize(
    ("text", "so_far", "turn", "then"),
    [
        # He stands where Poseidon may have flooded himself back to, and goes on through a Gate.
        (
            FLOODED,
            "activate po, move po d3, move po d4, back po d3",
            "activate po, move po d3, move po c3, jump po e2, remove barrier k4",
            "activate de, move de n2, place fertility d5",
        ),
        # Athena's player may exhaust more, and does.
        (
            SISTERS,
            "activate at, move at g2, exhaust ap 2, done",
            "activate at, move at g2, exhaust ap 2, exhaust ha 0",
            "activate de, move de k2, place fertility h6",
        ),
        (
            SISTERS,
            "activate at, move at g2, done",
            "activate at, move at g2, exhaust ha 0, done",
            "activate ze, move ze b1, place thunder d2",
        ),
    ],
)
@pytest.mark.parametrize("felt", [True, False])
def test_a_turn_that_went_on_and_the_next_one_at_once_accuse_nobody(
    text: str, so_far: str, turn: str, then: str, felt: bool
) -> None:
    session, _ = at_table(text)

    def look(position: Position, times: int) -> Verdict:
        closed = frozenset(SPACES[space] for space in bits(position.stood_on))
        return session.look(Tabletop.of(position), times, Switches(closed) if felt else None)

    assert look(played(text, so_far), 3).kind is Kind.COMPLETE
    end = played(text, turn)
    for action in then.split(", "):
        end = apply(end, Action.parse(action))
    assert look(end, 40).kind is Kind.READY
    assert not session.notes.refusals
    assert played(text, ", ".join(map(str, session.notes.turns[0]))) == played(text, turn)
    assert session.referee.position == end


BELOW_THE_SUMMIT = (
    "ze=a1,he=c1,ar=e1,at=f6,ha=i1,de=k1,po=m1,ap=o1 thunder=b5,fertility=e6,gate=h3,barrier=j2"
    " ze.he.ar.at.po/ze.he.ar.at.po 0 2"
)


@pytest.mark.parametrize("way", ["move at g6", "move at e6, move at f6"])
@pytest.mark.parametrize("whose", [0, 1])
def test_who_steps_onto_the_summit_when_athenas_turn_might_have_been_over_wins(way: str, whose: int) -> None:
    session, table = at_table(BELOW_THE_SUMMIT)
    first = played(BELOW_THE_SUMMIT, f"activate at, {way}, done")
    table.minis["at"] = "e6"
    session.look(table)
    assert session.look(Tabletop.of(first), 3).kind is Kind.COMPLETE
    table = Tabletop.of(first)
    table.minis["at"] = "top"
    verdict = session.look(table, 40)
    # Ada might have gone there herself instead, but it is Ben who was called.
    assert (verdict.kind, verdict.seat) == (Kind.UNFINISHED, 1)
    assert [todo.text for todo in verdict.todo] == ["Turn Ben's Athena card to its Spent side."]
    if whose:
        table.cards[1]["at"] = 0
        verdict = session.look(table, 3)
    else:
        (choice,) = verdict.choices
        assert session.referee.answer(choice.key)
        verdict = session.look(table)
    assert (verdict.kind, verdict.winners) == (Kind.OVER, (whose,))
    assert not session.notes.refusals


TWO_TO_EXHAUST = (
    "ze=h5,he=f2,ar=b3,at=i1,ha=l1,de=o1,po=i3,ap=l2 thunder=c5.n1.n3,fertility=e3.m4,gate=i2,"
    "barrier=e4.f4.j6.l3.n2.o6 ze.he.ar.at.ha.de.po.ap/ze.he.at.ha.de.po.ap 1 2"
)
MISREAD = "activate at, move at i2, jump at i1, exhaust ap 1, done"
AS_PLAYED = "activate at, move at i2, jump at i1, exhaust ap 1, exhaust he 1"
STRUCK = "activate ar, move ar b4"


@pytest.mark.parametrize(
    ("turn", "then"),
    [
        # The only look before hands came misread the second card.
        (AS_PLAYED, "activate po, move po j3, remove thunder n1"),
        # It did not: the card was turned since, as the first act of the turn after the next.
        (MISREAD, "activate he, move he e2, disgrace ze"),
    ],
)
@pytest.mark.parametrize("answered", [True, False])
def test_a_card_that_the_only_look_after_athenas_turn_may_have_misread_is_asked_about(
    turn: str, then: str, answered: bool
) -> None:
    session, table = at_table(TWO_TO_EXHAUST)
    table.minis["at"] = "i2"
    table.tokens.discard(("gate", "i2"))
    session.look(table)
    assert session.look(Tabletop.of(played(TWO_TO_EXHAUST, MISREAD))).kind is Kind.COMPLETE
    # Which of the two it is nothing tells: what lies there is the same.
    end = played(TWO_TO_EXHAUST, f"{AS_PLAYED}, {STRUCK}")
    verdict = session.look(Tabletop.of(end), 40)
    assert verdict.kind is Kind.QUESTION
    assert {choice.key for choice in verdict.choices} == {f"turn:{AS_PLAYED}", f"turn:{MISREAD}"}
    if answered:
        assert session.referee.answer(f"turn:{turn}")
        session.look(Tabletop.of(end), 5)
    end = played(TWO_TO_EXHAUST, f"{turn}, {STRUCK}")
    for action in then.split(", "):
        end = apply(end, Action.parse(action))
    assert session.look(Tabletop.of(end), 40).kind is Kind.READY
    assert not session.notes.refusals
    assert [", ".join(map(str, each)) for each in session.notes.turns[:2]] == [turn, STRUCK]
    assert session.referee.position == end


def test_a_card_that_two_looks_have_shown_powered_was_not_exhausted() -> None:
    session, table = at_table(TWO_TO_EXHAUST)
    table.minis["at"] = "i2"
    table.tokens.discard(("gate", "i2"))
    session.look(table)
    assert session.look(Tabletop.of(played(TWO_TO_EXHAUST, MISREAD)), 2).kind is Kind.COMPLETE
    verdict = session.look(Tabletop.of(played(TWO_TO_EXHAUST, f"{AS_PLAYED}, {STRUCK}")), 40)
    assert (verdict.kind, verdict.seat) == (Kind.UNFINISHED, 1)
    assert [", ".join(map(str, each)) for each in session.notes.turns] == [MISREAD, STRUCK]
