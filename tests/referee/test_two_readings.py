"""Tables that may be read in two ways: nothing is taken for certain that is not, and nobody is accused for it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.above.action import Action
from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.evidence import Switches
from companion.referee.patience import OBJECTION_S
from companion.referee.verdict import Kind, Mark, Verdict
from companion.sensing.reading import Reading
from companion.virtual.answers import answer_to
from tests.referee.tabletop import Tabletop, random_position, random_turn
from tests.referee.test_referee import START, Session, standing


def at_table(text: str) -> Session:
    position = Position.parse(text)
    session = Session(position, position.players)
    assert session.look(Tabletop.of(position)).kind is Kind.READY
    return session


def played(position: Position, text: str) -> Position:
    for words in text.split(", "):
        position = apply(position, Action.parse(words))
    return position


def test_where_only_a_print_tells_what_was_laid_one_look_is_not_enough() -> None:
    session = at_table(START)
    after = played(Position.parse(START), "activate ze, move ze b1, place thunder d2")
    session.look(Tabletop.of(after))
    assert not session.notes.turns
    assert session.look(Tabletop.of(after)).kind is Kind.READY
    assert len(session.notes.turns) == 1


REPLACED = (
    "ze=a4,he=m3,ar=h2,at=f2,ha=d3,de=k2,po=g1,ap=e4 thunder=c6.e6,fertility=d4.f3.h4.k3,gate=e5.f5,"
    "barrier=a1.a2.c1.j6.m5.n3 he.at.ha.de.po.ap/he.ar.at.ha.po 0 2"
)
ON_THE_SAME_SPACE = "activate de, move de k3, move de k4, place fertility k3"


def test_a_token_where_one_was_to_be_taken_off_is_taken_for_the_old_one() -> None:
    session = at_table(REPLACED)
    table = Tabletop.of(played(Position.parse(REPLACED), ON_THE_SAME_SPACE))
    verdict = session.look(table, 5)
    assert verdict.kind is Kind.UNFINISHED
    assert "off k3" in verdict.text
    assert not session.notes.turns
    # Elsewhere it is plain what was meant; and who has really laid it there says so.
    elsewhere = Tabletop.of(
        played(Position.parse(REPLACED), ON_THE_SAME_SPACE.replace("fertility k3", "fertility h6"))
    )
    assert session.look(table, 2).choices[0].key == "done"
    assert session.referee.answer("done")
    assert len(session.notes.turns) == 1
    other = at_table(REPLACED)
    other.look(table, 3)
    assert other.look(elsewhere, 3).kind is Kind.READY
    assert len(other.notes.turns) == 1


FORTH_AND_BACK = (
    "ze=g1,he=j1,ar=l1,at=b1,ha=f1,de=n1,po=d1,ap=p1 thunder=c2.g5.m2,fertility=a5.o4,gate=b3.k6,barrier=d4.f4 "
    "he.ar.ha.de/at.po.ap/ze.at.ha.ap/he.ar.de.po 2 4"
)
BOTH_TURNS = "activate ap, move ap p2, move ar k1, activate po, move po e1, back ap p1"


def asked_of_two_turns() -> Session:
    """Aphrodite went forth and was taken back by the next player, which nobody saw and no token tells."""
    session = at_table(FORTH_AND_BACK)
    verdict = session.look(Tabletop.of(played(Position.parse(FORTH_AND_BACK), BOTH_TURNS)), 40)
    assert verdict.kind is Kind.QUESTION
    assert [choice.key for choice in verdict.choices][-1] == "none"
    assert not session.notes.turns
    return session


def test_forth_and_back_unseen_is_asked_for() -> None:
    session = asked_of_two_turns()
    assert session.referee.answer(session.referee.verdict.choices[0].key)
    end = played(Position.parse(FORTH_AND_BACK), BOTH_TURNS)
    session.look(Tabletop.of(end), 3)
    assert len(session.notes.turns) == 2
    assert session.referee.position == end


def test_who_has_not_gone_forth_and_back_is_shown_what_is_wrong() -> None:
    session = asked_of_two_turns()
    assert session.referee.answer("none")
    verdict = session.look(Tabletop.of(played(Position.parse(FORTH_AND_BACK), BOTH_TURNS)), 40)
    assert verdict.kind is Kind.ILLEGAL
    assert not session.notes.turns


def test_none_of_these_is_no_answer_to_an_objection_that_is_over() -> None:
    """Zeus beyond his reach is objected to; then the pieces are laid so that something quite else is asked."""
    session = at_table(FORTH_AND_BACK)
    wrong = Tabletop.of(Position.parse(FORTH_AND_BACK))
    wrong.minis["ze"] = "g3"
    assert session.look(wrong, round(OBJECTION_S / 0.07) + 20).kind is Kind.ILLEGAL
    assert session.referee.answer("object")
    table = Tabletop.of(played(Position.parse(FORTH_AND_BACK), BOTH_TURNS))
    asked = session.look(table, 40)
    assert [choice.key for choice in asked.choices][-1] == "none" and not asked.by_rules
    assert session.referee.answer("none")
    assert session.referee.verdict.kind is Kind.UNFINISHED
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.ILLEGAL and "Zeus" not in verdict.text


ATHENA = (
    "ze=h5,he=a2,ar=e3,at=b3,ha=j5,de=o1,po=p3,ap=m5 thunder=p6,fertility=g5.h6.i6.m2.n3,gate=l5,"
    "barrier=b4.i3.l1.m3.n1.p5 at.ap/he/ar.de.po/at.ha 0 4"
)


def test_a_card_that_goes_may_be_athenas_last_or_heras_first() -> None:
    session = at_table(ATHENA)
    over = played(Position.parse(ATHENA), "activate at, move at a3, done")
    table = Tabletop.of(over)
    assert session.look(table, 3).kind is Kind.COMPLETE
    table.cards[2]["de"] = 0
    assert session.look(table, 3).kind is Kind.COMPLETE
    table.cards[1]["he"] = 0
    session.look(table, 3)
    assert not session.notes.turns
    end = played(over, "activate he, recover 1 ar at po ap, move he p2, disgrace de")
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    assert session.referee.position == end
    assert [turn[-1].kind for turn in session.notes.turns] == ["done", "disgrace"]


def test_a_turn_that_might_go_on_is_not_over_before_the_next_player_has_turned_a_card() -> None:
    """Ada moves Athena and takes a token off, as if Ben's Poseidon had; then she puts all back and plays another card."""
    start = Position.parse(START)
    session = at_table(START)
    table = Tabletop.of(played(start, "activate at, move at g2, done"))
    assert session.look(table, 3).kind is Kind.COMPLETE
    table.tokens.remove(("barrier", "j2"))
    assert session.look(table, 20).kind is not Kind.ILLEGAL
    assert not session.notes.turns
    assert session.look(Tabletop.of(start), 3).kind is Kind.READY
    other = played(start, "activate he, move he c2, disgrace ze")
    assert session.look(Tabletop.of(other), 3).kind is Kind.READY
    assert len(session.notes.turns) == 1 and session.referee.position == other


