"""What all cameras with a driver have in common: opened, read and closed through a worker."""

from __future__ import annotations

from abc import ABC, abstractmethod

from companion.messages import say
from companion.sensing.frames import CameraAbsent, Clock, Frame
from companion.sensing.sources.setting import Setting
from companion.sensing.sources.worker import Device, Worker

# A camera that was just opened may need this long for its first picture.
FIRST_PICTURE_S = 8.0


class LiveCamera(ABC):
    """A camera with a driver. Latest picture wins: `read` gives one that was taken after it was called."""

    simulated = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._worker: Worker | None = None
        self._number = 0
        self._exposed_at = float("-inf")

    @property
    @abstractmethod
    def name(self) -> str:
        """How the camera is called in messages."""

    @abstractmethod
    def connect(self) -> Device:
        """Open the driver; called in the worker. Raises CameraAbsent, CameraUnusable."""

    @abstractmethod
    def silent(self) -> str:
        """What to do about a camera that gives no pictures."""

    @property
    def notice(self) -> str:
        """What people should know although pictures come; "" for nothing."""
        return "" if self._worker is None else self._worker.notice

    @property
    def setting(self) -> Setting:
        """How the camera is set, read back from it."""
        return Setting() if self._worker is None else self._worker.setting

    def open(self) -> None:
        """Open the camera and wait for its first picture.

        Raises CameraAbsent when it is missing, held by somebody else or silent; CameraUnusable when it never will.
        """
        self.close()
        worker = Worker(self.connect, self._clock)
        try:
            running = worker.wait_running(FIRST_PICTURE_S)
        except CameraAbsent:
            worker.stop()
            raise
        if not running:
            worker.stop()
            raise CameraAbsent(say("camera.opened_silent", camera=self.name, todo=self.silent()))
        self._worker = worker

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraAbsent when none comes within `timeout_s` or the camera is gone."""
        worker = self._worker
        if worker is None:
            raise CameraAbsent(say("camera.closed", camera=self.name))
        taken = worker.next(timeout_s)
        if taken is None:
            if worker.ended:
                self.close()
                raise CameraAbsent(say("camera.gone", camera=self.name, todo=self.silent()))
            raise CameraAbsent(
                say("camera.no_picture", camera=self.name, seconds=f"{timeout_s:g}", todo=self.silent())
            )
        image, exposed_at = taken
        self._number += 1
        # Times from a driver may jitter; nobody has to cope with one that runs backwards.
        self._exposed_at = max(self._exposed_at, exposed_at)
        return Frame(image, self._exposed_at, self._number)

    def close(self) -> None:
        """Let go of the camera; harmless when closed already."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
