"""Settings name sources."""

from __future__ import annotations

import pytest

from companion.sensing.frames import CameraUnusable
from companion.sensing.sources.folder import FolderCamera
from companion.sensing.sources.opening import open_source
from companion.sensing.sources.video import VideoCamera
from companion.sensing.sources.watched import WatchedCamera


@pytest.mark.parametrize(
    ("setting", "kind", "name", "simulated"),
    [
        ("picamera", WatchedCamera, "Pi camera", False),
        ("picamera:1", WatchedCamera, "Pi camera 1", False),
        ("usb", WatchedCamera, "USB camera", False),
        ("usb:C920", WatchedCamera, "USB camera C920", False),
        ("folder:/pictures", FolderCamera, "folder /pictures", True),
        ("video:/a.mp4", VideoCamera, "video /a.mp4", True),
    ],
)
def test_settings_name_sources(setting: str, kind: type, name: str, simulated: bool) -> None:
    source = open_source(setting)
    assert isinstance(source, kind)
    assert (source.name, source.simulated) == (name, simulated)


@pytest.mark.parametrize("setting", ["", "webcam", "folder:", "video:", "picamera:two", "simulated"])
def test_other_settings_are_refused(setting: str) -> None:
    with pytest.raises(CameraUnusable, match="use picamera, picamera:NUMBER, usb"):
        open_source(setting)
