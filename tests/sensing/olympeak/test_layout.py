"""What prints in the world mean: columns, zones, piles, hands, player cards and tiles."""

from __future__ import annotations

from companion.games.olympeak.box import PLAYER_CARD_IDS, TILE_IDS
from companion.sensing.olympeak.layout import Cards, contender_columns, lay_out, player_cards, tiles_of
from companion.sensing.olympeak.prints import Placed, levelled
from tests.sensing.olympeak.placing import BOX, PRINTS, TABLE, card_at, print_at, row_of

FOUR = ("red", "blue", "white", "green")


def laid(*cards: Placed, row: tuple[str, ...] = FOUR) -> Cards:
    columns = contender_columns(row_of(*row), PRINTS, TABLE)
    return lay_out(cards, columns, PRINTS, TABLE, BOX)


def test_the_row_is_read_from_left_to_right() -> None:
    columns = contender_columns(row_of(*FOUR)[::-1], PRINTS, TABLE)
    assert [column.contender for column in columns] == list(FOUR)


def test_one_unread_contender_of_four_is_known_by_elimination() -> None:
    row = [one for one in row_of(*FOUR) if one.id != PRINTS_ID["white"]]
    columns = contender_columns(row, PRINTS, TABLE)
    assert [(column.contender, column.seen) for column in columns] == [
        ("red", True),
        ("blue", True),
        ("white", False),
        ("green", True),
    ]


def test_one_unread_contender_of_three_is_not_taken_for_white() -> None:
    row = [one for one in row_of("green", "red", "blue") if one.id != PRINTS_ID["red"]]
    columns = contender_columns(row, PRINTS, TABLE)
    assert [(column.contender, column.seen) for column in columns] == [
        ("green", True),
        ("red", False),
        ("blue", True),
    ]


def test_with_two_unread_nothing_is_guessed() -> None:
    row = row_of(*FOUR)[1:3]
    assert [column.contender for column in contender_columns(row, PRINTS, TABLE)] == ["blue", "white"]


def test_no_contender_no_column() -> None:
    assert contender_columns([], PRINTS, TABLE) == ()
    assert laid(card_at("p001", -105, 122), row=()).columns == ()


PRINTS_ID = {"white": 75, "red": 74}


def test_holes_stay_holes() -> None:
    cards = laid(
        card_at("p001", -105, 122),
        card_at("p002", -35, 122),
        card_at("o01", -105, 94),
        card_at("p003", -35, 66),
        card_at("p004", 35, 95),
    )
    assert [(one.contender, one.row, one.card) for one in cards.columns] == [
        ("red", 1, "p001"),
        ("red", 2, "o01"),
        ("blue", 1, "p002"),
        ("blue", 3, "p003"),
        ("white", 2, "p004"),
    ]
    assert min(one.p for one in cards.columns) > 0.99


def test_a_turned_card_is_placed_by_its_middle_not_by_its_print() -> None:
    cards = laid(
        card_at("p001", -35, 122), card_at("p002", 35, 122, yaw=180.0), card_at("p003", 105, 94, yaw=-9.0)
    )
    assert {(one.contender, one.row, one.card) for one in cards.columns} == {
        ("blue", 1, "p001"),
        ("white", 1, "p002"),
        ("green", 2, "p003"),
    }


def test_a_card_between_two_columns_is_of_neither_and_lies_somewhere() -> None:
    cards = laid(card_at("p001", 0, 94), card_at("p002", 70.5, 94))
    assert cards.columns == ()
    assert {one.card for one in cards.stray} == {"p001", "p002"}


def test_a_card_across_is_no_play() -> None:
    assert laid(card_at("p001", -35, 94, yaw=80.0)).columns == ()


def test_a_card_in_a_hand_lies_nowhere() -> None:
    cards = laid(card_at("p001", -35, 94, height=40.0), card_at("p002", -295, 0, height=60.0))
    assert cards == Cards((), (), None, ())


def test_a_bent_card_in_a_zone_is_revealed() -> None:
    cards = laid(card_at("p001", -292, 3, yaw=14.0, height=22.0), card_at("p002", -201, -108, yaw=-15.0))
    assert [(one.seat, one.card) for one in cards.reveal] == [(1, "p001"), (5, "p002")]


def test_the_highest_of_a_pile_is_its_top() -> None:
    cards = laid(
        card_at("p001", 191, -44, height=9.0),
        card_at("p002", 188, -47, height=12.0),
        card_at("p003", 190, -46, height=10.5),
    )
    assert cards.discard_top == "p002"
    assert cards.columns == ()


def test_a_fan_at_the_edge_is_nobodys_business() -> None:
    fan = [card_at(f"p{n:03}", -60 + 25.0 * n, -215, yaw=20.0 - 8 * n, height=11.0) for n in range(1, 6)]
    assert laid(*fan) == Cards((), (), None, ())


def test_while_a_contender_is_unread_nothing_is_called_astray() -> None:
    row = row_of(*FOUR)[:2]
    columns = contender_columns(row, PRINTS, TABLE)
    assert lay_out([card_at("p001", 35, 94)], columns, PRINTS, TABLE, BOX).stray == ()


def test_tiles_are_told_first_and_second_on_a_turned_card() -> None:
    card = print_at(PLAYER_CARD_IDS[2], -295 - 18 * 0.0872, 110 + 18, yaw=5.0)
    cards = {2: card}
    first = card.offset(-22.0, -10.0 - 18.0)
    second = card.offset(22.0, -10.0 - 18.0)
    placed = [
        card,
        print_at(TILE_IDS["red"][2], first[0] + 3, first[1] - 2, yaw=12.0),
        print_at(TILE_IDS["blue"][0], second[0] - 2, second[1] + 3, yaw=-7.0),
    ]
    assert player_cards(placed, TABLE) == cards
    (tiles,) = tiles_of(placed, cards, TABLE)
    assert (tiles.seat, tiles.first, tiles.second) == (2, "red", "blue")


def test_a_tile_face_down_is_none() -> None:
    card = print_at(PLAYER_CARD_IDS[0], -295, -92)
    second = card.offset(22.0, -28.0)
    (tiles,) = tiles_of([card, print_at(TILE_IDS["white"][1], *second)], {0: card}, TABLE)
    assert (tiles.seat, tiles.first, tiles.second) == (0, None, "white")
    assert tiles_of([card], {0: card}, TABLE) == ()


def test_tiles_are_read_where_the_player_card_is_not() -> None:
    (tiles,) = tiles_of([print_at(TILE_IDS["green"][1], -198 - 21, 110 - 12)], {}, TABLE)
    assert (tiles.seat, tiles.first, tiles.second) == (3, "green", None)


def test_a_tile_that_lies_about_is_nobodys() -> None:
    assert tiles_of([print_at(TILE_IDS["green"][1], 0, -120)], {}, TABLE) == ()


def test_blur_that_makes_all_prints_larger_lifts_no_card() -> None:
    cards = [card_at(f"p{n:03}", -35, 150 - 28.0 * n, height=25.0 + n % 3) for n in range(1, 6)]
    held = card_at("p050", 35, 94, height=66.0)
    assert len(laid(*levelled([*cards, held])).columns) == 5
    assert laid(*cards).columns == ()


def test_of_three_prints_none_tells_the_level() -> None:
    held = [card_at(f"p{n:03}", -35, 150 - 28.0 * n, height=40.0) for n in range(1, 4)]
    assert levelled(held) == held
