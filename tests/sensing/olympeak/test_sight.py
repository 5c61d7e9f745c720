"""Sight of a live OlymPeak table: what changes is seen, what a hand covers is not forgotten, nothing is invented."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sensing.frames import Frame
from companion.sensing.olympeak.sight import OlympeakSight
from companion.virtual.olympeak import columns, layout
from companion.virtual.scene import HandPose
from tests.sensing.olympeak.live import ROW, LiveTable, lying

START = {("red", 1, "p001"), ("blue", 1, "p002"), ("green", 1, "o03"), ("blue", 2, "p004")}


@pytest.fixture(scope="module")
def table() -> LiveTable:
    """One table; each test leaves it as it found it."""
    table = LiveTable()
    table.settle()
    return table


def test_the_first_settled_reading_knows_everything(table: LiveTable) -> None:
    reading = table.settle()
    assert reading.contenders == ROW
    assert lying(reading) == START
    assert [(one.seat, one.card) for one in reading.reveal] == [(0, "p010"), (2, None)]
    assert reading.discard_top == "p020"
    assert {one.contender: one.place for one in reading.cubes} == {
        "red": 0,
        "blue": 3,
        "white": -2,
        "green": 12,
    }
    assert reading.round_marker == 1
    assert reading.hidden == frozenset()


def test_a_card_played_is_seen_and_its_zone_empty(table: LiveTable) -> None:
    # Only then it has come to the cards.
    assert table.reach(-35.0, 60.0)[-1].moving
    pose = table.scene.thing("p010").pose
    columns.lay_card(table.scene, "p010", "red", 2)
    table.withdraw()
    reading = table.settle()
    assert lying(reading) == START | {("red", 2, "p010")}
    assert [(one.seat, one.card) for one in reading.reveal] == [(2, None)]
    table.scene.put(table.scene.card("p010", pose, face_up=True, layer=40))
    table.frame()
    assert lying(table.settle()) == START


def test_a_hand_that_never_rests_at_the_tables_edge_keeps_no_card_from_being_read(table: LiveTable) -> None:
    pose = table.scene.thing("p010").pose
    for n in range(4):
        tip = (-35.0 + 25.0 * (n % 2), -205.0, 25.0)
        table.scene.show_hand("arm", HandPose(tip, (tip[0] + 20, -520.0, 60.0)))
        if n == 1:
            columns.lay_card(table.scene, "p010", "red", 2)
        reading = table.frame()
    assert not reading.moving
    assert lying(reading) == START | {("red", 2, "p010")}
    table.withdraw()
    table.scene.put(table.scene.card("p010", pose, face_up=True, layer=40))
    table.frame()
    assert lying(table.settle()) == START


def test_a_card_turned_up_is_no_longer_face_down(table: LiveTable) -> None:
    table.reach(-290.0, 60.0)
    lies = table.scene.thing("p011")
    table.scene.put(table.scene.card("p011", lies.pose, face_up=True, layer=40))
    table.withdraw()
    reading = table.settle()
    assert [(one.seat, one.card) for one in reading.reveal] == [(0, "p010"), (2, "p011")]
    table.scene.put(lies)
    table.frame()
    reading = table.settle()
    assert [(one.seat, one.card) for one in reading.reveal] == [(0, "p010"), (2, None)]


def test_a_face_down_card_taken_away_is_gone(table: LiveTable) -> None:
    lies = table.scene.take("p011")
    table.frame()
    assert [one.seat for one in table.settle().reveal] == [0]
    table.scene.put(lies)
    table.frame()
    assert [one.seat for one in table.settle().reveal] == [0, 2]


def test_a_resting_hand_hides_what_is_under_it_and_changes_nothing_else(table: LiveTable) -> None:
    table.reach(105.0, 60.0)
    reading = table.settle()
    assert "column green" in reading.hidden
    assert "column red" not in reading.hidden
    assert "reveal 0" not in reading.hidden
    assert lying(reading) <= START
    assert ("red", 1, "p001") in lying(reading)
    table.withdraw()
    reading = table.settle()
    assert lying(reading) == START
    assert reading.hidden == frozenset()


def test_a_cube_moved_is_seen_on_its_new_place(table: LiveTable) -> None:
    layout.set_cube(table.scene, "green", 19)
    table.frame()
    assert {one.contender: one.place for one in table.settle().cubes}["green"] == 19
    layout.set_cube(table.scene, "green", 12)
    table.frame()
    assert {one.contender: one.place for one in table.settle().cubes}["green"] == 12


def test_a_cube_taken_off_is_not_claimed_to_stand_nowhere(table: LiveTable) -> None:
    lies = table.scene.take("cube white")
    table.frame()
    reading = table.settle()
    assert "white" not in {one.contender for one in reading.cubes}
    assert "cube white" in reading.hidden
    table.scene.put(lies)
    table.frame()
    assert len(table.settle().cubes) == 4


def test_all_columns_cleared_at_one_go_are_no_hand(table: LiveTable) -> None:
    lay = [("p001", "red", 1), ("p002", "blue", 1), ("o03", "green", 1), ("p004", "blue", 2)]
    longer = [
        (f"p{20 * place + row:03d}", contender, row)
        for place, contender in enumerate(ROW, 1)
        for row in range(1, 7)
        if (contender, row) not in {(contender, row) for _, contender, row in lay}
    ]
    for card, contender, row in longer:
        columns.lay_card(table.scene, card, contender, row)
    table.frame()
    assert len(lying(table.settle())) == 24
    for card, _, _ in (*lay, *longer):
        table.scene.take(card)
    table.frame()
    reading = table.settle(3)
    assert lying(reading) == set()
    assert reading.hidden == frozenset()
    for card, contender, row in lay:
        columns.lay_card(table.scene, card, contender, row)
    table.frame()
    assert lying(table.settle()) == START


def test_the_quiet_table_is_confirmed_and_stays_what_it_was(table: LiveTable) -> None:
    readings = [table.frame() for _ in range(12)]
    assert all(not one.moving for one in readings)
    assert all(lying(one) == START for one in readings)
    assert [one.exposed_at for one in readings] == sorted({one.exposed_at for one in readings})


def test_darkness_is_said_and_light_brings_everything_back(table: LiveTable) -> None:
    dark = Frame(np.zeros((1296, 2304, 3), np.uint8), 1000.0, 0)
    said = [table.sight.process(dark) for _ in range(6)]
    assert "black" in said[-1].frame
    assert lying(said[-1]) == set()
    table.frame()
    assert lying(table.settle()) == START


def test_nothing_was_read_before_the_first_picture() -> None:
    reading = OlympeakSight().process(Frame(np.full((1296, 2304, 3), 90, np.uint8), 1.0, 1))
    assert reading.moving
    assert reading.frame != "ok"
