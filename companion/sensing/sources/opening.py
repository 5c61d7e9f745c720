"""From a setting to a camera: the one place that knows which kinds there are."""

from __future__ import annotations

import time
from pathlib import Path

from companion.sensing.frames import CameraUnusable, Clock, FrameSource
from companion.sensing.sources.folder import FolderCamera
from companion.sensing.sources.picamera import PiCamera
from companion.sensing.sources.usb import UsbCamera
from companion.sensing.sources.video import VideoCamera
from companion.sensing.sources.watched import WatchedCamera
from companion.sensing.sources.wish import Wish

KINDS = "picamera, picamera:NUMBER, usb, usb:NAME, folder:DIRECTORY or video:FILE"


def open_source(setting: str, clock: Clock = time.monotonic, wish: Wish | None = None) -> FrameSource:
    """The source that a setting names, not yet opened; cameras with a driver are watched.

    Raises CameraUnusable for a text that names none. The simulated camera is not made here.
    """
    wish = wish or Wish()
    kind, _, rest = setting.partition(":")
    if kind == "picamera" and (not rest or rest.isdigit()):
        return WatchedCamera(PiCamera(int(rest or 0), clock, wish), wish.size)
    if kind == "usb":
        return WatchedCamera(UsbCamera(rest, clock, wish), wish.size)
    if kind == "folder" and rest:
        return FolderCamera(Path(rest), clock)
    if kind == "video" and rest:
        return VideoCamera(Path(rest), clock)
    raise CameraUnusable(f"No camera is called {setting!r}; use {KINDS}.")
