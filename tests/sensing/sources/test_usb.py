"""USB cameras: found by name, set and read back, latest picture first, every failure one sentence."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from companion.sensing.frames import CameraAbsent
from companion.sensing.sources import live, v4l, worker
from companion.sensing.sources.usb import FOCUS_S, UsbCamera, UsbDevice
from companion.sensing.sources.wish import Wish
from tests.sensing.sources.conftest import Plug
from tests.sensing.sources.drivers import FakeCapture, picture, pictures

WISH = Wish((2304, 1296))


def usb(name: str = "c920", wish: Wish = WISH) -> UsbCamera:
    return UsbCamera(name, time.monotonic, wish)


def test_it_is_opened_by_the_node_its_name_stands_for(
    v4l_names: Path, plug: Plug, mocker: MockerFixture
) -> None:
    fake = plug()
    opener = mocker.patch("cv2.VideoCapture", return_value=fake)
    camera = usb("arducam")
    camera.open()
    camera.close()
    opener.assert_called_once_with(str(v4l_names.parent / "dev" / "video2"), cv2.CAP_V4L2)


def test_it_is_told_size_compression_and_to_keep_one_picture(plug: Plug) -> None:
    fake = plug()
    camera = usb()
    camera.open()
    camera.close()
    assert fake.properties[cv2.CAP_PROP_FRAME_WIDTH] == 2304
    assert fake.properties[cv2.CAP_PROP_FRAME_HEIGHT] == 1296
    assert fake.properties[cv2.CAP_PROP_BUFFERSIZE] == 1
    keys = [key for key, _ in fake.told]
    assert keys.index(cv2.CAP_PROP_FOURCC) < keys.index(cv2.CAP_PROP_FRAME_WIDTH), (
        "sizes depend on the compression"
    )


def test_a_slow_reader_gets_a_new_picture_and_the_others_are_not_even_decoded(plug: Plug) -> None:
    levels = itertools.count()
    fake = plug(picture(next(levels) % 200, seed=level) for level in itertools.count())
    camera = usb()
    camera.open()
    camera.read(2.0)
    seen = fake.grabbed
    while fake.grabbed < seen + 20:
        time.sleep(0.001)
    assert fake.decoded == 1
    camera.read(2.0)
    assert fake.decoded == 2
    assert fake.grabbed >= seen + 20


def test_the_time_of_exposure_is_the_drivers_if_it_can_be_true(plug: Plug) -> None:
    fake = plug()
    camera = usb()
    camera.open()
    fake.properties[cv2.CAP_PROP_POS_MSEC] = (time.monotonic() - 0.4) * 1000
    first = camera.read(2.0)
    assert 0.3 < time.monotonic() - first.exposed_at < 1.5
    # Stamped by another clock, or not at all: when it was taken over.
    for elsewhere in (0.0, 1.7e12):
        fake.properties[cv2.CAP_PROP_POS_MSEC] = elsewhere
        before = time.monotonic()
        assert before <= camera.read(2.0).exposed_at <= time.monotonic()
    camera.close()


def test_damaged_pictures_are_passed_over(plug: Plug) -> None:
    plug(iter([*[None] * 5, *[picture(seed=n) for n in range(1000)]]))
    camera = usb()
    camera.open()
    assert camera.read(2.0).image.mean() > 50
    camera.close()


def test_nothing_but_damaged_pictures_is_a_camera_that_is_gone(plug: Plug) -> None:
    plug(itertools.repeat(None))
    camera = usb()
    camera.open()
    with pytest.raises(CameraAbsent, match=r"USB camera c920 is gone; unplug it and plug it in again"):
        camera.read(2.0)


def test_a_grey_camera_gives_colour_frames(plug: Plug) -> None:
    plug(np.full((36, 64), level % 50, np.uint8) for level in itertools.count())
    camera = usb()
    camera.open()
    assert camera.read(2.0).image.shape == (36, 64, 3)
    camera.close()


# --- gone, and back again -----------------------------------------------------------------------------------


def test_a_pulled_cable_is_told_and_plugged_in_again_it_goes_on(plug: Plug, v4l_names: Path) -> None:
    first = plug(iter([picture(seed=n) for n in range(3)]))
    camera = usb()
    camera.open()
    with pytest.raises(CameraAbsent, match=r"is gone; unplug it"):
        for _ in range(10):
            camera.read(2.0)
    assert first.released.wait(2)
    # udev takes the name away and gives it back, for another number.
    links = {link: os.readlink(link) for link in v4l_names.glob("*C920*")}
    for link in links:
        link.unlink()
    with pytest.raises(CameraAbsent, match=r"No USB camera is called 'c920' \(connected: usb-Arducam_16MP\)"):
        camera.open()
    (v4l_names.parent / "dev" / "video7").touch()
    (v4l_names / "usb-Logi_C920_A1-video-index0").symlink_to(v4l_names.parent / "dev" / "video7")
    second = plug()
    camera.open()
    assert camera.read(2.0).number > 1
    assert second.grabbed
    camera.close()


def test_a_read_that_blocks_for_ever_holds_nobody_up(plug: Plug, mocker: MockerFixture) -> None:
    mocker.patch.object(worker, "END_S", 0.05)
    fake = plug(iter([picture(seed=n) for n in range(2)]), hangs=True)
    camera = usb()
    camera.open()
    with pytest.raises(CameraAbsent, match=r"gave no picture within 0.05 s; unplug it"):
        for _ in range(10):
            camera.read(0.05)
    camera.close()
    assert not fake.released.is_set(), (
        "a capture in the middle of a read must not be released: OpenCV crashes"
    )
    plug()
    camera.open()
    assert camera.read(2.0).image.any()
    camera.close()
    fake.released.set()


def test_one_that_is_silent_from_the_start_is_told(plug: Plug, mocker: MockerFixture) -> None:
    mocker.patch.object(worker, "END_S", 0.05)
    mocker.patch.object(live, "FIRST_PICTURE_S", 0.05)
    plug(iter(()), hangs=True)
    with pytest.raises(CameraAbsent, match=r"was opened and gives no pictures; unplug it"):
        usb().open()


def test_a_driver_that_throws_is_a_camera_that_failed(plug: Plug) -> None:
    fake = plug()

    def broken() -> bool:
        raise cv2.error("the device was closed")

    camera = usb()
    camera.open()
    fake.grab = broken  # type: ignore[method-assign]
    with pytest.raises(CameraAbsent, match=r"driver failed \(error: the device was closed\)"):
        for _ in range(3):
            camera.read(2.0)
    assert fake.released.wait(2)


# --- not to be opened ---------------------------------------------------------------------------------------


def test_a_busy_camera_says_who_holds_it(
    plug: Plug, v4l_names: Path, tmp_path: Path, mocker: MockerFixture
) -> None:
    node = v4l_names.parent / "dev" / "video1"
    process = tmp_path / "proc" / "4711"
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text("cheese\n")
    (process / "fd" / "3").symlink_to(node)
    mocker.patch.object(v4l, "PROCESSES", tmp_path / "proc")
    fake = plug(opens=False)
    with pytest.raises(
        CameraAbsent, match=r"USB camera c920 is used by cheese \(process 4711\); close that program\."
    ):
        usb().open()
    assert fake.released.is_set()


def test_a_camera_that_an_earlier_read_still_holds_is_to_be_unplugged(
    plug: Plug, v4l_names: Path, tmp_path: Path, mocker: MockerFixture
) -> None:
    process = tmp_path / "proc" / str(os.getpid())
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text("companion\n")
    (process / "fd" / "3").symlink_to(v4l_names.parent / "dev" / "video1")
    mocker.patch.object(v4l, "PROCESSES", tmp_path / "proc")
    plug(opens=False)
    with pytest.raises(CameraAbsent, match=r"still hangs since it was last used; unplug it"):
        usb().open()


def test_a_camera_of_another_user_says_what_to_type(plug: Plug, mocker: MockerFixture) -> None:
    plug(opens=False)
    mocker.patch("os.access", return_value=False)
    with pytest.raises(CameraAbsent, match=r"sudo usermod -aG video"):
        usb().open()


def test_a_node_of_metadata_says_so(plug: Plug, v4l_names: Path) -> None:
    plug(opens=False)
    with pytest.raises(CameraAbsent, match=r"gives no pictures, only data about them"):
        usb(str(v4l_names.parent / "dev" / "video0")).open()


def test_a_number_without_a_camera_is_told(v4l_names: Path) -> None:
    with pytest.raises(CameraAbsent, match=r"USB camera 9 is not connected; plug it in"):
        usb("9").open()


# --- focus and exposure -------------------------------------------------------------------------------------


def device(fake: FakeCapture, wish: Wish, clock: list[float]) -> UsbDevice:
    return UsbDevice(fake, wish, lambda: clock[0])  # type: ignore[arg-type]


def test_autofocus_is_locked_at_the_position_of_the_calibration() -> None:
    fake = FakeCapture(pictures())
    made = device(fake, Wish(lens_position=45.0), [0.0])
    assert (fake.properties[cv2.CAP_PROP_AUTOFOCUS], fake.properties[cv2.CAP_PROP_FOCUS]) == (0, 45)
    assert made.notice == ""
    assert made.lens_position == 45


@pytest.mark.parametrize(
    ("fake", "said"),
    [
        (FakeCapture(pictures(), deaf_to=frozenset({cv2.CAP_PROP_FOCUS})), "stands at 30"),
        (FakeCapture(pictures(), fixed_focus=True), "cannot be set"),
    ],
    ids=["deaf", "fixed"],
)
def test_a_lens_that_does_not_go_there_is_told(fake: FakeCapture, said: str) -> None:
    notice = device(fake, Wish(lens_position=45.0), [0.0]).notice
    assert notice == f"The lens was measured at focus 45 and {said}: calibrate again with the lens as it is."


def test_without_a_calibration_autofocus_looks_for_the_table_once() -> None:
    fake, clock = FakeCapture(pictures()), [10.0]
    made = device(fake, Wish(), clock)
    made.grab()
    assert fake.properties[cv2.CAP_PROP_AUTOFOCUS] == 1
    clock[0] += FOCUS_S
    made.grab()
    assert fake.properties[cv2.CAP_PROP_AUTOFOCUS] == 0


def test_a_fixed_exposure_is_set_and_read_back() -> None:
    fake = FakeCapture(pictures())
    assert device(fake, Wish(exposure_ms=20.0), [0.0]).notice == ""
    assert (fake.properties[cv2.CAP_PROP_AUTO_EXPOSURE], fake.properties[cv2.CAP_PROP_EXPOSURE]) == (1, 200)
    deaf = FakeCapture(pictures(), deaf_to=frozenset({cv2.CAP_PROP_EXPOSURE}))
    assert "does not take an exposure of 20 ms" in device(deaf, Wish(exposure_ms=20.0), [0.0]).notice
    free = FakeCapture(pictures())
    device(free, Wish(), [0.0])
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in {key for key, _ in free.told}


def test_the_stand_in_knows_no_property_that_a_camera_does_not() -> None:
    with pytest.raises(AssertionError, match="knows no property"):
        FakeCapture(pictures()).set(cv2.CAP_PROP_ZOOM, 1)