WITH_ONE = "activate at, move at g2, exhaust ha 0, done"
WITH_TWO = "activate at, move at g2, exhaust de 0, exhaust ha 0"


@pytest.mark.parametrize("said", [WITH_ONE, WITH_TWO])
def test_a_card_taken_for_athenas_last_may_have_been_heras_first(said: str) -> None:
    """All that Hera did lies there if Athena exhausted one card; she still has to name one if Athena exhausted two."""
    start = Position.parse(START)
    session = at_table(START)
    assert session.look(Tabletop.of(played(start, WITH_ONE)), 3).kind is Kind.COMPLETE
    table = Tabletop.of(played(start, WITH_TWO))
    assert session.look(table, 3).kind is Kind.READY
    end = played(start, f"{WITH_ONE}, activate he, move he c2, disgrace de")
    assert session.look(Tabletop.of(end), 3).kind is Kind.UNFINISHED
    verdict = session.look(Tabletop.of(end), 40)
    assert verdict.kind is Kind.QUESTION
    assert f"turn:{said}" in {choice.key for choice in verdict.choices}
    assert session.referee.answer(f"turn:{said}")
    verdict = session.look(Tabletop.of(end), 40)
    if said == WITH_TWO:
        assert verdict.kind is Kind.UNFINISHED
        assert len(session.notes.turns) == 1
    else:
        assert verdict.kind is Kind.READY
        assert session.referee.position == end


OF_FOUR = (
    "ze=j1,he=c1,ar=f1,at=e1,ha=i1,de=n2,po=k2,ap=o2 thunder=n4,fertility=a4.f5.p6,gate=e2.j3,barrier=g3.h2"
    " he.ha.de/ze.he/ar.po/ze.ar.at 3 4"
)
ATHENA_OF_FOUR = "activate at, move at e2, jump at j3, exhaust he 1, "


@pytest.mark.parametrize("said", ["done", "exhaust ze 3", None])
def test_what_both_of_them_may_have_done_is_asked_though_the_turn_is_over_either_way(
    said: str | None,
) -> None:
    """Dan's Zeus was exhausted by Athena, or named by Hera together with Ben's: the table shows the same."""
    start = Position.parse(OF_FOUR)
    session = at_table(OF_FOUR)
    assert session.look(Tabletop.of(played(start, ATHENA_OF_FOUR + "done")), 3).kind is Kind.COMPLETE
    assert session.look(Tabletop.of(played(start, ATHENA_OF_FOUR + "exhaust ze 3")), 3).kind is Kind.READY
    end = played(start, ATHENA_OF_FOUR + "done, activate he, move he c2, disgrace ze, recover 1 ze at de ap")
    verdict = session.look(Tabletop.of(end), 40)
    assert verdict.kind is Kind.QUESTION
    if said is None:
        # Nobody answers, and play goes on: nobody is accused of that.
        later = played(end, "activate ze, move ze j2, place thunder h4")
        assert session.look(Tabletop.of(later), 5).kind is Kind.READY
        assert session.referee.position == later
        assert not session.notes.refusals
        return
    assert session.referee.answer(f"turn:{ATHENA_OF_FOUR}{said}")
    assert session.look(Tabletop.of(end), 3).kind is Kind.READY
    assert session.referee.position == end
    assert [turn[-1] for turn in session.notes.turns][-2] == Action.parse(said)


