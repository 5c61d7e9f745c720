"""A folder of pictures as a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sensing.frames import CameraAbsent, CameraUnusable
from companion.sensing.sources.folder import FolderCamera


class Folder:
    """A folder, a clock, and the camera over both."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 100.0
        self.camera = FolderCamera(path, lambda: self.now, each_s=2.0)

    def put(self, name: str, level: int) -> None:
        cv2.imwrite(str(self.path / name), np.full((4, 4, 3), level, np.uint8))

    def level(self, after_s: float = 0.0) -> int:
        self.now += after_s
        return int(self.camera.read(1.0).image[0, 0, 0])


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_pictures_come_in_order_each_for_a_while_and_the_last_one_stays(folder: Folder) -> None:
    folder.put("b.png", 20)
    folder.put("a.PNG", 10)
    (folder.path / "notes.txt").write_text("not a picture")
    folder.camera.open()
    assert [folder.level(), folder.level(1.9), folder.level(0.2), folder.level(1.0)] == [10, 10, 20, 20]
    assert [folder.level(5.0), folder.level(5.0)] == [20, 20]
    assert folder.camera.read(1.0).exposed_at == folder.now


def test_a_picture_that_is_put_in_meanwhile_follows(folder: Folder) -> None:
    folder.put("a.png", 10)
    folder.camera.open()
    folder.level(5.0)
    # First half-written, then whole.
    (folder.path / "b.png").write_bytes(b"\x89PNG")
    assert folder.level(1.0) == 10
    assert folder.camera.notice == ""
    folder.put("b.png", 20)
    assert folder.level(1.0) == 20


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_picture_of_which_a_part_is_written_is_not_shown(
    folder: Folder, capfd: pytest.CaptureFixture[str], suffix: str, share: float
) -> None:
    folder.put("a.png", 10)
    folder.camera.open()
    grain = np.random.default_rng(4).integers(30, 60, (120, 160, 3), dtype=np.uint8)
    packed = cv2.imencode(suffix, grain)[1].tobytes()
    (folder.path / f"b{suffix}").write_bytes(packed[: int(len(packed) * share)])
    assert folder.level(3.0) == 10
    (folder.path / f"b{suffix}").write_bytes(packed)
    assert folder.level(3.0) != 10
    # No line of a decoder's own on the terminal.
    assert capfd.readouterr().err == ""


def test_a_damaged_picture_is_left_out_and_named(folder: Folder) -> None:
    folder.put("a.png", 10)
    (folder.path / "b.jpg").write_bytes(b"nothing")
    folder.put("c.png", 30)
    folder.camera.open()
    assert folder.camera.notice == ""
    assert folder.level(2.0) == 30
    assert folder.camera.notice == "Not readable as pictures and left out: b.jpg."


def test_folders_that_will_not_do_say_why(folder: Folder) -> None:
    with pytest.raises(CameraUnusable, match="holds no pictures"):
        folder.camera.open()
    (folder.path / "broken.jpg").write_bytes(b"nothing")
    with pytest.raises(CameraUnusable, match="None of the 1 pictures"):
        folder.camera.open()
    with pytest.raises(CameraUnusable, match="is not a folder"):
        FolderCamera(folder.path / "none", lambda: 0.0).open()


def test_a_folder_that_goes_away_is_absent(folder: Folder) -> None:
    folder.put("a.png", 10)
    folder.camera.open()
    (folder.path / "a.png").unlink()
    folder.path.rmdir()
    with pytest.raises(CameraAbsent, match="cannot be looked into"):
        folder.level(3.0)
