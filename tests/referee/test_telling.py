"""By the switches alone: whatever they do not tell can be told, and what was only lifted has not been played."""

from __future__ import annotations

from dataclasses import dataclass, field
from unittest import mock

import pytest

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.box import Table
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee.accounts import accounts
from companion.referee.answering import answer
from companion.referee.evidence import Evidence, Switches
from companion.referee.explain import explain
from companion.referee.gap import SETTLED_S
from companion.referee.hypothesis import Hypothesis
from companion.referee.journal_reader import JournalError
from companion.referee.patience import OWED_S
from companion.referee.question import NONE, Said, chosen, denies_all, which_turn
from companion.referee.verdict import Kind
from companion.sensing.reading import Reading
from companion.virtual.answers import Played, answer_to
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import START, Session


@dataclass
class Blind:
    """A table whose switches alone are felt, with people who answer truly what they are asked."""

    start: Position = field(default_factory=lambda: Position.parse(START))

    def __post_init__(self) -> None:
        self.session = Session(self.start, self.start.players)
        self.feel(self.start)
        assert self.session.referee.verdict.kind is Kind.READY

    def feel(
        self,
        position: Position,
        seconds: float = 2.0,
        *,
        without: frozenset[str] = frozenset(),
        besides: frozenset[str] = frozenset(),
        ignored: frozenset[str] = frozenset(),
    ) -> None:
        closed = frozenset(SPACES[space] for space in bits(position.stood_on)) - without | besides
        for _ in range(round(seconds / 0.1)):
            self.session.now += 0.1
            self.session.referee.observe(Reading(self.session.now, blind=True), Switches(closed, ignored))

    def answer(self, played: Played, times: int = 12) -> None:
        referee = self.session.referee
        for _ in range(times):
            key = answer_to([choice.key for choice in referee.verdict.choices], [played], 0)
            if self.session.notes.turns or key is None:
                return
            assert referee.answer(key)


def played(position: Position, text: str) -> Played:
    turn = tuple(Action.parse(words) for words in text.split(", "))
    after = position
    for action in turn:
        after = apply(after, action)
    return Played(position, turn, after)


def after_a_turn(text: str) -> tuple[Blind, Played]:
    """A table at which one turn was played and understood."""
    table = Blind()
    first = played(table.start, text)
    table.feel(first.after, 3.0)
    assert table.session.referee.position == first.after
    return table, first


@pytest.mark.parametrize(
    "text",
    [
        "activate at, move at b1, done",
        "activate ze, move ze b1, place thunder d2",
        "activate he, move he b1, disgrace ap",
    ],
)
def test_a_turn_that_no_switch_has_told_is_told_by_buttons(text: str) -> None:
    table = Blind()
    deity = text.split()[1].rstrip(",")
    home = table.start.space_of(deity)
    near = chr(ord(home[0]) + 1) + home[1:]
    turn = played(table.start, text.replace("b1", near).replace("a1", home))
    table.feel(table.start, 7.0)
    assert any(choice.key == "tell" for choice in table.session.referee.verdict.choices)
    assert table.session.referee.answer("tell")
    # Nothing has been felt of it, so at most two switches may be said to be broken.
    table.answer(turn)
    told = bin(turn.after.stood_on ^ table.start.stood_on).count("1") <= 2
    assert bool(table.session.notes.turns) == told
    if told:
        assert table.session.referee.position == turn.after


def test_nothing_told_is_believed_against_many_switches() -> None:
    table = Blind()
    home = table.start.space_of("ze")
    near = chr(ord(home[0]) + 1) + home[1:]
    table.feel(table.start, 7.0)
    referee = table.session.referee
    for key in ("tell", "did:activate ze", f"did:move ze {near}", "none", "did:place thunder d2"):
        assert referee.answer(key)
    assert not table.session.notes.turns
    assert referee.position == table.start


def test_what_is_told_once_more_is_believed_against_any_switches() -> None:
    """No table is told the same again and again in vain."""
    table = Blind()
    home = table.start.space_of("ze")
    near = chr(ord(home[0]) + 1) + home[1:]
    turn = played(table.start, f"activate ze, move ze {near}, place thunder d2")
    for times in range(2):
        assert not table.session.notes.turns
        table.feel(table.start, 7.0)
        assert table.session.referee.answer("tell")
        table.answer(turn)
        assert (table.session.referee.position == turn.after) == (times == 1)


def test_what_was_told_in_vain_is_doubted_again_once_the_game_has_gone_another_way() -> None:
    table = Blind()
    turn = played(table.start, "activate ze, move ze b1, place thunder d2")
    table.feel(table.start, 7.0)
    assert table.session.referee.answer("tell")
    table.answer(turn)
    other = played(table.start, "activate de, move de k2, place fertility d5")
    table.feel(other.after, 3.0)
    assert table.session.referee.position == other.after
    table.session.referee.take_back()
    table.feel(table.start, 7.0)
    assert table.session.referee.answer("tell")
    table.session.notes.turns.clear()
    table.answer(turn)
    assert table.session.referee.position == table.start


