"""What people do beside playing, one habit at a time and far more often than anybody would: nobody is accused for it."""

from __future__ import annotations

import random

import pytest

from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndTurn
from companion.games.olympeak.position import COLUMN_FULL, GameState, Phase
from companion.games.olympeak.simulation import play, random_setup
from companion.virtual.olympeak.habits import CardHabit
from tests.referee.olympeak.table import LedGame

# Where a habit offers itself only seldom: a game in which it does.
SEEDS = {
    CardHabit.TAKES_LATE: (4, 7),
    CardHabit.FORGETS_CARD: (4, 4),
    CardHabit.PUTS_BACK: (3, 5),
    CardHabit.COVERS_CAMERA: (3, 1),
    CardHabit.STARTS_EARLY: (4, 3),
}
TURNS = 4


@pytest.mark.parametrize("habit", [habit for habit in CardHabit if habit is not CardHabit.ENDS_UNSEEN])
def test_a_habit_is_no_event_of_the_game(habit: CardHabit) -> None:
    players, seed = SEEDS.get(habit, (2, 5))
    game = LedGame(players, seed, illegal=0.0, habits={habit: 0.7})
    game.play(turns=TURNS)
    assert game.match.tally.habits.get(habit.value, 0) > 0
    assert game.false == []
    assert game.questions == []
    assert (game.match.tally.stuck, game.match.tally.false_alarms) == (0, 0)
    assert game.match.tally.illegal_caught == game.match.tally.illegal_shown
    assert not game.notes.found
    # The last turn's end may not have been seen yet; the one before was.
    ends = [step.after.cubes for step in game.steps if isinstance(step.event, EndTurn)]
    assert game.referee.state is not None
    assert game.referee.state.cubes in ends[-2:]


def late_in_the_round() -> GameState:
    """Before a reveal, five cards under one contender."""
    rng = random.Random(3)
    steps = play(random_setup(3, rng, default_box()), rng)
    return next(
        step.after
        for step in steps
        if step.after.phase is Phase.REVEAL
        and step.after.round < step.after.setup.rounds
        and max(step.after.columns.values()) == COLUMN_FULL - 1
    )


def test_a_round_that_ends_unseen_goes_on_without_a_question() -> None:
    game = LedGame(3, 2, illegal=0.0, habits={CardHabit.ENDS_UNSEEN: 1.0}, state=late_in_the_round())
    while game.match.state.round == 1 and not game.match.finished:
        game.play(turns=game.match.tally.turns + 1)
    game.play(turns=game.match.tally.turns + 1)
    assert game.match.tally.habits == {CardHabit.ENDS_UNSEEN.value: 1}
    assert not game.questions
    assert (game.false, game.match.tally.stuck) == ([], 0)
    assert not game.notes.found
    assert game.referee.state is not None
    assert game.referee.state.round == 2
