"""Camera frames: the type, and the port through which any camera hands them over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.errors import CONFIGURATION, CompanionError

Image = NDArray[np.uint8]
Small = NDArray[np.uint8]
Clock = Callable[[], float]

# Every so many pixels one is looked at, to see whether anything is new.
STRIDE = 4


class CameraAbsent(CompanionError, OSError):
    """The camera is missing, busy or gone. The message says which and what to do; trying again may succeed."""


class CameraUnusable(CameraAbsent):
    """No trying again will help before somebody has changed something: a wrong name, a file that is no video."""

    exit_status = CONFIGURATION


class Film(Protocol):
    """A picture that is developed when somebody looks at it: for cameras that do not have it ready."""

    def developed(self) -> Image:
        """The whole, (h, w, 3) uint8 BGR; the same picture however often it is asked for."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels."""
        ...

    def thinned(self) -> Small:
        """`thinned` of the whole, which need not be developed for it."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One picture and when it was taken: `exposed_at` in seconds of the monotonic clock."""

    picture: Image | Film
    exposed_at: float
    number: int

    @property
    def image(self) -> Image:
        """The picture, (h, w, 3) uint8 BGR, or (h, w) if the camera has no colours."""
        return self.picture if isinstance(self.picture, np.ndarray) else self.picture.developed()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        if isinstance(self.picture, np.ndarray):
            return (self.picture.shape[1], self.picture.shape[0])
        return self.picture.size

    @property
    def thinned(self) -> Small:
        """A glance at the picture: `thinned`."""
        return thinned(self.picture) if isinstance(self.picture, np.ndarray) else self.picture.thinned()


def thinned(image: Image) -> Small:
    """Every few pixels one of a BGR or grey picture. Green stands for grey: it is the sharpest channel."""
    green = image[::STRIDE, ::STRIDE, 1] if image.ndim == 3 else image[::STRIDE, ::STRIDE]
    return np.ascontiguousarray(green)


class FrameSource(Protocol):
    """Any camera. `read` blocks until the next frame, at most `timeout_s`, and raises CameraAbsent.

    Numbers rise from frame to frame, exposure times never fall. `notice`: what people should know although
    pictures come, as a sentence; "" if there is nothing. `open` raises CameraAbsent, CameraUnusable; an open
    source may be opened again.
    """

    @property
    def name(self) -> str: ...

    @property
    def simulated(self) -> bool: ...

    @property
    def notice(self) -> str: ...

    def open(self) -> None: ...

    def read(self, timeout_s: float) -> Frame: ...

    def close(self) -> None: ...
