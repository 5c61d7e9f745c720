"""The camera of a simulated table that is read itself: its frames show nothing, and say only when."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.sensing.frames import Frame

# The picture (h, w, 3), and the pixel that carries its number: as with a sensor, no two are alike.
_SIZE = (72, 128, 3)
_NUMBERED = (4, 4)


class BlankCamera:
    """`now`: the table's time in seconds."""

    simulated = True
    notice = ""
    name = "true readings"

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._number = 0

    def open(self) -> None:
        """Always there."""

    def close(self) -> None:
        """Nothing to let go of."""

    def read(self, timeout_s: float) -> Frame:
        """The next frame, of nothing."""
        self._number += 1
        image = np.full(_SIZE, 128, np.uint8)
        image[_NUMBERED] = (self._number // 251 % 251, self._number % 251, self._number // 251**2 % 251)
        return Frame(image, self._now(), self._number)
