"""A session of OlymPeak: set-up, reveal, orders, rounds, the end, and taking back."""

from __future__ import annotations

import pytest

from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndTurn,
    Event,
    Insert,
    Play,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.rules import apply
from companion.games.olympeak.simulation import Step
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind, Mark, Verdict
from tests.referee.olympeak.playing import Evening
from tests.referee.olympeak.tabletop import Notes, Tabletop
from tests.referee.olympeak.test_findings import phase, show
from tests.referee.olympeak.test_refusals import Game, revealed

TURN = (Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())


def looks(referee: OlympeakReferee, table: Tabletop, count: int = 3, at: float = 0.0) -> Verdict:
    for number in range(count):
        referee.observe(table.reading(at + 0.07 * number))
    return referee.verdict


def test_a_game_starts_from_the_row_on_the_table_which_tells_the_rounds() -> None:
    notes = Notes()
    referee = OlympeakReferee(("Ada", "Ben", "Chloe"), notes)
    table = Tabletop(("red", "blue"), cubes={"blue": 0, "red": 4, "green": 0})
    verdict = looks(referee, table)
    assert verdict.kind is Kind.SETUP
    assert {todo.text for todo in verdict.todo} == {
        "Lay the contender card green in the row.",
        "Put the red cube on Start.",
    }
    table.contenders = ("red", "blue", "white", "green")
    table.cubes["red"] = 0
    assert "white does not race" in looks(referee, table).text
    table.contenders = ("red", "blue", "green")
    verdict = looks(referee, table)
    assert verdict.kind is Kind.READY
    assert notes.begun == 1
    assert referee.state is not None
    assert referee.state.setup.rounds == default_box().rounds(("red", "blue", "green"))
    assert "rounds are played" in verdict.text or "1 round is played" in verdict.text
    assert referee.targets == {"blue": 0, "green": 0, "red": 0, "round": 1}


def test_the_reveal_waits_for_every_seat_and_announces_the_order_of_play() -> None:
    game = Game(4)
    verdict = game.look(0.3)
    assert {part for part, mark in verdict.marks if mark is Mark.TARGET} == {
        f"reveal {seat}" for seat in range(4)
    }
    for seat in range(4):
        game.table.zones[seat] = None
    assert "turn them up together" in game.look(0.3).text
    game.table.zones.update({0: "p003", 1: "p002", 2: "p004"})
    verdict = game.look(0.3)
    assert verdict.text.endswith("Dan: turn your card up.")
    assert verdict.seat == 3
    game.table.zones[3] = "p001"
    verdict = game.look(0.3)
    assert "Order of play: Dan, Ada, Ben, Chloe (hydra with 4 heads, +3)." in verdict.text
    assert verdict.seat == 3
    assert {part for part, mark in verdict.marks if mark is Mark.TARGET} == {"column blue", "column red"}


def test_a_reveal_that_no_picture_caught_is_told_from_what_was_played() -> None:
    game = Game(4)
    for seat, card in enumerate(("p001", "p002", "p003", "p004")):
        game.table.zones[seat] = card
    game.lay("p001", "red", 1, seat=0)
    verdict = game.look(0.6)
    assert verdict.seat == 1
    assert game.referee.current is not None
    assert game.referee.current.revealed == ("p001", "p002", "p003", "p004")
    assert not game.notes.refusals


def test_who_took_a_card_back_before_the_reveal_was_seen_is_asked_to_show_it() -> None:
    game = Game(4)
    for seat in range(4):
        game.table.zones[seat] = None
    game.look(0.3)
    # Ada lays p001 under blue, Ben's card names only blue and goes back, and only then is the table seen again.
    game.table.zones = {2: "p003", 3: "p004"}
    game.lay("p001", "blue", 1)
    verdict = game.look(4.0)
    assert verdict.kind is Kind.UNFINISHED
    assert [todo.space for todo in verdict.todo] == ["reveal 0", "reveal 1"]
    assert dict(verdict.marks) == {"reveal 0": Mark.TARGET, "reveal 1": Mark.TARGET}
    game.table.zones[1] = "p002"
    verdict = game.look(1.0)
    assert game.referee.current is not None
    assert game.referee.current.revealed == ("p001", "p002", "p003", "p004")
    assert verdict.seat == 2
    assert not game.notes.refusals


