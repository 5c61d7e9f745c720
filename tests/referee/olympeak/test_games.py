"""Whole games: people play in any order, and the referee knows at every moment what they know."""

from __future__ import annotations

import pytest

from companion.games.olympeak.records import check, header
from companion.referee.verdict import Kind
from tests.referee.olympeak.playing import Evening


# In these somebody who was prevented chooses the very same card again.
@pytest.mark.parametrize(("players", "seed"), [(2, 6), (3, 3), (4, 5), (5, 3), (6, 2)])
def test_a_whole_game_is_followed_without_a_false_word(players: int, seed: int) -> None:
    evening = Evening(players, seed)
    evening.play()
    verdict = evening.session.referee.verdict
    assert verdict.kind is Kind.OVER
    outcome = evening.truth.outcome
    assert outcome is not None
    assert verdict.winners == outcome.winners
    notes = evening.session.notes
    assert not notes.refusals
    assert not notes.found
    record = [header(evening.setup), *(line for lines in notes.written for line in lines)]
    assert check(record) is None
