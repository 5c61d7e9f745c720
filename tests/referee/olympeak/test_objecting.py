"""The way out of a refusal, and of a request that nobody can meet: people say that it is right as it lies, before all."""

from __future__ import annotations

import pytest

from companion.games.olympeak.events import EndTurn, Play, Reveal, Ruling
from companion.games.olympeak.standing import standing
from companion.referee.objection import HEARD_S
from companion.referee.patience import OBJECTION_S
from companion.referee.requests import Refused
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_referee import TURN
from tests.referee.olympeak.test_refusals import Game, revealed

LATER = (Reveal(("p005", "p006")), Play(0, "p005", "green"), Play(1, "p006", "red"), EndTurn())


def otherwise_than_believed() -> Game:
    """Another card lies in a column than the one that the game believes."""
    game = Game(2, *TURN, *LATER)
    game.look(0.3)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    return game


def nobody_has_it() -> Game:
    """A reveal that was missed, and who took a card back has it no more."""
    game = Game(2)
    game.table.zones = {0: None, 1: None}
    game.look(0.3)
    game.table.zones.clear()
    game.lay("p001", "blue", 1)
    return game


def wrong_column() -> Game:
    """A card that the game takes for another's lies under a contender it does not name, in the middle of a turn."""
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "white", 1, seat=0)
    return game


@pytest.mark.parametrize("begin", [otherwise_than_believed, nobody_has_it, wrong_column])
def test_no_table_waits_or_is_called_wrong_for_ever(begin: object) -> None:
    assert callable(begin)
    game = begin()
    said = game.look(5.0)
    assert said.kind in (Kind.ILLEGAL, Kind.UNFINISHED) and not said.choices
    open_to = game.look(OBJECTION_S)
    assert (open_to.kind, open_to.todo) == (said.kind, said.todo)
    assert open_to.text == f"{said.text} If it is right as it lies, say so."
    (choice,) = open_to.choices
    assert game.referee.answer(choice.key)
    asked = game.look(1.0)
    with pytest.raises(Refused, match="Let everybody hear it first"):
        game.referee.answer(asked.choices[0].key)
    asked = game.look(HEARD_S)
    assert asked.kind is Kind.QUESTION and asked.by_rules
    assert [each.text for each in asked.choices] == ["Yes, that counts", "No, it is not right so"]
    assert not any(isinstance(event, Ruling) for event in game.referee.events)
    assert game.referee.answer(asked.choices[0].key)
    event = next(event for event in reversed(game.referee.events) if isinstance(event, Ruling))
    assert event.text == said.text
    assert game.referee.verdict.text.startswith("The house has ruled: play goes on from here.")
    assert game.look(1.0).kind is Kind.READY
    assert game.referee.current is not None
    assert asked.choices[0].key == f"right:{standing(game.referee.current)}"


def test_everybody_hears_what_would_count_before_it_does() -> None:
    game = otherwise_than_believed()
    choice = game.look(5.0 + OBJECTION_S).choices[0]
    assert game.referee.answer(choice.key)
    # Not the cards alone: nobody agrees to cubes or to a turn that was not named.
    assert game.look(1.0).text == (
        "Then this counts: p001 lies under blue; it is round 1; cubes: blue 0, green 1, red 4; "
        "everybody chooses a card next. Does everybody agree?"
    )
    assert game.referee.answer("none")
    assert game.look(0.3).kind is Kind.ILLEGAL
    assert not any(isinstance(event, Ruling) for event in game.referee.events)


def test_a_card_that_is_gone_and_one_that_was_exchanged_are_named() -> None:
    gone = Game(2, *TURN, *LATER)
    gone.look(0.3)
    del gone.table.columns["red", 1]
    assert gone.referee.answer(gone.look(5.0 + OBJECTION_S).choices[0].key)
    assert "p001 lies under red no more;" in gone.look(0.3).text
    other = revealed("p001", "p002", "p003", "p004")
    other.table.zones[2] = "p006"
    assert other.referee.answer(other.look(5.0 + OBJECTION_S).choices[0].key)
    assert "Chloe has revealed p006;" in other.look(0.3).text
    assert "it is Ada's turn." in other.referee.verdict.text


def test_only_what_is_seen_to_lie_still_can_be_called_right() -> None:
    game = otherwise_than_believed()
    assert game.referee.answer(game.look(5.0 + OBJECTION_S).choices[0].key)
    key = game.look(HEARD_S + 0.3).choices[0].key
    game.now += 0.1
    game.referee.observe(game.table.reading(game.now, moving=True))
    with pytest.raises(Refused, match="Take your hands off"):
        game.referee.answer(key)


def test_what_was_put_right_is_refused_anew_only_after_a_while() -> None:
    game = otherwise_than_believed()
    key = game.look(5.0 + OBJECTION_S).choices[0].key
    game.table.columns["red", 1] = game.table.columns.pop(("blue", 1))
    assert game.look(0.5).kind is Kind.READY
    assert not game.referee.answer(key)
    game.table.columns["blue", 1] = game.table.columns.pop(("red", 1))
    again = game.look(5.0)
    assert again.kind is Kind.ILLEGAL and not again.choices
