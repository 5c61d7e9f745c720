"""Grey pictures of coloured ones, as a whole or only where they are looked at."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.sensing.frames import Image
from companion.sensing.markers import Gray, Marker
from companion.sensing.region import Region


def gray_of(image: Image) -> Gray:
    """A BGR picture (h, w, 3) or a gray one (h, w) as gray uint8."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


class GreyParts:
    """A picture (BGR or grey) of which only some regions are turned grey; the rest is black."""

    def __init__(self, image: Image, regions: Iterable[Region] = ()) -> None:
        self._image = image
        self.gray: Gray = image if image.ndim == 2 else np.zeros(image.shape[:2], np.uint8)
        self.add(regions)

    def add(self, regions: Iterable[Region]) -> None:
        """These regions, too."""
        if self._image.ndim == 2:
            return
        for region in regions:
            region.crop(self.gray)[:] = gray_of(region.crop(self._image))


def around(marker: Marker, gray: Gray, margin: float) -> Region:
    """The part of the picture around a marker, with a margin in sides."""
    spare = marker.side_px * margin
    low, high = marker.corners.min(axis=0) - spare, marker.corners.max(axis=0) + spare
    return Region(
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(gray.shape[1], int(high[0]) + 1),
        min(gray.shape[0], int(high[1]) + 1),
    )
