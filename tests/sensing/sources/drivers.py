"""Drivers at the library's boundary: strict stand-ins for cv2.VideoCapture and the picamera2 module.

What a camera does not know is an error here, so that a misspelt setting cannot pass unnoticed.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from typing import Any, ClassVar

import cv2
import numpy as np

WIDTH, HEIGHT = 64, 36
# A driver that hangs in a test does so no longer than this.
HANG_S = 20.0


def picture(level: int = 90, size: tuple[int, int] = (WIDTH, HEIGHT), seed: int = 0) -> np.ndarray:
    """A grey picture with its own noise."""
    grain = np.random.default_rng(seed).integers(-3, 4, (size[1], size[0], 3))
    return np.clip(level + grain, 0, 255).astype(np.uint8)


def pictures(level: int = 90) -> Iterator[np.ndarray]:
    """Pictures without end, each with other noise."""
    for seed in itertools.count():
        yield picture(level, seed=seed)


class FakeCapture:
    """cv2.VideoCapture of a camera: gives `shown`, None for a damaged picture; then ends, or hangs if `hangs`."""

    KNOWN: ClassVar[dict[int, float]] = {
        cv2.CAP_PROP_FOURCC: 0.0,
        cv2.CAP_PROP_FRAME_WIDTH: 640.0,
        cv2.CAP_PROP_FRAME_HEIGHT: 480.0,
        cv2.CAP_PROP_BUFFERSIZE: 4.0,
        cv2.CAP_PROP_AUTOFOCUS: 1.0,
        cv2.CAP_PROP_FOCUS: 30.0,
        cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
        cv2.CAP_PROP_EXPOSURE: 156.0,
        cv2.CAP_PROP_POS_MSEC: 0.0,
    }

    def __init__(
        self,
        shown: Iterator[np.ndarray | None],
        *,
        opens: bool = True,
        hangs: bool = False,
        deaf_to: frozenset[int] = frozenset(),
        fixed_focus: bool = False,
    ) -> None:
        self.properties = dict(self.KNOWN)
        self.told: list[tuple[int, float]] = []
        self.released = threading.Event()
        self.grabbed = 0
        self.decoded = 0
        self._shown = shown
        self._now: np.ndarray | None = None
        self._opens = opens
        self._hangs = hangs
        self._deaf_to = deaf_to
        if fixed_focus:
            self.properties[cv2.CAP_PROP_FOCUS] = -1.0

    def isOpened(self) -> bool:
        return self._opens

    def set(self, key: int, value: float) -> bool:
        if key not in self.KNOWN:
            raise AssertionError(f"a camera knows no property {key}")
        self.told.append((key, value))
        if key in self._deaf_to or self.properties[key] < 0:
            return False
        self.properties[key] = value
        return True

    def get(self, key: int) -> float:
        return self.properties[key]

    def grab(self) -> bool:
        if self.released.is_set():
            raise AssertionError("a camera is read after it was released")
        try:
            self._now = next(self._shown)
        except StopIteration:
            if self._hangs:
                self.released.wait(HANG_S)
            return False
        self.grabbed += 1
        # No camera is endlessly fast; without this a test's worker would not let others run.
        self.released.wait(0.001)
        return True

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        self.decoded += 1
        return self._now is not None, self._now

    def release(self) -> None:
        self.released.set()


class FakeRequest:
    """A completed request; it must be given back exactly once."""

    def __init__(self, camera: FakePicamera2, image: np.ndarray) -> None:
        self._camera = camera
        self._image = image
        camera.lent += 1

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        return self._image

    def get_metadata(self) -> dict[str, Any]:
        return self._camera.metadata()

    def release(self) -> None:
        self._camera.lent -= 1
        assert self._camera.lent >= 0, "a request was given back twice"


class FakePicamera2:
    """picamera2's class. Class attributes say what the next one made will be like; `made` remembers them all."""

    made: ClassVar[list[FakePicamera2]] = []
    cameras: ClassVar[int] = 1
    # "busy", "start", "ends", "hangs", "throws", or "" for none.
    fault: ClassVar[str] = ""
    has_focus: ClassVar[bool] = True
    # The lens hears what it is told only after the camera was told so many times; 99: never.
    deaf_times: ClassVar[int] = 0
    deaf_to_exposure: ClassVar[bool] = False

    @staticmethod
    def global_camera_info() -> list[dict[str, object]]:
        return [{"Num": n, "Model": "imx708"} for n in range(FakePicamera2.cameras)]

    def __init__(self, camera_num: int = 0) -> None:
        assert 0 <= camera_num < self.cameras
        if self.fault == "busy":
            try:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")
            except RuntimeError:
                raise RuntimeError("Camera __init__ sequence did not complete.")  # noqa: B904
        self.number = camera_num
        self.configuration: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        self.started = False
        self.closed = threading.Event()
        self.lent = 0
        self.stamp_ns = 0
        self._lens = 1.0
        self._exposure_us = 9000
        self._shown = pictures()
        FakePicamera2.made.append(self)

    @property
    def camera_controls(self) -> dict[str, tuple[float, float, float]]:
        known = {"ExposureTime": (1, 66666, 20000), "AnalogueGain": (1.0, 16.0, 1.0)}
        lens = {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}
        return {**known, **lens} if self.has_focus else known

    def create_video_configuration(self, **settings: object) -> dict[str, Any]:
        assert set(settings) <= {"main", "buffer_count", "controls", "queue"}
        return settings

    def configure(self, configuration: dict[str, Any]) -> None:
        assert not self.started
        self.configuration = configuration
        self._take(configuration.get("controls", {}))

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._take(controls)

    def _take(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.told.append(controls)
        if len(self.told) > self.deaf_times:
            self._lens = controls.get("LensPosition", self._lens)
        if not self.deaf_to_exposure:
            self._exposure_us = controls.get("ExposureTime", self._exposure_us)

    def start(self) -> None:
        if self.fault == "start":
            raise RuntimeError("no memory")
        self.started = True

    def metadata(self) -> dict[str, Any]:
        known = {"SensorTimestamp": self.stamp_ns, "ExposureTime": self._exposure_us}
        return {**known, "LensPosition": self._lens} if self.has_focus else known

    def capture_request(self) -> FakeRequest | None:
        assert self.started and not self.closed.is_set()
        if self.fault == "ends":
            return None
        if self.fault == "throws":
            raise RuntimeError("Camera frontend has timed out!")
        if self.fault == "hangs":
            self.closed.wait(HANG_S)
            return None
        self.closed.wait(0.001)
        return FakeRequest(self, next(self._shown))

    def close(self) -> None:
        self.closed.set()
