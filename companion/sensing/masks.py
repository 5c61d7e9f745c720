"""Small masks: of every fourth pixel of a picture each way, 255 where it is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

_GAPS = np.ones((7, 7), np.uint8)


def may_span(mask: Mask, least: float) -> bool:
    """May a mask without its single pixels still have so many? Each that stays has five of its nine set."""
    return cv2.countNonZero(mask) * 9 >= least * 5


def spans(mask: Mask, least: float) -> bool:
    """Has a mask without its single pixels so many?"""
    return may_span(mask, least) and cv2.countNonZero(median_blurred(mask)) >= least


def at_edge(mask: Mask) -> bool:
    """Is anything set along the picture's edge?"""
    rows, columns = mask[[0, 1, -2, -1]], mask[:, [0, 1, -2, -1]]
    return bool(rows.any() or columns.any())


def without_specks(different: Mask, least: float) -> Mask:
    """Only what is connected over at least so many small pixels: noise is not."""
    # Labelling costs by the area: most frames differ nowhere, the others in one corner.
    x, y, w, h = cv2.boundingRect(different)
    if w == 0:
        return different
    part = different[y : y + h, x : x + w]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8)
    kept = (stats[:, cv2.CC_STAT_AREA] >= least).astype(np.uint8) * 255
    kept[0] = 0
    part[:] = kept[labels]
    return different


def median_blurred(mask: Mask) -> Mask:
    """A mask without single pixels, and without single holes."""
    return _only_around(mask, 1, lambda part: cv2.medianBlur(part, 3))


def without_gaps(mask: Mask) -> Mask:
    """A mask with narrow gaps closed."""
    return _only_around(mask, len(_GAPS), lambda part: cv2.morphologyEx(part, cv2.MORPH_CLOSE, _GAPS))


def _only_around(mask: Mask, reach: int, change: Callable[[Mask], Any]) -> Mask:
    """A mask changed where something is set, or so many pixels beside it: elsewhere it stays empty."""
    x, y, w, h = cv2.boundingRect(mask)
    changed = np.zeros_like(mask)
    if w:
        # As much again is looked at, so that the part's own border changes nothing.
        part = np.s_[max(0, y - 2 * reach) : y + h + 2 * reach, max(0, x - 2 * reach) : x + w + 2 * reach]
        changed[part] = change(np.ascontiguousarray(mask[part]))
    return changed
