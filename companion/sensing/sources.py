"""Real cameras and stored pictures as frame sources. Hardware libraries are imported inside their adapter.

Every failure is a CameraAbsent in one sentence; trying again may succeed. Time comes from the injected clock.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.sensing.frames import CameraAbsent, Frame, FrameSource, Image

Clock = Callable[[], float]

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})
# Cameras by names that stay when /dev/video numbers change.
STABLE_NAMES = Path("/dev/v4l/by-id")
DEFAULT_SIZE = (2304, 1296)
# A camera that was just opened may need this long for its first picture.
FIRST_PICTURE_S = 5.0


class _Grabber:
    """Reads a blocking device in a worker thread that may be left behind, and keeps only the latest picture.

    A driver's `read` can block for ever when the cable is pulled: then this thread hangs, not the caller.
    """

    def __init__(self, read: Callable[[], Image | None], release: Callable[[], None], clock: Clock) -> None:
        self._read = read
        self._release = release
        self._clock = clock
        self._latest: queue.Queue[tuple[Image, float] | None] = queue.Queue(maxsize=1)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                image = self._read()
                self._offer(None if image is None else (image, self._clock()))
                if image is None:
                    return
        finally:
            self._release()

    def _offer(self, item: tuple[Image, float] | None) -> None:
        """Latest wins: what nobody fetched is dropped."""
        while True:
            try:
                self._latest.put_nowait(item)
                return
            except queue.Full:
                try:
                    self._latest.get_nowait()
                except queue.Empty:
                    continue

    def next(self, timeout_s: float) -> tuple[Image, float] | None:
        """The next picture with its time, None when the device ended; queue.Empty after `timeout_s`."""
        return self._latest.get(timeout=timeout_s)

    def stop(self, wait_s: float = 1.0) -> None:
        """Let the worker end; one that hangs in its driver is left behind."""
        self._stop.set()
        self._thread.join(wait_s)


def usb_device(name: str) -> int | str:
    """What to open for `name`: a number, a path, or part of a stable name in /dev/v4l/by-id.

    Raises CameraAbsent when no camera's name, or more than one's, holds it. Of one camera's nodes the first
    that gives pictures is meant (`-index0`); the others are metadata.
    """
    if name == "":
        return 0
    if name.isdigit():
        return int(name)
    if name.startswith("/"):
        return name
    nodes = sorted(STABLE_NAMES.glob("*")) if STABLE_NAMES.is_dir() else []
    cameras = [node for node in nodes if not node.name[-1:].isdigit() or node.name.endswith("index0")]
    fitting = [node for node in cameras if name.lower() in node.name.lower()]
    if len(fitting) == 1:
        return str(fitting[0])
    listed = ", ".join(node.name for node in cameras) or "none"
    if not fitting:
        raise CameraAbsent(
            f"No USB camera is called {name!r} (connected: {listed}); plug it in or rename it."
        )
    raise CameraAbsent(
        f"More than one USB camera is called {name!r} ({listed}); give a longer part of the name."
    )


class UsbCamera:
    """A USB camera through OpenCV: by number, path or part of its stable name."""

    simulated = False

    def __init__(self, device: str, clock: Clock, size: tuple[int, int] = DEFAULT_SIZE) -> None:
        self._device = device
        self._clock = clock
        self._size = size
        self._grabber: _Grabber | None = None
        self._number = 0

    @property
    def name(self) -> str:
        """How the camera is called in messages."""
        return f"USB camera {self._device or 0}"

    def open(self) -> None:
        """Open the camera; CameraAbsent when it is missing or somebody else holds it."""
        self.close()
        target = usb_device(self._device)
        _hush()
        capture = cv2.VideoCapture(target)
        if not capture.isOpened():
            capture.release()
            raise CameraAbsent(
                f"{self.name} cannot be opened; plug it in, and close any other program that uses it."
            )
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        # Without this a slow reader gets pictures from the driver's queue, seconds old.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

        def read() -> Image | None:
            ok, image = capture.read()
            return np.asarray(image, dtype=np.uint8) if ok and image is not None else None

        self._grabber = _Grabber(read, capture.release, self._clock)

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraAbsent when none comes within `timeout_s` or the camera is gone."""
        grabber, frame = _next(self._grabber, self.name, timeout_s if self._number else FIRST_PICTURE_S)
        if frame is None:
            grabber.stop(0.0)
            self._grabber = None
            raise CameraAbsent(f"{self.name} is gone; plug it in again.")
        self._number += 1
        return Frame(frame[0], frame[1], self._number)

    def close(self) -> None:
        """Let go of the camera; harmless when closed already."""
        if self._grabber is not None:
            self._grabber.stop()
            self._grabber = None
        self._number = 0


def _next(
    grabber: _Grabber | None, name: str, timeout_s: float
) -> tuple[_Grabber, tuple[Image, float] | None]:
    if grabber is None:
        raise CameraAbsent(f"{name} is closed; open it before reading.")
    try:
        return grabber, grabber.next(timeout_s)
    except queue.Empty:
        raise CameraAbsent(
            f"{name} gave no picture within {timeout_s:g} s; check its cable and plug it in again."
        ) from None


