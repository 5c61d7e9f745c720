"""A hand that rests on the table covers what lies under it, for as long as it stays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.sensing.follow import SCENERY_AFTER, SCENERY_LOOK_AFTER
from companion.sensing.markers import Gray, Marker, Thoroughness, detect
from companion.sensing.sight import Sight
from tests.sensing.photos import camera, photo
from tests.sensing.table import LiveTable, marker_of


def at(name: str) -> tuple[int, int]:
    x, y = (round(value) for value in marker_of(name)["uv_px"])  # type: ignore[attr-defined]
    return x, y


def test_what_lies_under_it_is_covered_and_never_gone() -> None:
    table = LiveTable.settled()
    before = table.wait(1)[0]
    where = at("ar")
    table.reach(where)
    resting = table.shown(where)
    readings = [table.frame(resting) for _ in range(3 * SCENERY_LOOK_AFTER)]
    spaces = {mini.deity: mini.spaces[0][0] for mini in before.minis}
    assert any(not reading.moving for reading in readings)
    for reading in readings:
        if reading.moving:
            continue
        for deity, space in spaces.items():
            seen = [mini for mini in reading.minis if mini.deity == deity]
            assert seen or space in reading.hidden, f"{deity} on {space} is gone"
    assert not any(mini.deity == "ar" for mini in readings[-1].minis), "else the hand is not over it"


def test_it_goes_and_everything_is_seen_again() -> None:
    table = LiveTable.settled()
    where = at("ar")
    table.reach(where)
    resting = table.shown(where)
    for _ in range(SCENERY_LOOK_AFTER + 20):
        table.frame(resting)
    table.withdraw(where)
    reading, _ = table.settle()
    assert len(reading.minis) == 8


def test_a_picture_turned_by_half_is_read_like_any_other() -> None:
    upright = Sight(camera("01")).look(photo("01"))
    turned = Sight(camera("01")).look(np.ascontiguousarray(photo("01")[::-1, ::-1]))
    places = [{mini.deity: mini.spaces[0][0] for mini in reading.minis} for reading in (upright, turned)]
    assert len(places[0]) == 8
    assert places[0] == places[1]
    assert len(upright.tokens) == len(turned.tokens)


def test_when_nearly_everything_changes_beside_it_what_lies_under_it_is_covered_and_it_leaves_no_ghost() -> (
    None
):
    """All else is cleared away while it rests: the whole picture is read anew, and the hand is one all the same."""
    table = LiveTable.settled()
    before = {mini.deity: mini.spaces[0][0] for mini in table.wait(1)[0].minis}
    where, box = at("ar"), table.box("ar")
    kept = table.image[box].copy()
    table.reach(where)
    table.image = photo("09").copy()
    table.image[box] = kept
    reading = table.wait(8, where)[-1]
    assert not reading.moving
    assert not reading.minis
    assert before["ar"] in reading.hidden
    table.withdraw(where)
    reading, _ = table.settle()
    assert [(mini.deity, mini.spaces[0][0]) for mini in reading.minis] == [("ar", before["ar"])]
    assert len(reading.hidden) < 5


def test_what_lies_elsewhere_stays_known_when_it_turns_out_to_be_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tea towel lies on the table; the look at the whole finds less than is known, and nothing else has changed."""
    table = LiveTable.settled()
    before = {token.marker for token in table.wait(1)[0].tokens if token.by_marker}
    lost = max(before)
    where = (560, 1270)
    looked: list[bool] = []

    def less(gray: Gray, how: Thoroughness) -> list[Marker]:
        looked.append(True)
        return [marker for marker in detect(gray, how) if marker.id != lost]

    monkeypatch.setattr("companion.sensing.follow.detect", less)
    monkeypatch.setattr(table.sight, "_missed", lambda *_: [])
    table.reach(where)
    readings = table.wait(2 * SCENERY_AFTER, where)
    assert looked
    seen = [
        {token.marker for token in reading.tokens if token.by_marker}
        for reading in readings
        if not reading.moving
    ]
    # What it covers is not seen as long as it may be a hand.
    assert all(one <= later for one, later in pairwise(seen))
    assert lost in seen[0]
    assert seen[-1] == before
