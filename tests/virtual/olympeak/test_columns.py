"""Cards in columns and piles: they lie as people lay them, and no marker is lost under the next card."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.scene import MAX_OFF_CENTRE_MM, MAX_TURN_DEG, CardScene
from companion.virtual.scene import SceneError

ROW = ("white", "blue", "green", "red")


def full_table(seed: int, rows: int, holes: float = 0.25) -> CardScene:
    """A table whose columns have `rows` rows, some places left free."""
    scene = CardScene(random.Random(seed))
    for place, contender in enumerate(ROW):
        layout.lay_contender(scene, contender, place, len(ROW))
    deck = [card.id for card in scene.box.deck]
    scene.rng.shuffle(deck)
    for row in range(1, rows + 1):
        if columns.needs_room(scene, row):
            for number, y in enumerate(columns.closed_up(scene, row), 1):
                columns.move_row(scene, number, y)
        for n, contender in enumerate(ROW):
            if n == row % 4 or scene.rng.random() >= holes:
                columns.lay_card(scene, deck.pop(), contender, row)
    return scene


def visible_gap(scene: CardScene, contender: str) -> float:
    """The least distance in mm from a marker of the column down to the top edge of the next card."""
    lying = [scene.thing(f"contender {contender}")]
    cards = [c for c in scene.column_cards() if columns.contender_at(scene, c.pose.x) == contender]
    lying += sorted(cards, key=lambda card: card.layer)
    gaps = []
    for upper, lower in itertools.pairwise(lying):
        lowest = min(corner[1] for corner in upper.marker_corners(scene.table))
        wide, long = scene.table.card_mm
        top = max(float(lower.pose.at((x, long / 2, 0))[1]) for x in (-wide / 2, wide / 2))
        # Only the part of the edge abreast of the marker matters; a turned card's far corner may be higher.
        slack = abs(math.sin(math.radians(lower.pose.yaw))) * wide
        gaps.append(float(lowest) - top + slack)
    return min(gaps)


@pytest.mark.parametrize("rows", [3, 6, 9, 11])
def test_every_marker_stays_free_of_the_next_card(rows: int) -> None:
    for seed in range(6):
        scene = full_table(seed, rows)
        assert min(visible_gap(scene, contender) for contender in ROW) >= 1.0, seed


def test_rows_are_the_same_in_all_columns_and_can_be_told_apart() -> None:
    for seed in range(10):
        scene = full_table(seed, 8, holes=0.4)
        by_row: dict[int, list[float]] = {}
        for card in scene.column_cards():
            by_row.setdefault(card.layer, []).append(card.pose.y)
        ordered = [by_row[row] for row in sorted(by_row)]
        assert len(ordered) == 8
        for upper, lower in itertools.pairwise(ordered):
            assert min(upper) > max(lower), seed


def test_people_close_up_when_rows_would_leave_the_table_and_no_closer_than_markers_allow() -> None:
    scene = full_table(3, 10)
    pitches = [a - b for a, b in itertools.pairwise(scene.rows_y)]
    assert max(pitches) < 28
    assert min(pitches) > 22
    assert scene.rows_y[-1] > -115
    few = full_table(3, 4)
    assert all(abs(a - b - 28) < 1.7 for a, b in itertools.pairwise(few.rows_y))


def test_cards_lie_off_and_turned_but_never_beyond_what_people_do() -> None:
    offs, turns = [], []
    for seed in range(6):
        scene = full_table(seed, 5)
        for card in scene.column_cards():
            contender = columns.contender_at(scene, card.pose.x)
            assert contender is not None
            centre = columns.column_x(scene, contender), columns.row_y(scene, card.layer)
            offs.append(math.dist(centre, (card.pose.x, card.pose.y)))
            turns.append(abs(card.pose.yaw))
    assert max(offs) <= MAX_OFF_CENTRE_MM + 2.5
    assert max(offs) > 3
    assert 3 < max(turns) <= MAX_TURN_DEG


def test_nudges_move_cards_and_hide_no_marker() -> None:
    scene = full_table(5, 7)
    before = {card.name: card.pose for card in scene.column_cards()}
    rows = {card.name: card.layer for card in scene.column_cards()}
    for _ in range(400):
        columns.nudge(scene, scene.rng.choice(sorted(before)), scene.rng.uniform(0, 3))
    assert {card.name: card.layer for card in scene.column_cards()} == rows
    assert sum(scene.thing(name).pose != pose for name, pose in before.items()) > 10
    assert min(visible_gap(scene, contender) for contender in ROW) >= 1.0


def test_a_column_that_is_not_there_is_named() -> None:
    scene = CardScene(random.Random(1))
    with pytest.raises(SceneError, match="white"):
        columns.column_x(scene, "white")
    with pytest.raises(SceneError, match="p001"):
        scene.thing("p001")


def test_the_discard_pile_shows_its_top_and_gives_it_back() -> None:
    scene = CardScene(random.Random(1))
    for card in ("p001", "p002", "o01"):
        layout.discard(scene, card)
    assert [t.name for t in scene.things("card")] == ["o01"]
    assert scene.thing("o01").pose.z > scene.thing("pile discard").pose.z
    assert layout.undiscard(scene) == "o01"
    assert [t.name for t in scene.things("card")] == ["p002"]
    assert layout.clear_discard(scene) == ["p001", "p002"]
    assert not scene.things("card")
    assert not scene.has("pile discard")


def test_the_draw_pile_is_as_high_as_its_cards() -> None:
    scene = CardScene(random.Random(1))
    layout.set_draw_pile(scene, 40)
    lies = scene.thing("pile draw").pose
    layout.set_draw_pile(scene, 39)
    assert layout.draw_pile(scene) == 39
    assert scene.thing("pile draw").pose == lies
    layout.set_draw_pile(scene, 0)
    assert not scene.has("pile draw")
    assert layout.draw_pile(scene) == 0
