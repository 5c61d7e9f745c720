"""A look: rows are told by the cards of earlier turns, even if one of those was pushed elsewhere in its column."""

from __future__ import annotations

import pytest

from companion.games.olympeak.position import Placed
from companion.referee.olympeak.look import Laid, Look
from tests.referee.olympeak.tabletop import Tabletop

ROW = ("red", "blue", "green")
OLD = (
    Placed("p001", "red", 1, 1, 0),
    Placed("p002", "blue", 1, 1, 1),
    Placed("p003", "red", 2, 2, 0),
    Placed("p004", "green", 2, 2, 1),
    Placed("p005", "blue", 3, 3, 0),
    Placed("p006", "green", 3, 3, 1),
)


def look(columns: dict[tuple[str, int], str]) -> Look:
    return Look.of(Tabletop(ROW, columns=columns).reading(), OLD)


@pytest.mark.parametrize("pushed", OLD, ids=lambda card: card.card)
@pytest.mark.parametrize("to", range(5, 10))
def test_a_card_pushed_to_the_bottom_of_its_column_moves_no_row(pushed: Placed, to: int) -> None:
    columns = {(each.contender, each.row): each.card for each in OLD if each is not pushed}
    columns[pushed.contender, to] = pushed.card
    columns["blue", 4] = "p010"
    seen = {each.card: each for each in look(columns).columns}
    assert seen["p010"] == Laid("p010", "blue", 4)
    assert all(
        seen[each.card] == Laid(each.card, each.contender, each.row) for each in OLD if each is not pushed
    )
    assert seen[pushed.card].row > 4


def test_a_row_that_cannot_be_seen_is_counted_all_the_same() -> None:
    columns = {(each.contender, each.row): each.card for each in OLD if each.row != 2}
    columns["red", 4] = "p010"
    assert Laid("p010", "red", 4) in look(columns).columns
