"""Every way to be refused has its sentence: the rule broken, in the players' words."""

# ruff: noqa: E501 - a table reads best with one case a line

from __future__ import annotations

import pytest

from companion.games.above import explain
from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.rules import explain_illegal
from tests.games.above.play import after
from tests.games.above.positions import ALL, text
from tests.sentences import sentences, unsaid

MOVING = after(text("ze=c3,he=b3,ar=c2", "barrier=d3"), "activate ze")
PLACING = after(text("ze=c2", "gate=e4"), "activate ze", "move ze c3")
SHIFTING = after(text(tokens="thunder=a3.b3.c3.d3.e3.f3"), "activate ze", "move ze b1")
ARES = after(text(tokens="barrier=a3.b3.c3.d3.e3"), "activate ar", "move ar e2", "place barrier f3")
FLOOD = after(text("ze=a2,he=c3,ar=c2,de=b3", "barrier=b2"), "activate po", "move po m2")
SEDUCTION = after(text("ze=d6,he=d5,ar=c5"), "activate ap", "move ap o2")
GATES = after(text("ze=b1", "gate=b2.h3.k5"), "activate ze", "move ze b2")
RING_1 = after(text("ze=b1", "gate=a1,barrier=f1"), "activate ze", "move ze a1")
FERTILE = after(text("ze=b1", "fertility=b2"), "activate ze", "move ze b2")
STRUCK = after(text("ze=b1", "fertility=b2,thunder=a3"), "activate ze", "move ze b2")
STRUCK_GATE = after(text("ze=b1", "gate=b2.h3,thunder=a3"), "activate ze", "move ze b2")
STRUCK_OUT = after(text("ze=b1", "thunder=a3"), "activate ze", "move ze b2")
CHAIN = after(text("he=d6", "fertility=d5"), "activate po", "move po m2", "back he d5")
HERA = after(text(cards=f"{ALL}/he.po"), "activate he", "move he c2")
HERA_4 = after(text(cards="ze.he.at/ar/ze/ar"), "activate he", "move he c2")
PICKING = after(HERA_4, "disgrace ar")
ATHENA = after(text(cards=f"ze.at.po/{ALL}"), "activate at", "move at g2")
ATHENA_4 = after(text(cards="ze.at.po/he/ze.po/he"), "activate at", "move at g2", "exhaust po 2")
START_4 = Position.parse(text(cards="ze/he/ar/at"))


