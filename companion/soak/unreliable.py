"""A camera whose cable is pulled, whose driver hands out an old picture, that stays black, or that is held by others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.sensing.frames import CameraAbsent, Film, Frame, FrameSource, Image
from companion.tables.kit import Eyes


class UnreliableCamera:
    """The raw camera, as `companion.sensing.sources.watched` meets it.

    `gone`: its cable is pulled. `busy`: somebody else holds it when it is opened. `stale`: its driver hands out the
    same picture again and again, whether or not it is opened anew.
    """

    simulated = True
    notice = ""

    def __init__(self, camera: FrameSource) -> None:
        self._camera = camera
        self.name = camera.name
        self.gone = False
        self.busy = False
        self.stale = False
        self._last: Image | Film | None = None

    def open(self) -> None:
        """Opens the camera, if it is plugged in and free."""
        if self.gone:
            raise CameraAbsent(f"{self.name} is not connected; plug it in.")
        if self.busy:
            raise CameraAbsent(f"{self.name} is held by another program; end it.")
        self._camera.open()

    def read(self, timeout_s: float) -> Frame:
        """The next picture."""
        if self.gone:
            raise CameraAbsent(f"{self.name} is gone; plug it in again.")
        frame = self._camera.read(timeout_s)
        if self.stale and self._last is not None:
            return replace(frame, picture=self._last)
        self._last = frame.picture
        return frame

    def close(self) -> None:
        """Closes the camera."""
        self._camera.close()


class UnreliableEyes:
    """Eyes that see in an old picture what they saw in it before, even if they look at the table itself."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._picture: Image | Film | None = None
        self._last: Any = None

    def process(self, frame: Frame) -> Any:
        """The reading of a frame."""
        if frame.picture is not self._picture:
            self._picture, self._last = frame.picture, self._eyes.process(frame)
        return replace(self._last, exposed_at=frame.exposed_at)