def test_a_miniature_in_the_air_has_not_stepped_onto_the_token_beside_it() -> None:
    """By switches alone: Zeus lifted beside a Thunder closes the same switches as Zeus who has used it up."""
    text = START.replace("thunder=b5.f5", "thunder=a2.f5")
    session = Session(Position.parse(text))
    table = Tabletop.of(Position.parse(text))
    closed = standing(table) | {space for _, space in table.tokens}

    def feel(now: frozenset[str], seconds: float) -> Kind:
        for _ in range(round(seconds / 0.07)):
            session.now += 0.07
            session.referee.observe(Reading(session.now, blind=True), Switches(now))
        return session.referee.verdict.kind

    assert feel(closed, 2.0) is Kind.READY
    feel(closed - {"a1"}, 3.0)
    assert not session.notes.turns
    feel(closed - {"a1", "a2"}, 0.5)
    # He has, or Aphrodite has moved him and has still to move herself: the next player is called, and nothing noted.
    assert feel(closed - {"a1"}, 6.0) is Kind.COMPLETE
    assert not session.notes.turns
    assert session.referee.answer("done")
    assert session.referee.position is not None and session.referee.position.space_of("ze") == "a2"


@pytest.mark.parametrize("players", [2, 4])
def test_turns_that_nobody_told_apart_are_asked_for_and_nobody_is_accused(players: int) -> None:
    """Three turns lie there at once, and no camera was covered: so it is after a long arm over the board."""
    rng = random.Random(players)
    for turns in (5, 9):
        position = random_position(players, turns, rng)
        later = position
        for _ in range(3):
            later = random_turn(later, rng)[1]
        session = at_table(str(position))
        verdict = session.look(Tabletop.of(later), 150)
        assert verdict.kind is Kind.SETUP
        assert verdict.todo
        assert not session.notes.refusals
        assert session.referee.answer(f"lies:{later.turn}")
        assert session.look(Tabletop.of(later), 3).kind is Kind.READY
        assert session.referee.position == later


def test_turns_of_which_mostly_cards_tell_accuse_nobody_either() -> None:
    """Athena, moved by the first turn, stands where she stood: the second has moved her back. Then a card is turned."""
    after = played(Position.parse(START), "activate ap, move ap o2, move at h1")
    after = played(after, "activate at, move at g1, exhaust de 1, exhaust ha 1")
    session = at_table(START)
    table = Tabletop.of(after)
    assert session.look(table, 10).kind is not Kind.ILLEGAL
    table.cards[0]["ar"] = 0
    verdict = session.look(table, 60)
    assert verdict.kind is Kind.SETUP and verdict.todo
    assert not session.notes.refusals
    assert session.referee.answer("lies:0")
    assert session.look(table, 3).kind is Kind.READY


@pytest.mark.parametrize("others", ["de", "de ha po"])
def test_one_turn_and_cards_of_the_other_side_are_still_a_mistake(others: str) -> None:
    session = at_table(START)
    table = Tabletop.of(played(Position.parse(START), "activate ze, move ze a2, place thunder d2"))
    table.tokens.remove(("thunder", "d2"))
    for deity in others.split():
        table.cards[1][deity] = 0
    assert session.look(table, 60).kind is Kind.ILLEGAL


def test_that_it_is_right_as_it_lies_is_offered_only_where_it_can_be_played_from() -> None:
    rng = random.Random(2)
    position = later = random_position(2, 5, rng)
    for _ in range(3):
        later = random_turn(later, rng)[1]
    session = at_table(str(position))
    table = Tabletop.of(later)
    # One miniature stands beside the board: then nobody is next.
    away = next(code for code in DEITIES if later.space_of(code) != position.space_of(code))
    table.minis[away] = None
    verdict = session.look(table, 150)
    assert verdict.kind is Kind.SETUP and verdict.todo
    assert not verdict.choices and "right as it lies" not in verdict.text
    table.minis[away] = later.space_of(away)
    verdict = session.look(table, 150)
    # To go on from there comes first; putting back is the other way.
    assert verdict.text.endswith(f"If it is right as it lies, say so. If not: {verdict.todo[0].text}")
    assert {choice.key for choice in verdict.choices} == {"lies:0", "lies:1"}
    assert session.referee.answer(f"lies:{later.turn}")
    assert session.look(table).kind is Kind.READY
    assert session.referee.position == later


THREE_UNSEEN = (
    "ze=p2,he=f4,ar=j2,at=d3,ha=e1,de=p4,po=i2,ap=l3 thunder=b2.d2.h2,fertility=n3.n5,gate=d6.g5.i6.o4,"
    "barrier=b4.d4.m5.n1 ze.at.ha.de.po/ze.he.at.ha.po.ap 0 2"
)


def test_in_the_middle_of_a_turn_nobody_says_that_it_is_right_as_it_lies() -> None:
    """Two turns went by unseen, and the third lacks its token: what is offered says that a turn begins, not goes on."""
    session = at_table(THREE_UNSEEN)
    two = played(Position.parse(THREE_UNSEEN), "activate po, move po i3")
    two = played(two, "activate he, move he g4, disgrace ze")
    later = played(two, "activate de, move de o4, jump de d6, place fertility d5")
    after_a_gap(session)
    table = Tabletop.of(later)
    table.tokens.remove(("fertility", "d5"))
    verdict = session.look(table, 60)
    assert verdict.kind is Kind.SETUP
    words = {choice.key: choice.text for choice in verdict.choices}
    assert words == {
        "lies:0": "It is right as it lies, and Ada's turn begins",
        "lies:1": "It is right as it lies, and Ben's turn begins",
    }
    assert answer_to(list(words), (), two.turn, lies=None) is None
    table.tokens.add(("fertility", "d5"))
    asked = [choice.key for choice in session.look(table, 60).choices]
    key = answer_to(asked, (), later.turn, lies=str(later))
    assert key == "lies:1" and session.referee.answer(key)
    assert session.look(table, 40).kind is Kind.READY
    assert session.referee.position == later and not session.notes.refusals


