"""A video file as a camera."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.sensing.frames import CameraAbsent, CameraUnusable, Clock, Frame, Image
from companion.sensing.sources.opencv import bgr, hush

# Taken for granted when the file does not say.
USUAL_FPS = 25.0


class VideoCamera:
    """A video file, played at its own speed: `read` gives the picture of now. The last one stays."""

    simulated = True

    def __init__(self, file: Path, clock: Clock) -> None:
        self.notice = ""
        self._file = file
        self._clock = clock
        self._capture: Any = None
        self._started = 0.0
        self._fps = USUAL_FPS
        # Of the picture shown, counted from 0.
        self._index = -1
        self._shown: Image | None = None
        self._number = 0

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return f"video {self._file}"

    def open(self) -> None:
        """Begin at the beginning; CameraUnusable when the file is missing or no video."""
        self.close()
        if not self._file.is_file():
            raise CameraUnusable(f"{self._file} does not exist; name a video file.")
        hush()
        capture = cv2.VideoCapture(str(self._file))
        self._capture, self._index = capture, -1
        if not capture.isOpened() or not self._advance_to(0):
            self.close()
            raise CameraUnusable(f"{self._file} is not a video this can play; use MP4 or AVI.")
        fps = float(capture.get(cv2.CAP_PROP_FPS))
        self._fps = fps if 0.1 < fps < 1000 else USUAL_FPS
        self._started = self._clock()

    def _advance_to(self, index: int) -> bool:
        """Show the picture with this index, or the last before it; False if there is no further one."""
        grabbed = False
        while self._index < index and self._capture.grab():
            self._index += 1
            grabbed = True
        if not grabbed:
            return self._index >= index
        done, picture = self._capture.retrieve()
        if done and picture is not None:
            self._shown = bgr(np.asarray(picture, dtype=np.uint8))
        return self._shown is not None and self._index >= index

    def read(self, timeout_s: float) -> Frame:
        """The picture of now; at the end the last one, with a notice."""
        if self._capture is None:
            raise CameraAbsent(f"The {self.name} is closed; open it before reading.")
        due = int((self._clock() - self._started) * self._fps)
        if not self.notice and not self._advance_to(due):
            self.notice = f"The {self.name} is at its end; its last picture stays."
        self._number += 1
        assert self._shown is not None
        return Frame(self._shown, self._clock(), self._number)

    def close(self) -> None:
        """Close the file; harmless when closed already."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        self._shown, self.notice = None, ""
