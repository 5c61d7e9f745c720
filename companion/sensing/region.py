"""A rectangle of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the picture in pixels: from (x0, y0) up to, not including, (x1, y1)."""

    x0: int
    y0: int
    x1: int
    y1: int

    def crop(self, picture: NDArray[Any]) -> NDArray[Any]:
        """That part of a picture, not copied."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]

    def holds(self, x: float, y: float) -> bool:
        """Is the pixel inside?"""
        return self.x0 <= x < self.x1 and self.y0 <= y < self.y1

    def overlap(self, other: Region) -> Region | None:
        """What two regions share; None if that is nothing."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        x1, y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        return Region(x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def shrunk(self, margin: int) -> Region:
        """Without a margin on every side; at least its middle pixel is left."""
        by_x = min(margin, (self.x1 - self.x0 - 1) // 2)
        by_y = min(margin, (self.y1 - self.y0 - 1) // 2)
        return Region(self.x0 + by_x, self.y0 + by_y, self.x1 - by_x, self.y1 - by_y)

    def grown(self, margin: int, size: tuple[int, int]) -> Region:
        """With a margin on every side, as far as a picture of a size (w, h) goes."""
        width, height = size
        return Region(
            max(0, self.x0 - margin),
            max(0, self.y0 - margin),
            min(width, self.x1 + margin),
            min(height, self.y1 + margin),
        )
