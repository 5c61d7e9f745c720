"""Order cards alone that were turned up and discarded although no picture showed all of them (O3)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.games.olympeak.events import Reveal, Ruling
from companion.games.olympeak.position import Phase
from companion.referee.olympeak.wording import UNSEEN
from companion.referee.verdict import Kind
from companion.tables.olympeak.simulated import Standing, facts_of
from tests.referee.olympeak.test_findings import phase, show
from tests.referee.olympeak.test_refusals import Game

Zones = Mapping[int, str | None]
DOWN: Zones = {0: None, 1: None}
ONE_UP: Zones = {0: None, 1: "o03"}


def turned_up(*zones: Zones, top: str | None, left: Zones | None = None) -> Game:
    """Two players whose zones were seen so, one after the other; then hands hid what they did for long."""
    game = Game(2)
    for each in zones:
        game.table.zones = dict(each)
        game.look(0.2)
    for _ in range(40):
        game.now += 0.07
        game.referee.observe(game.table.reading(game.now, moving=True))
    game.table.zones, game.table.discard_top = dict(left or {}), top
    game.look(0.6)
    return game


def test_of_a_reveal_that_was_half_seen_it_is_written_that_it_was_not_seen() -> None:
    game = turned_up(DOWN, ONE_UP, top="o03")
    (told,) = game.referee.events
    assert isinstance(told, Ruling)
    assert told.text == UNSEEN
    assert phase(game) is Phase.REVEAL
    assert game.referee.verdict.kind is Kind.READY
    assert not game.notes.refusals
    # It is written once, and the next cards are turned up as ever.
    game.look(2.0)
    show(game, "p005", "p006")
    assert game.referee.events == (told, Reveal(("p005", "p006")))
    assert not game.notes.found


def test_cards_that_were_seen_one_after_the_other_are_written() -> None:
    game = turned_up(DOWN, ONE_UP, {0: "o01"}, top="o01")
    assert game.referee.events == (Reveal(("o01", "o03")),)
    assert phase(game) is Phase.REVEAL
    assert not game.referee.verdict.todo


@pytest.mark.parametrize(
    ("zones", "top", "left"),
    [
        ((DOWN, ONE_UP), "o04", {}),
        ((DOWN, ONE_UP), None, {}),
        ((DOWN, ONE_UP), "o03", {0: None}),
        ((DOWN, {0: None, 1: "p005"}), "p005", {}),
        ((DOWN, {0: "p005", 1: "o03"}), None, {}),
        (({1: "o03"},), "o03", {}),
        ((DOWN,), "o03", {}),
    ],
    ids=[
        "another on the pile",
        "pile not seen",
        "a card still lies there",
        "no order card",
        "all seen",
        "one has not chosen",
        "none seen",
    ],
)
def test_nothing_else_is_taken_for_such_a_reveal(
    zones: tuple[Zones, ...], top: str | None, left: Zones
) -> None:
    game = turned_up(*zones, top=top, left=left)
    seen = Reveal(("p005", "o03"))
    assert not [event for event in (*game.referee.events, *game.referee.announced) if event != seen]


def test_a_reveal_of_order_cards_alone_has_come_to_something() -> None:
    game = turned_up(DOWN, {0: "o01", 1: "o03"}, top="o03")
    (event,) = game.referee.events
    state = game.referee.state
    assert state is not None
    assert facts_of(event, state) == (event, Standing.of(state))