def test_a_miniature_that_was_only_lifted_has_not_been_played() -> None:
    table = Blind()
    home = table.start.space_of("po")
    table.feel(table.start, 1.0, without=frozenset({home}))
    table.feel(table.start, 3.0)
    assert not table.session.notes.turns


def test_a_turn_taken_back_for_another_one_is_asked_for() -> None:
    table = Blind()
    first = played(table.start, "activate ze, move ze b1, place thunder d2")
    table.feel(first.after, 3.0)
    assert table.session.referee.position == first.after
    other = played(table.start, "activate ze, move ze p1, place thunder d6")
    table.feel(other.after, 12.0)
    referee = table.session.referee
    assert referee.verdict.kind is Kind.QUESTION
    key = answer_to([choice.key for choice in referee.verdict.choices], [other], 0)
    assert key is not None and key.startswith("turn:")
    assert referee.answer(key)
    assert referee.position == other.after
    assert len(referee.turns) == 1


def test_a_barrier_may_lie_where_a_gate_was_used_up() -> None:
    start = Position.parse(
        "ze=g2,he=j2,ar=e4,at=i1,ha=b2,de=p1,po=m2,ap=o2 thunder=g6.l2,fertility=f2,gate=d1.e5.j3,"
        "barrier=d3.e1.h3.j6.l3.l4 he.ar.at/ar.at.ha 1 2"
    )
    table = Blind(start)
    turn = played(start, "activate ar, move ar e5, jump ar d1, shift barrier h3 h6, shift barrier l4 e5")
    on_the_way = played(start, "activate ar, move ar e5, jump ar d1, shift barrier h3 h6")
    table.feel(on_the_way.after, 1.0, without=frozenset({"d1", "l4"}))
    table.feel(turn.after, 9.0)
    referee = table.session.referee
    if referee.verdict.kind is Kind.QUESTION:
        key = answer_to([choice.key for choice in referee.verdict.choices], [turn], 0)
        assert key is not None and referee.answer(key)
    assert referee.position == turn.after


def test_what_was_answered_of_an_overtaken_turn_is_not_asked_again() -> None:
    """Athena's player has moved her, and the next turn was played before anybody said which cards were exhausted."""
    table = Blind()
    first = played(table.start, "activate at, move at g2, exhaust de 0, exhaust ha 0")
    table.feel(first.after, 3.0)
    then = played(first.after, "activate ar, move ar e2, place barrier m6, place barrier n6")
    referee = table.session.referee
    asked = 0
    while not referee.turns:
        table.feel(then.after, 4.0)
        key = answer_to([choice.key for choice in referee.verdict.choices], [first], 0)
        assert key is not None and key.startswith("did:")
        assert referee.answer(key)
        asked += 1
        assert asked <= 4
    assert referee.position == first.after


def test_a_miniature_that_has_still_to_go_on_has_not_come_back() -> None:
    """Poseidon has used a Fertility up and goes on; he would stand there, too, if he had flooded himself back."""
    table = Blind(Position.parse(START.replace("d3.n4", "d3.n1")))
    between = START.replace("po=m1", "po=n1").replace("d3.n4", "d3")
    table.feel(Position.parse(between), 3.0)
    assert not table.session.notes.turns
    end = played(table.start, "activate po, move po n1, move po n2, remove fertility d3")
    table.feel(end.after, 9.0)
    # He went on, or came back only now: nothing tells but who did it. What is likelier is gone by, and not written down.
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.COMPLETE and verdict.actions == tuple(map(str, end.turn))
    back = "turn:activate po, move po n1, move po n2, back po n1"
    assert [choice.key for choice in verdict.choices] == ["done", back, "tell"]
    assert not table.session.notes.turns


def test_who_goes_on_before_an_unseen_turn_is_named_is_not_accused() -> None:
    """Which turn it was is asked; what the next one does meanwhile is none of the turn that is asked for."""
    table = Blind()
    home, other = table.start.space_of("he"), table.start.space_of("ar")
    near = chr(ord(home[0]) + 1) + home[1:]
    first = played(table.start, f"activate he, move he {near}, disgrace ap")
    table.feel(first.after, 8.0)
    referee = table.session.referee
    assert referee.verdict.kind is Kind.QUESTION
    asked = [choice.key for choice in referee.verdict.choices]
    # Ares is taken two rings up, further than he goes.
    table.feel(first.after, 10.0, without=frozenset({other}), besides=frozenset({other[0] + "3"}))
    assert referee.verdict.kind is Kind.QUESTION
    assert [choice.key for choice in referee.verdict.choices if choice.key in asked]


def test_what_aphrodite_has_moved_is_not_taken_for_its_own_turn() -> None:
    """Ares is struck by Thunder, so nothing more would follow; but Aphrodite, who moved him, has still to move."""
    table = Blind(Position.parse(START.replace("thunder=b5.f5", "thunder=d2.f5")))
    turn = played(table.start, "activate ap, move ap p1, move ar d1")
    home = table.start.space_of("ap")
    table.feel(turn.after, 2.0, without=frozenset({"p1"}), besides=frozenset({home}))
    assert not table.session.notes.turns
    table.feel(turn.after, 9.0)
    table.answer(turn)
    assert table.session.referee.position == turn.after


