"""The arms over the simulated table, as the motion gate tells them from its pictures: which rest, what they cover."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.sensing.frames import STRIDE
from companion.sensing.gate import QUIET_HAND
from companion.sensing.masks import Mask
from companion.virtual.faults import Fault
from companion.virtual.hands import place
from companion.virtual.layers import LINGERING
from companion.virtual.optics import Optics
from companion.virtual.snapshot import HandPose

# Of a hand so much opacity (of 255) and more is no mere shadow.
SOLID = 40
# Sight takes an arm for a little wider than it is, and fills what is between its fingers (small pixels).
_AROUND = np.ones((13, 13), np.uint8)


class Arms:
    """Shown the hands of one frame after the other (`see`).

    `is_first`: there was no frame before, and nothing can be told. `moving`: a hand has another place than in the frame
    before. `restless`: those that move or have paused for a moment only, and where one was that moved or left; the
    others rest.
    """

    def __init__(self) -> None:
        self.is_first = True
        self.moving = False
        self.restless: frozenset[HandPose] = frozenset()
        # For how many frames each hand has been where it is; None before the first frame.
        self._still: dict[HandPose, int] | None = None
        # Those that rested when everything was last at rest.
        self._rested: frozenset[HandPose] = frozenset()
        # What single hands hide, for these optics.
        self._optics: Optics | None = None
        self._drawn: dict[HandPose, Mask] = {}

    def see(self, hands: Iterable[HandPose], faults: frozenset[Fault]) -> None:
        """The next frame."""
        shown = {*hands, LINGERING} if Fault.HAND_LINGERS in faults else set(hands)
        before = self._still
        self.is_first = before is None
        self._still = {hand: 0 if before is None else before.get(hand, -1) + 1 for hand in shown}
        gone = frozenset(before or ()) - shown
        self.moving = bool(gone) or 0 in self._still.values()
        paused = (h for h, frames in self._still.items() if frames < QUIET_HAND and h not in self._rested)
        self.restless = gone | frozenset(paused)
        self._drawn = {hand: mask for hand, mask in self._drawn.items() if hand in self.all}
        if not self.restless:
            self._rested = frozenset(shown)

    @property
    def all(self) -> frozenset[HandPose]:
        """All hands, and where those were that moved or left."""
        return self.restless.union(self._still or ())

    def cover(self, hands: Iterable[HandPose], optics: Optics) -> Mask:
        """What some of the hands hide, as a small mask."""
        width, height = optics.size
        mask = np.zeros((height // STRIDE, width // STRIDE), np.uint8)
        # A hand that rests is drawn once.
        if optics is not self._optics:
            self._optics, self._drawn = optics, {}
        for hand in hands:
            if hand not in self._drawn:
                self._drawn[hand] = covered_by(hand, optics)
            mask |= self._drawn[hand]
        return mask


def covered_by(hand: HandPose, optics: Optics) -> Mask:
    """What a hand hides, as a small mask."""
    width, height = optics.size
    mask = np.zeros((height // STRIDE, width // STRIDE), np.uint8)
    for (left, top, right, bottom), band in place(hand, optics, STRIDE):
        mask[top:bottom, left:right][band[..., 3] > SOLID] = 255
    return np.asarray(cv2.dilate(mask, _AROUND), np.uint8)
