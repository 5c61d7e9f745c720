"""Cards that a turn leaves before the seats: gone when they have been gone for a while, or lie face down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.olympeak.events import Blocked, EndTurn, Play, Reveal
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Look
from tests.referee.olympeak.tabletop import Tabletop
from tests.referee.olympeak.test_refusals import Game

LEFT = (Reveal(("p002", "p001")), Play(1, "p001", "blue"), Blocked(0, "p002"), EndTurn())


@pytest.fixture
def left_over() -> tuple[LeftOver, Look]:
    """One that has been told of a turn that leaves p002 before seat 0, and the look that shows it."""
    game = Game(2, *LEFT)
    unit = game.referee.turns[-1]
    assert isinstance(unit, Unit)
    table = Tabletop.of(game.state)
    table.zones = {0: "p002"}
    watched = LeftOver()
    watched.turn_over(unit, 0.0)
    assert watched.cards == {0: "p002"}
    return watched, Look.of(table.reading())


def test_a_card_that_one_look_misses_lies_there_still(left_over: tuple[LeftOver, Look]) -> None:
    watched, lies = left_over
    watched.look(replace(lies, shown={}), (), 1.0)
    watched.look(lies, (), 1.1)
    watched.look(replace(lies, shown={}), (), 1.2)
    watched.look(lies, (), 1.6)
    assert watched.cards == {0: "p002"}


def test_a_bare_place_tells_after_a_while(left_over: tuple[LeftOver, Look]) -> None:
    watched, lies = left_over
    watched.look(replace(lies, shown={}), (), 1.0)
    watched.look(replace(lies, shown={}), (), 1.35)
    assert watched.cards == {}


def test_a_card_face_down_in_its_place_is_chosen_anew_even_if_it_is_the_same(
    left_over: tuple[LeftOver, Look],
) -> None:
    watched, lies = left_over
    down = replace(lies, shown={}, face_down=frozenset({0}))
    watched.look(down, (), 1.0)
    assert watched.cards == {0: "p002"}
    watched.look(down, (), 1.07)
    assert watched.cards == {}
    watched.look(lies, (), 1.14)
    assert watched.cards == {}


def test_what_is_covered_tells_nothing(left_over: tuple[LeftOver, Look]) -> None:
    watched, lies = left_over
    for at in (1.0, 2.0):
        watched.look(replace(lies, shown={}, hidden=frozenset({"reveal 0"})), (), at)
    assert watched.cards == {0: "p002"}


ORDERS = (Reveal(("o01", "o02")),)


@pytest.mark.parametrize("again", [("o03", "o04"), ("o01", "o02"), ("o02", "o01")])
def test_what_has_gone_says_nothing_of_the_next_card_in_its_place(again: tuple[str, str]) -> None:
    """Only order cards, taken away; and only order cards again, which lie there still."""
    table = Game(2, *ORDERS)
    first = table.referee.turns[-1]
    assert isinstance(first, Unit)
    watched = LeftOver()
    watched.turn_over(first, 0.0)
    assert watched.cards == {0: "o01", 1: "o02"}
    bare = Look.of(Tabletop.of(table.state).reading())
    for at in (1.0, 1.5, 2.0):
        watched.look(bare, (), at)
    assert watched.cards == {}
    lies = replace(bare, shown=dict(enumerate(again)))
    watched.look(lies, (), 3.0)
    second = Unit(first.after, (Reveal(again),), first.after)
    watched.turn_over(second, 3.0)
    assert watched.cards == dict(enumerate(again))