def test_a_step_aside_that_is_put_back_is_no_turn_of_the_next_player() -> None:
    start = Position.parse(START.rsplit(" ", 3)[0] + " ze.he.ar.at.ha.de.po.ap/ze 0 2")
    table = Blind(start)
    home = start.space_of("he")
    aside = chr(ord(home[0]) + 1) + home[1:]
    turn = played(start, f"activate he, move he {aside}, disgrace ze")
    table.feel(turn.after, 9.0)
    table.answer(turn)
    referee = table.session.referee
    assert len(referee.turns) == 1
    table.feel(start, 12.0)
    assert len(referee.turns) == 1
    assert referee.verdict.kind is Kind.QUESTION


def test_a_token_that_still_lies_there_was_not_laid_by_the_next_player() -> None:
    """Ada's Zeus has used up a Thunder, which nobody has taken off when Demeter moves: her token is still to come."""
    table = Blind(Position.parse(START.replace("thunder=b5.f5", "thunder=b1.f5")))
    first = played(table.start, "activate ze, move ze a2")
    table.feel(first.after, 2.0, besides=frozenset({"b1"}))
    then = played(first.after, "activate de, move de k2, place fertility h6")
    table.feel(then.after, 2.0, without=frozenset({"h6"}), besides=frozenset({"b1"}))
    referee = table.session.referee
    assert [turn.after for turn in referee.turns] == [first.after]
    assert referee.verdict.kind is Kind.UNFINISHED
    assert referee.verdict.actions == ("activate de", "move de k2")
    table.feel(then.after, 1.5)
    assert [turn.after for turn in referee.turns] == [first.after, then.after]


def test_tokens_that_two_turns_have_left_lying_are_both_asked_for() -> None:
    """Zeus has used up one Thunder and Poseidon the other; both lie there still when Demeter moves."""
    table = Blind(Position.parse(START.replace("thunder=b5.f5", "thunder=b1.n1")))
    first = played(table.start, "activate ze, move ze a2")
    second = played(first.after, "activate po, move po m2")
    third = played(second.after, "activate de, move de k2, place fertility h6")
    referee = table.session.referee
    table.feel(first.after, besides=frozenset({"b1"}))
    table.feel(second.after, besides=frozenset({"b1", "n1"}))
    table.feel(third.after, 9.0, besides=frozenset({"b1", "n1"}))
    assert [turn.after for turn in referee.turns] == [first.after, second.after, third.after]
    for lying in ({"b1", "n1"}, {"n1"}, set[str]()):
        table.feel(third.after, besides=frozenset(lying))
        assert referee.verdict.kind is Kind.READY
        assert {todo.space for todo in referee.verdict.todo if todo.space} == lying


def _with_a_token_left() -> tuple[Blind, Played, Played]:
    table = Blind(Position.parse(START.replace("thunder=b5.f5", "thunder=b1.f5")))
    first = played(table.start, "activate ze, move ze a2")
    then = played(first.after, "activate de, move de k2, place fertility h6")
    table.feel(first.after, besides=frozenset({"b1"}))
    table.feel(then.after, besides=frozenset({"b1"}))
    assert table.session.referee.verdict.todo[0].space == "b1"
    return table, first, then


def test_a_token_that_is_asked_for_and_felt_for_ever_lies_over_a_stuck_switch() -> None:
    """Nobody may be asked for what cannot be done; and who does it after all is believed again."""
    table, _, then = _with_a_token_left()
    referee = table.session.referee
    table.feel(then.after, OWED_S / 2, besides=frozenset({"b1"}))
    assert referee.verdict.todo[0].space == "b1"
    assert not referee.notices
    table.feel(then.after, OWED_S / 2 + 1.0, besides=frozenset({"b1"}))
    assert [finding.key for finding in referee.notices] == ["reed b1"]
    assert referee.verdict.kind is Kind.READY
    assert not any(todo.space for todo in referee.verdict.todo)
    onward = played(then.after, "activate de, move de k3, place fertility e6")
    table.feel(onward.after, 3.0, besides=frozenset({"b1"}))
    assert referee.position == onward.after
    table.feel(onward.after)
    assert not referee.notices
    assert referee.verdict.kind is Kind.READY


def test_a_token_of_a_turn_that_people_told_is_asked_for_before_its_switch_is_called_stuck() -> None:
    """Zeus's player laid a Thunder, and left the Gate that he had gone through lying when Poseidon moved."""
    start = Position.parse(
        "ze=p1,he=k2,ar=h1,at=g2,ha=a1,de=o1,po=e1,ap=j1 thunder=k6.m4,fertility=a3.f4.j4,gate=a2.f3.p2,barrier=b5"
        " po/ze.ar.ha.ap 1 2"
    )
    first = played(start, "activate ze, move ze p2, jump ze f3, place thunder m5")
    then = played(first.after, "activate po, move po d1, remove barrier b5")
    table = Blind(start)
    table.feel(first.after, besides=frozenset({"p2"}))
    table.feel(then.after, 9.0, besides=frozenset({"p2"}))
    referee = table.session.referee
    assert not referee.turns
    table.answer(first)
    assert_asked_for(table, then.after, "p2")


