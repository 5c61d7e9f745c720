"""What people do beside playing, one habit at a time and far more often than anybody would: nobody is accused for it."""

from __future__ import annotations

import pytest

from companion.games.olympeak.events import EndTurn
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


@pytest.mark.parametrize("habit", CardHabit)
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
