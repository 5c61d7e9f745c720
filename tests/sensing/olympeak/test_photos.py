"""Sight against the reference photographs of OlymPeak: everything in view read right, nothing invented."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.sensing.frames import Image
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.sight import OlympeakSight
from tests.sensing.harder import blurred, compressed, lit_from_one_side, noisy, shaken
from tests.sensing.olympeak.photos import NAMES, faults
from tests.sensing.photos import camera, photo, truth, turned, upside_down


@pytest.fixture(scope="module")
def readings() -> dict[str, OlympeakReading]:
    return {name: OlympeakSight(camera(name)).look(photo(name)) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_everything_in_view_is_read_and_nothing_invented(
    readings: dict[str, OlympeakReading], name: str
) -> None:
    assert faults(readings[name], name) == []


def test_columns_and_rows_are_all_but_certain(readings: dict[str, OlympeakReading]) -> None:
    assert min(one.p for reading in readings.values() for one in reading.columns) > 0.98


def test_the_card_in_the_hand_is_no_play(readings: dict[str, OlympeakReading]) -> None:
    held = next(m for m in truth("52")["markers"] if m["kind"] == "held")
    assert held["visible"] == 1.0
    said = {one.card for one in readings["52"].columns} | {one.card for one in readings["52"].stray}
    assert "p012" not in said


def test_the_cards_of_a_hand_at_the_edge_are_nobodys_business(readings: dict[str, OlympeakReading]) -> None:
    fan = {m["id"] for m in truth("53")["markers"] if m["kind"] == "fan"}
    assert len(fan) == 6
    everything = repr(readings["53"])
    assert not [marker for marker in fan if f"p{marker - 114:03}" in everything]


def test_where_cards_lie_is_known_to_a_millimetre(readings: dict[str, OlympeakReading]) -> None:
    for name in NAMES:
        true = {one["card"]: one["xyz_mm"] for cards in truth(name)["columns"].values() for one in cards}
        for one in readings[name].columns:
            assert np.hypot(*np.subtract(one.xyz_mm[:2], true[one.card][:2])) < 1.0


def _warm(image: Image) -> Image:
    return np.asarray(np.clip(image * np.array([0.6, 0.9, 1.2]), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize(
    ("name", "harder"),
    [
        ("51", lambda image: blurred(image, 2.0)),
        ("56", lambda image: blurred(image, 1.4)),
        ("53", shaken),
        ("52", lambda image: noisy(image, 16)),
        ("54", lambda image: noisy(image, 4, 0.35)),
        ("56", lambda image: noisy(image, 4, 0.15)),
        ("52", compressed),
        ("55", lambda image: lit_from_one_side(image, 0.2)),
        ("54", _warm),
    ],
    ids=["defocus", "some defocus", "shaken", "noise", "dim", "dark", "jpeg", "one side", "warm"],
)
def test_harder_pictures_of_the_same_tables(name: str, harder: Callable[[Image], Image]) -> None:
    assert faults(OlympeakSight(camera(name)).look(harder(photo(name))), name) == []


def test_in_a_hopeless_blur_things_are_missed_but_never_misread() -> None:
    wrong = faults(OlympeakSight(camera("55")).look(blurred(photo("55"), 3.5)), "55")
    assert wrong
    assert not [fault for fault in wrong if "invented" in fault or "lies nowhere" in fault]


def test_without_a_camera_file_the_reference_lens_does() -> None:
    assert faults(OlympeakSight().look(photo("54")), "54") == []


def test_a_picture_turned_and_shifted_a_little_is_read_all_the_same() -> None:
    image = turned("53", -1.1, 0.985, (5.0, -4.0))
    assert faults(OlympeakSight(camera("53")).look(image), "53") == []


def test_a_picture_upside_down_is_read_all_the_same() -> None:
    lens, image = upside_down("56")
    assert faults(OlympeakSight(lens).look(image), "56") == []


def test_a_smaller_picture_is_read_with_the_lens_scaled() -> None:
    smaller = np.asarray(cv2.resize(photo("54"), (1728, 972), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    assert faults(OlympeakSight(camera("54")).look(smaller), "54") == []


def test_what_is_wrong_with_a_picture_is_said_in_words() -> None:
    sight = OlympeakSight(camera("51"))
    assert "black" in sight.look(np.zeros((1296, 2304, 3), np.uint8)).frame
    assert "another shape" in sight.look(photo("51")[:, :1728]).frame
    bare = np.full((1296, 2304, 3), 90, np.uint8)
    assert sight.look(bare).frame.startswith("no frame markers in view")
