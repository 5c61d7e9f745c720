"""A card that is removed before any look has seen it in its column: where it lay is asked, and never made up."""

from __future__ import annotations

import pytest

from companion.games.olympeak.events import Play, Remove
from companion.games.olympeak.position import Phase
from companion.referee.verdict import Kind
from tests.referee.olympeak.test_findings import phase
from tests.referee.olympeak.test_refusals import Game, revealed

OPEN = "p001 was removed before it was seen: under which contender it lay is not known."


def removed_unseen(*later: str) -> Game:
    """The first card and the Remove card are laid in one breath, and the first one is gone again."""
    game = revealed("p001", "o02", *later)
    game.lay("o02", "green", 1, seat=1)
    del game.table.zones[0]
    game.table.discard_top = "p001"
    return game


@pytest.mark.parametrize("column", ["blue", "red"])
@pytest.mark.parametrize("later", [(), ("p003", "p004")], ids=["the turn is over", "others follow"])
def test_who_laid_it_says_where_it_lay(column: str, later: tuple[str, ...]) -> None:
    game = removed_unseen(*later)
    assert game.look(1.2).kind is not Kind.QUESTION, "people get a moment before they are asked"
    verdict = game.look(0.6)
    assert (verdict.kind, verdict.seat) == (Kind.QUESTION, 0)
    assert [choice.key for choice in verdict.choices] == ["lay:p001:blue", "lay:p001:red"]
    assert game.referee.answer(f"lay:p001:{column}")
    assert game.look(0.4).kind is Kind.READY
    events = (*game.referee.events, *game.referee.announced)
    assert Play(0, "p001", column, 1) in events
    assert Remove(1, "p001") in events
    assert not game.referee.findings


def test_who_plays_on_leaves_it_open_and_nothing_stops() -> None:
    game = removed_unseen("p003", "p004")
    assert game.look(1.8).kind is Kind.QUESTION
    game.lay("p003", "red", 1, seat=2)
    assert game.look(0.4).seat == 3
    game.lay("p004", "blue", 1, seat=3)
    game.look(2.0)
    assert phase(game) is Phase.REVEAL
    assert game.referee.findings == [OPEN]
    assert not game.notes.refusals


def test_after_the_turn_whoever_chooses_the_next_card_leaves_it_open() -> None:
    game = removed_unseen()
    assert game.look(1.8).kind is Kind.QUESTION
    game.table.zones[1] = None
    assert game.look(0.4).kind is Kind.READY
    assert phase(game) is Phase.REVEAL
    assert game.referee.findings == [OPEN]


def test_a_card_with_one_place_is_not_asked_about() -> None:
    game = revealed("p002", "o02")
    game.lay("o02", "green", 1, seat=1)
    del game.table.zones[0]
    game.table.discard_top = "p002"
    assert game.look(3.0).kind is Kind.READY
    assert Remove(1, "p002") in game.referee.events


@pytest.mark.parametrize("column", ["blue", "red"])
def test_where_a_card_was_seen_to_lie_before_its_reveal_was_known_is_not_asked(column: str) -> None:
    """All cards were never face up at once, and it was laid and removed before it was told what had been turned up."""
    game = Game(2)
    game.table.zones = {0: "p001", 1: None}
    game.look(0.1)
    game.table.zones = {1: "o02"}
    game.lay("p001", column, 1)
    game.look(0.1)
    game.lay("o02", "green", 1, seat=1)
    game.look(0.05)
    assert not game.referee.events
    game.discard(column, 1)
    assert game.look(3.0).kind is Kind.READY
    assert Play(0, "p001", column, 1) in game.referee.events
    assert Remove(1, "p001") in game.referee.events
    assert not game.referee.findings
    assert not game.notes.refusals