def test_a_token_over_a_switch_that_is_known_to_be_broken_is_not_asked_for_until_it_is_seen() -> None:
    table, _, then = _with_a_token_left()
    table.feel(then.after, besides=frozenset({"b1"}), ignored=frozenset({"b1"}))
    referee = table.session.referee
    assert not any(todo.space for todo in referee.verdict.todo)
    shown = Tabletop.of(then.after)
    shown.tokens.add(("thunder", "b1"))
    for _ in range(5):
        table.session.now += 0.1
        referee.observe(shown.reading(table.session.now))
    assert [todo.space for todo in referee.verdict.todo if todo.space] == ["b1"]


def test_a_miniature_that_leaves_a_stuck_switch_is_asked_for() -> None:
    table = Blind()
    home = table.start.space_of("ze")
    turn = played(table.start, "activate ze, move ze b1, place thunder d2")
    table.feel(turn.after, 9.0, besides=frozenset({home}))
    referee = table.session.referee
    assert referee.verdict.kind is not Kind.ILLEGAL
    table.answer(turn)
    assert referee.position == turn.after
    assert [finding.key for finding in referee.notices] == [f"reed {home}"]


def test_people_say_that_the_turn_before_was_not_played() -> None:
    table, first = after_a_turn("activate ze, move ze b1, place thunder d2")
    referee = table.session.referee
    table.feel(first.after, 6.0)
    assert referee.answer("tell")
    wrong = next(choice.key for choice in referee.verdict.choices if choice.key.startswith("wrong:"))
    assert wrong == f"wrong:{', '.join(map(str, first.turn))}"
    assert answer_to([wrong], [], 0, last=[first]) is None
    assert answer_to([wrong], [], 0, last=[]) == wrong
    assert referee.answer(wrong)
    assert referee.position == table.start
    assert any(choice.key == "did:activate ze" for choice in referee.verdict.choices)


# Athena may step over the Fertility on p2 and back.
_OVER_A_TOKEN = (
    "ze=g2,he=b2,ar=l2,at=o2,ha=n1,de=j1,po=e1,ap=p1 thunder=a5.f4.l5,fertility=n4.p2,gate=g6.j6.m4,"
    "barrier=b3.b6.c3.g5.i6.o3 ze.he.at.de.po/he.ha.ap 0 2"
)


def test_a_token_that_a_told_turn_has_left_lying_is_asked_for_and_no_switch_is_called_stuck() -> None:
    table = Blind(Position.parse(_OVER_A_TOKEN))
    turn = played(table.start, "activate at, move at p2, move at o2, done")
    table.feel(table.start, 6.0)
    referee = table.session.referee
    assert referee.answer("tell")
    table.answer(turn)
    assert_asked_for(table, turn.after, "p2")


def assert_asked_for(table: Blind, position: Position, space: str) -> None:
    """The turn is believed, and the token left lying is asked for without calling its switch stuck, until it is away."""
    referee = table.session.referee
    table.feel(position, besides=frozenset({space}))
    assert referee.position == position
    assert [todo.space for todo in referee.verdict.todo if todo.space] == [space]
    assert not referee.notices
    table.feel(position)
    assert not any(todo.space for todo in referee.verdict.todo)


def _in_order(start: Position, *texts: str) -> list[Played]:
    turns: list[Played] = []
    for text in texts:
        turns.append(played(turns[-1].after if turns else start, text))
    return turns


def _told_one_after_the_other(table: Blind, turns: list[Played], lying: frozenset[str] = frozenset()) -> None:
    """All are played before the first of them is told."""
    referee = table.session.referee
    for turn in turns:
        table.feel(turn.after, 0.3, besides=lying)
    for _ in range(40):
        table.feel(turns[-1].after, 1.5, besides=lying)
        assert referee.verdict.kind is not Kind.ILLEGAL
        if referee.position == turns[-1].after:
            break
        told = len(referee.turns)
        keys = [choice.key for choice in referee.verdict.choices]
        key = answer_to(keys, turns[told:], 0, turns, last=turns[:told][-1:])
        assert key is None or referee.answer(key)
    assert [turn.after for turn in referee.turns] == [turn.after for turn in turns]
    assert not referee.notices


@pytest.mark.parametrize(
    "then", ["activate ap, move ap p2, move de j2", "activate ha, move ha n2, place gate f3"]
)
def test_a_token_left_lying_makes_no_told_turn_unbelievable(then: str) -> None:
    """Two more turns were played before it was told; in one of them Aphrodite may have come to where the token lay."""
    table = Blind(Position.parse(_OVER_A_TOKEN))
    lying = frozenset({"p2"})
    over = "activate at, move at p2, move at o2, done"
    turns = _in_order(table.start, over, then, "activate ze, move ze g3")
    _told_one_after_the_other(table, turns, lying)
    table.feel(turns[-1].after, besides=lying)
    asked_for = [todo.space for todo in table.session.referee.verdict.todo if todo.space]
    assert asked_for == ([] if "p2" in then else ["p2"])


