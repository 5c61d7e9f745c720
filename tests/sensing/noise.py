"""A sensor's noise for pictures that come many in a row: drawn once, and shown at another place in each."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.frames import Image

# Two places so far apart at least have nothing in common.
ROOM = 97


@cache
def _grain(sigma: float, height: int, width: int) -> NDArray[np.int16]:
    drawn = np.random.default_rng(1).standard_normal((height, width), dtype=np.float32)
    return np.asarray(np.rint(sigma * drawn), dtype=np.int16)


class Noise:
    """Noise of `sigma` grey levels, the same in all three colours."""

    def __init__(self, sigma: float, seed: int = 1) -> None:
        self._sigma = sigma
        self._rng = np.random.default_rng(seed)

    def over(self, image: Image) -> Image:
        """The picture with noise that no other one has."""
        if self._sigma == 0:
            return image.copy()
        height, width = image.shape[:2]
        grain = _grain(self._sigma, height + ROOM, width + ROOM)
        y, x = self._rng.integers(0, ROOM, 2)
        here = cv2.merge([grain[y : y + height, x : x + width]] * 3)
        return np.asarray(cv2.add(image, here, dtype=cv2.CV_8U), dtype=np.uint8)
