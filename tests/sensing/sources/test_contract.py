"""What every source does, whatever is behind it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing.frames import CameraAbsent, FrameSource
from companion.sensing.sources.folder import FolderCamera
from companion.sensing.sources.picamera import PiCamera
from companion.sensing.sources.usb import UsbCamera
from companion.sensing.sources.video import VideoCamera
from companion.sensing.sources.watched import WatchedCamera
from companion.sensing.sources.wish import Wish
from companion.virtual.camera import TableCamera
from companion.virtual.faults import Fault
from companion.virtual.optics import Optics
from tests.sensing.sources.conftest import Plug
from tests.sensing.sources.drivers import HEIGHT, WIDTH, FakePicamera2, picture, pictures

WISH = Wish((WIDTH, HEIGHT))


class Bare:
    """A simulated table with nothing on it."""

    optics = Optics(np.eye(3), np.zeros(5), np.eye(3), np.zeros(3), (WIDTH, HEIGHT))
    faults: frozenset[Fault] = frozenset()


def video(file: Path) -> Path:
    """A video of two pictures in five seconds."""
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 5, (WIDTH, HEIGHT))
    for level in range(10):
        writer.write(picture(60 + level))
    writer.release()
    return file


@pytest.fixture(params=["usb", "picamera", "folder", "video", "simulated", "watched"])
def source(
    request: pytest.FixtureRequest, tmp_path: Path, plug: Plug, picamera2: type[FakePicamera2]
) -> Iterator[FrameSource]:
    shown = pictures()

    def folder() -> FrameSource:
        (tmp_path / "pictures").mkdir()
        for name in ("a.png", "b.png"):
            cv2.imwrite(str(tmp_path / "pictures" / name), picture())
        return FolderCamera(tmp_path / "pictures", time.monotonic, each_s=0.001)

    plug()
    makers: dict[str, Callable[[], FrameSource]] = {
        "usb": lambda: UsbCamera("c920", time.monotonic, WISH),
        "picamera": lambda: PiCamera(0, time.monotonic, WISH),
        "folder": folder,
        "video": lambda: VideoCamera(video(tmp_path / "game.avi"), time.monotonic),
        "simulated": lambda: TableCamera(Bare(), lambda: next(shown), time.monotonic),
        "watched": lambda: WatchedCamera(UsbCamera("c920", time.monotonic, WISH), WISH.size),
    }
    made = makers[request.param]()
    yield made
    made.close()


def test_it_has_a_name_and_says_whether_it_is_simulated(source: FrameSource) -> None:
    assert source.name
    assert isinstance(source.simulated, bool)
    assert source.notice == ""


def test_closed_it_says_so(source: FrameSource) -> None:
    with pytest.raises(CameraAbsent, match="open it before reading"):
        source.read(0.5)
    source.close()
    source.close()


def test_pictures_are_colour_numbered_and_stamped(source: FrameSource) -> None:
    source.open()
    before = time.monotonic()
    frames = [source.read(2.0) for _ in range(4)]
    for frame in frames:
        assert frame.image.shape == (HEIGHT, WIDTH, 3)
        assert frame.image.dtype == np.uint8
        assert frame.image.flags.c_contiguous
    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    times = [frame.exposed_at for frame in frames]
    assert times == sorted(times)
    assert before - 2.0 < times[0] and times[-1] <= time.monotonic()
    assert source.notice == ""


def test_closed_and_opened_again_it_goes_on(source: FrameSource) -> None:
    source.open()
    first = source.read(2.0)
    source.close()
    with pytest.raises(CameraAbsent, match="open it before reading"):
        source.read(0.5)
    source.open()
    assert source.read(2.0).exposed_at >= first.exposed_at


def test_opened_twice_it_goes_on(source: FrameSource) -> None:
    source.open()
    source.open()
    assert source.read(2.0).image.shape == (HEIGHT, WIDTH, 3)


def test_a_frame_handed_over_is_not_written_to_any_more(source: FrameSource) -> None:
    source.open()
    frame = source.read(2.0)
    copy = frame.image.copy()
    for _ in range(3):
        source.read(2.0)
    assert np.array_equal(frame.image, copy)
