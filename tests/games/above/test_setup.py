"""Setting up: cards that say where, boards of other sizes, and games that cannot be set up."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.errors import CompanionError
from companion.games.above.board import Board
from companion.games.above.box import TOKENS
from companion.games.above.position import Phase, Position
from companion.games.above.rules import apply, initial_position, legal_actions
from companion.games.above.setup import SETUP_CARDS, SetupError
from tests.games.above.play import after, legal


def test_the_cards_are_two_sets_and_zeus_alpha_is_the_first() -> None:
    assert len({(card.deity, card.card_set) for card in SETUP_CARDS}) == 16
    assert SETUP_CARDS[0].deity == "ze" and SETUP_CARDS[0].card_set == 1 and SETUP_CARDS[0].column == "a"
    assert "".join(sorted(card.column for card in SETUP_CARDS)) == "abcdefghijklmnop"


def test_tokens_lie_where_pairs_of_cards_say() -> None:
    # With these cards every column is one of two letters, every ring 2 to 5.
    cards = tuple(replace(card, column="cd"[n % 2], ring=2 + n // 4) for n, card in enumerate(SETUP_CARDS))
    for seed in range(5):
        position = initial_position(2, random.Random(seed), cards=cards)
        spaces = {space for token in TOKENS for space in position.tokens_on(token)}
        assert spaces == {f"{column}{ring}" for column in "cd" for ring in (2, 3, 4, 5)}


def test_the_same_generator_sets_up_the_same_game() -> None:
    assert initial_position(4, random.Random(3)) == initial_position(4, random.Random(3))


@pytest.mark.parametrize(("rings", "columns"), ((6, 20), (9, 16), (7, 18)))
def test_games_on_other_boards(rings: int, columns: int) -> None:
    board = Board.of(rings, columns)
    for seed in range(3):
        rng = random.Random(seed)
        position = initial_position(4, rng, board)
        for _ in range(3000):
            listed = legal_actions(position)
            assert [str(a) for a in listed] == sorted(str(a) for a in listed)
            if position.is_over:
                break
            position = apply(position, rng.choice(listed))
            if position.at_turn_start:
                assert Position.parse(str(position), board) == position
        assert position.is_over


def test_a_full_board_skips_the_power() -> None:
    """Zeus is blocked and no space is open, so there is neither a move nor a power (A6, A10)."""
    board = Board.of(2, 8)
    minis = "ze=a1,he=b1,ar=c1,at=d1,ha=h1,de=e1,po=f1,ap=g1"
    line = f"{minis} thunder=,fertility=b2.c2,gate=,barrier=a2.d2.e2.f2.g2.h2 ze/ze 0 2"
    position = after(Position.parse(line, board), "activate ze")
    assert position.at_turn_start and position.turn == 1


def test_ares_stops_after_one_where_one_is_open() -> None:
    board = Board.of(2, 8)
    minis = "ze=a1,he=b1,ar=c1,at=d1,ha=h1,de=e1,po=f1,ap=g1"
    line = f"{minis} thunder=,fertility=b2,gate=h2,barrier=c2.d2.e2.f2.g2 ar/ze 0 2"
    position = after(Position.parse(line, board), "activate ar")
    assert position.phase is Phase.POWER and legal(position) == ["place barrier a2"]
    position = after(position, "place barrier a2")
    assert position.at_turn_start and position.turn == 1


def test_games_that_cannot_be_set_up() -> None:
    rng = random.Random(0)
    with pytest.raises(SetupError, match="by 3"):
        initial_position(3, rng)
    with pytest.raises(SetupError, match="16 columns"):
        initial_position(2, rng, Board.of(6, 15))
    with pytest.raises(SetupError, match="on the board"):
        initial_position(2, rng, Board.of(3, 16))
    with pytest.raises(SetupError, match="16 cards"):
        initial_position(2, rng, cards=SETUP_CARDS[:15])
    with pytest.raises(SetupError, match="no eight open spaces"):
        initial_position(2, rng, cards=tuple(replace(card, column="a") for card in SETUP_CARDS))
    assert issubclass(SetupError, CompanionError)
