"""The motion gate: does this frame show anything new, and is a hand in the picture?

Works on a quarter-size grey picture in a millisecond or two, so that the frames of a board game that show
nothing new, which are most, cost nothing else. Compares with the frame before (is anything moving?) and with the
last picture that was read (what has changed since, and is it a hand?).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing.frames import STRIDE, Image, Small, thinned
from companion.sensing.hands import HAND_ANYWHERE_CM2, sorted_out
from companion.sensing.masks import Mask, at_edge, may_span, median_blurred, spans
from companion.sensing.region import Region

# A change counts from this many grey levels on, or this many times the picture's noise.
LEAST_CHANGE = 9.0
NOISE_TIMES = 5.0
# The table spans about this much of the picture's longer side, for areas in cm² before the camera's pose is known.
PICTURE_WIDTH_MM = 810.0
# Less than a quarter of a token changing between two frames is no motion.
MOTION_CM2 = 0.5
# Exposures further from each other than this are no longer made up for.
MOST_GAIN = 2.5
# What is added to levels before they are scaled: a camera's black is not quite 0.
BLACK = 4.0
# Lights on the board flicker in spots this small; after so many frames of nothing else they are known for lights.
SPOT_CM2 = 9.0
LIGHTS_AFTER = 8
# Quiet frames that make a settled table: at once when no hand is in view, or only such as have lain still for as many
# frames as a pause takes, whatever moved elsewhere, or all along since the table was last settled (a fan of cards held
# over the edge, an arm); a pause of the hand otherwise.
QUIET_CLEAR = 1
QUIET_HAND = 4
# What lies still may look different by so much, at its outline and within; at that of a large thing by this share.
STILL_CM2 = 1.0
STILL_SHARE = 0.05
# Changes are looked at with this much around them.
MARGIN_MM = 14.0

# A hand's shadow is softer than its outline.
_AROUND = np.ones((15, 15), np.uint8)


@dataclass(frozen=True, eq=False, slots=True)
class Glance:
    """What the gate sees in one frame.

    `moving`: something is in motion; the rest is not looked at then. `settled`: quiet for long enough to be read.
    `hand`: small mask (255) of hands and arms. `changed`: small mask of what else differs from the last picture
    read. `relit`: most of the picture differs: another light, or another view.
    `restless`: while it is not settled, those of the hands that move or have paused for a moment only, with where they
    were in the frame before: all else is at rest. None where that cannot be told.
    """

    moving: bool
    settled: bool
    hand: Mask
    changed: Mask
    relit: bool
    restless: Mask | None = None

    @property
    def hand_in_view(self) -> bool:
        """Is any hand in the picture?"""
        return cv2.countNonZero(self.hand) > 0

    @property
    def shows_change(self) -> bool:
        """Does anything but hands differ from the last picture read?"""
        return cv2.countNonZero(self.changed) > 0


@dataclass(frozen=True, eq=False, slots=True)
class _Look:
    """A small picture: `raw` as the camera's levels are, clipped ones too, and `soft`, smoothed against noise.

    `few`: some of the smoothed pixels, by which its light is told.
    """

    raw: Small
    soft: Small
    few: Small

    @classmethod
    def at(cls, thin: Small) -> _Look:
        """Of a thinned frame."""
        return cls.of(thin, softened(thin))

    @classmethod
    def of(cls, raw: Small, soft: Small) -> _Look:
        """Of both pictures."""
        return cls(raw, soft, np.ascontiguousarray(soft[::6, ::6]))

    def exposed(self, gain: float) -> Small:
        """As it would look, softened, exposed so many times as long: what is too bright for the camera is clipped."""
        if abs(gain - 1) <= 0.004:
            return self.soft
        return softened(
            np.asarray(cv2.convertScaleAbs(self.raw, alpha=gain, beta=BLACK * (gain - 1)), np.uint8)
        )

    def kept(self, other: _Look, mask: Mask) -> _Look:
        """This one, but as `other` where `mask` is set."""
        raw, soft = self.raw.copy(), self.soft.copy()
        raw[mask > 0], soft[mask > 0] = other.raw[mask > 0], other.soft[mask > 0]
        return _Look.of(raw, soft)


class MotionGate:
    """Watches a row of frames of one size. `glance` at each; `accept` when the picture has been read.

    `most_cleared_cm2`: as much of the table may change at one go, away from the picture's edge, without a hand.
    """

    def __init__(self, most_cleared_cm2: float = HAND_ANYWHERE_CM2) -> None:
        self._most_cleared_cm2 = most_cleared_cm2
        self._before: _Look | None = None
        self._read: _Look | None = None
        # The last picture read without any hand in it.
        self._clear: _Look | None = None
        self._now: _Look | None = None
        # The hands in the last settled picture, and that picture; nothing when there were none.
        self._resting: tuple[Mask, _Look] | None = None
        # Where something like a hand lay so long that it was taken for a thing, and how that looked without it.
        self._laid_over: tuple[Mask, _Look] | None = None
        self._quiet = 0
        # What stirred in each of the last frames, and the hands in the last one where they were looked for.
        self._stirs: deque[Mask] = deque(maxlen=QUIET_HAND)
        self._hand_before: Mask | None = None
        self._spots = 0
        self._noise = 1.0

    def forget(self) -> None:
        """Start over, as with another camera."""
        self.__init__(self._most_cleared_cm2)  # type: ignore[misc]

    def glance(self, image: Image) -> Glance:
        """Compare a BGR or grey frame with those before it."""
        return self.glance_at(thinned(image))

    def glance_at(self, thin: Small) -> Glance:
        """The same with a thinned frame."""
        look = _Look.at(thin)
        now = look.soft
        before, read = self._before, self._read
        if before is None or before.soft.shape != now.shape:
            before, read = None, None
            self._read = self._clear = self._resting = self._laid_over = None
            self._hand_before = None
            self._stirs.clear()
            self._quiet = 0
        self._before = self._now = look
        nothing = np.zeros_like(now)
        if before is None:
            return Glance(True, False, nothing, nothing, False)
        cm2 = (max(now.shape) / (PICTURE_WIDTH_MM / 10)) ** 2
        stirred = self._differs(before, look, learn=True)
        self._stirs.append(stirred)
        hand_before, self._hand_before = self._hand_before, None
        if self._in_motion(stirred, cm2):
            self._quiet = 0
            glance = None if read is None else self._beside(read, look, stirred, hand_before, cm2)
            return glance or Glance(True, False, nothing, nothing, False)
        if read is None:
            hand, changed, relit = nothing, nothing, True
        else:
            hand, changed, relit = self._hands(read, look, self._differs(read, look, learn=False), cm2)
        self._hand_before = hand
        self._quiet += 1
        has_hand = cv2.countNonZero(hand) > 0
        restless = self._restless(hand, cm2) if has_hand else nothing
        at_once = (
            read is not None
            and not relit
            and (cv2.countNonZero(restless) == 0 or self._rests(hand, look, cm2))
        )
        settled = self._quiet >= (QUIET_CLEAR if at_once else QUIET_HAND)
        if settled:
            self._resting = (hand, look) if has_hand else None
        return Glance(False, settled, hand, changed, relit, None if settled or relit else restless)

    def _hands(self, read: _Look, look: _Look, different: Mask, cm2: float) -> tuple[Mask, Mask, bool]:
        """What is `different` in a look from the picture last read: hands, other changes, and whether it is the light."""
        strange = different
        if self._clear is not None and self._clear is not read and cv2.countNonZero(different):
            # What looks again as it did when no hand was in view is no hand, but what one uncovered.
            strange = different & self._differs(self._clear, look, learn=False)
        if self._laid_over is not None and cv2.countNonZero(strange):
            where, bare = self._laid_over
            strange = strange & ~(where & ~self._differs(bare, look, learn=False))
        return sorted_out(different, strange, cm2, self._most_cleared_cm2, read.soft, look.soft)

    def _beside(
        self, read: _Look, look: _Look, stirred: Mask, hand_before: Mask | None, cm2: float
    ) -> Glance | None:
        """What is at rest while something moves, if that is nothing but hands that reach in over the picture's edge."""
        different = self._differs(read, look, learn=False)
        if not at_edge(different) and (hand_before is None or not hand_before.any()):
            return None
        hand, changed, relit = self._hands(read, look, different, cm2)
        if relit:
            return None
        self._hand_before = hand
        if hand_before is None:
            return None
        # What a hand has left is seen for the first time, and may be stirring yet.
        both = np.asarray(cv2.dilate(hand | hand_before, _AROUND), np.uint8)
        if spans(stirred & ~both, MOTION_CM2 * cm2):
            return None
        restless = self._restless(both, cm2)
        return Glance(True, False, hand | restless, changed & ~restless, False, restless)

    def _restless(self, hands: Mask, cm2: float) -> Mask:
        """Those of the hands in which something has stirred in the last frames; all while there were too few frames."""
        if len(self._stirs) < QUIET_HAND:
            return hands
        restless = np.zeros_like(hands)
        x, y, w, h = cv2.boundingRect(hands)
        part = np.s_[y : y + h, x : x + w]
        lately = restless[part].copy()
        for stirred in self._stirs:
            lately |= stirred[part]
        lately &= hands[part]
        if not may_span(lately, MOTION_CM2 * cm2):
            return restless
        number, labels = cv2.connectedComponents(hands[part], connectivity=8)
        stir = np.bincount(labels[median_blurred(lately) > 0], minlength=number) >= MOTION_CM2 * cm2
        stir[0] = False
        restless[part] = (stir * np.uint8(255))[labels]
        return restless

    def accept(self, hand: Mask | None = None) -> None:
        """The last frame glanced at has been read; under `hand` it has not."""
        if self._now is None:
            return
        under = hand if self._read is not None and hand is not None and hand.any() else None
        if self._laid_over is not None:
            # What it uncovered and has been read is nothing to be known again: the next thing there may be a hand.
            where, bare = self._laid_over
            still = where & self._differs(bare, self._now, learn=False)
            if under is not None:
                still |= where & under
            left = median_blurred(still)
            self._laid_over = (left, bare) if cv2.countNonZero(left) else None
        if self._read is None or under is None:
            self._read = self._clear = self._now
        else:
            self._read = self._now.kept(self._read, under)

    def accept_thing(self, hand: Mask) -> None:
        """The last frame glanced at has been read, and what looked like a `hand` is none: it belongs to the table now.

        If it goes after all, what it uncovers is no hand either.
        """
        if self._clear is not None:
            self._laid_over = (np.asarray(cv2.dilate(hand, _AROUND), np.uint8), self._clear)
        self.accept()

    def _rests(self, hand: Mask, look: _Look, cm2: float) -> bool:
        """Has every hand lain where it is since the table was last settled? One that lay there too may have left."""
        if self._resting is None:
            return False
        before, then = self._resting
        number, labels = cv2.connectedComponents(hand | before, connectivity=8)
        moved = np.bincount(labels[hand != before], minlength=number)
        there = np.bincount(labels[hand > 0], minlength=number)
        if (moved > np.maximum(STILL_CM2 * cm2, STILL_SHARE * there))[there > 0].any():
            return False
        return cv2.countNonZero(self._differs(then, look, learn=False) & hand) <= STILL_CM2 * cm2

    def _differs(self, old: _Look, new: _Look, learn: bool) -> Mask:
        """Where two small pictures differ by more than light and noise."""
        # One factor for the whole picture: the camera's exposure, a cloud. The darker one is exposed as the brighter
        # one was, so that what is clipped there is clipped here as well.
        gain = _gain(old.few, new.few)
        one, other = old.exposed(max(gain, 1.0)), new.exposed(max(1 / gain, 1.0))
        difference = cv2.absdiff(one, other)
        if learn:
            noise = 1.48 * _median(difference[::4, ::4])
            self._noise += 0.2 * (min(noise, 12.0) - self._noise)
        least = max(LEAST_CHANGE, NOISE_TIMES * self._noise)
        return np.asarray(cv2.threshold(difference, least, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)

    def _in_motion(self, stirred: Mask, cm2: float) -> bool:
        """Is what differs between two frames motion, rather than specks or lights on the board?"""
        if not may_span(stirred, MOTION_CM2 * cm2):
            self._spots = max(0, self._spots - 1)
            return False
        stirred = np.asarray(cv2.medianBlur(stirred, 3), dtype=np.uint8)
        if cv2.countNonZero(stirred) < MOTION_CM2 * cm2:
            self._spots = max(0, self._spots - 1)
            return False
        # Labelling costs by the area: it is done where something stirred.
        left, top, across, down = cv2.boundingRect(stirred)
        part = stirred[max(0, top - 1) : top + down + 1, max(0, left - 1) : left + across + 1]
        _, _, stats, _ = cv2.connectedComponentsWithStats(
            cv2.dilate(part, np.ones((3, 3), np.uint8)), connectivity=8
        )
        largest = int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
        if largest > SPOT_CM2 * cm2:
            self._spots = 0
            return True
        self._spots = min(self._spots + 2, 3 * LIGHTS_AFTER)
        return self._spots < 2 * LIGHTS_AFTER


def _gain(old: Small, new: Small) -> float:
    """How many times as bright the second of two pictures is, by the median of their pixels; within bounds."""
    # Most often the light is the same, which is told without sorting anything: the median is 1.
    half = old.size // 2
    if (
        cv2.countNonZero(cv2.compare(new, old, cv2.CMP_LT))
        <= half
        < cv2.countNonZero(cv2.compare(new, old, cv2.CMP_LE))
    ):
        return 1.0
    gain = _median((new.astype(np.float32) + BLACK) / (old.astype(np.float32) + BLACK))
    return min(max(gain, 1 / MOST_GAIN), MOST_GAIN)


def _median(values: NDArray[Any]) -> float:
    """The (upper) median, for few values faster than NumPy's."""
    half = values.size // 2
    return float(np.partition(values, half, axis=None)[half])


def small_of(image: Image) -> Small:
    """A quarter-size grey picture, smoothed against noise."""
    return softened(thinned(image))


def softened(raw: Small) -> Small:
    """A small picture, smoothed against noise."""
    return np.asarray(cv2.blur(raw, (3, 3)), dtype=np.uint8)


def changed_regions(changed: Mask, size: tuple[int, int]) -> list[Region]:
    """The parts of the full picture (w, h) that a small mask of changes touches, with a margin, none overlapping."""
    if not changed.any():
        return []
    width, height = size
    margin = round(MARGIN_MM * max(changed.shape) / PICTURE_WIDTH_MM)
    # Only that part of the mask is looked at in which something changed.
    left, top, across, down = cv2.boundingRect(changed)
    left, top = max(0, left - margin), max(0, top - margin)
    part = changed[top : top + down + 2 * margin, left : left + across + 2 * margin]
    grown = cv2.dilate(part, np.ones((2 * margin + 1, 2 * margin + 1), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    boxes = [
        (int(x) + left, int(y) + top, int(x + w) + left, int(y + h) + top) for x, y, w, h, _ in stats[1:]
    ]
    merged = True
    while merged:
        merged = False
        for a in range(len(boxes)):
            for b in range(a + 1, len(boxes)):
                p, q = boxes[a], boxes[b]
                if p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]:
                    boxes[a] = (min(p[0], q[0]), min(p[1], q[1]), max(p[2], q[2]), max(p[3], q[3]))
                    del boxes[b]
                    merged = True
                    break
            if merged:
                break
    return [
        Region(x0 * STRIDE, y0 * STRIDE, min(x1 * STRIDE + STRIDE, width), min(y1 * STRIDE + STRIDE, height))
        for x0, y0, x1, y1 in boxes
    ]
