"""A session: from readings to verdicts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.games.above.setup import initial_position
from companion.referee.corrections import Correction
from companion.referee.evidence import Switches
from companion.referee.referee import Referee
from companion.referee.verdict import Kind, Mark, Verdict
from companion.sensing.reading import Reading
from tests.referee.tabletop import Tabletop, random_position, random_turn

START = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b5.f5,fertility=d3.n4,gate=h3.l6,barrier=j2.p3"
    " ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)
NAMES = ("Ada", "Ben", "Chloe", "Dan")


@dataclass
class Notes:
    """A ledger that keeps everything in memory."""

    begun: list[Position] = field(default_factory=list)
    turns: list[tuple[Action, ...]] = field(default_factory=list)
    taken_back: int = 0
    refusals: list[str] = field(default_factory=list)
    rulings: list[tuple[str, Position]] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)

    def begin(self, names: Sequence[str], position: Position) -> None:
        self.begun.append(position)

    def turn(self, actions: Sequence[Action]) -> None:
        self.turns.append(tuple(actions))

    def take_back(self, turns: int = 1) -> None:
        self.taken_back += turns

    def refusal(self, text: str, rule: str) -> None:
        self.refusals.append(text)

    def ruling(self, text: str, rule: str, position: Position) -> None:
        self.rulings.append((text, position))

    def correction(self, correction: Correction) -> None:
        self.corrections.append(correction)


class Session:
    """A referee, its notes, and a clock that moves with every look."""

    def __init__(self, position: Position | None, players: int = 2) -> None:
        self.notes = Notes()
        self.referee = Referee(NAMES[:players], self.notes, position)
        self.now = 0.0

    def look(self, table: Tabletop, times: int = 1, switches: Switches | None = None) -> Verdict:
        for _ in range(times):
            self.now += 0.07
            self.referee.observe(table.reading(self.now), switches)
        return self.referee.verdict


def started(text: str = START) -> tuple[Session, Tabletop]:
    session = Session(Position.parse(text))
    table = Tabletop.of(Position.parse(text))
    assert session.look(table).kind is Kind.READY
    return session, table


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_starts_from_the_set_up_on_the_table(players: int) -> None:
    position = initial_position(players, random.Random(4))
    table = Tabletop.of(position)
    table.zeus_alpha = position.turn if players == 2 else 0
    session = Session(None, players)
    missing = Tabletop.of(position)
    missing.zeus_alpha = table.zeus_alpha
    missing.minis["de"] = None
    assert "Demeter" in session.look(missing).text
    verdict = session.look(table)
    assert verdict.kind is Kind.READY
    (begun,) = session.notes.begun
    assert begun.minis == position.minis
    assert all(begun.tokens_on(t) == position.tokens_on(t) for t in ("thunder", "gate"))
    assert [begun.powered(seat) for seat in range(players)] == [position.powered(s) for s in range(players)]
    if players == 2:
        assert begun.turn == position.turn


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (4, 3), (4, 4)])
def test_whole_turns_are_accepted_one_after_the_other(players: int, seed: int) -> None:
    rng = random.Random(seed)
    position = random_position(players, 3, rng)
    session = Session(position, players)
    session.look(Tabletop.of(position))
    truth = []
    for _ in range(25):
        _, after = random_turn(position, rng)
        truth.append(after)
        verdict = session.look(Tabletop.of(after), 2)
        assert verdict.kind in (Kind.READY, Kind.COMPLETE, Kind.OVER, Kind.UNFINISHED), verdict
        if verdict.choices:
            assert session.referee.answer("done")
        assert session.referee.position == after
        if after.is_over:
            assert session.referee.verdict.winners == after.winner
            break
        position = after
    assert not session.notes.refusals
    assert len(session.notes.turns) == len(truth)


def test_a_lifted_miniature_shows_where_it_may_go() -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = None
    verdict = session.look(table)
    assert verdict.kind is Kind.LIFTED
    targets = {space for space, mark in verdict.marks if mark is Mark.TARGET}
    assert targets == {"a2", "b1", "p1"}


def test_a_triggered_token_is_to_be_taken_off_before_the_turn_is_over() -> None:
    session, table = started(START.replace("d3", "a2"))
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a2"
    verdict = session.look(table)
    assert verdict.kind is Kind.UNFINISHED
    assert ("a2", Mark.REMOVE) in verdict.marks or "Fertility" in verdict.text


def test_an_illegal_step_is_refused_with_its_reason_and_the_way_back() -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a3"
    verdict = session.look(table, 3)
    assert verdict.kind is Kind.ILLEGAL
    assert "Zeus" in verdict.text
    assert verdict.rule
    assert ("a3", Mark.WRONG) in verdict.marks
    assert ("a1", Mark.RETURN) in verdict.marks
    table.minis["ze"] = "a1"
    assert session.look(table).kind is Kind.UNFINISHED
    assert len(session.notes.refusals) == 1


def test_one_look_accuses_nobody() -> None:
    session, table = started()
    table.minis["ze"] = "d4"
    assert session.look(table).kind is not Kind.ILLEGAL


def test_the_other_players_card_is_refused() -> None:
    # Hera herself is Spent, so that this cannot be the beginning of a Disgrace.
    session, table = started(START.replace(" ze.he.", " ze."))
    table.cards[1]["he"] = 0
    verdict = session.look(table, 3)
    assert verdict.kind is Kind.ILLEGAL
    assert "Ben" in verdict.text and "Ada" in verdict.text


def test_a_token_that_is_not_seen_for_a_moment_is_no_offence() -> None:
    # Poseidon is Spent, so that nobody can be about to flood the token away.
    session, table = started(START.replace("de.po.ap/", "de.ap/"))
    table.tokens.remove(("thunder", "b5"))
    assert session.look(table, 5).kind is not Kind.ILLEGAL
    table.tokens.add(("thunder", "b5"))
    assert session.look(table).kind is Kind.READY
    assert not session.notes.refusals
    table.tokens.remove(("thunder", "b5"))
    verdict = session.look(table, 30)
    assert verdict.kind is Kind.ILLEGAL
    assert ("b5", Mark.RETURN) in verdict.marks


def test_athena_may_go_on_until_the_next_player_begins() -> None:
    session, table = started()
    table.cards[0]["at"] = 0
    table.minis["at"] = "g2"
    verdict = session.look(table)
    assert verdict.kind is Kind.COMPLETE
    assert verdict.seat == 1
    assert not session.notes.turns
    table.cards[0]["he"] = 0
    assert session.look(table).kind is Kind.COMPLETE
    table.cards[1]["ar"] = 0
    verdict = session.look(table)
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.seat == 1
    ((*_, exhausted, done),) = session.notes.turns
    assert (str(exhausted), str(done)) == ("exhaust he 0", "done")


def test_poseidon_forth_and_back_needs_him_to_have_been_lifted() -> None:
    session, table = started()
    table.cards[0]["po"] = 0
    verdict = session.look(table)
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.choices
    table.minis["po"] = "m2"
    session.look(table)
    table.minis["po"] = "m1"
    assert session.look(table).kind is Kind.COMPLETE


def test_the_switches_tell_of_a_lift_that_no_picture_caught() -> None:
    session, table = started()
    table.cards[0]["po"] = 0
    closed = frozenset(space for space in table.minis.values() if space is not None)
    assert session.look(table, switches=Switches(closed)).kind is Kind.UNFINISHED
    session.now += 0.07
    moving = Tabletop.of(Position.parse(START)).reading(session.now)
    session.referee.observe(type(moving)(session.now, moving=True), Switches(closed - {"m1"}))
    assert session.look(table, switches=Switches(closed)).kind is Kind.COMPLETE


def standing(table: Tabletop) -> frozenset[str]:
    """The switches under the miniatures."""
    return frozenset(space for space in table.minis.values() if space is not None)


def hand(session: Session, closed: frozenset[str], looks: int = 5) -> Verdict:
    """A moving picture: a hand that hides whatever it does, while the switches stand so."""
    for _ in range(looks):
        session.now += 0.07
        session.referee.observe(Reading(session.now, moving=True), Switches(closed))
    return session.referee.verdict


def test_what_a_hand_lifts_is_shown_where_it_may_go_while_the_hand_is_there() -> None:
    session, table = started()
    closed = standing(table)
    ready = session.look(table, switches=Switches(closed))
    assert ready.kind is Kind.READY
    verdict = hand(session, closed - {"a1"})
    assert verdict.kind is Kind.LIFTED
    assert {space for space, mark in verdict.marks if mark is Mark.TARGET} == {"a2", "b1", "p1"}
    assert hand(session, closed, 1) == ready  # set back
    assert hand(session, closed - {"c1"}).text.startswith("Hera is lifted")
    table.minis["he"] = "c2"
    table.cards[0]["he"] = 0
    after = closed - {"c1"} | {"c2"}
    assert hand(session, after).kind is Kind.LIFTED  # still hidden; only the next look at rest judges
    assert session.look(table, switches=Switches(after)).kind is Kind.UNFINISHED


def test_a_flicker_of_a_weak_magnet_lifts_nothing() -> None:
    session, table = started()
    closed = standing(table)
    ready = session.look(table, switches=Switches(closed))
    for _ in range(10):
        assert hand(session, closed - {"a1"}, 2) == ready
        assert hand(session, closed, 1) == ready


def test_a_switch_that_was_open_before_says_nothing_of_a_lift() -> None:
    session, table = started()
    dead = standing(table) - {"a1"}
    ready = session.look(table, switches=Switches(dead))
    assert hand(session, dead, 20) == ready


def test_without_switches_a_moving_picture_changes_nothing() -> None:
    session, table = started()
    ready = session.look(table)
    for _ in range(20):
        session.now += 0.07
        session.referee.observe(Reading(session.now, moving=True))
    assert session.referee.verdict == ready


def test_what_stands_against_the_rules_keeps_its_way_back_while_it_is_lifted() -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a3"
    closed = standing(table)
    refused = session.look(table, 3, Switches(closed))
    assert refused.kind is Kind.ILLEGAL
    assert hand(session, closed - {"a3"}) == refused


def test_a_turn_taken_back_during_a_lift_is_not_forgotten() -> None:
    session, table = started()
    table.cards[0]["he"] = 0
    table.minis["he"] = "c2"
    table.cards[1]["ar"] = 0
    closed = standing(table)
    assert session.look(table, 2, Switches(closed)).kind is Kind.READY
    assert hand(session, closed - {"a1"}).kind is Kind.LIFTED
    session.referee.take_back()
    assert hand(session, closed).kind is Kind.SETUP
    assert session.look(table, switches=Switches(closed)).kind is Kind.SETUP


def test_a_turn_taken_back_is_not_accepted_again_by_itself() -> None:
    session, table = started()
    table.cards[0]["he"] = 0
    table.minis["he"] = "c2"
    table.cards[1]["ar"] = 0
    assert session.look(table, 2).kind is Kind.READY
    assert session.referee.take_back().kind is Kind.SETUP
    verdict = session.look(table, 5)
    assert verdict.kind is Kind.SETUP
    assert ("c1", Mark.RETURN) in verdict.marks
    assert session.referee.position == Position.parse(START)
    assert session.look(Tabletop.of(Position.parse(START))).kind is Kind.READY
    assert session.notes.taken_back == 1


def test_a_resumed_game_names_what_differs_and_accuses_nobody() -> None:
    position = Position.parse(START)
    session = Session(position)
    table = Tabletop.of(position)
    table.minis["ze"] = "d4"
    table.tokens.remove(("gate", "h3"))
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.SETUP
    assert {todo.space for todo in verdict.todo} == {"a1", "h3"}
    assert session.look(Tabletop.of(position)).kind is Kind.READY


def test_hands_and_bad_pictures_are_no_evidence() -> None:
    session, table = started()
    before = session.referee.verdict
    table.minis["ze"] = "d4"
    reading = table.reading(9.0)
    for number in range(5):
        session.referee.observe(type(reading)(9.0 + number, moving=True, minis=reading.minis))
    assert session.referee.verdict == before
    session.referee.observe(type(reading)(20.0, frame="No frame markers are in view."))
    assert session.referee.verdict.kind is Kind.HOLD


def test_a_hand_over_a_teams_cards_discards_nothing() -> None:
    """With four players a discarded card is one that is gone: a covered one only cannot be seen."""
    position = random_position(4, 4, random.Random(12))
    session = Session(position, 4)
    table = Tabletop.of(position)
    session.look(table)
    seat = position.turn
    for deity in list(table.cards[seat]):
        table.cards[seat][deity] = 0
    covered = table.reading(session.now + 0.1)
    zone = ("cards sw", "cards nw", "cards ne", "cards se")[seat]
    for _ in range(40):
        session.now += 0.1
        session.referee.observe(replace(covered, exposed_at=session.now, hidden=frozenset({zone})))
    assert session.referee.verdict.kind not in (Kind.ILLEGAL, Kind.COMPLETE, Kind.OVER)
    assert session.referee.position == position
    assert session.look(Tabletop.of(position)).kind is Kind.READY


@pytest.mark.parametrize(
    ("seat", "deity", "token", "said"),
    [
        (
            1,
            "ar",
            "",
            "If Ada plays Hera: Move Hera one space to the side or forward. If not: Turn Ben's Ares card back",
        ),
        (
            0,
            "",
            "b5",
            "If Ada plays Poseidon: Move Poseidon one space to the side or forward. If not: Put the Thunder",
        ),
    ],
)
def test_what_may_be_a_slip_is_not_taken_for_a_power_without_a_word(
    seat: int, deity: str, token: str, said: str
) -> None:
    """Ben turns a card on Ada's turn, or a sleeve takes a token along: the way back is told as well as the way on."""
    session, table = started()
    table.cards[seat][deity] = 0
    table.tokens.discard(("thunder", token))
    verdict = session.look(table, 3)
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.text.startswith(said)
    assert (("b5", Mark.RETURN) in verdict.marks) == bool(token)
    table.cards[0]["he" if deity else "po"] = 0
    verdict = session.look(table, 3)
    assert "If not" not in verdict.text and not any(mark is Mark.RETURN for _, mark in verdict.marks)