def test_who_was_moved_back_by_the_next_turn_makes_no_told_turn_unbelievable() -> None:
    """Aphrodite has moved Demeter to where she came from, and Hera has gone on, when Demeter's turn is told."""
    start = (
        "ze=f3,he=i2,ar=k4,at=p1,ha=k1,de=d1,po=m1,ap=j1 thunder=o5,fertility=a3.g1.h2,gate=c4,"
        "barrier=d2.k5.l2.m2.n2 ze.he.ar.at.ha.de.po.ap/ap 0 2"
    )
    table = Blind(Position.parse(start))
    turns = _in_order(
        table.start,
        "activate de, move de c1, place fertility b1",
        "activate ap, move ap i1, move de d1",
        "activate he, move he h2, move he h3, disgrace ar",
    )
    _told_one_after_the_other(table, turns)


def test_a_turn_that_could_not_be_taken_back_counts_no_switch_for_the_next_one() -> None:
    table = Blind()
    first = played(table.start, "activate ze, move ze b1, place thunder d2")
    table.feel(first.after, 9.0)
    session = table.session.referee._session
    assert answer(session, "tell")
    wrong = next(choice.key for choice in session.verdict.choices if choice.key.startswith("wrong:"))

    def full(turns: int = 1) -> None:
        raise JournalError("The card is full.")

    with mock.patch.object(session.ledger, "take_back", full), pytest.raises(JournalError):
        answer(session, wrong)
    assert session.position == first.after
    table.feel(table.start, 3.0)
    assert session.position == table.start
    assert not any(session.reeds.has_changed(space) for space in range(len(SPACES)))


def test_three_turns_at_once_are_told_one_after_the_other_and_nobody_is_accused() -> None:
    table = Blind()
    turns: list[Played] = []
    for words in (
        "activate ze, move ze b1, place thunder i5",
        "activate ar, move ar e2, place barrier m6, place barrier n6",
        "activate de, move de k2, place fertility h6",
    ):
        turns.append(played(turns[-1].after if turns else table.start, words))
    referee = table.session.referee
    for _ in range(40):
        table.feel(turns[-1].after, 3.0)
        assert referee.verdict.kind is not Kind.ILLEGAL
        if referee.position == turns[-1].after:
            break
        untold = turns[len(referee.turns) :]
        last = turns[: len(referee.turns)][-1:]
        keys = [choice.key for choice in referee.verdict.choices]
        key = answer_to(keys, untold, 0, turns, last=last)
        assert key is None or referee.answer(key)
    assert [turn.after for turn in referee.turns] == [turn.after for turn in turns]
    assert not referee.notices


def test_a_miniature_that_steps_back_has_not_put_back_the_token_too() -> None:
    table, first = after_a_turn("activate ha, move ha j1, place gate h6")
    referee = table.session.referee
    table.feel(table.start, 4.0, besides=frozenset({"h6"}))
    assert referee.position == first.after
    table.feel(table.start, 4.0)
    assert referee.position == table.start


def test_a_switch_that_dies_under_a_token_accuses_nobody_and_is_found_out_when_a_turn_is_told() -> None:
    # Ada's Poseidon, who might take the token off, is Spent.
    table = Blind(Position.parse(START.replace(" ze.he.ar.at.ha.de.po.ap/", " he.ap/", 1)))
    referee = table.session.referee
    dead = frozenset({"b5"})
    table.feel(table.start, 9.0, without=dead)
    assert "switch" in referee.verdict.text and referee.verdict.todo[0].space == "b5"
    first = played(table.start, "activate he, move he b1, disgrace ap")
    table.feel(first.after, 9.0, without=dead)
    assert not table.session.notes.refusals
    table.answer(first)
    assert referee.position == first.after
    table.feel(first.after, without=dead)
    assert [finding.key for finding in referee.notices] == ["reed b5"]
    then = played(first.after, "activate de, move de k2, place fertility h6")
    table.feel(then.after, without=dead)
    assert referee.position == then.after


def test_cards_that_depend_on_each_other_are_told_in_order() -> None:
    """Hera is among the cards to be picked (A5) only because Athena's player has exhausted her before Aphrodite."""
    table = Blind(
        Position.parse(
            "ze=e2,he=l1,ar=m2,at=c1,ha=o1,de=e5,po=j1,ap=g1 thunder=d2.j2,fertility=k3.m3,gate=l4,"
            "barrier=e6.f2.f3.j5.n2.p6 he.de/at.ap/ze.po/he 1 4"
        )
    )
    turn = played(
        table.start,
        "activate at, move at b1, exhaust he 3, recover 3 ze de po ap, exhaust ap 1, recover 1 he ar ha ap",
    )
    table.feel(turn.after, 9.0)
    table.answer(turn, 20)
    assert table.session.referee.position == turn.after


