"""Of two prints of one id one is the piece, the other a picture of it."""

from __future__ import annotations

from companion.sensing.reading import CardSighting, MiniSighting, Point, TokenSighting
from companion.sensing.twins import one_of_each

ON_A1 = MiniSighting("ze", 8, (("a1", 0.99),), (0.0, 170.0, 38.0))
ON_B1 = MiniSighting("ze", 8, (("b1", 0.99),), (60.0, 160.0, 38.0))
BESIDE = MiniSighting("ze", 8, (), (300.0, 150.0, 35.0))
AT_A1: dict[int, Point] = {8: (1.0, 169.0, 38.0)}


def card(x: float) -> CardSighting:
    return CardSighting("ze", 1, True, 40, (x, 0.0, 0.5))


def test_pieces_that_are_there_once_all_stay() -> None:
    token = TokenSighting("gate", 29, (), (260.0, -150.0, 2.0))
    assert one_of_each([ON_A1, token, card(240.0)], {}) == [ON_A1, token, card(240.0)]


def test_what_stands_on_the_board_is_the_piece_and_not_its_picture_beside() -> None:
    assert one_of_each([BESIDE, ON_A1], {}) == [ON_A1]
    # Also when only the picture was seen while the piece was in a hand.
    assert one_of_each([BESIDE, ON_B1], {8: BESIDE.xyz_mm}) == [ON_B1]


def test_of_two_on_the_board_the_piece_is_where_it_was() -> None:
    assert one_of_each([ON_B1, ON_A1], AT_A1) == [ON_A1]
    assert one_of_each([card(240.0), card(-300.0)], {40: (241.0, 1.0, 0.5)}) == [card(240.0)]


def test_two_that_nothing_tells_apart_both_stay() -> None:
    assert one_of_each([ON_A1, ON_B1], {}) == [ON_A1, ON_B1]
    assert one_of_each([ON_A1, ON_B1], {8: (-100.0, 0.0, 38.0)}) == [ON_A1, ON_B1]