TWO_ARES = (
    "ze=m3,he=l4,ar=p2,at=m2,ha=p6,de=i3,po=k5,ap=g2 thunder=b6.f2.f4,fertility=a2.d6.j3.o5,gate=j5,"
    "barrier=c3.c5.e4.i5.j2 ze.ar.de/he.at.ap/ha.ap/ar.at.po 3 4"
)


@pytest.mark.parametrize("where", ["e1", "a1", "h2"])
def test_a_token_laid_and_moved_again_where_nobody_saw_it_is_no_question_that_cannot_be_answered(
    where: str,
) -> None:
    """The next player has begun early and moved on the last Barrier: where it lay between is known to people alone."""
    start = Position.parse(TWO_ARES)
    first = f"activate ar, move ar a2, move ar p2, place barrier {where}, shift barrier c3 o2"
    second = "activate ar, move ar p3, shift barrier j2 h2, shift barrier " + f"{where} b2"
    if where == "h2":
        second = "activate ar, move ar p3, shift barrier h2 b2, shift barrier j2 h2"
    between = played(start, first)
    later = played(between, second)
    session = at_table(TWO_ARES)
    verdict = session.look(Tabletop.of(later), 60)
    assert verdict.kind is Kind.SETUP and not session.notes.refusals and not session.notes.turns
    key = answer_to([choice.key for choice in verdict.choices], (), later.turn, lies=str(later))
    assert key == "lies:1" and session.referee.answer(key)
    assert session.look(Tabletop.of(later), 3).kind is Kind.READY
    assert session.referee.position == later


def test_what_was_said_of_the_table_does_not_count_once_a_hand_has_changed_it() -> None:
    """An arm lies over the board; under it Poseidon is put back and a turn is played, and then people say it is right."""
    rng = random.Random(5)
    position = seen = random_position(2, 9, rng)
    for _ in range(3):
        seen = random_turn(seen, rng)[1]
    later = random_turn(seen, rng)[1]
    session = at_table(str(position))
    assert session.look(Tabletop.of(seen), 150).choices
    arm = replace(Tabletop.of(later).reading(session.now + 0.1), moving=True)
    session.referee.observe(arm)
    assert session.referee.answer(f"lies:{later.turn}")
    assert session.referee.position == position and not session.referee.verdict.choices
    # What lies there is another table than the one that was asked about: it is asked about in its turn.
    verdict = session.look(Tabletop.of(later), 150)
    assert {choice.key for choice in verdict.choices} == {"lies:0", "lies:1"}
    assert session.referee.position == position
    assert session.referee.answer(f"lies:{later.turn}")
    assert session.look(Tabletop.of(later)).kind is Kind.READY
    assert session.referee.position == later


def test_one_mistake_is_shown_however_much_lies_otherwise() -> None:
    """Hera's turn has changed cards of both sides, and her player has moved another miniature two spaces."""
    wrong = played(Position.parse(START), "activate he, move he c2, disgrace ze")
    table = Tabletop.of(wrong)
    table.cards[1]["ze"] = 1
    table.minis["ze"] = "a3"
    assert at_table(START).look(table, 60).kind is Kind.ILLEGAL


@pytest.mark.parametrize("p", [0.45, 0.7, 0.85])
def test_a_piece_known_by_its_colour_alone_is_asked_for_where_it_should_stand(p: float) -> None:
    """The turn is held open as long as it may be another piece, and the board shows which one it waits for."""
    session = at_table(START)
    table = Tabletop.of(played(Position.parse(START), "activate ap, move ap p1, move ze b1"))

    def look(likely: float) -> Verdict:
        session.now += 0.07
        reading = table.reading()
        minis = tuple(
            replace(mini, by_marker=False, spaces=(("b1", likely),)) if mini.deity == "ze" else mini
            for mini in reading.minis
        )
        return session.referee.observe(replace(reading, exposed_at=session.now, minis=minis))

    for _ in range(30):
        verdict = look(p)
    assert verdict.kind is Kind.UNFINISHED
    assert ("b1", Mark.TARGET) in verdict.marks
    assert "b1" in verdict.text
    assert not session.notes.turns
    assert look(0.95).kind is Kind.READY


@pytest.mark.parametrize(("goes", "back"), [("g2", "g1"), ("f1", "g1"), ("h1", "g1")])
def test_a_turn_that_lay_there_whole_was_not_another_one(goes: str, back: str) -> None:
    """Athena might have gone on, when the next player turns her card, too, and puts her back where she came from."""
    session = at_table(START)
    after = played(Position.parse(START), f"activate at, move at {goes}")
    table = Tabletop.of(after)
    assert session.look(table, 4).kind is Kind.COMPLETE
    table.cards[1]["at"] = 0
    table.minis["at"] = back
    verdict = session.look(table, 30)
    if goes == "g2":
        assert verdict.kind is Kind.ILLEGAL and "g2" in verdict.text
        assert not session.notes.turns
    else:
        # From there a step to the side leads back.
        assert verdict.kind is not Kind.ILLEGAL
        assert [str(action) for action in session.notes.turns[0]][:2] == ["activate at", f"move at {goes}"]


