"""A video file as a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing.frames import CameraUnusable
from companion.sensing.sources.video import VideoCamera

FPS = 10


class Cinema:
    """A video whose pictures get brighter by 20 from one to the next, and a clock."""

    def __init__(self, file: Path, pictures: int = 10) -> None:
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (64, 48))
        for index in range(pictures):
            writer.write(np.full((48, 64, 3), 20 * index + 10, np.uint8))
        writer.release()
        self.now = 50.0
        self.camera = VideoCamera(file, lambda: self.now)

    def index(self, after_s: float) -> int:
        self.now += after_s
        return round((float(self.camera.read(1.0).image.mean()) - 10) / 20)


@pytest.fixture
def cinema(tmp_path: Path) -> Cinema:
    return Cinema(tmp_path / "game.avi")


def test_it_plays_at_its_own_speed_however_often_one_looks(cinema: Cinema) -> None:
    cinema.camera.open()
    assert [cinema.index(0.0), cinema.index(0.05), cinema.index(0.06)] == [0, 0, 1]
    assert cinema.index(0.3) == 4, "a slow reader misses pictures, not time"


def test_at_the_end_the_last_picture_stays_and_that_is_said(cinema: Cinema) -> None:
    cinema.camera.open()
    assert cinema.index(0.91) == 9
    assert cinema.camera.notice == ""
    assert [cinema.index(1.0), cinema.index(9.0)] == [9, 9]
    assert "is at its end" in cinema.camera.notice


def test_opened_again_it_starts_over(cinema: Cinema) -> None:
    cinema.camera.open()
    cinema.index(5.0)
    cinema.camera.open()
    assert (cinema.index(0.0), cinema.camera.notice) == (0, "")


@pytest.mark.parametrize("content", [None, b"", b"not a video"])
def test_files_that_will_not_do_say_why(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "game.mp4"
    if content is not None:
        file.write_bytes(content)
    said = "does not exist" if content is None else "not a video this can play"
    with pytest.raises(CameraUnusable, match=said):
        VideoCamera(file, lambda: 0.0).open()