def test_a_last_card_is_to_be_turned_back_with_all_others_before_the_next_player_is_heard() -> None:
    """Ada's last card is Zeus; she forgets to recover (A5), and Ben plays on."""
    session, table = started(START.replace(" ze.he.ar.at.ha.de.po.ap/", " ze/"))
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "b1"
    table.tokens.add(("thunder", "d5"))
    verdict = session.look(table, 3)
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.text == "Turn Ada's Zeus card to its Powered side."
    assert len(verdict.todo) == 8
    table.cards[1]["de"] = 0
    table.minis["de"] = "k2"
    table.tokens.add(("fertility", "m5"))
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.UNFINISHED and verdict.seat == 0
    assert verdict.text.startswith("Ada has no Powered card left and first turns all cards back")
    assert len(verdict.todo) == 8
    table.cards[0].update(dict.fromkeys(table.minis, 1))
    verdict = session.look(table, 5)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 0)
    assert len(session.referee.turns) == 2
    assert not session.notes.refusals


def test_who_forgets_to_pick_while_the_next_one_of_four_plays_is_asked_to() -> None:
    four = START.replace("ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2", "ze/he.ar/at.ha/de.po 0 4")
    session, table = Session(Position.parse(four), 4), Tabletop.of(Position.parse(four))
    session.look(table)
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "b1"
    table.tokens.add(("thunder", "d5"))
    session.look(table, 3)
    table.cards[1]["he"] = 0
    verdict = session.look(table, 40)
    assert verdict.kind is Kind.UNFINISHED and verdict.seat == 0
    assert verdict.text == "Ada: pick 4 cards from the discard pile and lay them Powered face up."
    table.cards[0].update(("ar", "at", "de", "ap"))
    assert session.look(table, 10).seat == 1
    assert len(session.referee.turns) == 1
    assert not session.notes.refusals