def test_a_turn_that_lay_there_whole_may_have_gone_on_before_the_next_was_begun() -> None:
    session = at_table(START)
    assert session.look(Tabletop.of(played(Position.parse(START), "activate at, move at g2")), 4).kind
    over = played(Position.parse(START), "activate at, move at g2, exhaust de 0, exhaust po 0")
    session.look(Tabletop.of(played(over, "activate ze, move ze a2")), 30)
    assert [str(action) for action in session.notes.turns[0][2:]] == ["exhaust de 0", "exhaust po 0"]


NOBODY_SAW = (
    "ze=n6,he=p5,ar=c6,at=j6,ha=i5,de=h6,po=b5,ap=j4 thunder=b1.c2.e2.h1,fertility=b2.f2.i2.i6.m2.n5,"
    "gate=d5.f1.l1.m4,barrier=c4.d4.f5.l5.l6.o6 ze.ar.at.ha.po.ap/he.ar.at.de.ap 0 2"
)
HIS_TURN = "activate po, move po b6, remove fertility n5"
NO_TRACE = "activate de, move de i6, move de h6, place fertility n5"


def after_a_gap(session: Session) -> None:
    """The camera is away for longer than a turn may take."""
    for _ in range(40):
        session.now += 0.1
        session.referee.observe(Reading(session.now, frame="the picture is black"))


@pytest.mark.parametrize("removed", ["n5", "i6"])
def test_after_a_gap_a_whole_turn_that_left_no_trace_is_asked_for(removed: str) -> None:
    """Poseidon removed n5, and Demeter went forth and back and laid it there again. It looks as if he had removed i6
    and her card had just been turned: whoever has played all of it would be told for ever to move Demeter.
    """
    session = at_table(NOBODY_SAW)
    start = Position.parse(NOBODY_SAW)
    table = Tabletop.of(played(played(start, HIS_TURN), NO_TRACE))
    after_a_gap(session)
    verdict = session.look(table, 60)
    assert verdict.kind is Kind.QUESTION and not session.notes.turns
    (key,) = (choice.key for choice in verdict.choices if removed in choice.key)
    assert session.referee.answer(key)
    verdict = session.look(table, 30)
    assert str(session.notes.turns[0][-1]) == f"remove fertility {removed}"
    if removed == "i6":
        assert verdict.kind is Kind.UNFINISHED and "move Demeter" in verdict.text
    else:
        assert verdict.kind is Kind.READY and len(session.notes.turns) == 2


@pytest.mark.parametrize("in_view", [True, False])
def test_a_gap_before_a_turn_lay_there_whole_in_view_hides_nothing_of_the_next(in_view: bool) -> None:
    """Athena's player might still go on. The next one moves Hera and takes a Barrier away, as is not her power."""
    start = Position.parse(START)
    over = played(start, "activate at, move at g2, done")
    session = at_table(START)
    assert session.look(Tabletop.of(over), 3).kind is Kind.COMPLETE
    after_a_gap(session)
    if in_view:
        assert session.look(Tabletop.of(over), 5).kind is Kind.COMPLETE
    table = Tabletop.of(over)
    table.cards[1]["he"], table.minis["he"] = 0, "c2"
    table.tokens.remove(("barrier", "j2"))
    verdict = session.look(table, 60)
    assert verdict.kind is (Kind.ILLEGAL if in_view else Kind.SETUP)


@pytest.mark.parametrize("in_turns", [True, False])
def test_a_mistake_with_the_last_of_cards_that_were_turned_unseen_is_asked_for(in_turns: bool) -> None:
    """Ada's Ares goes two rows up, and none of her cards is left: of which turns that came nobody saw.

    Only if she had no other card is that one turn, of which the cards that she recovers come first.
    """
    hand = " ar.de/" if in_turns else " ar/"
    start = Position.parse(START.replace(" ze.he.ar.at.ha.de.po.ap/", hand))
    session, table = at_table(f"{start}"), Tabletop.of(start)
    table.cards[0]["ar"] = table.cards[0]["de"] = table.cards[1]["ha"] = 0
    table.minis["ar"], table.minis["ha"] = "e3", "i2"
    verdict = session.look(table, 40)
    recovers = "Ada has no Powered card left and first turns all cards back"
    assert recovers in verdict.text and not session.notes.turns
    if not in_turns:
        assert verdict.kind is Kind.UNFINISHED
        return
    assert verdict.kind is Kind.SETUP and "e1" in {todo.space for todo in verdict.todo}
    # Whoever has played just that recovers, and can then say so.
    table.cards[0].update(dict.fromkeys(table.minis, 1))
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.SETUP and "lies:0" in {choice.key for choice in verdict.choices}
    assert session.referee.answer("lies:0")
    assert session.look(table, 10).kind is Kind.READY
    assert not session.notes.refusals


