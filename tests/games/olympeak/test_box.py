"""Marker ids and places of OlymPeak's pieces on the reference table."""

from __future__ import annotations

import pytest

from companion.games.olympeak import box
from companion.games.olympeak.cards import CONTENDERS, canonical


def test_every_marker_belongs_to_one_piece() -> None:
    ids = [
        *box.CONTENDER_IDS.values(),
        *box.PLAYER_CARD_IDS,
        *(marker for markers in box.TILE_IDS.values() for marker in markers),
        *box.CUBE_IDS.values(),
        box.ROUND_MARKER_ID,
        *box.SCOREBOARD_IDS,
        *box.CARD_IDS.values(),
    ]
    assert sorted(ids) == list(range(72, 235))


@pytest.mark.parametrize(
    ("marker", "piece"),
    [(75, "white"), (105, "white"), (88, "green"), (108, "red")],
)
def test_contenders_by_marker(marker: int, piece: str) -> None:
    by_id = {**box.CONTENDER_BY_ID, **box.TILE_BY_ID, **box.CUBE_BY_ID}
    assert by_id[marker] == piece


def test_cards_by_marker() -> None:
    assert (box.CARD_IDS["p001"], box.CARD_IDS["p105"]) == (115, 219)
    assert (box.CARD_IDS["o01"], box.CARD_IDS["o15"]) == (220, 234)


def test_canonical_order_is_sorted_order() -> None:
    """Records call the legal contenders sorted; the code keeps them canonical."""
    assert tuple(sorted(CONTENDERS)) == CONTENDERS == canonical(reversed(CONTENDERS))


def test_where_things_lie() -> None:
    table = box.Table()
    assert [table.column_x(n, 4) for n in range(4)] == [-105, -35, 35, 105]
    assert [table.column_x(n, 3) for n in range(3)] == [-70, 0, 70]
    assert (table.row_y(0), table.row_y(2)) == (150, 94)
    assert table.cube_centre("red", 35) == (293, 180)
    assert table.cube_centre("white", -5) == (307, -180)
    assert table.cube_place(-135) == 0
    assert table.round_centre(3) == (236, 20)