@pytest.mark.parametrize(
    ("start", "text"),
    [
        (
            "ze=a2,he=g2,ar=l2,at=j1,ha=c4,de=k2,po=i1,ap=b6 thunder=j6,fertility=h2.m4.n3,gate=f5,"
            "barrier=g3.i3.j4.l3.m2 at/ha.de/ze.ha.de/at.ap 0 4",
            "activate at, recover 0 he ar at po, move at j2, exhaust po 0, done",
        ),
        (
            "ze=a1,he=h2,ar=a2,at=f4,ha=o1,de=m1,po=j3,ap=d1 thunder=c4,fertility=g4,gate=g2.i4.n3,"
            "barrier=e5.k5.l2.o5 at/ha.po/ar.de.po.ap/ze 0 4",
            "activate at, recover 0 he ar at ha, move at g4, move at g5, exhaust ha 0, exhaust de 2",
        ),
        (
            "ze=a1,he=h2,ar=a2,at=f4,ha=o1,de=m1,po=j3,ap=d1 thunder=c4,fertility=g4,gate=g2.i4.n3,"
            "barrier=e5.k5.l2.o5 at/ze.he.ar.de/ze.he.ar.de/po.po.ap.ap 0 4",
            "activate at, recover 0 at at ha ha, move at g4, move at g5, exhaust ha 0, exhaust de 2",
        ),
    ],
)
def test_a_card_picked_and_given_up_in_one_turn_is_told_as_it_was(start: str, text: str) -> None:
    """Any other card picked and given up leads to the same; whoever tells which it was has not kept it."""
    table = Blind(Position.parse(start))
    turn = played(table.start, text)
    table.feel(turn.after, 9.0)
    table.answer(turn, 20)
    assert table.session.referee.position == turn.after


def test_what_was_played_instead_of_the_last_turn_may_be_followed_by_the_next_one() -> None:
    table = Blind()
    first = played(table.start, "activate ze, move ze b1, place thunder d2")
    instead = played(table.start, "activate ze, move ze b1, place thunder h4")
    then = played(instead.after, "activate ar, move ar e2, place barrier m6, place barrier n6")
    table.feel(first.after, 3.0)
    assert table.session.referee.position == first.after
    table.feel(table.start, 0.3, without=frozenset({"a1"}))
    table.feel(instead.after, 2.0)
    table.feel(then.after, 12.0)
    referee = table.session.referee
    assert not table.session.notes.refusals
    for _ in range(20):
        untold = [
            turn for turn in (instead, then) if turn.after not in {each.after for each in referee.turns}
        ]
        last = [turn for turn in (instead, then) if turn.after == referee.turns[-1].after]
        keys = [choice.key for choice in referee.verdict.choices]
        key = answer_to(keys, untold, 0, [instead, then], last=last)
        assert key is None or referee.answer(key)
        table.feel(then.after, 3.0)
    assert [turn.after for turn in referee.turns] == [instead.after, then.after]


def test_what_was_put_right_is_refused_no_longer_while_the_next_thing_is_worked_out() -> None:
    table = Blind(Position.parse(START.replace(" ze.he.ar.at.ha.de.po.ap/", " he.de/", 1)))
    table.feel(table.start, 9.0, without=frozenset({"a1"}), besides=frozenset({"a4", "b4"}))
    assert table.session.notes.refusals
    turn = played(table.start, "activate he, move he d1, disgrace ap")
    table.feel(turn.after, SETTLED_S + 0.1)
    kinds = []
    for _ in range(40):
        table.feel(turn.after, 0.1)
        kinds.append(table.session.referee.verdict.kind)
    assert Kind.ILLEGAL not in kinds
    assert kinds[-1] is Kind.QUESTION


@pytest.mark.parametrize("told", ["place barrier i3", "place barrier b1", "remove barrier p2"])
def test_of_two_barriers_either_may_be_the_one_that_lay_elsewhere(told: str) -> None:
    """One is placed and one shifted, to a space that is felt and to one that is not: nobody knows which was which."""
    start = Position.parse(
        "ze=a4,he=f4,ar=c5,at=i4,ha=a2,de=l4,po=k2,ap=h4 thunder=d1.l6,fertility=c1.d2.e2.o3,gate=b4.b5.m5,"
        "barrier=g6.h5.k4.n3.p2 ze/at.po.ap/he.ar.ha/he.ar.ha.de 3 4"
    )
    turn = played(start, "activate ar, move ar c6, place barrier i3, shift barrier p2 b1")
    spaces = (turn.after.stood_on, start.stood_on ^ turn.after.stood_on)
    closed, changed = (frozenset(SPACES[space] for space in bits(each)) for each in spaces)
    switches = Switches(closed - {"b1"}, frozenset({"b1", "c5", "m2"}), changed - {"b1"})
    evidence = Evidence(Reading(1.0, blind=True), 4, Table(), switches)
    ends = accounts(explain(start, evidence), evidence, frozenset()).left
    said = Said()
    assert said.take(f"did:{told}", ends)
    assert turn.after in {end.after for end in said.narrowed(ends)}


