"""Prints that the detector misses: partly under a finger or another card, and what is none."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.sensing.frames import Image
from companion.sensing.grey import gray_of
from companion.sensing.markers import detect
from companion.sensing.olympeak.closer import find_missed, searches
from companion.sensing.olympeak.sight import OlympeakSight
from companion.sensing.region import Region
from tests.sensing.olympeak.placing import PRINTS, TABLE
from tests.sensing.photos import camera, photo, pose, truth

WHOLE = Region(0, 0, 2304, 1296)
# How much those photographs are blurred.
BLUR_PX = 0.8
SKIN, PAPER, SLEEVE = (105, 140, 200), (225, 230, 232), (60, 30, 40)


def marker_of(name: str, card_id: int) -> dict[str, Any]:
    found: dict[str, Any] = next(m for m in truth(name)["markers"] if m["id"] == card_id)
    return found


def cover(
    image: Image, name: str, card_id: int, share: float, towards: float, colour: tuple[int, ...]
) -> None:
    """Cover a share of a print, and what lies around it on that side."""
    corners = np.array(marker_of(name, card_id)["corners_px"])
    side = float(np.linalg.norm(corners[1] - corners[0]))
    u = np.array([np.cos(np.radians(towards)), np.sin(np.radians(towards))])
    v = np.array([-u[1], u[0]])
    across = np.linspace(0, 1, 50)
    square = corners[0] + np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2) @ np.stack(
        [corners[1] - corners[0], corners[3] - corners[0]]
    )
    middle = corners.mean(axis=0)
    edge = middle + u * (np.quantile(square @ u, 1 - share) - middle @ u)
    quad = np.array(
        [edge + v * side, edge - v * side, edge - v * side + u * side, edge + v * side + u * side]
    )
    cv2.fillConvexPoly(image, np.round(quad * 16).astype(np.int32), colour, cv2.LINE_AA, shift=4)


@pytest.mark.parametrize(
    ("card_id", "share", "towards", "colour"),
    [
        (154, 0.3, 0, SKIN),
        (206, 0.3, 60, SKIN),
        (218, 0.3, 180, PAPER),
        (233, 0.2, 90, PAPER),
        (186, 0.25, 270, SLEEVE),
        (159, 0.12, 45, SLEEVE),
    ],
)
def test_a_print_partly_covered_is_read_by_the_rest(
    card_id: int, share: float, towards: float, colour: tuple[int, ...]
) -> None:
    image = photo("51")
    cover(image, "51", card_id, share, towards, colour)
    gray = gray_of(image)
    seen = detect(gray)
    assert card_id not in {marker.id for marker in seen}
    x, y = (round(value) for value in marker_of("51", card_id)["uv_px"])
    around = Region(x - 90, y - 90, x + 90, y + 90)
    found = find_missed(gray, pose("51"), PRINTS, TABLE, seen, around, BLUR_PX)
    assert [marker.id for marker in found] == [card_id]
    assert np.hypot(*np.subtract(found[0].centre, (x, y))) < 4


def test_of_a_print_all_but_covered_nothing_is_said() -> None:
    image = photo("51")
    for card_id, towards in ((154, 0.0), (206, 90.0), (218, 200.0)):
        cover(image, "51", card_id, 0.75, towards, SKIN)
    reading = OlympeakSight(camera("51")).look(image)
    said = {one.card for one in reading.columns}
    true = {one["card"] for cards in truth("51")["columns"].values() for one in cards}
    assert said == true - {"p040", "p092", "p104"}
    assert reading.stray == ()


@pytest.mark.parametrize("name", ["03", "06", "07", "09"])
def test_nothing_is_found_on_a_table_of_another_game(name: str) -> None:
    gray = gray_of(photo(name))
    assert find_missed(gray, pose(name), PRINTS, TABLE, detect(gray), WHOLE, BLUR_PX) == []


def test_only_what_is_wanted_is_looked_for() -> None:
    gray = gray_of(photo("56"))
    seen = [marker for marker in detect(gray) if marker.id not in (178, 106)]
    wanted = frozenset({106})
    assert [m.id for m in find_missed(gray, pose("56"), PRINTS, TABLE, seen, WHOLE, BLUR_PX, wanted)] == [106]
    assert {m.id for m in find_missed(gray, pose("56"), PRINTS, TABLE, seen, WHOLE, BLUR_PX)} == {178, 106}


def test_columns_are_looked_for_below_their_contenders() -> None:
    gray = gray_of(photo("53"))
    prints = set(PRINTS.card_ids)
    by_row = [one for one in searches(PRINTS, TABLE, pose("53"), detect(gray)) if 72 in one.kind.ids]
    blind = [one for one in searches(PRINTS, TABLE, pose("53")) if 72 in one.kind.ids]
    assert len(by_row) == 3
    assert len(blind) == 4
    for marker in truth("53")["markers"]:
        if marker["kind"] == "column" and marker["id"] in prints:
            assert any(one.region.holds(*marker["uv_px"]) for one in by_row)
