"""Row slots by grouping cards of equal y, whatever the distances, jitter and holes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.olympeak.rows import row_slots, slot_probabilities

TOP_Y = 150.0
CONTENDERS = ("blue", "green", "red", "white")


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[tuple[str, float]], list[int]]:
    """Cards as (column, y) in any order, and the true row of each: no row is empty."""
    columns = CONTENDERS[: draw(st.sampled_from((3, 4)))]
    pitch = draw(st.floats(21.0, 29.0))
    cards: list[tuple[str, float]] = []
    rows: list[int] = []
    y = TOP_Y
    for row in range(1, draw(st.integers(1, 8)) + 1):
        y -= pitch + draw(st.floats(-1.0, 1.0))
        for column in sorted(draw(st.sets(st.sampled_from(columns), min_size=1))):
            cards.append((column, y + draw(st.floats(-3.5, 3.5))))
            rows.append(row)
    order = draw(st.permutations(range(len(cards))))
    return [cards[n] for n in order], [rows[n] for n in order]


@settings(max_examples=300, deadline=None)
@given(tables())
def test_every_card_gets_its_row(table: tuple[list[tuple[str, float]], list[int]]) -> None:
    cards, rows = table
    got = {n: slot.row for slot in row_slots(cards, TOP_Y) for n in slot.members}
    assert [got[n] for n in range(len(cards))] == rows


@settings(max_examples=100, deadline=None)
@given(tables())
def test_no_slot_holds_two_cards_of_a_column(table: tuple[list[tuple[str, float]], list[int]]) -> None:
    cards, _ = table
    for slot in row_slots(cards, TOP_Y):
        held = [cards[n][0] for n in slot.members]
        assert len(set(held)) == len(held)


def test_no_card_no_slot() -> None:
    assert row_slots([], TOP_Y) == ()


def test_rows_closed_up_to_twenty_are_told_apart() -> None:
    cards = [(column, TOP_Y - 20.0 * row) for row in range(1, 9) for column in CONTENDERS]
    assert [slot.row for slot in row_slots(cards, TOP_Y)] == list(range(1, 9))


def test_a_row_that_cannot_be_seen_keeps_its_number() -> None:
    cards = [("blue", 122.0), ("red", 120.0), ("blue", 66.0)]
    assert [slot.row for slot in row_slots(cards, TOP_Y)] == [1, 3]


def test_a_hidden_first_row_keeps_its_number() -> None:
    cards = [("blue", 94.0), ("red", 95.0), ("green", 67.0)]
    assert [slot.row for slot in row_slots(cards, TOP_Y)] == [2, 3]


def test_close_rows_make_a_smaller_gap_a_hidden_row() -> None:
    ys = [150 - 22 * row for row in (1, 2, 3, 5, 6)]
    slots = row_slots([("green", float(y)) for y in ys], TOP_Y)
    assert [slot.row for slot in slots] == [1, 2, 3, 5, 6]


def test_cards_of_one_column_are_in_different_rows_however_close() -> None:
    slots = row_slots([("red", 122.0), ("red", 111.0), ("blue", 121.0)], TOP_Y)
    assert [slot.members for slot in slots] == [(0, 2), (1,)]


def test_a_card_between_two_rows_is_uncertain() -> None:
    slots = row_slots([("blue", 122.0), ("red", 122.0), ("green", 99.0), ("red", 99.0)], TOP_Y)
    sure, unsure = slot_probabilities(122.0, slots), slot_probabilities(110.5, slots)
    assert sure[1] > 0.999
    assert 0.4 < unsure[1] < 0.6
    assert abs(sum(unsure.values()) - 1) < 1e-9


def test_far_from_every_row_the_nearest_it_is() -> None:
    slots = row_slots([("blue", 122.0), ("red", 94.0)], TOP_Y)
    assert slot_probabilities(-4000.0, slots) == {1: 0.0, 2: 1.0}
