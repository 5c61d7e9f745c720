"""The whole once more: what is known is looked for where it was, the rest of the picture searched for what is new."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from companion.sensing.confirm import confirm
from companion.sensing.markers import Gray, Marker
from tests.sensing.prints import cells_of, corners_at, stick

SIDE, STICKER = 30.0, 1.5
LYING = {16: (80.0, 80.0), 17: (200.0, 90.0), 18: (120.0, 210.0), 8: (300.0, 200.0)}
BLUR_PX, SMALLEST_PX = 0.7, 20.0


def table(lying: dict[int, tuple[float, float]], light: float = 1.0) -> Gray:
    """A plain grey table with prints on it."""
    picture = np.full((300, 400), 120, np.uint8)
    for marker, middle in lying.items():
        stick(picture, cells_of(marker), corners_at(middle, SIDE, 7.0 * marker), STICKER)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.float32)
    noise = np.random.default_rng(3).normal(0, 1.0, soft.shape)
    return np.asarray(np.clip(soft * light + noise, 0, 255), dtype=np.uint8)


def known(lying: dict[int, tuple[float, float]]) -> list[Marker]:
    return [Marker(m, corners_at(middle, SIDE, 7.0 * m)) for m, middle in lying.items()]


@pytest.mark.parametrize("light", [1.0, 0.3])
def test_a_table_that_has_not_changed_shows_all_that_is_known_and_nothing_new(light: float) -> None:
    look = confirm(table(LYING, light), known(LYING), BLUR_PX, SMALLEST_PX)
    assert sorted(look.seen) == [0, 1, 2, 3]
    assert look.fresh == ()


def test_a_print_that_was_nudged_is_followed() -> None:
    nudged = LYING | {17: (202.0, 89.0)}
    look = confirm(table(nudged), known(LYING), BLUR_PX, SMALLEST_PX)
    assert math.dist(look.seen[1].centre, (202.0, 89.0)) < 0.5


def test_a_print_that_is_gone_is_not_seen_and_another_in_its_place_is_new() -> None:
    gone = {marker: at for marker, at in LYING.items() if marker != 18}
    look = confirm(table(gone), known(LYING), BLUR_PX, SMALLEST_PX)
    assert sorted(look.seen) == [0, 1, 3]
    other = confirm(table(gone | {22: LYING[18]}), known(LYING), BLUR_PX, SMALLEST_PX)
    assert sorted(other.seen) == [0, 1, 3]
    assert [marker.id for marker in other.fresh] == [22]


@pytest.mark.parametrize("light", [1.0, 0.3])
def test_what_is_new_is_found_beside_what_is_known(light: float) -> None:
    look = confirm(table(LYING | {25: (340.0, 60.0)}, light), known(LYING), BLUR_PX, SMALLEST_PX)
    (fresh,) = look.fresh
    assert fresh.id == 25
    assert math.dist(fresh.centre, (340.0, 60.0)) < 1.0


def test_with_nothing_known_everything_is_new() -> None:
    look = confirm(table(LYING), [], math.inf, SMALLEST_PX)
    assert look.seen == {}
    assert {marker.id for marker in look.fresh} == LYING.keys()
