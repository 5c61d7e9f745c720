"""Hands move beside the game: what lies there is judged, but whoever may be in the middle of an act is not accused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.referee.patience import BESIDE_S, ILLEGAL_LOOKS
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_refusals import Game, revealed
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import Session, started

LOOK_S = 0.07


def seen_above(session: Session, table: Tabletop, *, beside: bool) -> Kind:
    session.now += LOOK_S
    reading = replace(table.reading(session.now), hands_beside=beside)
    return session.referee.observe(reading).kind


def seen_olympeak(game: Game, at: float, *, beside: bool) -> Kind:
    return game.referee.observe(replace(game.table.reading(at), hands_beside=beside)).kind


def test_a_card_that_was_laid_rightly_is_taken_while_hands_move_beside_it() -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "red", 1, seat=0)
    for look in range(1, 4):
        seen_olympeak(game, game.now + LOOK_S * look, beside=True)
    assert game.referee.verdict.seat == 1


@pytest.mark.parametrize("leaves", [True, False])
def test_a_turn_is_over_when_the_hands_have_gone_or_nothing_more_comes(leaves: bool) -> None:
    game = revealed("p001", "p002")
    game.lay("p001", "red", 1, seat=0)
    game.lay("p002", "blue", 1, seat=1)
    now = game.now
    for _ in range(4):
        now += LOOK_S
        seen_olympeak(game, now, beside=True)
    assert game.referee.state is not None and game.referee.state.turn == game.state.turn
    seen_olympeak(game, now + (LOOK_S if leaves else BESIDE_S), beside=not leaves)
    assert game.referee.state.turn > game.state.turn


@pytest.mark.parametrize("leaves", [True, False])
def test_a_refusal_waits_for_the_hands_but_not_for_ever(leaves: bool) -> None:
    session, table = started()
    table.cards[0]["ze"] = 0
    table.minis["ze"] = "a3"
    for _ in range(ILLEGAL_LOOKS + 2):
        assert seen_above(session, table, beside=True) is not Kind.ILLEGAL
    session.now += 0.0 if leaves else BESIDE_S
    assert seen_above(session, table, beside=not leaves) is Kind.ILLEGAL
    assert len(session.notes.refusals) == 1


@pytest.mark.parametrize("leaves", [True, False])
def test_a_card_in_the_wrong_place_is_told_when_the_hands_have_gone_but_not_never(leaves: bool) -> None:
    game = revealed("p001", "p002", "p003", "p004")
    game.lay("p001", "white", 1, seat=0)
    now = game.now
    for _ in range(4):
        now += LOOK_S
        assert seen_olympeak(game, now, beside=True) is not Kind.ILLEGAL
    now += LOOK_S if leaves else BESIDE_S
    assert seen_olympeak(game, now, beside=not leaves) is Kind.ILLEGAL
