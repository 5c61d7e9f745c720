"""Cards that were turned up while hands were in every picture: nobody is said to have played too early."""

from __future__ import annotations

import pytest

from companion.games.olympeak.events import Reveal, Ruling, Stop
from companion.games.olympeak.position import Phase
from companion.referee.olympeak.wording import UNSEEN
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_findings import phase
from tests.referee.olympeak.test_refusals import Game

CARDS = ("p005", "o01", "p007", "p008")
DOWN = dict.fromkeys(range(4))


def hands(game: Game, looks: int = 10) -> None:
    """Hands are in so many pictures, which tell nothing."""
    for _ in range(looks):
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))


def chosen() -> Game:
    """Everybody has chosen a card; hands hide what comes next."""
    game = Game(4)
    game.table.zones = dict(DOWN)
    game.look(0.2)
    hands(game)
    return game


def stopped(game: Game) -> None:
    """The second player's Stop lies there, and all others have taken their cards back."""
    game.table.zones = {}
    game.table.columns = {("red", 1): "p005", ("green", 1): "o01"}


def plays_on(game: Game) -> None:
    """Everybody chooses the next card, one after the other, and then turns it up."""
    hands(game)
    for seat in range(4):
        game.table.zones[seat] = None
        assert game.look(0.2).kind is not Kind.ILLEGAL
        hands(game, 4)


@pytest.mark.parametrize("between", [0, 1], ids=["the first card was seen", "both were seen"])
def test_a_reveal_that_short_looks_tell_is_known_though_the_turn_was_stopped(between: int) -> None:
    game = chosen()
    game.table.zones = dict(enumerate(CARDS))
    game.lay("p005", "red", 1, seat=0)
    game.look(0.2)
    hands(game)
    if between:
        game.lay("o01", "green", 1, seat=1)
        game.look(0.2)
        hands(game)
    stopped(game)
    game.look(0.5)
    assert list(game.referee.events) == [Reveal(CARDS)]
    hands(game, 20)
    # That the cards were taken back was no gesture: all have chosen the next ones.
    game.table.zones = dict(DOWN)
    game.look(0.3)
    assert Stop(1, True) in game.referee.events
    assert phase(game) is Phase.REVEAL
    assert not game.notes.refusals


@pytest.mark.parametrize("up", [False, True], ids=["face down", "face up"])
def test_who_is_asked_to_show_a_card_once_more_and_plays_on_has_not_played_too_early(up: bool) -> None:
    game = chosen()
    stopped(game)
    assert game.look(2.0).kind is Kind.UNFINISHED
    plays_on(game)
    if up:
        game.table.zones = dict(enumerate(("p020", "p021", "p007", "p008")))
    for _ in range(50):
        assert game.look(0.07).kind is not Kind.ILLEGAL
    told = game.referee.events[0]
    assert isinstance(told, Ruling)
    assert told.text == UNSEEN
    assert phase(game) is (Phase.PLAY if up else Phase.REVEAL)
    assert not game.notes.refusals


def test_where_only_some_choose_the_next_card_it_is_still_asked() -> None:
    game = chosen()
    stopped(game)
    game.look(2.0)
    game.table.zones = {0: None, 3: None}
    assert game.look(4.0).kind is Kind.UNFINISHED
    # Nobody has to wait for a card that is not shown any more.
    assert game.look(8.0).choices
    assert not game.notes.refusals


def test_a_card_that_may_not_lie_there_is_refused_all_the_same() -> None:
    game = chosen()
    stopped(game)
    game.table.columns = {("white", 1): "p001", ("green", 1): "o01"}
    game.look(2.0)
    plays = dict(DOWN)
    del plays[1]
    game.table.zones = plays
    assert game.look(2.0).kind is Kind.ILLEGAL
