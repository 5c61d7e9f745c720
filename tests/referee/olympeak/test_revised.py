"""A turn that is corrected right after its end, and a table that changes at other times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import Phase
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_chosen_anew import stirred
from tests.referee.olympeak.test_refusals import Game
from tests.referee.olympeak.test_unseen import blue

TURN = (Reveal(("p001", "p003")), Play(0, "p001", "red"), Play(1, "p003", "green"), EndTurn())


def state_of(game: Game) -> tuple[Phase, dict[str, str], dict[str, int]]:
    state = game.referee.state
    assert state is not None
    return state.phase, {each.card: each.contender for each in state.placed}, state.cube


def test_the_last_card_is_moved_to_where_it_was_meant() -> None:
    game = Game(2, *TURN)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    verdict = game.look(0.8)
    assert verdict.kind is Kind.READY
    assert "The last turn is corrected." in verdict.text
    assert state_of(game) == (
        Phase.REVEAL,
        {"p001": "blue", "p003": "green"},
        {"blue": 3, "green": -1, "red": 0},
    )
    assert game.referee.events[:2] == (TURN[0], Play(0, "p001", "blue", 1))
    assert len(game.referee.turns) == 1
    assert not game.notes.refusals


@pytest.mark.parametrize("moved", [True, False], ids=["cubes moved", "cubes not moved"])
def test_who_has_moved_the_cubes_too_may_clear_the_columns_at_once(moved: bool) -> None:
    """The last card of a round is moved to where it was meant, and everybody lends a hand to clear it away."""
    game = Game(2, *TURN)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    if moved:
        game.table.cubes = {"blue": 3, "green": -1, "red": 0}
    game.look(0.2)
    played = Play(0, "p001", "blue", 1) if moved else TURN[1]
    assert game.referee.events[1] == played
    assert not game.notes.refusals


@pytest.mark.parametrize("cards", [("o01", "o02"), ("p005", "o02"), ("p005", "p006")])
def test_who_turns_up_the_next_cards_for_a_moment_only_has_left_the_card_where_it_was_moved(
    cards: tuple[str, str],
) -> None:
    """Order cards alone are put away at once (O3), and leave nothing that would tell of them."""
    game = Game(2, *TURN)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    game.table.zones = dict(enumerate(cards))
    game.look(0.4)
    game.table.zones = {}
    game.table.discard_top = cards[1]
    game.look(0.1)
    assert game.referee.events[1] == Play(0, "p001", "blue", 1)
    assert game.referee.events[-1] == Reveal(cards)
    assert not game.notes.refusals


@pytest.mark.parametrize("said", [DeclineInsert(1, False), DeclineInsert(1, True)], ids=["plain", "drew"])
@pytest.mark.parametrize(
    "moved", [("p001", "red", "blue"), ("o03", "green", "blue")], ids=["before", "itself"]
)
def test_what_was_said_of_an_order_card_stands_when_a_card_is_moved(
    said: Event, moved: tuple[str, str, str]
) -> None:
    card, here, there = moved
    game = Game(2, Reveal(("p001", "o03")), Play(0, "p001", "red"), Play(1, "o03", "green"), said, EndTurn())
    game.table.columns[there, 1] = game.table.columns.pop((here, 1))
    game.look(0.8)
    assert state_of(game)[1][card] == there
    assert said in game.referee.events
    assert not game.notes.refusals


def test_a_turn_that_may_have_gone_two_ways_is_corrected_as_it_was_told() -> None:
    """Whether the second Insert card was laid for the first one, or whose it was, no look tells."""
    events = (
        Reveal(("p005", "o03", "p007", "p008")),
        Play(0, "p005", "red"),
        Play(1, "o03", "green"),
        Insert(1, "o04", "blue"),
        DeclineInsert(1, False),
        Play(2, "p007", "white"),
        Play(3, "p008", "green"),
        EndTurn(),
    )
    game = Game(4, *events)
    game.table.columns["red", 2] = game.table.columns.pop(("green", 2))
    game.look(0.8)
    assert state_of(game)[1]["p008"] == "red"
    assert events[3] in [replace(each, row=None) for each in game.referee.events if isinstance(each, Insert)]
    assert events[4] in game.referee.events


def test_it_may_be_moved_back_again() -> None:
    game = Game(2, *TURN)
    for here, there in (("red", "blue"), ("blue", "red")):
        game.table.columns[there, 1] = game.table.columns.pop((here, 1))
        game.look(0.8)
    assert state_of(game)[1] == {"p001": "red", "p003": "green"}
    assert not game.notes.refusals


def test_a_card_that_may_not_lie_there_is_refused_as_ever() -> None:
    game = Game(2, *TURN)
    game.table.columns["blue", 1] = game.table.columns.pop(("green", 1))
    assert game.look().kind is Kind.ILLEGAL
    assert state_of(game)[1] == {"p001": "red", "p003": "green"}


def test_nothing_is_corrected_once_the_next_cards_are_turned_up() -> None:
    game = Game(2, *TURN, Reveal(("p005", "p006")))
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    assert game.look().kind is Kind.ILLEGAL


@pytest.mark.parametrize(
    ("turn", "late", "told"),
    [
        (
            (
                Reveal(("p005", "o02")),
                Play(0, "p005", "red"),
                Play(1, "o02", "green"),
                Remove(1, None),
            ),
            lambda game: game.discard("red", 1),
            Remove(1, "p005"),
        ),
        (
            (
                Reveal(("p005", "p006", "o01", "p007")),
                Play(0, "p005", "red"),
                Play(1, "p006", "green"),
                Play(2, "o01", "white"),
                Stop(2, True),
            ),
            lambda game: game.lay("p007", "blue", 1),
            Play(3, "p007", "blue", 1),
        ),
        (
            (Reveal(("p005", "o03")), Play(0, "p005", "red"), Play(1, "o03", "green")),
            lambda game: game.lay("p020", "blue", 1),
            Insert(1, "p020", "blue", 1),
        ),
    ],
    ids=["a remove", "who did not stop after all", "an insert"],
)
def test_what_is_carried_out_late_counts(
    turn: tuple[Event, ...], late: Callable[[Game], None], told: Event
) -> None:
    assert isinstance(turn[0], Reveal)
    game = Game(len(turn[0].cards), *turn)
    for choice in game.look(0.4).choices:
        if choice.key == "decline":
            game.referee.answer("decline")
    game.look(0.4)
    assert state_of(game)[0] is Phase.REVEAL or game.referee.current is not None
    late(game)
    game.look(4.0)
    assert told in game.referee.events
    assert state_of(game)[0] is Phase.REVEAL
    assert not game.notes.refusals


def test_columns_that_are_cleared_correct_nothing() -> None:
    game = Game(
        2,
        Reveal(("p005", "o02")),
        Play(0, "p005", "red"),
        Play(1, "o02", "green"),
        Remove(1, None),
        EndTurn(),
    )
    events = game.referee.events
    del game.table.columns["red", 1]
    game.look(0.9)
    game.table.columns["red", 1] = "p005"
    game.look(0.9)
    assert game.referee.events == events


def test_who_was_prevented_by_the_wrong_place_plays_after_all() -> None:
    game = Game(2, Reveal(("p005", "p002")), Play(0, "p005", "blue"), Blocked(1, "p002"), EndTurn())
    game.table.zones[1] = "p002"
    game.look(0.4)
    game.table.columns["red", 1] = game.table.columns.pop(("blue", 1))
    verdict = game.look(0.8)
    assert (verdict.kind, verdict.seat) == (Kind.READY, 1)
    assert "The last turn is corrected." in verdict.text
    game.lay("p002", "blue", 1, seat=1)
    game.look(0.5)
    assert state_of(game) == (
        Phase.REVEAL,
        {"p005": "red", "p002": "blue"},
        {"blue": 1, "green": 0, "red": 2},
    )
    assert not game.notes.refusals


def test_a_correction_while_another_card_is_in_somebodys_hand() -> None:
    game = Game(2, *TURN)
    lifted = game.table.columns.pop(("green", 1))
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    assert game.look(2.0).kind is not Kind.ILLEGAL
    game.table.columns["green", 1] = lifted
    game.look(0.8)
    assert state_of(game)[1] == {"p001": "blue", "p003": "green"}
    assert not game.notes.refusals


@pytest.mark.parametrize("covered", [(), ("green", "red"), ("blue", "green")], ids=str)
@pytest.mark.parametrize("ends", [True, False], ids=["the round ends so too", "the round would not end so"])
def test_the_last_card_of_a_round_was_played_where_it_lay_last_before_all_was_cleared(
    ends: bool, covered: tuple[str, ...]
) -> None:
    """It is moved, and everybody lends a hand at once; some rest over columns."""
    last = (Reveal(("p005", "p030")), Play(0, "p005", "red"), Play(1, "p030", "blue"), EndTurn())
    if not ends:
        last = (Reveal(("p005", "p003")), Play(0, "p005", "blue"), Play(1, "p003", "red"), EndTurn())
    game = Game(2, *blue(5), *last)
    assert state_of(game)[0] is Phase.ROUND_END
    game.table.columns["green", 6] = game.table.columns.pop(("red" if ends else "blue", 6))
    game.look(0.2)
    assert game.referee.events[-4:] == last
    game.table.hidden = {f"column {contender}" for contender in covered}
    game.look(0.4 if covered else 0.0)
    game.table.hidden = set()
    game.table.columns.clear()
    game.look(1.0)
    assert game.referee.events[-1] == EndRound()
    assert game.referee.events[-4] == (Play(0, "p005", "green", 6) if ends else last[1])
    assert not game.notes.refusals


@pytest.mark.parametrize("seen", ["the columns", "the next cards, face down", "the next cards, turned up"])
def test_who_plays_on_at_once_has_left_the_card_where_it_was_moved(seen: str) -> None:
    """Hands are in every picture but those few, until the first card of the next turn lies there."""
    game = Game(2, *TURN)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    if "turned up" in seen:
        game.table.zones = {0: "p005", 1: "p006"}
    elif "face down" in seen:
        game.table.zones = {0: None, 1: None}
    game.look(0.1)
    stirred(game, 1.5)
    game.table.zones = {1: "p006"}
    game.lay("p005", "red", 2)
    game.look(2.0)
    assert game.referee.events[1] == Play(0, "p001", "blue", 1)
    assert game.referee.events[-1] == Reveal(("p005", "p006"))
    assert game.referee.announced == (Play(0, "p005", "red", 2),)
    assert not game.notes.refusals