CASES = (
        # phase 1
        (text(cards=f"he/{ALL}"), "activate ze", "The Zeus card of seat 0 is Spent: activate a Powered one (phase 1)."),
        (START_4, "activate he", "Seat 0 has no Powered Hera card: activate one that lies there (phase 1)."),
        (text(), "move he c2", "Hera cannot move yet: seat 0 must first activate a Powered card (phase 1)."),
        (text(), "place gate c2", "No Gate token can be placed yet: seat 0 must first activate a Powered card (phase 1)."),
        (text(), "done", "There is nothing to end yet: seat 0 must first activate a Powered card (phase 1)."),
        (MOVING, "activate he", "Zeus has been activated: only one card a turn is activated (phase 1)."),
        # phase 2
        (MOVING, "move ar d2", "Zeus has been activated, so Zeus must move, not Ares (phase 2)."),
        (MOVING, "move ze c3", "Zeus already stands on c3: a step leads to another space (phase 2, A6)."),
        (MOVING, "move ze c2", "Zeus cannot step back: a miniature moves forward or sideways (phase 2, A6)."),
        (MOVING, "move ze c5", "Zeus cannot reach c5: a step leads one space forward or sideways (phase 2, A6)."),
        (MOVING, "move ze d4", "Zeus cannot reach d4: a step leads one space forward or sideways (phase 2, A6)."),
        (MOVING, "move ze top", "Zeus cannot reach the summit: a step leads one space forward or sideways (phase 2, A6)."),
        (MOVING, "move ze b3", "Zeus cannot move to b3: Hera stands there (phase 2, A6)."),
        (MOVING, "move ze d3", "Zeus cannot move to d3: a Barrier lies there (phase 2, A6)."),
        (MOVING, "place thunder g3", "Zeus must move before its power is used (phase 2, A6)."),
        (MOVING, "jump ze g3", "Zeus is on no Gate: Zeus must step forward or sideways (phase 2, A6)."),
        (FERTILE, "place thunder g3", "Zeus must move before its power is used (phase 2, A6)."),
        (STRUCK, "place thunder g3", "Zeus has triggered Thunder: it moves on, and its power is skipped this turn (A7)."),
        (STRUCK_OUT, "place thunder g3", "Zeus triggered Thunder while moving, so its power is skipped; seat 1 is next (A7)."),
        (STRUCK_OUT, "place gate g3", "No Gate token can be placed yet: seat 1 must first activate a Powered card (phase 1)."),
        # Gates
        (GATES, "move ze b3", "Zeus is on a Gate and must first jump from it (A9)."),
        (GATES, "jump he h3", "Zeus is on a Gate and must first jump from it (A9)."),
        (GATES, "jump ze c4", "Zeus must jump to the space of another Gate, to h3 or k5, not to c4 (A9)."),
        (RING_1, "jump ze c4", "Zeus must jump to ring 1, since no other Gate lies on the board, not to c4 (A9)."),
        (RING_1, "jump ze c1", "Zeus cannot jump to c1: Hera stands there (A9)."),
        (RING_1, "jump ze f1", "Zeus cannot jump to f1: a Barrier lies there (A9)."),
        (RING_1, "jump ze a1", "Zeus cannot jump to a1: it stands there already (A9)."),
        (STRUCK_GATE, "place thunder c4", "Zeus has triggered Thunder: it jumps from its Gate, and its power is skipped (A7)."),
        # laying tokens
        (PLACING, "place gate c4", "The power of Zeus is a Thunder token, not a Gate token (phase 3)."),
        (PLACING, "place thunder top", "A token may never lie on the summit (A11)."),
        (PLACING, "place thunder c3", "A token goes to an open space only, and Zeus stands on c3 (A11)."),
        (PLACING, "place thunder e4", "A token goes to an open space only, and a Gate token lies on e4 (A11)."),
        (PLACING, "shift thunder e4 e5", "The Reserve still has Thunder tokens (6): place one of them (A12)."),
        (PLACING, "move ze c4", "Zeus has finished moving; now Zeus places a Thunder token (phase 3)."),
        (PLACING, "move he c4", "Zeus was activated, not Hera; Zeus places a Thunder token (phase 3)."),
        (PLACING, "jump ze e4", "Zeus has triggered no Gate and cannot jump (A9)."),
        (PLACING, "done", "That is not the power of Zeus: Zeus places a Thunder token (phase 3)."),
        (PLACING, "disgrace ze", "That is not the power of Zeus: Zeus places a Thunder token (phase 3)."),
        (SHIFTING, "place thunder h4", "No Thunder token is left in the Reserve: move one that lies on the board (A12)."),
        (SHIFTING, "shift thunder h4 h5", "No Thunder token lies on h4, so none can be moved from there (A12)."),
        (SHIFTING, "shift thunder a3 a3", "The Thunder token of a3 must be moved to a different space (A12)."),
        (SHIFTING, "shift thunder a3 b3", "A token goes to an open space only, and a Thunder token lies on b3 (A11)."),
        (ARES, "shift barrier f3 g3", "The Barrier token on f3 was laid by this same power and stays (A12)."),
        # Poseidon
        (FLOOD, "remove gate h4", "No Gate token lies on h4 that Poseidon could remove (A13)."),
        (FLOOD, "remove gate top", "No token lies on the summit that Poseidon could remove (A11)."),
        (FLOOD, "remove gate b2", "On b2 lies a Barrier token, not a Gate token (A13)."),
        (FLOOD, "back at f1", "Athena stands on ring 1 and cannot be moved back (A13)."),
        (FLOOD, "back he b2", "Poseidon can move Hera one ring back to c2, not to b2 (A13)."),
        (FLOOD, "back he c2", "Hera cannot be moved back to c2: Ares stands there (A13)."),
        (FLOOD, "back de b2", "Demeter cannot be moved back to b2: a Barrier lies there (A13)."),
        (CHAIN, "move ze b1", "Hera must step on from Fertility first; Zeus does not move (A8)."),
        (CHAIN, "remove gate h4", "Hera must step on from Fertility before anything else (A8)."),
        (CHAIN, "move he d4", "Hera cannot step back: a miniature moves forward or sideways (phase 3, A8)."),
        # Aphrodite
        (SEDUCTION, "move ap o3", "Aphrodite moves another deity, never herself (A14)."),
        (SEDUCTION, "move ze top", "Zeus cannot step onto the summit when Aphrodite moves it (A14)."),
        (SEDUCTION, "move he d6", "Hera cannot move to d6: Zeus stands there (phase 3, A14)."),
        (SEDUCTION, "move he d4", "Hera cannot step back: a miniature moves forward or sideways (phase 3, A14)."),
        (SEDUCTION, "place gate h4", "That is not the power of Aphrodite: Aphrodite moves another deity one step (phase 3)."),
        # Hera and Athena
        (HERA, "disgrace ze", "Seat 1 has no Powered Zeus card that Hera could name (A15)."),
        (HERA_4, "disgrace ze", "No opponent has a Powered Zeus card that Hera could name (A15)."),
        (ATHENA, "exhaust ze 1", "Athena exhausts cards of seat 0 only, her own player's (A16)."),
        (ATHENA, "exhaust he 0", "Seat 0 has no Powered Hera card that Athena could exhaust (A16)."),
        (ATHENA_4, "exhaust he 1", "Athena exhausts a card of her own player or of the teammate, not of seat 1 (A16)."),
        (ATHENA_4, "exhaust ze 2", "Athena exhausts at most one card of seat 2 (A16)."),
        # recovering
        (text(), "recover 0 ze he ar at", "With two players nobody picks: all 8 cards flip back by themselves (A5)."),
        (text(), "recover 2 ze he ar at", "There is no seat 2: 2 play."),
        (START_4, "recover 1 ze he ar at", "Seat 1 still has a Powered card, so it does not pick cards (A5)."),
        (PICKING, "activate ze", "Seat 1 has no Powered card and must first pick 4 from the discard pile (A5)."),
        (PICKING, "recover 3 ze he ar ha", "Seat 1 picks before seat 3: clockwise from the active player (A5)."),
        (PICKING, "recover 0 ze he ar ha", "Seat 0 still has a Powered card: it is seat 1 that picks (A5)."),
        (PICKING, "recover 1 ze he ar ha", "The discard pile has no Zeus card (A5)."),
        (PICKING, "recover 1 he at at ha", "The discard pile has one Athena card (A5)."),
        (
            PICKING,
            "recover 1 he he ar ha",
            "The 4 cards must be as different as possible: the discard pile has 7 kinds, these are 3 (A5).",
        ),
        # the end
        (text("ze=top"), "activate he", "The game is over: Zeus stands on the summit (A17)."),
    )  # fmt: skip