def test_cards_seen_turned_up_one_after_the_other_tell_the_reveal_of_one_that_was_taken_back() -> None:
    game = Game(2)
    game.table.zones = {0: None, 1: None}
    game.look(0.3)
    game.table.zones = {0: "p001", 1: None}
    game.look(0.1)
    # Ben turns his up as Ada lays hers under blue; his names only blue and goes back to his hand.
    game.table.zones = {1: "p002"}
    game.lay("p001", "blue", 1)
    game.look(0.1)
    del game.table.zones[1]
    game.look(4.0)
    assert game.referee.events == (
        Reveal(("p001", "p002")),
        Play(0, "p001", "blue", 1),
        Blocked(1, "p002"),
        EndTurn(),
    )
    assert not game.notes.refusals


def test_cards_seen_turned_up_tell_the_reveal_of_one_that_a_remove_has_taken_away() -> None:
    game = Game(3)
    game.table.zones = {0: None, 1: None, 2: None}
    game.look(0.3)
    game.table.zones = {0: "p001", 1: "o02", 2: None}
    game.look(0.1)
    game.table.zones = {2: "p003"}
    game.lay("o02", "green", 1)
    game.table.discard_top = "p001"
    verdict = game.look(4.0)
    assert game.referee.current is not None
    assert game.referee.current.revealed == ("p001", "o02", "p003")
    # Under which contender it lay before that was not seen.
    assert verdict.kind is Kind.QUESTION
    assert game.referee.answer("lay:p001:red")
    assert game.look(0.4).seat == 2
    assert not game.notes.refusals


def test_where_every_card_has_gone_before_the_reveal_was_seen_nobody_is_accused_and_play_can_go_on() -> None:
    game = Game(2)
    game.table.zones = {0: None, 1: None}
    game.look(0.3)
    game.table.zones.clear()
    game.lay("p001", "blue", 1)
    assert game.look(4.0).kind is Kind.UNFINISHED
    assert game.referee.may_rule
    game.referee.rule(0)
    assert game.look(1.0).kind is Kind.READY
    assert game.referee.state is not None
    assert [each.card for each in game.referee.state.placed] == ["p001"]
    assert not game.notes.refusals


def test_a_card_in_a_column_before_the_others_are_turned_up_is_still_too_early() -> None:
    game = Game(4)
    for seat in range(4):
        game.table.zones[seat] = None
    game.look(0.3)
    game.lay("p001", "blue", 1, seat=0)
    assert game.look(4.0).kind is Kind.ILLEGAL


def test_who_revealed_what_is_asked_when_two_answers_fit() -> None:
    game = Game(4)
    for seat, card in enumerate(("p005", "p006", "p007", "p008")):
        game.table.zones[seat] = card
    game.lay("p006", "red", 1, seat=0)
    game.lay("p007", "green", 1, seat=1)
    game.table.zones[2] = "p003"
    verdict = game.look(2.5)
    assert verdict.kind in (Kind.QUESTION, Kind.READY)
    if verdict.kind is Kind.QUESTION:
        assert game.referee.answer(verdict.choices[0].key)
    assert phase(game) is Phase.PLAY


def test_only_order_cards_are_discarded_and_a_new_turn_begins() -> None:
    game = Game(2)
    show(game, "o01", "o03")
    assert "Ada: put o01 on the discard pile." in game.referee.verdict.text
    assert phase(game) is Phase.REVEAL
    game.look(6.0)
    assert len(game.referee.events) == 1
    game.table.zones.clear()
    game.look(0.3)
    show(game, "p001", "p003")
    assert phase(game) is Phase.PLAY


