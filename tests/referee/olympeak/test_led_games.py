"""Whole games of people who act with their hands, err, and are led by the referee's seat lights alone."""

from __future__ import annotations

import pytest

from companion.games.olympeak.records import check, header
from tests.referee.olympeak.table import LedGame


@pytest.mark.parametrize(
    ("players", "seed", "misses"),
    [(2, 2, True), (3, 1, False), (4, 2, True), (5, 3, False), (6, 2, True)],
)
def test_every_error_is_caught_and_nobody_is_accused_or_stuck(players: int, seed: int, misses: bool) -> None:
    game = LedGame(players, seed, misses=misses)
    game.play()
    tally = game.match.tally
    assert not game.false
    assert (tally.stuck, tally.false_alarms) == (0, 0)
    assert tally.illegal_caught == tally.illegal_shown
    assert game.referee.state is not None
    assert game.referee.state.outcome == game.match.state.outcome
    assert game.referee.state.cubes == game.match.state.cubes
    assert not game.notes.found
    lines = [line for event in game.notes.written for line in event]
    assert check([header(game.match.state.setup), *lines]) is None
