"""Whether what lies there since the last turn was chosen anew: asked once, and only where it may have been."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.olympeak.events import Reveal
from companion.games.olympeak.position import Phase
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import OlympeakReading
from tests.referee.olympeak import test_refusals
from tests.referee.olympeak.test_refusals import Game

ORDERS = {0: "o01", 1: "o02"}
# As long as people look at what they have turned up, and think.
LONG_S = 30.0


def turn_up(game: Game, cards: dict[int, str]) -> Verdict:
    """Everybody lays a card face down, and all are turned up."""
    game.table.zones = dict.fromkeys(cards)
    game.look(0.3)
    game.table.zones = dict(cards)
    return game.look(0.5)


def revealed(game: Game) -> list[tuple[str, ...]]:
    """The reveals that count, by seat."""
    return [event.cards for event in game.referee.events if isinstance(event, Reveal)]


def kinds(game: Game, seconds: float) -> list[Kind]:
    """What the table says for so long while nothing is touched, each time it says something else."""
    said: list[Kind] = []
    for _ in range(int(seconds / 0.5)):
        kind = game.look(0.5).kind
        if said[-1:] != [kind]:
            said.append(kind)
    return said


def away(game: Game, seconds: float) -> None:
    """No picture at all."""
    game.now += seconds


def black(game: Game, seconds: float) -> None:
    """Pictures that show nothing."""
    until = game.now + seconds
    while game.now < until:
        game.now += 0.1
        game.referee.observe(OlympeakReading(game.now, frame="the picture is black"))


def covered(game: Game, seconds: float) -> None:
    """Both places are covered."""
    game.table.hidden = {"reveal 0", "reveal 1"}
    game.look(seconds)
    game.table.hidden = set()


def taken_up(game: Game, seconds: float) -> None:
    """Hands move, and the cards are not where they lay."""
    lay, game.table.zones = game.table.zones, {}
    stirred(game, seconds)
    game.table.zones = lay


def stirred(game: Game, seconds: float) -> None:
    """Hands move over the table."""
    until = game.now + seconds
    while game.now < until:
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))


@pytest.fixture
def shuffled(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Only order cards lie there, and so few are in the draw pile that they may have come back to the hands."""
    cards = {name: text for name, text in test_refusals.CARDS.items() if name < "p022"}
    monkeypatch.setattr(test_refusals, "CARDS", cards)
    game = Game(2)
    turn_up(game, ORDERS)
    assert revealed(game) == [("o01", "o02")]
    return game


def test_people_who_think_over_only_order_cards_are_asked_nothing() -> None:
    """Neither while all is in view nor while hands move, nor after the camera was away: they cannot have come back."""
    game = Game(2)
    turn_up(game, ORDERS)
    assert kinds(game, LONG_S) == [Kind.READY]
    for gap in (stirred, black, away, covered, taken_up):
        gap(game, 4.0)
        assert kinds(game, 15.0) == [Kind.READY]
    assert len(game.referee.events) == 1
    assert "Ada: put o01 on the discard pile" in game.referee.verdict.text


@pytest.mark.parametrize("gap", [black, away, covered, taken_up])
def test_what_may_have_been_exchanged_out_of_sight_is_asked_about_once(
    shuffled: Game, gap: Callable[[Game, float], None]
) -> None:
    assert kinds(shuffled, LONG_S) == [Kind.READY]
    gap(shuffled, 4.0)
    assert kinds(shuffled, 15.0) == [Kind.READY, Kind.QUESTION]
    stirred(shuffled, 1.0)
    assert kinds(shuffled, 5.0) == [Kind.QUESTION], "it stands until it is answered"
    assert shuffled.referee.answer("old")
    assert kinds(shuffled, LONG_S) == [Kind.READY]
    assert len(shuffled.referee.events) == 1
    gap(shuffled, 4.0)
    assert kinds(shuffled, 15.0) == [Kind.READY, Kind.QUESTION], "another doubt"
    assert shuffled.referee.answer("new")
    shuffled.look(0.5)
    assert revealed(shuffled) == [("o01", "o02")] * 2
    assert kinds(shuffled, LONG_S) == [Kind.READY], "not again for what was answered"


def test_what_moving_hands_do_not_hide_has_not_been_exchanged(shuffled: Game) -> None:
    stirred(shuffled, 8.0)
    assert kinds(shuffled, 30.0) == [Kind.READY]


@pytest.mark.parametrize("gap", [black, away])
def test_other_order_cards_laid_unseen_count_without_a_question(gap: Callable[[Game, float], None]) -> None:
    game = Game(2)
    turn_up(game, ORDERS)
    gap(game, 8.0)
    game.table.zones = {0: "o03", 1: "o04"}
    assert Kind.QUESTION not in kinds(game, 5.0)
    assert revealed(game) == [("o01", "o02"), ("o03", "o04")]


def test_the_same_order_cards_shown_to_be_chosen_again_count_without_a_question(shuffled: Game) -> None:
    turn_up(shuffled, ORDERS)
    assert kinds(shuffled, 5.0) == [Kind.READY]
    assert len(shuffled.referee.events) == 2


def test_who_still_looks_for_a_card_has_time_before_the_question() -> None:
    """A card lies there from the turn before, always in view, while the other has chosen anew."""
    game = Game(2)
    turn_up(game, ORDERS)
    game.table.zones = {0: "p001", 1: "o02"}
    assert kinds(game, 8.0) == [Kind.READY]
    assert kinds(game, 4.0)[-1] is Kind.QUESTION
    assert game.referee.answer("old")
    assert kinds(game, LONG_S) == [Kind.READY]
    assert "Ben: put o02 on the discard pile" in game.referee.verdict.text
    turn_up(game, {0: "p001", 1: "p002"})
    state = game.referee.state
    assert state is not None
    assert state.phase is Phase.PLAY
