"""The lens that a game is seen through: exactly as measured, or scaled, or assumed, and never silently another one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from calibration.profile import CameraProfile, Measured
from companion.lens import LensedEyes, eyes_for, lens_in_use
from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import Camera
from companion.sensing.reading import Reading
from companion.sensing.sources.setting import Setting
from companion.tables.above.kit import AboveKit
from tests.sensing.photos import SIZE, photo, truth

CROP = (0, 432, 4608, 2592)
LENS = CameraProfile(
    matrix=((1760.0, 0.0, 1140.0), (0.0, 1764.0, 655.0), (0.0, 0.0, 1.0)),
    distortion=(-0.04, 0.0, 0.0, 0.0, 0.0),
    width_px=2304,
    height_px=1296,
    lens_position=1.65,
    crop_px=CROP,
    measured=Measured(at=datetime(2026, 5, 1, tzinfo=UTC), how="chessboard"),
)


@pytest.mark.parametrize(
    ("size", "setting"), [(SIZE, Setting()), (SIZE, Setting(1.65)), (SIZE, Setting(1.7, CROP))]
)
def test_the_lens_as_measured_needs_no_word(size: tuple[int, int], setting: Setting) -> None:
    used = lens_in_use(LENS, size, setting)
    assert (used.camera, used.finding) == (LENS.lens(), None)


@pytest.mark.parametrize(
    ("size", "setting", "known", "focal", "said", "todo"),
    [
        (
            (1152, 648),
            Setting(1.65, CROP),
            True,
            880.0,
            "at 2304 × 1296 and is used at 1152 × 648",
            "Nothing",
        ),
        (
            (2304, 1728),
            Setting(1.65, (0, 0, 4608, 3456)),
            True,
            1760.0,
            "another part of the sensor",
            "Nothing",
        ),
        ((2304, 1728), Setting(), False, 1774.0, "2304 × 1728, another shape", "to 2304 × 1296, or type"),
        ((1280, 960), Setting(2.4), False, 985.6, "1280 × 960, another shape", "calibrate camera"),
        (
            SIZE,
            Setting(2.4, CROP),
            False,
            1760.0,
            "measured at focus 1.65, but stands at 2.40",
            "Lock the focus",
        ),
        ((1152, 648), Setting(2.4), False, 880.0, "stands at 2.40", "calibrate camera"),
    ],
)
def test_any_other_lens_is_told_with_what_to_do(
    size: tuple[int, int], setting: Setting, known: bool, focal: float, said: str, todo: str
) -> None:
    used = lens_in_use(LENS, size, setting)
    assert (used.camera.size, used.camera.known) == (size, known)
    assert used.camera.fx == pytest.approx(focal, abs=0.1)
    assert used.finding is not None
    assert said in used.finding.text
    assert todo in used.finding.todo


class Seeing:
    """Eyes that read nothing, and keep which lens they were made with."""

    def __init__(self, lens: Camera) -> None:
        self.lens = lens

    def process(self, frame: Frame) -> Reading:
        return Reading(frame.exposed_at)


class Table:
    """A camera whose size and focus somebody changes while the game is played."""

    def __init__(self) -> None:
        self.setting = Setting(1.65, CROP)
        self.made: list[Seeing] = []
        self.eyes = LensedEyes(self._make, LENS, lambda: self.setting)

    def _make(self, lens: Camera) -> Seeing:
        self.made.append(Seeing(lens))
        return self.made[-1]

    def told(self, size: tuple[int, int] = SIZE) -> list[str]:
        reading = self.eyes.process(Frame(np.zeros((size[1], size[0], 3), np.uint8), 1.0, 1))
        assert isinstance(reading, Reading)
        return [finding.text for finding in reading.findings]


def test_eyes_are_made_once_for_a_camera_that_stays_as_it_is() -> None:
    table = Table()
    assert [table.told() for _ in range(3)] == [[], [], []]
    table.setting = Setting(1.66, CROP)
    assert table.told() == []
    assert len(table.made) == 1
    assert table.made[0].lens == LENS.lens()


@pytest.mark.parametrize(
    ("change", "size", "said"),
    [
        (lambda table: None, (1152, 648), "it is scaled exactly"),
        (lambda table: setattr(table, "setting", Setting(2.4, CROP)), SIZE, "stands at 2.40"),
        (lambda table: setattr(table, "setting", Setting()), (1024, 768), "an assumed lens"),
    ],
)
def test_a_camera_set_otherwise_while_playing_is_told_and_back_again(
    change: Callable[[Table], None], size: tuple[int, int], said: str
) -> None:
    table = Table()
    assert table.told() == []
    change(table)
    for _ in range(2):
        (text,) = table.told(size)
        assert said in text
    table.setting = Setting(1.65, CROP)
    assert table.told() == []
    assert [eyes.lens.size for eyes in table.made] == [SIZE, size, SIZE]


class Playing:
    """A camera that is opened, and tells how it is set."""

    name, simulated, notice = "camera", False, ""
    setting = Setting(1.65)

    def open(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        raise AssertionError("the pictures come from elsewhere")

    def close(self) -> None: ...


def test_without_a_measured_lens_the_reference_lens_is_assumed() -> None:
    kit = AboveKit()
    assert type(eyes_for(kit, Playing(), None, None)) is type(kit.eyes())
    assert type(eyes_for(kit, None, LENS, None)) is type(kit.eyes())


def other_shape(image: Image) -> Image:
    """The whole of a picture in one of 4:3, dark above and below."""
    return np.asarray(cv2.copyMakeBorder(image, 216, 216, 0, 0, cv2.BORDER_CONSTANT), dtype=np.uint8)


def test_a_family_plays_on_with_pictures_of_another_shape_and_is_told() -> None:
    eyes = eyes_for(AboveKit(), Playing(), LENS, None)
    image = other_shape(photo("09"))
    reading = None
    for n in range(6):
        reading = eyes.process(Frame(image, n / 10, n))
    assert isinstance(reading, Reading)
    assert reading.frame == "ok"
    assert len(reading.minis) == len(truth("09")["minis"])
    assert any("another shape" in finding.text for finding in reading.findings)