@pytest.mark.parametrize("de_moved", [True, False])
def test_what_athena_may_have_exhausted_and_what_was_moved_besides_are_told_apart(de_moved: bool) -> None:
    """Ada's last two cards lie Spent, and Ben's Athena has gone: Demeter's card she may have exhausted (A15).

    But not if Demeter stands elsewhere, too: that was a turn of its own, and where she stands now is a mistake.
    """
    start = Position.parse(START.replace(" ze.he.ar.at.ha.de.po.ap/", " ar.de/"))
    session, table = at_table(f"{start}"), Tabletop.of(start)
    table.cards[0]["ar"] = table.cards[0]["de"] = table.cards[1]["at"] = 0
    table.minis["ar"], table.minis["at"] = "e3", "g2"
    if de_moved:
        table.minis["de"] = "k4"
    verdict = session.look(table, 40)
    assert "Ada has no Powered card left" in verdict.text and not session.notes.turns
    assert verdict.kind is (Kind.SETUP if de_moved else Kind.UNFINISHED)
    asked = {todo.text for todo in verdict.todo}
    assert ("Put Demeter on k1: it stands on k4." in asked) is de_moved


def test_in_view_a_card_that_was_turned_early_is_just_that() -> None:
    session = at_table(NOBODY_SAW)
    start = Position.parse(NOBODY_SAW)
    table = Tabletop.of(played(start, HIS_TURN.replace("n5", "i6")))
    table.cards[1]["de"] = 0
    assert session.look(table, 30).kind is Kind.UNFINISHED
    assert len(session.notes.turns) == 1


MANY_BARRIERS = (
    "ze=n6,he=f6,ar=c4,at=g5,ha=h6,de=e6,po=p6,ap=p5 thunder=b2.b6.h3.l3,fertility=a6.b4.j6.m1.m4,"
    "gate=a5.i1.l1.m2.m3.n4,barrier=d5.e2.f1.f4.j2.o6 ar.po/ze.he.ar.at.ha.de.po 1 2"
)


def test_no_way_of_a_miniature_is_missed_for_the_many_places_of_tokens() -> None:
    """Ares was struck by Thunder in the first turn, and laid two Barriers in the second."""
    session = at_table(MANY_BARRIERS)
    start = Position.parse(MANY_BARRIERS)
    over = played(start, "activate ar, move ar c5")
    after_a_gap(session)
    end = played(over, "activate ar, move ar b5, shift barrier f1 h1, shift barrier j2 k1")
    verdict = session.look(Tabletop.of(end), 120)
    assert verdict.kind is Kind.READY
    assert [str(action) for action in session.notes.turns[0]] == ["activate ar", "move ar c5"]
    assert len(session.notes.turns) == 2


RECOVERED_BY_FOUR = (
    "ze=i3,he=l3,ar=b4,at=j2,ha=m3,de=f4,po=o3,ap=n5 thunder=d6.j5,fertility=a2.e5.n1,gate=f6.g3,"
    "barrier=b1.c1.e1.h3.k3.l2 de/ze.he/ha/ze.po 1 4"
)
RECOVERED_BY_TWO = RECOVERED_BY_FOUR.replace("de/ze.he/ha/ze.po 1 4", "de/ze.he 1 2")


RECOVERING = {
    RECOVERED_BY_FOUR: "activate he, move he l4, disgrace ha, recover 2 he ar ha ap",
    RECOVERED_BY_TWO: "activate he, move he l4, disgrace de",
}


def test_two_unseen_turns_of_which_one_recovers_what_the_other_turns_are_asked_for() -> None:
    between = played(Position.parse(RECOVERED_BY_TWO), RECOVERING[RECOVERED_BY_TWO])
    later = played(between, "activate po, move po o4, back he l3")
    session = at_table(RECOVERED_BY_TWO)
    after_a_gap(session)
    verdict = session.look(Tabletop.of(later), 60)
    assert verdict.kind is Kind.QUESTION
    keys = [choice.key for choice in verdict.choices]
    assert keys[-1] == "none"
    assert not session.notes.turns
    assert session.referee.answer(f"turn:{RECOVERING[RECOVERED_BY_TWO]}")
    assert session.look(Tabletop.of(later), 40).kind is Kind.READY
    assert session.referee.position == later
    assert not session.notes.refusals


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (RECOVERED_BY_FOUR, "activate he, move he l5, disgrace ze, recover 1 at ha po ap"),
        (RECOVERED_BY_FOUR, "activate ap, move ap n6, move ar a4"),
        (RECOVERED_BY_TWO, "activate ze, move ze j3, place thunder f5"),
    ],
)
def test_where_such_a_second_turn_has_changed_more_than_one_thing_besides_nobody_is_asked(
    text: str, second: str
) -> None:
    between = played(Position.parse(text), RECOVERING[text])
    later = played(between, second)
    session = at_table(text)
    after_a_gap(session)
    assert session.look(Tabletop.of(later), 60).kind is Kind.READY
    assert [turn.after for turn in session.referee.turns] == [between, later]


def test_who_recovers_card_by_card_after_a_gap_is_not_taken_to_have_played() -> None:
    """Hera has stepped twice, against the rules, and one of the cards that are picked does not lie there yet."""
    start = Position.parse(RECOVERED_BY_FOUR)
    table = Tabletop.of(played(start, "activate he, move he l4, disgrace ha, recover 2 he ar ha ap"))
    table.minis["he"] = "l5"
    table.cards[2]["he"] = 0
    session = at_table(RECOVERED_BY_FOUR)
    after_a_gap(session)
    session.look(table, 60)
    assert not session.notes.turns
    if "none" in [choice.key for choice in session.referee.verdict.choices]:
        assert session.referee.answer("none")
        session.look(table, 60)
    assert not session.notes.turns and not session.notes.refusals
    assert session.referee.verdict.todo