@pytest.mark.parametrize(("position", "action", "sentence"), CASES)
def test_sentence(position: Position | str, action: str, sentence: str) -> None:
    if isinstance(position, str):
        position = Position.parse(position)
    assert explain_illegal(position, Action.parse(action)) == sentence


def test_blocked() -> None:
    position = after(text("ze=c3,he=b3,ar=d3", "barrier=c4"), "activate ze")
    expected = "Zeus was blocked and stays where it is; now Zeus places a Thunder token (A6)."
    assert explain_illegal(position, Action.parse("move ze c4")) == expected


def test_a_power_that_could_not_be_carried_out() -> None:
    position = after(text(), "activate po", "move po l1")
    expected = "The power of Poseidon could not be carried out and is skipped; seat 1 is next (A10)."
    assert explain_illegal(position, Action.parse("back ze a1")) == expected


def test_a_space_of_another_board() -> None:
    position = Position.parse(text())
    assert (
        explain_illegal(position, Action("move", deity="he", space="q3"))
        == "This board has no space q3 (A1)."
    )
    assert (
        explain_illegal(position, Action("move", deity="he", space="c9"))
        == "This board has no space c9 (A1)."
    )


def test_every_sentence_of_the_rules_is_said_somewhere_above() -> None:
    def say_all() -> None:
        for position, action, sentence in CASES:
            test_sentence(position, action, sentence)
        test_blocked()
        test_a_power_that_could_not_be_carried_out()
        test_a_space_of_another_board()

    assert len(sentences(explain)) > 50
    assert unsaid(explain, say_all) == []


def test_what_is_not_said_is_found_out() -> None:
    assert len(unsaid(explain, test_blocked)) == len(sentences(explain)) - 1
