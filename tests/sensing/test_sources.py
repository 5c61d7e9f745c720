"""Frame sources: latest picture wins, and every failure is one sentence."""

from __future__ import annotations

import itertools
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from companion.sensing import sources
from companion.sensing.frames import CameraAbsent, FrameSource
from companion.sensing.sources import (
    FolderCamera,
    PiCamera,
    UsbCamera,
    VideoCamera,
    open_source,
    usb_device,
)

PICTURE = np.full((4, 6, 3), 7, np.uint8)


def ticks() -> Any:
    count = itertools.count()
    return lambda: float(next(count))


class FakeCapture:
    """cv2.VideoCapture as a camera that gives `pictures`, then hangs until it is let go."""

    def __init__(self, pictures: int, opens: bool = True, ends: bool = False) -> None:
        self.opens, self.ends, self.left = opens, ends, pictures
        self.settings: dict[int, float] = {}
        self.released = threading.Event()

    def isOpened(self) -> bool:
        return self.opens

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.left > 0:
            self.left -= 1
            return True, PICTURE.copy()
        if not self.ends:
            self.released.wait(20)
        return False, None

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def capture(mocker: MockerFixture) -> Iterator[FakeCapture]:
    fake = FakeCapture(1)
    mocker.patch("cv2.VideoCapture", return_value=fake)
    yield fake
    fake.released.set()


def test_a_usb_camera_keeps_no_old_pictures_and_asks_for_the_size(capture: FakeCapture) -> None:
    camera = UsbCamera("0", ticks())
    camera.open()
    frame = camera.read(2.0)
    assert frame.image.shape == (4, 6, 3)
    assert frame.number == 1
    assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 2304


def test_a_usb_camera_whose_cable_is_pulled_does_not_hang_the_reader(capture: FakeCapture) -> None:
    camera = UsbCamera("0", ticks())
    camera.open()
    camera.read(2.0)
    with pytest.raises(CameraAbsent, match="no picture within 0.05 s"):
        camera.read(0.05)


def test_a_usb_camera_that_ends_is_gone_and_must_be_opened_again(capture: FakeCapture) -> None:
    capture.ends = True
    capture.left = 0
    camera = UsbCamera("0", ticks())
    camera.open()
    with pytest.raises(CameraAbsent, match="is gone"):
        camera.read(2.0)
    with pytest.raises(CameraAbsent, match="is closed"):
        camera.read(2.0)
    assert capture.released.wait(2)


def test_a_busy_usb_camera_says_so(mocker: MockerFixture) -> None:
    mocker.patch("cv2.VideoCapture", return_value=FakeCapture(0, opens=False))
    with pytest.raises(CameraAbsent, match="close any other program"):
        UsbCamera("0", ticks()).open()


