"""Pi cameras: set, read back, supervised, every failure one sentence."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from companion.sensing.frames import CameraAbsent, CameraUnusable
from companion.sensing.sources import picamera, v4l, worker
from companion.sensing.sources.picamera import PiCamera, PiDevice
from companion.sensing.sources.wish import Wish
from tests.sensing.sources.drivers import FakePicamera2

Fakes = type[FakePicamera2]


def pi(wish: Wish | None = None, number: int = 0) -> PiCamera:
    return PiCamera(number, time.monotonic, wish or Wish((64, 36)))


def noticed(camera: PiCamera, pictures: int = picamera._PATIENCE + 2) -> str:
    camera.open()
    for _ in range(pictures):
        camera.read(2.0)
    notice = camera.notice
    camera.close()
    return notice


def test_it_is_set_to_size_and_channels_and_every_buffer_goes_back(picamera2: Fakes) -> None:
    camera = pi(Wish((2304, 1296)))
    camera.open()
    camera.read(2.0)
    camera.close()
    (made,) = picamera2.made
    assert made.configuration["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert made.closed.wait(2)
    assert made.lent == 0


def test_the_focus_of_the_calibration_is_locked_before_and_after_the_start(picamera2: Fakes) -> None:
    assert noticed(pi(Wish((64, 36), lens_position=1.6))) == ""
    (made,) = picamera2.made
    assert made.told == [{"AfMode": 0, "LensPosition": 1.6}] * 2


def test_without_a_calibration_autofocus_looks_for_the_table_once(picamera2: Fakes) -> None:
    noticed(pi())
    (made,) = picamera2.made
    assert {"AfMode": 1, "AfTrigger": 0} in made.told
    assert all(controls.get("AfMode") != 2 for controls in made.told), "continuous autofocus wanders"


def test_a_lens_position_that_is_ignored_is_told_again_and_then_to_people(
    picamera2: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It hears the third time: nothing to be told.
    monkeypatch.setattr(picamera2, "deaf_times", 2)
    assert noticed(pi(Wish((64, 36), lens_position=1.6))) == ""
    monkeypatch.setattr(picamera2, "deaf_times", 99)
    notice = noticed(pi(Wish((64, 36), lens_position=1.6)))
    assert notice.startswith("The lens stands at 1.00 dioptres, but was measured at 1.60: calibrate again")


def test_a_lens_that_arrives_late_is_no_trouble(picamera2: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera2, "deaf_times", 99)
    camera = pi(Wish((64, 36), lens_position=1.6))
    camera.open()
    for _ in range(picamera._PATIENCE + 2):
        camera.read(2.0)
    assert camera.notice
    picamera2.made[-1]._lens = 1.58
    camera.read(2.0)
    assert camera.notice == ""
    camera.close()


def test_a_camera_without_autofocus_is_told_nothing_of_it(
    picamera2: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picamera2, "has_focus", False)
    assert noticed(pi(), 2) == ""
    assert picamera2.made[-1].told == [{}]
    assert "this camera has no autofocus" in noticed(pi(Wish((64, 36), lens_position=1.6)), 2)


def test_a_fixed_exposure_is_set_and_read_back(picamera2: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    assert noticed(pi(Wish((64, 36), exposure_ms=20.0))) == ""
    assert picamera2.made[-1].told[0]["ExposureTime"] == 20000
    monkeypatch.setattr(picamera2, "deaf_to_exposure", True)
    notice = noticed(pi(Wish((64, 36), exposure_ms=20.0)))
    assert notice == "The camera exposes for 9.0 ms instead of the 20 ms of the settings."


def test_the_time_of_exposure_is_the_sensors(picamera2: Fakes) -> None:
    camera = PiCamera(0, time.monotonic, Wish((64, 36)), since_boot_ns=lambda: 5_000_000_000)
    camera.open()
    picamera2.made[-1].stamp_ns = 4_600_000_000
    camera.read(2.0)
    frame = camera.read(2.0)
    assert 0.39 < time.monotonic() - frame.exposed_at < 1.5
    camera.close()


def test_the_clock_of_libcamera_runs() -> None:
    assert picamera.since_boot_ns() < picamera.since_boot_ns()


def test_the_second_camera_of_a_pi_5_has_a_number(picamera2: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraAbsent, match=r"Pi camera 1 was not found \(there are 1\)"):
        pi(number=1).open()
    monkeypatch.setattr(picamera2, "cameras", 2)
    camera = pi(number=1)
    camera.open()
    camera.close()
    assert picamera2.made[-1].number == 1


@pytest.mark.parametrize(
    ("cameras", "fault", "said"),
    [
        (0, "", r"Pi camera was not found \(none is connected\); switch the Pi off and check both ends"),
        (1, "busy", r"does not open \(Failed to acquire camera: Device or resource busy\); close other"),
        (1, "start", r"does not start \(no memory\); restart the Pi"),
        (1, "ends", r"gives no pictures; switch the Pi off"),
        (1, "throws", r"driver failed \(RuntimeError: Camera frontend has timed out!\)"),
    ],
)
def test_one_that_does_not_open_says_why(
    picamera2: Fakes,
    monkeypatch: pytest.MonkeyPatch,
    mocker: MockerFixture,
    tmp_path: Path,
    cameras: int,
    fault: str,
    said: str,
) -> None:
    mocker.patch.object(v4l, "PROCESSES", tmp_path)
    monkeypatch.setattr(picamera2, "cameras", cameras)
    monkeypatch.setattr(picamera2, "fault", fault)
    with pytest.raises(CameraAbsent, match=said):
        pi().open()


def test_a_busy_one_says_who_holds_it(
    picamera2: Fakes, monkeypatch: pytest.MonkeyPatch, mocker: MockerFixture
) -> None:
    monkeypatch.setattr(picamera2, "fault", "busy")
    mocker.patch.object(picamera, "held", lambda name, nodes: f"{name} is used by rpicam-vid (process 7).")
    with pytest.raises(CameraAbsent, match=r"Pi camera is used by rpicam-vid \(process 7\)\."):
        pi().open()


def test_a_front_end_that_times_out_is_told_closed_and_started_again(
    picamera2: Fakes, monkeypatch: pytest.MonkeyPatch, mocker: MockerFixture
) -> None:
    mocker.patch.object(worker, "END_S", 0.05)
    camera = pi()
    camera.open()
    camera.read(2.0)
    monkeypatch.setattr(picamera2, "fault", "hangs")
    with pytest.raises(CameraAbsent, match=r"gave no picture within 0.1 s; switch the Pi off"):
        for _ in range(3):
            camera.read(0.1)
    camera.close()
    assert picamera2.made[0].closed.is_set(), "one that is not closed cannot be opened again"
    monkeypatch.setattr(picamera2, "fault", "")
    camera.open()
    assert camera.read(2.0).image.any()
    camera.close()


class Broken(MetaPathFinder):
    """An installation in which importing picamera2 fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def find_spec(self, name: str, *_: object) -> None:
        if name == "picamera2":
            raise self._error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ModuleNotFoundError("No module named 'picamera2'", name="picamera2"), "sudo apt install"),
        (ModuleNotFoundError("No module named 'libcamera'", name="libcamera"), "lacks libcamera"),
        (
            ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
            "does not work with NumPy",
        ),
        (AttributeError("_ARRAY_API not found"), "does not work with NumPy"),
    ],
)
def test_an_installation_that_will_not_do_says_what_to_type_and_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(error), *sys.meta_path])
    with pytest.raises(CameraUnusable, match=said):
        pi().open()


def test_the_module_needs_no_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    importlib.reload(picamera)


def test_a_lens_is_known_after_a_picture(picamera2: Fakes) -> None:
    tick: Callable[[], int] = lambda: 0  # noqa: E731
    device = PiDevice(FakePicamera2(), Wish((64, 36), lens_position=2.0), tick)
    assert device.lens_position is None
    device.grab()
    device.retrieve()
    assert device.lens_position == 2.0
    device.release()