def test_turns_that_no_single_act_tells_apart_are_named_whole() -> None:
    """More than four that all tell the same: there is something to press, and `none` means none."""
    start = Position.parse(START)
    turn = played(start, "activate he, move he d1, disgrace ap")
    evidence = Evidence(Tabletop.of(turn.after).reading(1.0), 2, Table())
    end = explain(start, evidence).accepted
    assert end is not None
    asked = which_turn(0, [end] * 5, ("Ada", "Ben"), Said(), or_none=True)
    assert [choice.key for choice in asked.choices][-1] == NONE and len(asked.choices) == 6
    assert denies_all([end] * 5, Said())


def test_what_no_switch_has_felt_is_not_inferred_from_what_was_answered() -> None:
    """A Barrier went to where a dead switch is, and another place is over one that is known to be stuck."""
    table = Blind(
        Position.parse(
            "ze=f4,he=a3,ar=i1,at=c6,ha=o1,de=e6,po=m3,ap=i3 thunder=h2,fertility=f3.h6.i4.j3.p3,gate=c5.o5,"
            "barrier=b1.g3.h5.k2.k6.o2 ze.he.ar/he.ar.at.ha.po 1 2"
        )
    )
    turn = played(table.start, "activate ar, move ar j1, shift barrier h5 f5, shift barrier o2 a1")
    stuck = frozenset({"a5"})
    table.feel(table.start, 0.8, without=frozenset({"o2"}), besides=frozenset({"a1"}), ignored=stuck)
    table.feel(
        table.start, 0.8, without=frozenset({"o2", "i1"}), besides=frozenset({"a1", "j1"}), ignored=stuck
    )
    table.feel(turn.after, 9.0, without=frozenset({"f5"}), ignored=stuck)
    assert table.session.referee.answer("did:remove barrier h5")
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.QUESTION and not table.session.notes.turns
    assert table.session.referee.answer("tell")
    table.answer(turn, 20)
    assert table.session.referee.position == turn.after


def test_a_token_that_no_switch_has_felt_leave_was_not_taken_off() -> None:
    """Poseidon's player may have taken what lies over a stuck switch, and the next one have begun; or made a mistake."""
    table = Blind()
    stuck = frozenset({"p3"})
    table.feel(table.start, 1.0, ignored=stuck)
    moved = frozenset({"m1"})
    table.feel(table.start, 1.0, without=moved, besides=frozenset({"n1"}), ignored=stuck)
    table.feel(table.start, 9.0, without=moved, besides=frozenset({"n1", "c4"}), ignored=stuck)
    assert not table.session.notes.turns
    assert table.session.referee.verdict.kind is Kind.QUESTION


def test_of_a_barrier_from_the_reserve_and_one_of_the_board_either_is_told_first() -> None:
    """One has come to a space with a dead switch: people know where Barriers have come and gone, not which was which."""
    table = Blind(
        Position.parse(
            "ze=j5,he=f4,ar=l2,at=f3,ha=a4,de=o3,po=i2,ap=g4 thunder=c4.j4,fertility=d2.g3.j6,gate=m5.o6.p5,"
            "barrier=b5.c2.c6.g6.i3 ze.he.ar.at.ha.de.ap/ze.he.ar.at.ha.de.po.ap 1 2"
        )
    )
    turn = played(table.start, "activate ar, move ar l3, place barrier f5, shift barrier c6 j1")
    table.feel(turn.after, 9.0, without=frozenset({"f5"}))
    assert not table.session.notes.turns
    assert table.session.referee.answer("tell")
    table.answer(turn)
    assert table.session.referee.position == turn.after


def test_a_turn_is_not_put_back_while_a_token_lies_where_its_miniature_came_from() -> None:
    """Whoever moves the deity of the last turn on, out of turn, has not begun that turn anew."""
    table = Blind(Position.parse(START.replace("/ze.he.ar.at.ha.de.po.ap", "/he.at")))
    turn = played(table.start, "activate ze, move ze a2, place thunder a1")
    table.feel(table.start, 1.0, without=frozenset({"a1"}), besides=frozenset({"a2"}))
    table.feel(turn.after, 6.0)
    table.answer(turn)
    assert table.session.referee.position == turn.after
    table.feel(turn.after, 7.0, without=frozenset({"a2"}), besides=frozenset({"b2"}))
    assert table.session.referee.verdict.kind is Kind.ILLEGAL


def test_what_either_player_may_have_done_is_asked_for_by_name() -> None:
    """One has won; or the other has, who took the turn before back. Nobody wins by the order of the buttons."""
    start = Position.parse(START.replace("at=g1", "at=j6").replace(" 0 2", " 1 2"))
    turns = [
        played(before, "activate at, move at top")
        for before in (Position.parse(str(start).replace("at=j6", "at=i6").replace(" 1 2", " 0 2")), start)
    ]
    ends = [Hypothesis(each.turn, (each.before, each.after), {}, 0.0, 0.0, (), (), ()) for each in turns]
    choices = which_turn(1, ends, ("Ada", "Ben"), Said()).choices
    assert len({choice.text for choice in choices}) == 2
    for end, turn in zip(ends, turns, strict=True):
        key = answer_to([choice.key for choice in choices], [turn], 0)
        assert key is not None and chosen(key, ends) is end


