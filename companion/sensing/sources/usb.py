"""USB cameras through OpenCV, found by their stable name."""

from __future__ import annotations

import os
import sys

import cv2
import numpy as np

from companion.messages import say
from companion.sensing.frames import CameraAbsent, Clock
from companion.sensing.sources.live import LiveCamera
from companion.sensing.sources.opencv import bgr, hush
from companion.sensing.sources.setting import Setting
from companion.sensing.sources.v4l import find_camera, why_not
from companion.sensing.sources.wish import Wish
from companion.sensing.sources.worker import Shot

# Autofocus may look for the table this long; then it stays where it is: another focus is another lens.
FOCUS_S = 4.0
# V4L2's values for the exposure mode, and its unit of exposure.
_MANUAL_EXPOSURE = 1
_EXPOSURE_UNITS_PER_MS = 10.0
# How far a camera may round what it is told.
_NEAR = 0.02


class UsbCamera(LiveCamera):
    """A USB camera: by part of its stable name in /dev/v4l/by-id, by number or by path; "": the only one."""

    def __init__(self, device: str, clock: Clock, wish: Wish) -> None:
        super().__init__(clock)
        self._asked = device
        self._wish = wish

    @property
    def name(self) -> str:
        """How the camera is called in messages."""
        return say("camera.usb_called", name=self._asked) if self._asked else say("camera.usb")

    def silent(self) -> str:
        """What to do about it."""
        return say("camera.usb_silent")

    def connect(self) -> UsbDevice:
        """Open it; CameraAbsent with the reason when that cannot be done."""
        linux = sys.platform.startswith("linux")
        # Elsewhere cameras have numbers only.
        target: str | int = find_camera(self._asked) if linux else int(self._asked or 0)
        if isinstance(target, str) and not os.path.exists(target):
            raise CameraAbsent(why_not(target, self.name))
        hush()
        capture = cv2.VideoCapture(target, cv2.CAP_V4L2 if linux else cv2.CAP_ANY)
        if not capture.isOpened():
            capture.release()
            raise CameraAbsent(why_not(str(target), self.name))
        return UsbDevice(capture, self._wish, self._clock)


class UsbDevice:
    """cv2.VideoCapture, set as wished. Its buffer holds one picture: a longer one is full of old ones."""

    def __init__(self, capture: cv2.VideoCapture, wish: Wish, clock: Clock) -> None:
        self.notice: str = ""
        self._capture = capture
        self._clock = clock
        # Uncompressed pictures of this size do not fit through USB 2 at more than a few a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, wish.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wish.size[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._focus_until: float | None = None
        self._locked_at: float | None = None
        if wish.lens_position is None:
            self._focus_until = clock() + FOCUS_S
        else:
            self._set_focus(wish.lens_position)
        if wish.exposure_ms is not None:
            self._set_exposure(wish.exposure_ms)

    @property
    def lens_position(self) -> float | None:
        """Where the lens stands, in the driver's measure; None for a fixed one."""
        position = self._capture.get(cv2.CAP_PROP_FOCUS)
        return None if position < 0 else float(position)

    @property
    def setting(self) -> Setting:
        """How the camera is set; its lens once that is locked."""
        return Setting(self._locked_at)

    def _set_focus(self, position: float) -> None:
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._capture.set(cv2.CAP_PROP_FOCUS, position)
        now = self._locked_at = self.lens_position
        if now is None or abs(now - position) > max(1.0, _NEAR * position):
            wanted = f"{position:g}"
            if now is None:
                self.notice = say("camera.focus_fixed", wanted=wanted)
            else:
                self.notice = say("camera.focus_other", wanted=wanted, now=f"{now:g}")

    def _set_exposure(self, exposure_ms: float) -> None:
        wanted = exposure_ms * _EXPOSURE_UNITS_PER_MS
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_EXPOSURE, wanted)
        now = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if abs(now - wanted) > max(1.0, _NEAR * wanted):
            self.notice = say("camera.exposure_refused", wanted=f"{exposure_ms:g}")

    def grab(self) -> bool:
        """Wait for the next picture."""
        if self._focus_until is not None and self._clock() >= self._focus_until:
            self._focus_until = None
            self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            self._locked_at = self.lens_position
        return bool(self._capture.grab())

    def retrieve(self) -> Shot | None:
        """Decode it; V4L2 says by the monotonic clock when it was exposed."""
        done, picture = self._capture.retrieve()
        if not done or picture is None or picture.size == 0:
            return None
        exposed_at = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return Shot(bgr(np.asarray(picture, dtype=np.uint8)), self._clock() - exposed_at)

    def release(self) -> None:
        """Let go of the camera."""
        self._capture.release()

    def abort(self) -> None:
        """Nothing: OpenCV crashes when a capture is released in the middle of a read. The worker does it later."""
