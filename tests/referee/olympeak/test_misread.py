"""A revealed card that two looks misread alike: nobody is accused of it, and the reveal is told anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.games.olympeak.events import Play, Reveal
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import Corners, RevealCard
from tests.referee.olympeak.test_refusals import Game

NOTHING: Mapping[str, str] = {}
CARDS = ("p001", "p002", "p003")


def look(
    game: Game, looks: int, misread: Mapping[str, str] = NOTHING, *, shift: float = 0.0, moving: bool = False
) -> Verdict:
    """So many looks, with where each card's print lies in the picture; `misread`: what a card is taken for."""
    for _ in range(looks):
        game.now += 0.07
        read = game.table.reading(game.now, moving=moving)
        reveal = tuple(replace(each, corners_px=_square(each, shift)) for each in read.reveal)
        reveal = tuple(replace(each, card=misread.get(each.card or "", each.card)) for each in reveal)
        game.referee.observe(replace(read, reveal=() if moving else reveal))
        assert not moving or game.referee.verdict.kind is not Kind.ILLEGAL
    return game.referee.verdict


def _square(zone: RevealCard, shift: float) -> Corners:
    x, y = 100.0 + 200 * zone.seat + shift, 100.0
    return ((x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20))


def revealed(looks: int, misread: Mapping[str, str] = NOTHING) -> Game:
    """Everybody turns up a card in plain view; so many looks misread some of them."""
    game = Game(3)
    game.table.zones = dict.fromkeys(range(3))
    look(game, 2)
    game.table.zones = dict(enumerate(CARDS))
    look(game, looks, misread)
    return game


@pytest.mark.parametrize("looks", [2, 3, 4])
@pytest.mark.parametrize("other", ["p005", "p008", "o01"])
def test_a_reveal_that_some_looks_misread_is_told_anew(looks: int, other: str) -> None:
    for seat, card in enumerate(CARDS):
        game = revealed(looks, {card: other})
        believed = list(CARDS)
        believed[seat] = other
        assert game.referee.events == (Reveal(tuple(believed)),)
        for _ in range(12):
            assert look(game, 1).kind is Kind.READY
        assert game.referee.events == (Reveal(CARDS),)
        assert game.referee.verdict.seat == 0
        game.lay("p001", "red", 1, seat=0)
        assert look(game, 3).seat == 1
        assert Play(0, "p001", "red", 1) in game.referee.announced
        assert not game.notes.refusals


def test_a_card_that_is_misread_long_after_is_neither_believed_nor_anybodys_fault() -> None:
    game = revealed(40)
    for _ in range(20):
        assert look(game, 1, {"p001": "p005"}).kind is Kind.READY
    assert look(game, 10).kind is Kind.READY
    assert game.referee.events == (Reveal(CARDS),)
    assert not game.notes.refusals


@pytest.mark.parametrize("looks", [2, 20])
def test_a_card_that_hands_have_exchanged_is_refused(looks: int) -> None:
    game = revealed(looks)
    look(game, 4, moving=True)
    game.table.zones[0] = "p005"
    assert look(game, 8).kind is Kind.ILLEGAL


def test_a_card_that_lies_elsewhere_than_the_revealed_one_is_refused() -> None:
    game = revealed(2)
    game.table.zones[0] = "p005"
    assert look(game, 8, shift=15.0).kind is Kind.ILLEGAL
