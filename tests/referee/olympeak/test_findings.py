"""Findings: what is odd about a physical thing is said once and clearly, and the game goes on."""

from __future__ import annotations

from companion.games.olympeak.events import Blocked, EndTurn, Play, Remove, Reveal, Stop
from companion.games.olympeak.position import Phase
from companion.referee.verdict import Kind, Mark
from tests.referee.olympeak.test_refusals import Game


def show(game: Game, *cards: str) -> None:
    for seat in range(len(cards)):
        game.table.zones[seat] = None
    game.look(0.3)
    for seat, card in enumerate(cards):
        game.table.zones[seat] = card
    game.look(1.0)


def phase(game: Game) -> Phase:
    assert game.referee.state is not None
    return game.referee.state.phase


def test_one_card_before_two_players() -> None:
    game = Game(4)
    show(game, "p005", "p006", "p006", "p008")
    assert "p006 lies before two players" in game.notes.found[0]
    assert game.notes.found[0].rstrip(".") in game.referee.verdict.text
    assert phase(game) is Phase.PLAY
    game.lay("p005", "blue", 1, seat=0)
    game.look(0.4)
    game.lay("p006", "red", 1, seat=1)
    game.look(0.4)
    game.lay("p006", "green", 1, seat=2)
    assert game.look(0.4).seat == 3
    assert not game.notes.refusals
    assert len(game.notes.found) == 1


def test_a_card_that_lies_in_a_column_is_shown_again() -> None:
    game = Game(2, Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    show(game, "p002", "p001")
    assert "it lies under red in row 1" in game.notes.found[0]
    assert phase(game) is Phase.PLAY
    # The one with more heads leads.
    game.lay("p001", "blue", 2, seat=1)
    game.look(0.5)
    assert not game.notes.refusals


def test_a_card_back_from_the_discard_pile() -> None:
    game = Game(
        3,
        Reveal(("p005", "o02", "p007")),
        Play(0, "p005", "red"),
        Play(1, "o02", "green"),
        Remove(1, "p005"),
        Play(2, "p007", "red"),
        EndTurn(),
    )
    show(game, "p006", "p005", "p008")
    assert any("it is on the discard pile" in text for text in game.notes.found) == bool(game.state.discarded)
    assert phase(game) is Phase.PLAY


def test_a_starred_card_with_few_players() -> None:
    game = Game(3)
    show(game, "p009", "p006", "p008")
    assert "has a star and stays in the box" in game.notes.found[0]
    assert "(O1)" in game.referee.verdict.text
    assert phase(game) is Phase.PLAY


def test_a_second_print_beside_the_first() -> None:
    game = Game(4, Reveal(("p005", "p006", "p007", "p008")), Play(0, "p005", "red"))
    game.table.zones[0] = "p005"
    game.look(2.0)
    assert game.notes.found == ["p005 lies twice on the table, and there is only one of it."]
    assert not game.notes.refusals


def test_a_cube_moved_by_hand_is_named_and_is_no_offence() -> None:
    game = Game(2, Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())
    assert game.referee.targets == {"blue": 0, "green": -1, "red": 3, "round": 1}
    game.look(0.3)
    game.table.cubes["red"] = 5
    assert game.look(0.5).kind is Kind.READY
    assert not game.notes.found
    verdict = game.look(2.5)
    assert game.notes.found == ["The red cube was moved from 3 to 5 by hand."]
    assert verdict.kind is Kind.READY
    assert ("cube red", Mark.MISSING) in verdict.marks
    assert verdict.todo[-1].text == "Move the red cube from 5 to 3."
    game.table.cubes["red"] = 3
    assert not game.look(0.5).todo
    assert len(game.notes.found) == 1


def test_cubes_not_yet_moved_are_only_something_to_do() -> None:
    game = Game(2, Reveal(("p001", "p003")))
    game.lay("p001", "red", 1, seat=0)
    game.look(0.4)
    game.lay("p003", "green", 1, seat=1)
    verdict = game.look(0.4)
    assert [todo.text for todo in verdict.todo] == [
        "Move the green cube from 0 to -1.",
        "Move the red cube from 0 to 3.",
    ]
    show(game, "p006", "p008")
    verdict = game.referee.verdict
    assert verdict.kind is Kind.READY
    assert len(verdict.todo) == 2
    assert not game.notes.found


def test_a_stopped_player_who_left_the_card_lying_is_asked_whether_it_is_a_new_one() -> None:
    game = Game(2, Reveal(("p001", "o01")), Play(0, "p001", "red"))
    game.lay("o01", "green", 1, seat=1)
    game.look(0.4)
    assert phase(game) is Phase.REVEAL
    game = Game(3, Reveal(("p005", "o01", "p007")), Play(0, "p005", "red"), Play(1, "o01", "green"))
    game.look(0.3)
    assert game.referee.answer("stop")
    assert phase(game) is Phase.REVEAL
    assert "Chloe: take p007 back" in game.referee.verdict.text
    game.table.zones = {0: "p006", 1: "p008", 2: "p007"}
    verdict = game.look(11.0)
    assert verdict.kind is Kind.QUESTION
    assert game.referee.answer("new")
    game.look(0.4)
    assert phase(game) is Phase.PLAY


def test_a_card_taken_back_and_shown_anew_needs_no_question() -> None:
    events = (
        Reveal(("p001", "p002", "p007")),
        Play(0, "p001", "blue"),
        Blocked(1, "p002"),
        Play(2, "p007", "red"),
        EndTurn(),
    )
    game = Game(3, *events)
    show(game, "p006", "p002", "p008")
    assert phase(game) is Phase.PLAY
    assert not game.notes.found


def test_stopping_by_taking_all_cards_back_is_read_from_the_table() -> None:
    game = Game(4, Reveal(("p005", "o01", "p007", "p008")))
    game.lay("p005", "red", 1, seat=0)
    game.look(0.4)
    game.lay("o01", "green", 1, seat=1)
    game.look(0.4)
    del game.table.zones[2]
    del game.table.zones[3]
    verdict = game.look(0.5)
    assert {choice.key for choice in verdict.choices} == {"stop", "decline"}
    # It is for Ben to decide, and no doubt of the referee's.
    assert verdict.kind is Kind.UNFINISHED
    assert verdict.by_rules
    game.look(1.5)
    assert phase(game) is Phase.REVEAL
    assert Stop(1, True) in game.referee.events
