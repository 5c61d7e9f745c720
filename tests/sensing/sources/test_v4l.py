"""Names, nodes and holders of cameras."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from companion.sensing.frames import CameraAbsent
from companion.sensing.sources import v4l
from companion.sensing.sources.v4l import captures, find_camera, holding, usb_cameras


def test_a_part_of_a_name_is_enough_and_the_node_of_pictures_is_meant(v4l_names: Path) -> None:
    nodes = v4l_names.parent / "dev"
    assert find_camera("c920") == str(nodes / "video1"), "the first node is the one of metadata"
    assert find_camera("Arducam") == str(nodes / "video2")


def test_a_number_and_a_path_are_meant_as_they_are(v4l_names: Path) -> None:
    assert find_camera("2") == str(v4l_names.parent / "dev" / "video2")
    assert find_camera("/dev/video4") == "/dev/video4"


def test_the_only_camera_needs_no_name(v4l_names: Path) -> None:
    for link in v4l_names.glob("*Arducam*"):
        link.unlink()
    assert find_camera("") == str(v4l_names.parent / "dev" / "video1")


def test_names_that_fit_none_or_more_than_one_are_told_with_those_there_are(v4l_names: Path) -> None:
    with pytest.raises(CameraAbsent, match=r"'kodak' \(connected: usb-Arducam_16MP, usb-Logi_C920_A1\)"):
        find_camera("kodak")
    with pytest.raises(CameraAbsent, match=r"More than one USB camera is called 'usb' .* longer part"):
        find_camera("usb")
    with pytest.raises(CameraAbsent, match=r"More than one USB camera is connected .* usb:NAME"):
        find_camera("")


def test_without_any_camera_that_is_said(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch.object(v4l, "STABLE_NAMES", tmp_path / "missing")
    mocker.patch.object(v4l, "NODES", tmp_path)
    for name in ("", "c920"):
        with pytest.raises(CameraAbsent, match="No USB camera is connected; plug it in"):
            find_camera(name)


def test_without_udev_cameras_go_by_their_nodes(tmp_path: Path, mocker: MockerFixture) -> None:
    for number in (0, 1, 10):
        (tmp_path / f"video{number}").touch()
    mocker.patch.object(v4l, "STABLE_NAMES", tmp_path / "missing")
    mocker.patch.object(v4l, "NODES", tmp_path)
    # Of these one is a USB camera; the Pi's decoder and the metadata are not.
    mocker.patch.object(v4l, "captures", lambda node, bus="": node.endswith("video1"))
    assert usb_cameras() == {"video1": str(tmp_path / "video1")}


@pytest.mark.parametrize(
    ("everything", "own", "bus", "pictures"),
    [
        (0x84A00001, 0x04200001, b"usb-0000:01:00.0-1.2", True),
        (0x84A00001, 0x04A00000, b"usb-0000:01:00.0-1.2", False),  # the metadata node of the same camera
        (0x84201000, 0x04201000, b"usb-0000:01:00.0-1.2", True),  # multi-planar
        (0x84204000, 0x04204000, b"platform:bcm2835-codec", False),  # a decoder
        (0x00000001, 0, b"usb-1", True),  # an old driver tells of the whole device only
        (0x84A00001, 0x04200001, b"platform:unicam", False),  # no USB camera
    ],
)
def test_a_node_is_asked_what_it_is(
    tmp_path: Path, mocker: MockerFixture, everything: int, own: int, bus: bytes, pictures: bool
) -> None:
    def ioctl(descriptor: int, request: int, answer: bytearray) -> int:
        assert request == 0x80685600
        assert len(answer) == 104
        struct.pack_into("16s32s32sIII", answer, 0, b"uvcvideo", b"C920", bus, 0x60100, everything, own)
        return 0

    (tmp_path / "video0").touch()
    mocker.patch("fcntl.ioctl", ioctl)
    assert captures(str(tmp_path / "video0"), bus="usb") is pictures


def test_a_node_that_cannot_be_asked_may_be_a_camera(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    assert captures(str(tmp_path / "video0")) is None
    assert captures(str(tmp_path / "none")) is None


def test_who_holds_a_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "device"
    file.touch()
    assert list(holding([str(file)])) == []
    with file.open():
        holders = list(holding([str(file)]))
    assert [holder.pid for holder in holders] == [os.getpid()]
    assert str(holders[0]).endswith(f"(process {os.getpid()})")
