"""Spaces that cannot be seen are told; all others are not."""

from __future__ import annotations

import math

import numpy as np

from companion.games.above.box import Board, Table
from companion.sensing.frames import STRIDE
from companion.sensing.hidden import Hidden, SpaceViews, all_spaces
from companion.sensing.markers import Marker
from companion.sensing.place import BoardPrint
from tests.sensing.photos import pose

VIEW = pose("01")
VIEWS = SpaceViews(VIEW, Table(), BoardPrint())


def mini_on(space: str, number: int = 8, aside: float = 0.0) -> Marker:
    x, y, z = Board().space_centre(space)
    a = math.atan2(y, x)
    x, y = x + aside * math.cos(a), y + aside * math.sin(a)
    z += 35
    square = [[x - 7, y + 7, z], [x + 7, y + 7, z], [x + 7, y - 7, z], [x - 7, y - 7, z]]
    return Marker(number, VIEW.project(square).astype(np.float32))


def test_there_are_97_spaces() -> None:
    assert len(set(all_spaces(Table()))) == 97


def test_an_empty_board_in_full_view_hides_nothing() -> None:
    assert VIEWS.hidden(()) == Hidden(frozenset())


def test_a_cap_hides_its_own_space_and_perhaps_the_next_outside() -> None:
    hidden, under_hand, _ = VIEWS.hidden([mini_on("e4", aside=4.0)])
    assert "e4" in hidden
    assert hidden <= {"e4", "e3"}
    assert not under_hand


def test_a_cap_on_the_rim_hides_nothing_else() -> None:
    assert VIEWS.hidden([mini_on("e1")]).spaces == {"e1"}


def test_a_token_laid_aside_may_be_covered_where_a_cap_comes_near_a_space_in_view() -> None:
    """To a camera above the middle a cap leans outwards over the next ring."""
    amid, inside = VIEWS.hidden([mini_on("e4")]), VIEWS.hidden([mini_on("e4", aside=-4.0)])
    assert amid.spaces == inside.spaces == {"e4"}
    assert amid.partly == {"e3"} and inside.partly == {"e3", "e5"}
    assert not VIEWS.hidden(()).partly and not VIEWS.hidden([mini_on("e1")]).partly


def test_a_hand_hides_what_is_under_it() -> None:
    hand = np.zeros((1296 // STRIDE, 2304 // STRIDE), np.uint8)
    x, y = VIEW.project(np.array(Board().space_centre("i3")))
    hand[int(y / STRIDE) - 12 :, int(x / STRIDE) - 12 : int(x / STRIDE) + 12] = 255
    hidden, under_hand, _ = VIEWS.hidden((), hand)
    assert {"i3", "i2", "i1"} <= hidden
    assert not {"a1", "a6", "e3", "m3", "top"} & hidden
    assert under_hand == hidden & set(all_spaces(Table()))


def test_what_a_cap_hides_elsewhere_is_not_under_the_hand() -> None:
    hand = np.zeros((1296 // STRIDE, 2304 // STRIDE), np.uint8)
    x, y = VIEW.project(np.array(Board().space_centre("i3")))
    hand[int(y / STRIDE) - 12 :, int(x / STRIDE) - 12 : int(x / STRIDE) + 12] = 255
    minis = [mini_on("e4", aside=4.0), mini_on("i3")]
    alone, together = VIEWS.hidden(minis), VIEWS.hidden(minis, hand)
    assert together.under_hand == VIEWS.hidden((), hand).under_hand
    assert "i3" in alone.spaces & together.under_hand
    assert alone.spaces <= together.spaces and "e4" in together.spaces - together.under_hand


def test_what_lies_outside_the_picture_is_hidden() -> None:
    moved = type(VIEW)(VIEW.camera, VIEW.rotation, VIEW.translation + np.array([230.0, 0.0, 0.0]))
    hidden = SpaceViews(moved, Table(), BoardPrint()).hidden(()).spaces
    assert "e1" in hidden
    assert "m1" not in hidden