def test_remove_is_told_by_the_card_that_has_gone() -> None:
    game = revealed("p001", "o02", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o02", "green", 1, seat=1)
    verdict = game.look(0.4)
    assert {choice.key for choice in verdict.choices} == {"p001", "decline"}
    del game.table.columns["red", 1]
    game.table.discard_top = "p001"
    game.look(0.4)
    game.lay("p003", "red", 1, seat=2)
    game.look(0.4)
    game.lay("p004", "blue", 1, seat=3)
    game.look(0.4)
    assert game.referee.events[-3:] == (
        Play(2, "p003", "red", 1),
        Play(3, "p004", "blue", 1),
        EndTurn(),
    )
    assert Remove(1, "p001") in game.referee.events


def test_a_remove_said_by_button_waits_for_the_card_to_be_taken_away() -> None:
    game = revealed("p001", "o02")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o02", "green", 1, seat=1)
    game.look(0.4)
    assert game.referee.answer("p001")
    assert phase(game) is Phase.PLAY
    assert "put p001 on the discard pile" in game.look(0.4).text
    del game.table.columns["red", 1]
    game.look(4.0)
    assert phase(game) is Phase.REVEAL
    assert Remove(1, "p001") in game.referee.events


@pytest.mark.parametrize("column", ["blue", "red"])
def test_a_card_that_was_removed_before_it_was_announced_is_told_where_it_lay(column: str) -> None:
    events = (Reveal(("p001", "p006")), Play(0, "p001", "blue"), Play(1, "p006", "red"), EndTurn())
    game = Game(2, *events, Reveal(("p005", "o02")))
    game.look(0.3)
    # Both play at once, and a card of another row is taken before.
    del game.table.columns["blue", 1]
    game.look(0.4)
    game.lay("p005", column, 2, seat=0)
    game.lay("o02", "green", 2, seat=1)
    game.table.discard_top = "p001"
    assert game.look().kind is Kind.ILLEGAL
    game.discard(column, 2)
    game.look(0.4)
    game.lay("p001", "blue", 1)
    game.look(4.0)
    assert Play(0, "p005", column, 2) in game.referee.events
    assert Remove(1, "p005") in game.referee.events


def test_inserts_may_chain() -> None:
    game = revealed("p005", "o03", "p007", "p008")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o03", "green", 1, seat=1)
    game.look(0.4)
    game.lay("o04", "blue", 1)
    assert "o04" in game.look(0.4).text
    game.lay("p002", "white", 1)
    verdict = game.look(0.4)
    assert verdict.kind is Kind.ILLEGAL or verdict.seat == 1
    game.table.columns["white", 1] = "p006"
    assert game.look(0.6).seat == 2
    game.lay("p007", "red", 2, seat=2)
    game.look(0.4)
    game.lay("p008", "green", 2, seat=3)
    game.look(0.4)
    inserts = [event for event in game.referee.events if isinstance(event, Insert)]
    assert inserts == [Insert(1, "o04", "blue", 1), Insert(1, "p006", "white", 1)]


@pytest.mark.parametrize(("key", "drew"), [("decline", False), ("drew", True)])
def test_an_insert_declined_by_button(key: str, drew: bool) -> None:
    game = revealed("p001", "o03")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o03", "green", 1, seat=1)
    game.look(0.4)
    assert game.referee.answer(key)
    assert DeclineInsert(1, drew) in game.referee.events
    assert phase(game) is Phase.REVEAL


def at_an_insert() -> Game:
    """The second of four players has laid an Insert card."""
    game = revealed("p005", "o03", "p007", "p008")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o03", "green", 1, seat=1)
    game.look(0.4)
    return game


@pytest.mark.parametrize("key", ["decline", "drew"])
@pytest.mark.parametrize("inserted", ["o04", "p006"])
@pytest.mark.parametrize("hands_move", [True, False], ids=["while hands move", "in plain view"])
def test_what_is_said_while_a_card_is_laid_does_not_forbid_it(
    key: str, inserted: str, hands_move: bool
) -> None:
    """Whoever says that no more comes may mean the card just laid, which the camera has not seen yet."""
    game = at_an_insert()
    if hands_move:
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    assert game.referee.answer(key)
    assert game.referee.verdict.seat == 2
    game.lay(inserted, "blue", 1)
    verdict = game.look(0.4)
    assert (verdict.kind is Kind.ILLEGAL) == (not hands_move)
    if hands_move:
        # The card is asked about if it is an order card; else it is the next player's turn.
        assert verdict.seat == (1 if inserted == "o04" else 2)
        assert not game.notes.refusals
        # Once it was seen what was meant, the answer holds.
        game.lay("p020", "white", 1)
        assert game.look(0.6).kind is Kind.ILLEGAL


@pytest.mark.parametrize("inserted", ["o04", "p006"])
def test_an_inserted_card_is_not_forgotten_under_a_hand(inserted: str) -> None:
    """What was asked of it is still what is asked, and an answer is not taken for one to what was asked before."""
    game = at_an_insert()
    game.lay(inserted, "blue", 1)
    said = game.look(0.4)
    game.table.hidden.add("column blue")
    assert game.look(2.0).text == said.text
    inserts = [event for event in game.referee.announced if isinstance(event, Insert)]
    assert inserts == [Insert(1, inserted, "blue", 1)]
    # Gone from plain view, it was taken back after all.
    del game.table.columns["blue", 1]
    game.table.hidden.clear()
    assert game.look(2.0).text != said.text


@pytest.mark.parametrize("key", ["decline", "drew"])
@pytest.mark.parametrize("hands_move", [True, False], ids=["while hands move", "in plain view"])
@pytest.mark.parametrize("taken_up", [True, False], ids=["taken up", "left lying"])
def test_who_has_inserted_an_insert_may_say_that_this_one_brings_no_card(
    key: str, hands_move: bool, taken_up: bool
) -> None:
    """That a card was inserted says nothing of the next answer: whoever lays another one then is somebody else."""
    game = at_an_insert()
    game.lay("o04", "blue", 1)
    assert "o04" in game.look(0.4).text
    if hands_move:
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    assert game.referee.answer(key)
    assert game.referee.verdict.seat == 2
    game.lay("p006", "white", 1, seat=2 if taken_up else None)
    verdict = game.look(0.4)
    assert (verdict.kind is Kind.ILLEGAL) == (not hands_move)
    if not hands_move:
        assert "p006" in verdict.text
        assert ("Chloe revealed p007" in verdict.text) == taken_up
        # Put right, the answer still holds, and the card inserted before lies where it lay.
        del game.table.columns["white", 1]
        game.table.zones.pop(2, None)
        game.lay("p007", "white", 1)
        assert game.look(0.4).seat == 3
        inserts = [event for event in game.referee.announced if isinstance(event, Insert)]
        assert inserts == [Insert(1, "o04", "blue", 1)]
    else:
        assert not game.notes.refusals


def test_who_lays_the_next_card_has_declined() -> None:
    game = revealed("p001", "o03")
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o03", "green", 1, seat=1)
    game.look(2.0)
    game.table.zones[0] = None
    game.look(1.0)
    assert phase(game) is Phase.PLAY
    game.table.zones[1] = None
    game.look(0.4)
    assert phase(game) is Phase.REVEAL


def test_a_stop_said_by_button() -> None:
    game = revealed("p005", "o01", "p007", "p008")
    game.lay("p005", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o01", "green", 1, seat=1)
    game.look(0.4)
    assert game.referee.answer("stop")
    assert game.referee.events[-2:] == (Stop(1, True), EndTurn())
    verdict = game.look(0.3)
    assert "Chloe: take p007 back" in verdict.text
    assert "Dan: take p008 back" in verdict.text


def test_the_turn_before_is_told_with_the_cubes_it_moves() -> None:
    game = Game(2, *TURN[:3])
    verdict = game.look(0.3)
    assert "Turn 1 is over: green -1 to -1, red +3 to 3." in verdict.text
    assert game.referee.targets["red"] == 3


def test_the_last_turn_is_taken_back_and_not_accepted_again_by_itself() -> None:
    game = Game(2, Reveal(("p001", "p003")))
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("p003", "green", 1, seat=1)
    game.look(0.4)
    assert len(game.referee.turns) == 1
    assert game.referee.take_back().kind is Kind.SETUP
    verdict = game.look(3.0)
    assert verdict.kind is Kind.SETUP
    assert game.referee.was_taken_back
    assert not game.referee.events
    assert not game.notes.written
    assert {todo.text for todo in verdict.todo} == {
        "Take p001 away from under red.",
        "Take p003 away from under green.",
    }
    game.table.columns.clear()
    assert game.look(0.4).kind is Kind.READY
    show(game, "p001", "p003")
    assert phase(game) is Phase.PLAY


def test_after_taking_back_only_the_mistake_need_be_put_right() -> None:
    game = Game(2, Reveal(("p001", "p003")))
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("p003", "green", 1, seat=1)
    game.look(0.4)
    game.referee.take_back()
    game.look(1.0)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    game.look(1.5)
    assert phase(game) is Phase.REVEAL
    assert Play(0, "p001", "blue", 1) in game.referee.events
    assert not game.notes.refusals


def test_an_open_turn_is_taken_back_first() -> None:
    game = Game(2, *TURN, Reveal(("p002", "p007")))
    game.look(0.4)
    assert len(game.referee.turns) == 2
    game.referee.take_back()
    assert len(game.referee.turns) == 1
    assert game.look(1.0).kind is Kind.SETUP
    game.table.zones.clear()
    assert game.look(0.4).kind is Kind.READY


def test_the_end_of_a_round_taken_back_waits_for_the_columns() -> None:
    evening = next(each for each in (Evening(2, seed) for seed in range(20)) if each.setup.rounds > 1)
    referee = evening.session.referee
    evening.look()
    while evening.truth.round < 2:
        step(evening)
    assert referee.state is not None
    cleared = referee.turns[-1]
    referee.take_back()
    assert referee.state.phase is Phase.ROUND_END
    verdict = evening.session.look(3.0)
    assert verdict.kind is Kind.SETUP
    assert len(verdict.todo) == len(cleared.before.placed)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turns_of_two_rounds_taken_back_at_once(turns: int) -> None:
    """One of the new round, its beginning, and more: as each card comes away, nothing new is read."""
    evening = next(each for each in (Evening(2, seed) for seed in range(20)) if each.setup.rounds > 1)
    referee, table = evening.session.referee, evening.session.table
    evening.look()
    while evening.truth.round < 2 or not evening.truth.placed or evening.truth.phase is not Phase.REVEAL:
        step(evening)
    evening.look(1.0)
    back = referee.turns[-turns]
    referee.take_back(turns)
    assert evening.session.look(3.0).kind is Kind.SETUP
    for spot in sorted(table.columns):
        table.discard_top = table.columns.pop(spot)
        evening.session.look(1.5)
        assert referee.state == back.before
    table.columns.update({(each.contender, each.row): each.card for each in back.before.placed})
    table.cubes, table.round_marker = dict(back.before.cube), back.before.round
    verdict = evening.session.look(2.0)
    assert verdict.kind in (Kind.READY, Kind.UNFINISHED)
    assert referee.state == back.before


def nearly_over() -> Evening:
    evening = Evening(3, 5)
    while evening.truth.phase is not Phase.PREDICTIONS:
        evening.play(evening.truth.turn - 1)
        while evening.truth.phase in (Phase.PLAY, Phase.CHOICE, Phase.TURN_END, Phase.ROUND_END):
            step(evening)
        if evening.truth.phase is Phase.REVEAL:
            step(evening)
    return evening


def step(evening: Evening) -> None:
    event: Event = evening.people.decide(evening.truth)
    after: GameState = apply(evening.truth, event)
    evening.people.settle(Step(evening.truth, event, after))
    evening.act(event)
    evening.truth = after


def test_a_missing_tile_is_named_and_can_be_said() -> None:
    evening = nearly_over()
    table, referee = evening.session.table, evening.session.referee
    first, second = evening.people.first, evening.people.second
    for seat in range(3):
        table.tiles[seat] = (first[seat], second[seat] if seat != 1 else None)
    verdict = evening.session.look(5.0)
    assert "Ben's tile for second place is missing." in evening.session.notes.found
    assert "Ben's tile for second place is missing." in verdict.text
    key = f"tile:1:second:{second[1]}"
    assert referee.answer(key)
    verdict = evening.session.look(0.5)
    assert verdict.kind is Kind.OVER
    assert referee.state is not None and referee.state.outcome is not None


def test_tiles_that_cannot_be_are_said_and_may_be_scored_as_they_lie() -> None:
    evening = nearly_over()
    table, referee = evening.session.table, evening.session.referee
    for seat, pair in enumerate((("red", "red"), ("blue", "green"), ("green", "blue"))):
        table.tiles[seat] = pair
    verdict = evening.session.look(2.0)
    assert verdict.kind is Kind.QUESTION
    assert "Ada predicted red both first and second" in verdict.text
    assert referee.answer("as it lies")
    assert referee.verdict.kind is Kind.OVER


def test_a_tile_that_does_not_race_must_be_put_right() -> None:
    evening = nearly_over()
    for seat, pair in enumerate((("white", "red"), ("blue", "green"), ("green", "blue"))):
        evening.session.table.tiles[seat] = pair
    verdict = evening.session.look(2.0)
    assert verdict.kind is Kind.QUESTION
    assert verdict.choices[0].key.startswith("tile:0:first:")
    evening.session.table.tiles[0] = ("blue", "red")
    assert evening.session.look(2.0).kind is Kind.OVER
