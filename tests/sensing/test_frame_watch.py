"""The frame markers are watched: a knocked camera is found again, a pushed marker is voted out and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from companion.sensing.frame_watch import LOOKS, FrameWatch
from companion.sensing.frames import Image, thinned
from companion.sensing.markers import detect
from companion.virtual.faults import Fault
from companion.virtual.optics import bumped
from tests.sensing.harder import noisy
from tests.sensing.photos import photo
from tests.sensing.rendered import RenderedTable

WITHIN = 15


def watched(image: Image) -> FrameWatch:
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    watch = FrameWatch()
    watch.anchor(image, [marker for marker in detect(gray) if marker.id < 4])
    return watch


def shifted(image: Image, x: float, y: float) -> Image:
    by = np.array([[1, 0, x], [0, 1, y]], dtype=np.float64)
    return np.asarray(
        cv2.warpAffine(image, by, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


@pytest.mark.parametrize("name", ["01", "06", "07"])
@pytest.mark.parametrize("by", [(1.1, 0.0), (-0.9, 0.9), (0.0, -2.0)])
def test_a_shift_of_a_pixel_is_seen_in_a_quarter_of_the_picture(name: str, by: tuple[float, float]) -> None:
    image = photo(name)
    watch = watched(image)
    assert not watch.stirred(thinned(image))
    assert watch.stirred(thinned(shifted(image, *by)))


LIGHTS: dict[str, Callable[[Image], Image]] = {
    "a cloud": lambda image: np.clip(image * 0.6, 0, 255).astype(np.uint8),
    "a lamp": lambda image: np.clip(image * 1.3 + 12, 0, 255).astype(np.uint8),
    "noise": lambda image: noisy(image, 6),
    "a cup on one": lambda image: np.asarray(
        cv2.circle(image.copy(), (210, 85), 90, (60, 90, 140), -1), np.uint8
    ),
}


@pytest.mark.parametrize("what", LIGHTS)
@pytest.mark.parametrize("name", ["01", "05"])
def test_light_noise_and_a_cup_are_no_shift(what: str, name: str) -> None:
    image = photo(name)
    assert not watched(image).stirred(thinned(LIGHTS[what](image)))


def test_one_look_accuses_nobody_and_several_that_agree_do() -> None:
    watch = FrameWatch()
    for n in range(LOOKS):
        assert len(watch.findings) == 0
        watch.note({2: (6.0, -4.0)}, [0, 1, 3], at=0.5 * n)
        assert watch.unsure == (n < LOOKS - 1)
    (finding,) = watch.findings
    assert "Frame marker 2 (south-east)" in finding.text
    assert "7 mm" in finding.text
    assert "Put it back" in finding.todo
    # Covered for a while: what is known stays known.
    watch.note({}, [0, 1], at=9.0)
    assert watch.findings == (finding,)
    watch.note({}, [0, 1, 2, 3], at=9.5)
    assert not watch.findings


def test_looks_in_one_moment_or_at_a_marker_on_its_way_are_not_enough() -> None:
    watch = FrameWatch()
    for n in range(6):
        watch.note({1: (5.0, 0.0)}, [], at=0.1 * n)
    assert not watch.findings
    for n in range(12):
        watch.note({1: (5.0 + 2.0 * n, 0.0)}, [], at=1.0 + n)
    assert not watch.findings


@pytest.fixture
def table(filmed: RenderedTable) -> Iterator[RenderedTable]:
    optics = filmed.scene.optics
    yield filmed
    if filmed.scene.optics is not optics:
        filmed.scene.optics = optics
        filmed.wait(WITHIN)


def test_a_marker_that_was_pushed_is_voted_out_told_once_and_taken_back(table: RenderedTable) -> None:
    table.scene.set_fault(Fault.FRAME_MARKER_BUMPED)
    readings = [reading for reading in table.wait(30) if not reading.moving]
    assert all(table.wrong(reading) == [] for reading in readings)
    told = [reading.findings for reading in readings if reading.findings]
    assert len(set(told)) == 1
    assert "Frame marker 1" in told[0][0].text
    table.scene.set_fault(Fault.FRAME_MARKER_BUMPED, False)
    assert table.wait(WITHIN)[-1].findings == ()


def test_a_marker_pushed_before_anybody_looked_is_told_too() -> None:
    table = RenderedTable(1)
    table.scene.set_fault(Fault.FRAME_MARKER_BUMPED)
    readings = table.wait(30)
    assert "Frame marker 1" in readings[-1].findings[0].text
    assert table.wrong(readings[-1]) == []


def test_a_cup_on_a_marker_is_nobodys_business(table: RenderedTable) -> None:
    for active in (True, False):
        table.scene.set_fault(Fault.FRAME_MARKER_COVERED, active)
        readings = table.wait(20)
        assert all(reading.findings == () for reading in readings)
        assert all(table.wrong(reading) == [] for reading in readings if not reading.moving)


@pytest.mark.parametrize(("shift", "turn"), [((0.0, 1.0), 0.05), ((30.0, 12.0), -2.5)])
def test_a_knocked_camera_is_found_again_within_a_second(
    table: RenderedTable, shift: tuple[float, float], turn: float
) -> None:
    before = table.scene.optics
    table.scene.optics = bumped(before, shift, turn)
    readings = table.wait(WITHIN)
    settled = [reading for reading in readings if not reading.moving]
    assert settled
    assert all(table.wrong(reading) == [] for reading in settled)
    there = {mini.deity: mini.xyz_mm for mini in settled[-1].minis}
    for deity, seen in there.items():
        pose = table.scene.piece(f"mini {deity}").pose
        truth = pose.at((0.0, 0.0, table.scene.table.mini_height_mm))
        assert np.linalg.norm(np.array(seen) - truth) < 1.5


def test_a_camera_that_sinks_slowly_on_its_arm_is_followed(table: RenderedTable) -> None:
    start = table.scene.optics
    for step in range(1, 5):
        table.scene.optics = bumped(start, (0.5 * step, 0.3 * step), 0.05 * step)
        settled = [reading for reading in table.wait(5) if not reading.moving]
        assert all(table.wrong(reading) == [] for reading in settled)
    last = table.wait(WITHIN)[-1]
    pose = table.scene.piece("mini ze").pose
    truth = pose.at((0.0, 0.0, table.scene.table.mini_height_mm))
    seen = next(mini for mini in last.minis if mini.deity == "ze").xyz_mm
    assert np.linalg.norm(np.array(seen) - truth) < 1.0
