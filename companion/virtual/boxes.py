"""Boxes in a picture: left, top, right, bottom in pixels, the last two exclusive."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]

# So many rows at a time: a whole picture in floating point numbers is larger than all the rest of the program.
BAND_ROWS = 96


def touch(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def hull(boxes: list[Box]) -> Box:
    """The smallest box around boxes."""
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def joined(boxes: list[Box]) -> list[Box]:
    """The boxes, those that touch replaced by their hull."""
    rest = list(boxes)
    result: list[Box] = []
    while rest:
        box = rest.pop()
        touching = [other for other in rest if touch(box, other)]
        if touching:
            rest = [other for other in rest if not touch(box, other)]
            rest.append(hull([box, *touching]))
        else:
            result.append(box)
    return result


def common(a: Box, b: Box) -> Box:
    """What two boxes share; right may be left of left when they share nothing."""
    return (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def bands(box: Box) -> Iterator[Box]:
    """A box cut into bands of a few rows, from top to bottom."""
    left, top, right, bottom = box
    for row in range(top, bottom, BAND_ROWS):
        yield (left, row, right, min(row + BAND_ROWS, bottom))


def box_at(left: int, top: int, picture: NDArray[np.uint8]) -> Box:
    """What a picture takes up that lies at (left, top)."""
    return (left, top, left + picture.shape[1], top + picture.shape[0])


def within(picture: NDArray[np.uint8], origin: tuple[int, int], box: Box) -> NDArray[np.uint8]:
    """The part of a picture that lies in `box`, not copied; `origin`: where its top left pixel lies."""
    return picture[box[1] - origin[1] : box[3] - origin[1], box[0] - origin[0] : box[2] - origin[0]]
