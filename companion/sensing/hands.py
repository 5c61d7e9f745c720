"""What differs between two small pictures, sorted: hands and arms, other changes, or another light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.frames import Small
from companion.sensing.masks import Mask, may_span, median_blurred, without_gaps, without_specks

# A piece pushed by two millimetres changes more than this; noise less.
SPECK_CM2 = 0.15
# An arm comes in over the picture's edge; what is this large there is a hand. Elsewhere only what is larger than
# all the cards of a seat, which are turned at one go when they are recovered.
HAND_AT_EDGE_CM2 = 8.0
HAND_ANYWHERE_CM2 = 450.0
# Pieces of an arm lie no further from each other than this.
ARM_GAP_MM = 22.0
# More of the picture than any arm covers is the light, or the camera.
MOST_OF_PICTURE = 0.55
# The texture of what is only lit otherwise, finer than this many small pixels, correlates at least so well.
TEXTURE_PX = 9
SAME_TEXTURE = 0.6


def sorted_out(
    different: Mask, strange: Mask, cm2: float, most_cleared_cm2: float, read: Small, now: Small
) -> tuple[Mask, Mask, bool]:
    """What differs from the picture last read, as hands, other changes, and whether it is most of the picture.

    Only what is `strange`, unlike the picture without hands too, can be a hand. Where all that could be one still shows
    what it showed in `read`, only brighter or darker, it is a shadow or a lamp.
    """
    nothing, unfiltered = np.zeros_like(different), different
    if not may_span(different, SPECK_CM2 * cm2):
        return nothing, nothing, False
    different = median_blurred(different)
    different = without_specks(different, SPECK_CM2 * cm2)
    count = cv2.countNonZero(different)
    if count == 0:
        return nothing, nothing, False
    if count > MOST_OF_PICTURE * different.size:
        return nothing, different, True
    strange = (different if strange is unfiltered else median_blurred(strange)) & different
    # An arm's outline may be broken where it is as bright as the table.
    closed = without_gaps(strange)
    if cv2.countNonZero(closed) <= HAND_AT_EDGE_CM2 * cm2:
        return nothing, different, False
    # Labelling costs by the area: it is done where something is strange.
    left, top, across, down = cv2.boundingRect(closed)
    part = np.s_[top : top + down, left : left + across]
    number, part_labels, stats, _ = cv2.connectedComponentsWithStats(closed[part], connectivity=8)
    stats[:, :2] += (left, top)
    height, width = different.shape
    hands = []
    for n in range(1, number):
        x, y, w, h, area = stats[n]
        at_edge = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        if area > (HAND_AT_EDGE_CM2 if at_edge else most_cleared_cm2) * cm2:
            hands.append(n)
    if not hands:
        return nothing, different, False
    labels = np.zeros(closed.shape, np.int32)
    labels[part] = part_labels
    if all(_is_light(labels == n, stats[n], read, now) for n in hands):
        return nothing, different, True
    hand = _whole_arms(_labelled(labels, hands, number), closed, cm2)
    if cv2.countNonZero(hand) > MOST_OF_PICTURE * hand.size:
        # Nobody's arms: the camera was knocked, and every edge differs.
        return nothing, different, True
    changed = np.where(hand > 0, 0, different).astype(np.uint8)
    return hand, changed, False


def _is_light(part: NDArray[np.bool_], stats: NDArray[np.int32], read: Small, now: Small) -> bool:
    """Is the same seen in a part of the picture as before, in another light? Its texture tells; a hand hides it."""
    x, y, w, h = (int(v) for v in stats[:4])
    box = (slice(y, y + h), slice(x, x + w))
    inside = part[box]
    one, other = (_texture(small[box])[inside] for small in (read, now))
    strength = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return strength > 0 and float((one * other).sum()) > SAME_TEXTURE * strength


def _texture(small: Small) -> NDArray[np.float32]:
    """What is left of a picture when the light on it is taken away."""
    levels = small.astype(np.float32)
    return levels - np.asarray(cv2.blur(levels, (TEXTURE_PX, TEXTURE_PX)), dtype=np.float32)


def _labelled(labels: NDArray[Any], chosen: Sequence[int] | NDArray[np.int_], number: int) -> Mask:
    """Where one of the chosen labels is, out of so many."""
    shown = np.zeros(number, np.uint8)
    shown[chosen] = 255
    return np.asarray(shown[labels], dtype=np.uint8)


def _whole_arms(hand: Mask, strange: Mask, cm2: float) -> Mask:
    """Hands with what is near them, filled: an arm is in one piece, also where it is as bright as the table.

    Fingers end softly, so a little more than what differs is theirs.
    """
    reach = 2 * round(ARM_GAP_MM / 10 * cm2**0.5) + 1
    near = cv2.dilate(hand, np.ones((reach, reach), np.uint8))
    number, labels = cv2.connectedComponents(strange, connectivity=8)
    touching = np.flatnonzero(np.bincount(labels[near > 0], minlength=number))
    pieces = _labelled(labels, touching[touching > 0], number)
    grouped = cv2.morphologyEx(pieces, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    contours, _ = cv2.findContours(grouped, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole = np.zeros_like(hand)
    cv2.drawContours(whole, contours, -1, 255, thickness=cv2.FILLED)
    return np.asarray(cv2.dilate(whole, np.ones((5, 5), np.uint8)), dtype=np.uint8)
