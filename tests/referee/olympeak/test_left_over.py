"""Cards that a turn leaves before the seats: gone when they have been gone for a while, or lie face down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.olympeak.events import Blocked, EndTurn, Play, Reveal
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Laid, Look
from companion.referee.verdict import Kind
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


@pytest.mark.parametrize("where", ["in a column", "beside"])
def test_a_card_that_lies_elsewhere_has_not_gone(where: str) -> None:
    """Before the turn was over it was laid where it may not lie; it comes back while its place cannot be seen."""
    game = Game(2, *LEFT)
    unit = game.referee.turns[-1]
    assert isinstance(unit, Unit) and isinstance(unit.events[0], Reveal)
    lies = Look.of(Tabletop.of(game.state).reading())
    if where == "beside":
        away = replace(lies, beside=frozenset({"p002"}))
    else:
        away = replace(lies, columns=(*lies.columns, Laid("p002", "red", 1)))
    watched = LeftOver()
    for at in (1.0, 1.5, 2.0):
        watched.look(away, unit.events[0].cards, at)
    watched.look(replace(lies, hidden=frozenset({"reveal 0"})), unit.events[0].cards, 3.0)
    watched.turn_over(unit, 3.0)
    assert watched.cards == {0: "p002"}
    watched.look(replace(lies, shown={0: "p002"}), (), 3.5)
    assert (watched.cards, watched.unwatched) == ({0: "p002"}, frozenset())
    for at in (4.0, 4.5):
        watched.look(lies, (), at)
    assert watched.cards == {}


def test_who_puts_a_card_back_that_could_not_be_played_by_then_is_told_to_take_it_to_hand() -> None:
    """Whoever played before their turn puts the card back under a hand, while the other one's card is laid."""
    game = Game(2, Reveal(("p002", "p001")))
    game.lay("p002", "blue", 1, seat=0)
    assert game.look().kind is Kind.ILLEGAL
    game.table.columns.clear()
    game.lay("p001", "blue", 1, seat=1)
    game.table.hidden = {"reveal 0"}
    game.look(0.2)
    game.table.hidden = set()
    game.table.zones[0] = "p002"
    verdict = game.look(0.5)
    assert verdict.kind is Kind.READY
    assert [act.space for act in verdict.todo if act.space == "reveal 0"] == ["reveal 0"]
    assert game.referee.events[-2:] == (Blocked(0, "p002"), EndTurn())


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