SHIFTED_TWICE = (
    "ze=a1,he=h3,ar=e3,at=i2,ha=k2,de=c3,po=e6,ap=o3 thunder=b5.m5.m6,fertility=g5.i4.j6.l4,gate=g4,"
    "barrier=b3.f4.f6.k3.k4.p2 ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.po 0 2"
)


def test_whatever_was_played_unseen_what_is_asked_has_a_true_answer() -> None:
    """Both activated Ares while the camera was covered, and the second one moved a Barrier on that the first had laid."""
    session = at_table(SHIFTED_TWICE)
    over = played(
        Position.parse(SHIFTED_TWICE), "activate ar, move ar d3, shift barrier f4 a4, shift barrier b3 g6"
    )
    later = played(over, "activate ar, move ar e3, shift barrier p2 h4, shift barrier a4 n3")
    after_a_gap(session)
    verdict = session.look(Tabletop.of(later), 40)
    assert verdict.kind is Kind.SETUP
    assert [choice.key for choice in verdict.choices] == ["lies:0", "lies:1"]
    assert session.referee.answer("lies:0")
    session.look(Tabletop.of(later))
    assert session.referee.position == later
    assert not session.notes.refusals


ATHENA_UNSEEN = (
    "ze=b3,he=e2,ar=j3,at=o3,ha=l2,de=f1,po=l4,ap=f3 thunder=j2.o6,fertility=d6.k5.n3,gate=f6,"
    "barrier=g1.h5.k3.p5 ze.he.ar.at.ha.de.ap/ze.he.ar.ha.de.po.ap 0 2"
)


@pytest.mark.parametrize("misread", ["ze", "ha"])
def test_two_turns_that_nobody_saw_are_not_told_by_looks_that_misread_a_card(misread: str) -> None:
    """Athena's player exhausted two cards; the first three looks after the gap read one of them as Powered still."""
    over = played(Position.parse(ATHENA_UNSEEN), "activate at, move at o4, exhaust ze 0, exhaust ha 0")
    later = played(over, "activate ar, move ar j4, place barrier i4, place barrier n6")
    session = at_table(ATHENA_UNSEEN)
    after_a_gap(session)
    table = Tabletop.of(later)
    table.cards[0][misread] = 1
    session.look(table, 3)
    assert not session.notes.turns
    assert session.look(Tabletop.of(later), 40).kind is Kind.READY
    assert session.referee.position == later
    assert {str(action) for action in session.notes.turns[0][2:4]} == {"exhaust ze 0", "exhaust ha 0"}


ATHENA_ENDS = "activate at, move at o4, exhaust ze 0, exhaust ha 0"


@pytest.mark.parametrize("second", ["ze", "ha"])
def test_a_turn_that_went_on_when_it_might_have_been_over_is_the_one_that_lay_there_last(second: str) -> None:
    """The first look read Athena's second card as Powered still, hands came after the next one, and Ares was played.

    The second card then looks like the beginning of the turn after that, and was refused for ever as the game went on.
    """
    over = played(Position.parse(ATHENA_UNSEEN), ATHENA_ENDS)
    later = played(over, "activate ar, move ar j4, place barrier i4, place barrier n6")
    session = at_table(ATHENA_UNSEEN)
    table = Tabletop.of(over)
    table.cards[0][second] = 1
    assert session.look(table).kind is Kind.COMPLETE
    stir(session)
    session.look(Tabletop.of(over))
    assert not session.notes.turns
    stir(session)
    assert session.look(Tabletop.of(later), 4).kind is Kind.READY
    assert session.referee.position == later
    assert not session.notes.refusals


@pytest.mark.parametrize("misread", ["ze", "ha"])
def test_one_look_that_misreads_a_card_does_not_make_a_turn_go_on(misread: str) -> None:
    """Athena's player exhausted one card; the last look before hands came read another one as Spent, too."""
    first = "ha" if misread == "ze" else "ze"
    over = played(Position.parse(ATHENA_UNSEEN), f"activate at, move at o4, exhaust {first} 0, done")
    later = played(over, "activate ar, move ar j4, place barrier i4, place barrier n6")
    session = at_table(ATHENA_UNSEEN)
    assert session.look(Tabletop.of(over), 3).kind is Kind.COMPLETE
    stir(session)
    table = Tabletop.of(over)
    table.cards[0][misread] = 0
    session.look(table)
    stir(session)
    assert session.look(Tabletop.of(later), 4).kind is Kind.READY
    assert session.referee.position == later
    assert not session.notes.refusals