def test_stable_names_are_found_by_a_part_and_metadata_nodes_are_not(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    for name in (
        "usb-Logi_C920_A1-video-index0",
        "usb-Logi_C920_A1-video-index1",
        "usb-Arducam-video-index0",
    ):
        (tmp_path / name).touch()
    mocker.patch.object(sources, "STABLE_NAMES", tmp_path)
    assert usb_device("c920") == str(tmp_path / "usb-Logi_C920_A1-video-index0")
    assert (usb_device(""), usb_device("2"), usb_device("/dev/video4")) == (0, 2, "/dev/video4")
    with pytest.raises(CameraAbsent, match=r"called 'kodak' \(connected: usb-Arducam"):
        usb_device("kodak")
    with pytest.raises(CameraAbsent, match="More than one"):
        usb_device("usb")


def test_without_any_camera_that_is_said(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(sources, "STABLE_NAMES", tmp_path / "missing")
    with pytest.raises(CameraAbsent, match="connected: none"):
        usb_device("c920")


class FakePicamera2:
    """picamera2's class; it remembers how it was set up."""

    made: ClassVar[list[FakePicamera2]] = []
    fails: str | None = None

    def __init__(self) -> None:
        if self.fails == "missing":
            raise IndexError("list index out of range")
        self.controls: dict[str, object] = {}
        self.configuration: dict[str, object] = {}
        self.closed = threading.Event()
        FakePicamera2.made.append(self)

    def create_video_configuration(self, **settings: object) -> dict[str, object]:
        return settings

    def configure(self, configuration: dict[str, object]) -> None:
        self.configuration = configuration

    def set_controls(self, controls: dict[str, object]) -> None:
        self.controls |= controls

    def start(self) -> None:
        if self.fails == "start":
            raise RuntimeError("no memory")

    def capture_array(self, name: str) -> np.ndarray:
        if self.fails == "later":
            raise RuntimeError("front end timed out")
        return PICTURE.copy()

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    module = types.ModuleType("picamera2")
    monkeypatch.setattr(FakePicamera2, "made", [])
    monkeypatch.setattr(FakePicamera2, "fails", None)
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return FakePicamera2


def test_the_pi_camera_is_set_to_size_channels_and_focus(picamera2: type[FakePicamera2]) -> None:
    camera = PiCamera(ticks(), lens_position=1.6)
    camera.open()
    assert camera.read(2.0).image.shape == (4, 6, 3)
    camera.close()
    (made,) = picamera2.made
    assert made.configuration["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert made.controls == {"AfMode": 0, "LensPosition": 1.6}
    assert made.closed.wait(2)


@pytest.mark.parametrize(
    ("fails", "said"), [("missing", "No Pi camera was found"), ("start", "does not start")]
)
def test_a_pi_camera_that_does_not_open_says_why(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, fails: str, said: str
) -> None:
    monkeypatch.setattr(picamera2, "fails", fails)
    with pytest.raises(CameraAbsent, match=said):
        PiCamera(ticks()).open()


def test_a_pi_camera_that_stops_says_so(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picamera2, "fails", "later")
    camera = PiCamera(ticks())
    camera.open()
    with pytest.raises(CameraAbsent, match="stopped"):
        camera.read(2.0)


def test_without_picamera2_it_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraAbsent, match="sudo apt install python3-picamera2"):
        PiCamera(ticks()).open()


def test_a_folder_shows_its_pictures_in_order_and_stays_on_the_last(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10)):
        cv2.imwrite(str(tmp_path / name), np.full((4, 4, 3), level, np.uint8))
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = FolderCamera(tmp_path, ticks())
    with pytest.raises(CameraAbsent, match="is closed"):
        camera.read(1.0)
    camera.open()
    frames = [camera.read(1.0) for _ in range(3)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 20]
    assert [frame.number for frame in frames] == [1, 2, 3]
    assert frames[0].exposed_at < frames[1].exposed_at
    camera.close()


def test_folders_that_will_not_do_say_why(tmp_path: Path) -> None:
    with pytest.raises(CameraAbsent, match="holds no pictures"):
        FolderCamera(tmp_path, ticks()).open()
    with pytest.raises(CameraAbsent, match="is not a folder"):
        FolderCamera(tmp_path / "none", ticks()).open()
    (tmp_path / "broken.jpg").write_bytes(b"nothing")
    camera = FolderCamera(tmp_path, ticks())
    camera.open()
    with pytest.raises(CameraAbsent, match=r"broken.jpg is not a picture"):
        camera.read(1.0)


def test_a_video_is_played_to_its_end_and_starts_over(tmp_path: Path) -> None:
    file = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for level in (10, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    camera = VideoCamera(file, ticks())
    for _ in range(2):
        camera.open()
        assert camera.read(1.0).image.mean() < camera.read(1.0).image.mean()
        with pytest.raises(CameraAbsent, match="at its end"):
            camera.read(1.0)
    camera.close()
    with pytest.raises(CameraAbsent, match="does not exist"):
        VideoCamera(tmp_path / "none.avi", ticks()).open()


@pytest.mark.parametrize(
    ("setting", "kind", "simulated"),
    [
        ("picamera", PiCamera, False),
        ("usb", UsbCamera, False),
        ("usb:C920", UsbCamera, False),
        ("folder:/tmp", FolderCamera, True),
        ("video:/tmp/a.mp4", VideoCamera, True),
    ],
)
def test_settings_name_sources(setting: str, kind: type, simulated: bool) -> None:
    source: FrameSource = open_source(setting, ticks())
    assert isinstance(source, kind)
    assert source.simulated is simulated
    assert source.name


@pytest.mark.parametrize("setting", ["", "webcam", "folder:", "picamera:2"])
def test_other_settings_are_refused(setting: str) -> None:
    with pytest.raises(CameraAbsent, match="use picamera, usb"):
        open_source(setting, ticks())
