"""Camera frames: the type, and the port through which any camera hands them over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.errors import CONFIGURATION, CompanionError

Image = NDArray[np.uint8]
Clock = Callable[[], float]


class CameraAbsent(CompanionError, OSError):
    """The camera is missing, busy or gone. The message says which and what to do; trying again may succeed."""


class CameraUnusable(CameraAbsent):
    """No trying again will help before somebody has changed something: a wrong name, a file that is no video."""

    exit_status = CONFIGURATION


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `image` (h, w, 3) uint8 BGR, `exposed_at` in seconds of the monotonic clock."""

    image: Image
    exposed_at: float
    number: int


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
