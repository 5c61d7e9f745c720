"""At the end of a round nobody is accused of clearing the columns, whatever the order, nor of what is not seen."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.games.olympeak.events import EndRound
from companion.games.olympeak.position import Phase
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_refusals import Game, full_column
from tests.referee.olympeak.test_unseen import blue, cover, phase

LAST = ("blue", 6)


@pytest.mark.parametrize("seed", range(4))
def test_columns_are_cleared_in_any_order_with_cards_put_down_anywhere(seed: int) -> None:
    rng, game = Random(seed), full_column()
    for place in rng.sample(sorted(game.table.columns), 6):
        card = game.table.columns.pop(place)
        # Whoever clears holds the card, puts it down somewhere, and cards of a hand too.
        game.table.columns["red", rng.randint(1, 7)] = rng.choice((card, "p006", "p007"))
        game.table.columns["green", rng.randint(1, 7)] = rng.choice((card, "p008"))
        game.table.stray = {"p005"} if rng.random() < 0.5 else set()
        game.look(rng.choice((0.2, 1.5)))
        for contender in ("red", "green"):
            for each in [each for each in game.table.columns if each[0] == contender]:
                del game.table.columns[each]
    game.look(0.5)
    assert EndRound() in game.referee.events
    assert phase(game) is Phase.REVEAL
    assert not game.notes.refusals


def one_unread(game: Game) -> None:
    del game.table.columns["blue", 2]


def covered(game: Game) -> None:
    game.table.hidden.add("column green")


def on_its_way(game: Game) -> None:
    game.table.columns["red", 1] = game.table.columns.pop(LAST)


def lies_beside(game: Game) -> None:
    game.table.stray = {game.table.columns.pop(LAST)}


def misread(game: Game) -> None:
    game.table.columns[LAST] = "p007"


def a_hand_is_laid_down(game: Game) -> None:
    game.table.columns |= {("red", row): f"p00{row}" for row in (3, 4, 5)}


@pytest.mark.parametrize("how", [one_unread, covered, on_its_way, lies_beside, misread, a_hand_is_laid_down])
def test_a_card_tells_nothing_while_the_columns_are_not_seen_as_played(how: Callable[[Game], None]) -> None:
    game = full_column()
    game.lay("p008", "red", 6)
    how(game)
    assert game.look(2.5).kind is Kind.UNFINISHED
    assert not game.notes.refusals


def test_a_card_passing_over_the_columns_or_put_down_for_a_moment_is_not_played() -> None:
    game = full_column()
    for seconds in (0.1, 0.5, 0.9):
        game.lay("p006", "red", 6)
        game.look(seconds)
        del game.table.columns["red", 6]
        game.look(0.3)
    game.lay("p006", "red", 6)
    for _ in range(30):
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    assert game.referee.verdict.kind is Kind.UNFINISHED
    assert not game.notes.refusals


def test_cards_shuffled_before_a_seat_are_not_laid() -> None:
    game = full_column()
    for card in ("p006", None, "p007", "p008"):
        game.table.zones = {0: card, 1: "p005"}
        assert game.look(0.6).kind is Kind.UNFINISHED
    assert not game.notes.refusals


def test_a_card_laid_while_nothing_could_be_seen_is_asked_back_and_no_offence() -> None:
    game = full_column()
    cover(game)
    game.lay("p006", "red", 6)
    verdict = game.look(2.0)
    assert verdict.kind is Kind.SETUP
    assert verdict.todo[0].text == "Take p006 away from under red."
    assert not game.notes.refusals
    del game.table.columns["red", 6]
    assert game.look(0.5).kind is Kind.UNFINISHED
    # Now everything is in view again.
    game.lay("p007", "red", 6)
    assert game.look(1.3).kind is Kind.ILLEGAL


def test_after_turns_that_nobody_saw_one_card_more_accuses_nobody() -> None:
    game = Game(2, *blue(4))
    cover(game)
    game.lay("p040", "blue", 5)
    game.lay("p041", "blue", 6)
    game.look(4.0)
    assert phase(game) is Phase.ROUND_END
    game.lay("p042", "blue", 7)
    assert game.look(3.0).kind is Kind.UNFINISHED
    assert not game.notes.refusals