@pytest.mark.parametrize("went", [True, False])
@pytest.mark.parametrize("unclear", ["ze", "ha"])
def test_a_card_unclear_in_the_only_look_of_a_turn_is_what_the_looks_after_the_next_one_say(
    unclear: str, went: bool
) -> None:
    """It is Athena's second card, or nobody has touched it: not the first act of the turn after the next either way."""
    first = "ha" if unclear == "ze" else "ze"
    end = f"exhaust {unclear} 0" if went else "done"
    over = played(Position.parse(ATHENA_UNSEEN), f"activate at, move at o4, exhaust {first} 0, {end}")
    later = played(over, "activate ar, move ar j4, place barrier i4, place barrier n6")
    session = at_table(ATHENA_UNSEEN)
    session.now += 0.07
    reading = Tabletop.of(over).reading(session.now)
    cards = tuple(card for card in reading.cards if (card.deity, card.card_set) != (unclear, 1))
    assert session.referee.observe(replace(reading, cards=cards)).kind is Kind.COMPLETE
    stir(session)
    assert session.look(Tabletop.of(later), 4).kind is Kind.READY
    assert session.referee.position == later
    assert len(session.notes.turns) == 2 and not session.notes.refusals


def test_what_went_by_unseen_is_asked_for_still_when_pieces_stand_again_where_they_stood() -> None:
    """Only a token that is gone and cards of both sides tell then of turns that nobody saw: no mistake of anybody's."""
    session, table = at_table(START), Tabletop.of(Position.parse(START))
    table.cards[0]["ap"] = table.cards[1]["ap"] = 0
    table.minis["ap"], table.minis["at"] = "n2", "e3"
    assert session.look(table, 60).kind is Kind.SETUP
    table.minis["ap"], table.minis["at"] = "o1", "g1"
    table.cards[0]["at"] = 0
    table.tokens.remove(("thunder", "b5"))
    verdict = session.look(table, 150)
    assert verdict.kind is Kind.SETUP and not session.notes.refusals
    assert {choice.key for choice in verdict.choices} == {"lies:0", "lies:1"}
    # A table that is all as it was known leaves nothing to ask; what is turned and taken off after that is told.
    assert session.look(Tabletop.of(Position.parse(START)), 3).kind is Kind.READY
    assert session.look(table, 60).kind is Kind.ILLEGAL


def stir(session: Session) -> None:
    """Hands move over the table."""
    session.now += 0.5
    session.referee.observe(Reading(session.now, moving=True))


# Ben has one card left, Demeter's; Poseidon may push her back and trigger nothing, or remove the Thunder at l4.
PUSHED = (
    "ze=c2,he=n2,ar=i3,at=e3,ha=b1,de=m3,po=f3,ap=o1 thunder=f6.l4.m6.o4.p3,fertility=a5.f4,gate=d4,"
    "barrier=b4.e2.g2.i5.m4.p2 ze.po/de 0 2"
)
ON_TO_E4 = "activate po, move po f4, move po e4"


@pytest.mark.parametrize("was_pushed", [True, False])
def test_a_thunder_that_a_pushed_back_miniature_has_triggered_may_have_been_removed_instead(
    was_pushed: bool,
) -> None:
    """Demeter was pushed back and stepped forward again under hands, and triggered l4; or Poseidon removed that, and
    Ben has turned his last card and recovered. Both lie alike: people are asked, and only one is told to move her.
    """
    session = at_table(PUSHED)
    start = Position.parse(PUSHED)
    ada = f"{ON_TO_E4}, {'back de m2' if was_pushed else 'remove thunder l4'}"
    after = played(start, ada)
    begun = played(after, "activate de, move de m3" if was_pushed else "activate de")
    verdict = session.look(Tabletop.of(begun), 60)
    assert verdict.kind is Kind.QUESTION and not session.notes.turns
    told = "back de m2" if was_pushed else "remove thunder l4"
    keys = [choice.key for choice in verdict.choices]
    (key,) = (key for key in keys if told in key)
    assert session.referee.answer(key)
    verdict = session.look(Tabletop.of(begun), 30)
    if was_pushed:
        assert verdict.kind is Kind.READY and verdict.seat == 0 and len(session.notes.turns) == 2
    else:
        assert verdict.kind is Kind.UNFINISHED and "move Demeter" in verdict.text


def test_a_question_which_of_the_two_goes_by_itself_once_the_miniature_moves() -> None:
    session = at_table(PUSHED)
    after = played(Position.parse(PUSHED), f"{ON_TO_E4}, remove thunder l4")
    assert session.look(Tabletop.of(played(after, "activate de")), 60).kind is Kind.QUESTION
    verdict = session.look(Tabletop.of(played(after, "activate de, move de l3")), 60)
    assert verdict.kind is not Kind.ILLEGAL
    assert [str(turn[-1]) for turn in session.notes.turns][:1] == ["remove thunder l4"]


def test_a_token_left_lying_in_a_turn_that_nobody_can_tell_is_asked_for_though_the_game_goes_on() -> None:
    """Hera went onto Fertility and came back, or went on; from there her own card has moved her. Either ends alike."""
    start = Position.parse(START.replace("fertility=d3", "fertility=d1"))
    session = at_table(str(start))
    between = played(start, "activate ap, move ap o2, move he d1, move he c1")
    table = Tabletop.of(between)
    table.tokens.add(("fertility", "d1"))
    assert session.look(table, 5).kind is Kind.UNFINISHED
    later = played(between, "activate he, move he c2, disgrace po")
    table = Tabletop.of(later)
    table.tokens.add(("fertility", "d1"))
    verdict = session.look(table, 10)
    assert session.referee.position == later
    assert session.notes.rulings and not session.notes.turns
    assert verdict.kind is Kind.READY and verdict.seat == 0
    assert ("d1", Mark.REMOVE) in verdict.marks
    table.tokens.remove(("fertility", "d1"))
    assert not session.look(table, 5).marks