class PiCamera:
    """The Raspberry Pi's camera through picamera2 (from the system packages)."""

    simulated = False
    name = "Pi camera"

    def __init__(
        self, clock: Clock, size: tuple[int, int] = DEFAULT_SIZE, lens_position: float | None = None
    ) -> None:
        self._clock = clock
        self._size = size
        self._lens_position = lens_position
        self._grabber: _Grabber | None = None
        self._number = 0

    def open(self) -> None:
        """Start the camera; CameraAbsent when picamera2 or the camera is missing or busy."""
        self.close()
        try:
            from picamera2 import Picamera2
        except ImportError:
            raise CameraAbsent(
                "The Pi camera needs picamera2, which is not installed; on Raspberry Pi OS type: "
                "sudo apt install python3-picamera2"
            ) from None
        try:
            camera: Any = Picamera2()
        except (RuntimeError, IndexError):
            raise CameraAbsent(
                "No Pi camera was found, or another program holds it; check its ribbon cable and close the other."
            ) from None
        try:
            camera.configure(
                camera.create_video_configuration(
                    # picamera2 names channels from the last byte: this is BGR in memory.
                    main={"size": self._size, "format": "RGB888"},
                    buffer_count=3,
                )
            )
            if self._lens_position is not None:
                # AfMode 0: manual. A focus that wanders is another camera.
                camera.set_controls({"AfMode": 0, "LensPosition": self._lens_position})
            camera.start()
        except RuntimeError as error:
            camera.close()
            raise CameraAbsent(f"The Pi camera does not start ({error}); restart the Pi.") from None

        def read() -> Image | None:
            try:
                return np.asarray(camera.capture_array("main"), dtype=np.uint8)
            except RuntimeError:
                return None

        self._grabber = _Grabber(read, camera.close, self._clock)

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraAbsent when none comes within `timeout_s`."""
        grabber, frame = _next(self._grabber, self.name, timeout_s if self._number else FIRST_PICTURE_S)
        if frame is None:
            grabber.stop(0.0)
            self._grabber = None
            raise CameraAbsent("The Pi camera stopped; check its ribbon cable.")
        self._number += 1
        return Frame(frame[0], frame[1], self._number)

    def close(self) -> None:
        """Stop the camera; harmless when closed already."""
        if self._grabber is not None:
            self._grabber.stop()
            self._grabber = None
        self._number = 0


class FolderCamera:
    """The pictures of a folder, in the order of their names, one a read; the last one stays."""

    simulated = True

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._files: list[Path] | None = None
        self._number = 0

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return f"folder {self._folder}"

    def open(self) -> None:
        """List the pictures; CameraAbsent when there are none."""
        if not self._folder.is_dir():
            raise CameraAbsent(f"{self._folder} is not a folder; name one that holds pictures.")
        self._files = sorted(f for f in self._folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES)
        self._number = 0
        if not self._files:
            self._files = None
            raise CameraAbsent(f"The folder {self._folder} holds no pictures (JPEG or PNG); put some in.")

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraAbsent for one that cannot be read."""
        if self._files is None:
            raise CameraAbsent(f"The {self.name} is closed; open it before reading.")
        file = self._files[min(self._number, len(self._files) - 1)]
        self._number += 1
        image = cv2.imread(str(file))
        if image is None:
            raise CameraAbsent(f"{file} is not a picture this can read; take it out of the folder.")
        return Frame(np.asarray(image, dtype=np.uint8), self._clock(), self._number)

    def close(self) -> None:
        """Nothing to let go of."""
        self._files = None


class VideoCamera:
    """A video file, one picture a read. Its end is CameraAbsent; opening starts it over."""

    simulated = True

    def __init__(self, file: Path, clock: Clock) -> None:
        self._file = file
        self._clock = clock
        self._capture: Any = None
        self._number = 0

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return f"video {self._file}"

    def open(self) -> None:
        """Open the file; CameraAbsent when it is missing or no video."""
        self.close()
        if not self._file.is_file():
            raise CameraAbsent(f"{self._file} does not exist; name a video file.")
        _hush()
        capture = cv2.VideoCapture(str(self._file))
        if not capture.isOpened():
            capture.release()
            raise CameraAbsent(f"{self._file} is not a video this can play; use MP4 or AVI.")
        self._capture = capture
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraAbsent at the end."""
        if self._capture is None:
            raise CameraAbsent(f"The {self.name} is closed; open it before reading.")
        ok, image = self._capture.read()
        if not ok or image is None:
            raise CameraAbsent(f"The {self.name} is at its end.")
        self._number += 1
        return Frame(np.asarray(image, dtype=np.uint8), self._clock(), self._number)

    def close(self) -> None:
        """Close the file; harmless when closed already."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def open_source(
    setting: str,
    clock: Clock = time.monotonic,
    size: tuple[int, int] = DEFAULT_SIZE,
    lens_position: float | None = None,
) -> FrameSource:
    """The source a setting names, not yet opened: `picamera`, `usb`, `usb:NAME`, `folder:DIRECTORY`, `video:FILE`.

    Raises CameraAbsent for any other text. The simulated camera is not made here.
    """
    kind, _, rest = setting.partition(":")
    if kind == "picamera" and not rest:
        return PiCamera(clock, size, lens_position)
    if kind == "usb":
        return UsbCamera(rest, clock, size)
    if kind == "folder" and rest:
        return FolderCamera(Path(rest), clock)
    if kind == "video" and rest:
        return VideoCamera(Path(rest), clock)
    raise CameraAbsent(
        f"No camera is called {setting!r}; use picamera, usb, usb:NAME, folder:DIRECTORY or video:FILE."
    )


def _hush() -> None:
    """OpenCV tells every failed attempt in lines of its own; what matters is told by CameraAbsent."""
    logging = getattr(cv2.utils, "logging", None)
    if logging is not None and hasattr(logging, "setLogLevel"):
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    elif hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)