def test_nothing_has_happened_over_switches_that_are_known_to_be_broken() -> None:
    """Poseidon could take off what lies there, but nobody has, and nobody is told to move him."""
    table = Blind()
    broken = frozenset({"j2", "p3"})
    table.feel(table.start, 9.0, without=broken, ignored=broken)
    assert table.session.referee.verdict.kind is Kind.READY
    # Whoever has begun to tell a turn by mistake says that there was none.
    assert table.session.referee.answer("tell")
    key = answer_to([choice.key for choice in table.session.referee.verdict.choices], [], 0)
    assert key is not None and table.session.referee.answer(key)
    table.feel(table.start, 2.0, without=broken, ignored=broken)
    assert table.session.referee.verdict.kind is Kind.READY


def test_who_thinks_about_where_to_lay_a_token_is_not_asked_what_was_played() -> None:
    """Demeter may stand over a dead switch, and the token where she is felt: a button says so, if it is so."""
    table = Blind()
    turn = played(table.start, "activate de, move de l1, place fertility c4")
    table.feel(table.start, 9.0, without=frozenset({"k1"}), besides=frozenset({"l1"}))
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.UNFINISHED
    assert "turn:activate de, move de j1, place fertility l1" in {choice.key for choice in verdict.choices}
    table.feel(turn.after, 2.0)
    assert table.session.referee.position == turn.after


def test_who_still_moves_pieces_is_not_asked_yet() -> None:
    """Both Barriers may lie there, one over a switch that is known to be broken; but a hand is there still."""
    table = Blind()
    stuck = frozenset({"a4"})
    table.feel(table.start, 1.0, ignored=stuck)
    gone, come = frozenset({"e1"}), frozenset({"e2", "c4"})
    kinds = set()
    for _ in range(4):
        table.feel(table.start, 1.2, without=gone, besides=come, ignored=stuck)
        kinds.add(table.session.referee.verdict.kind)
        table.feel(table.start, 0.2, without=gone | {"j2"}, besides=come, ignored=stuck)
    assert Kind.QUESTION not in kinds and not table.session.notes.turns
    table.feel(table.start, 6.0, without=gone, besides=come, ignored=stuck)
    # Whoever only thinks about where to lay it is told so, and has a button for where nothing would tell.
    verdict = table.session.referee.verdict
    assert verdict.kind is Kind.UNFINISHED and not table.session.notes.turns
    assert "turn:activate ar, move ar e2, place barrier a4, place barrier c4" in [
        c.key for c in verdict.choices
    ]


def test_a_turn_is_not_put_back_while_a_miniature_stands_where_a_gate_was_used_up() -> None:
    """Whoever moves the token of the last turn to where the other Gate lay has not taken Demeter up again."""
    start = START.replace("de=k1", "de=g3").replace("/ze.he.ar.at.ha.de.po.ap", "/he.at")
    table = Blind(Position.parse(start))
    turn = played(table.start, "activate de, move de h3, jump de l6, place fertility c4")
    table.feel(turn.after, 6.0)
    table.answer(turn)
    assert table.session.referee.position == turn.after
    table.feel(turn.after, 9.0, without=frozenset({"c4"}), besides=frozenset({"h3"}))
    verdict = table.session.referee.verdict
    assert verdict.kind in (Kind.ILLEGAL, Kind.SETUP) and {todo.space for todo in verdict.todo} & {"c4", "h3"}


def test_a_mistake_after_turns_that_had_to_be_told_is_asked_back_and_accuses_nobody() -> None:
    """More may have been played than was told; but two switches alone may as well tell of one piece that is misplaced."""
    table = Blind()
    turns = [played(table.start, "activate ze, move ze b1, place thunder i5")]
    turns.append(played(turns[0].after, "activate ar, move ar e2, place barrier m6, place barrier n6"))
    referee = table.session.referee
    for _ in range(20):
        table.feel(turns[-1].after, 3.0, without=frozenset({"c1"}), besides=frozenset({"c4"}))
        untold = turns[len(referee.turns) :]
        if not untold:
            break
        keys = [choice.key for choice in referee.verdict.choices]
        key = answer_to(keys, untold, 0, turns, last=turns[: len(referee.turns)][-1:])
        assert key is None or referee.answer(key)
    assert [turn.after for turn in referee.turns] == [turn.after for turn in turns]
    table.feel(turns[-1].after, 9.0, without=frozenset({"c1"}), besides=frozenset({"c4"}))
    verdict = referee.verdict
    assert verdict.kind is Kind.SETUP and not table.session.notes.refusals
    assert {todo.space for todo in verdict.todo} & {"c1", "c4"}
    # Whoever has made none has a button.
    assert "tell" in {choice.key for choice in verdict.choices}
