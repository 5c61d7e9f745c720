"""A fan of cards counts as a hand that came to rest only while it is held in the picture, and for what it kept open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.virtual.olympeak.conftest import TICK_S, Table, make_table


@pytest.fixture
def game() -> Table:
    return make_table(2, 3)


def go_on(game: Table, motion: Iterator[None]) -> float:
    """Acts a motion out; when it was over."""
    match = game.match
    for _ in motion:
        match.now += TICK_S
    return match.now


def test_cards_on_their_way_into_the_picture_count_from_when_they_rest(game: Table) -> None:
    match, fan = game.match, game.match._acts.fans[0]
    match.now = 1.0
    assert match.held_still_at(1.0) is None
    rests = go_on(game, fan.show(match.secrets.in_hand(0), face_up=False, middle_mm=0.0))
    assert 1.0 < rests < 2.0
    assert match.held_still_at(1.0) == match.held_still_at(1.2) == rests


def test_a_fan_that_came_before_or_after_or_has_gone_again_moves_no_answer(game: Table) -> None:
    match, fan = game.match, game.match._acts.fans[0]
    match.now = 1.0
    rests = go_on(game, fan.show(match.secrets.in_hand(0), face_up=True, middle_mm=0.0))
    assert match.held_still_at(0.9) is None and match.held_still_at(rests + TICK_S) is None
    match.now = gone_from = 5.0
    go_on(game, fan.hide())
    assert match.held_still_at(1.1) is None and match.held_still_at(gone_from + TICK_S) is None
    # No hand has left: what people hold is told apart from it.
    assert match._acts.left_at is None
