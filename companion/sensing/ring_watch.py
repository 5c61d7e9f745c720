"""Watching the rings of a live table: which may have moved after a change, and where they lie now.

A ring that was bumped takes along what stands on it, so the pieces' own prints tell where to look for its lines; a
whole board that was pushed takes everything along.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.above.box import Board
from companion.sensing.creep import Motion, RingTracker
from companion.sensing.frames import STRIDE, Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Finding, Point, RingPose
from companion.sensing.region import Region
from companion.sensing.rings import RingGauge

# Pieces that moved along with what they stand on keep their distances to this, whoever nudges one of them.
RIGID_MM = 1.5
# So many of the pieces on the board, and at least this share of them, must have moved alike.
CARRIED_LEAST = 4
CARRIED_SHARE = 0.6
# Less than this is no motion.
STILL_MM = 1.0
STILL_DEG = 0.5
# A ring turns about its middle: it is not carried off by more than this.
SLIPPED_MM = 5.0
# A ring is touched by a change that reaches one of so many places around it.
AROUND = 64
# Quiet frames after which one ring is measured although nothing has changed.
NOW_AND_THEN = 150


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece on the board: where its marker's middle was, in mm, and on which ring."""

    xyz_mm: Point
    ring: int


class RingWatch:
    """The rings of one table, measured and followed. `calibrated`: from the table's profile."""

    def __init__(self, board: Board, calibrated: BoardPrint | None = None) -> None:
        self._board = board
        self._gauge = RingGauge(board)
        self._tracker = RingTracker(calibrated)
        self._readable: set[int] = set()
        self._next = 0
        # Where places around the rings are in the picture, with the pose and the rings' shifts for which that is so.
        self._seen_around: tuple[CameraPose, Floats, Floats] | None = None

    @property
    def rings(self) -> BoardPrint:
        """Where the prints lie, as far as is known."""
        return self._tracker.rings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the owner should know of the rings."""
        return self._tracker.findings

    @property
    def in_doubt(self) -> bool:
        """May a ring lie elsewhere than it is known to? Then nothing that stands on it can be told for sure."""
        return bool(self._tracker.in_doubt)

    def first_look(self, image: Image, pose: CameraPose, at: float) -> None:
        """Measure all rings of a table nobody has looked at before."""
        looks = {ring: self._look(image, pose, ring, None, None) for ring in self._numbers}
        found = {ring: one for ring, one in looks.items() if one is not None}
        self._readable = set(found)
        self._tracker.adopt(found, at)

    def look(
        self,
        image: Image,
        pose: CameraPose,
        at: float,
        carried: Mapping[int, Motion],
        hand: Mask | None = None,
    ) -> None:
        """Measure all rings again. `carried`: by ring, how what stands on it seems to have been carried along."""
        found = {ring: self._look(image, pose, ring, carried.get(ring), hand) for ring in self._numbers}
        lost = [ring for ring, one in found.items() if one is None and ring in self._readable]
        if len(lost) * 2 > len(found):
            # A bare board was pushed further than one ring can slip.
            motion = self._pushed(image, pose, hand)
            if motion is not None:
                found |= {ring: self._look(image, pose, ring, motion, hand) for ring in lost}
        self._take(found, at)

    def changed(
        self,
        image: Image,
        pose: CameraPose,
        at: float,
        regions: Sequence[Region],
        carried: Callable[[], Mapping[int, Motion]],
        hand: Mask | None = None,
    ) -> None:
        """After a change in some regions: rings whose lines are not where they were are measured at once.

        `carried`: asked only then, see `look`.
        """
        touched = [ring for ring in self._touched(pose, regions) if ring in self._readable]
        known = {ring: lie for ring in touched if (lie := self._tracker.expected(ring)) is not None}
        held = self._gauge.holding(image, pose, known, hand)
        suspects = [ring for ring in known if ring not in held]
        self._tracker.suspect(suspects)
        # Rings of which something is to be told are looked at as often as may be.
        rings = sorted({*suspects, *self._tracker.wanted})
        motions = carried() if suspects else {}
        self._take({ring: self._look(image, pose, ring, motions.get(ring), hand) for ring in rings}, at)

    def decide(self, image: Image, pose: CameraPose, at: float, hand: Mask | None = None) -> None:
        """Look once more at the rings that are in doubt."""
        self._take(
            {
                ring: self._look(image, pose, ring, None, hand, seen)
                for ring, seen in self._tracker.in_doubt.items()
            },
            at,
        )

    def measure(self, image: Image, pose: CameraPose, at: float, ring: int) -> None:
        """Measure one ring again."""
        self._take({ring: self._look(image, pose, ring, None, None)}, at)

    def due(self, quiet: int) -> tuple[int, ...]:
        """The rings to measure now that the table has been quiet for so many frames."""
        wanted = tuple(sorted(self._tracker.wanted))
        if wanted or quiet % NOW_AND_THEN:
            return wanted
        return (self.next(),)

    def next(self) -> int:
        """The ring whose turn it is to be measured: rings creep, and one at a time is enough."""
        self._next = self._next % self._board.rings + 1
        return self._next

    # --- looking ---------------------------------------------------------------------------------------------

    @property
    def _numbers(self) -> range:
        return range(1, self._board.rings + 1)

    def _look(
        self,
        image: Image,
        pose: CameraPose,
        ring: int,
        motion: Motion | None,
        hand: Mask | None,
        seen: RingPose | None = None,
    ) -> RingPose | None:
        expected = self._tracker.expected(ring)
        if motion is not None and expected is not None:
            seen = motion.carried(expected)
        return self._gauge.look(image, pose, ring, expected, seen, hand)

    def _take(self, found: Mapping[int, RingPose | None], at: float) -> None:
        for ring, one in found.items():
            (self._readable.discard if one is None else self._readable.add)(ring)
        self._tracker.take(found, at)

    def _pushed(self, image: Image, pose: CameraPose, hand: Mask | None) -> Motion | None:
        """How the board as a whole has moved, by the lines of its largest rings; None if that cannot be seen."""
        for ring in self._numbers:
            expected = self._tracker.expected(ring)
            found = None if expected is None else self._gauge.search(image, pose, ring, expected, hand)
            if expected is not None and found is not None:
                return Motion.between(expected, found)
        return None

    def _touched(self, pose: CameraPose, regions: Sequence[Region]) -> list[int]:
        """The rings that a change in some regions of the picture reaches."""
        u, v = self._around(pose)
        reached = np.zeros(len(u), dtype=np.bool_)
        for region in regions:
            reached |= ((region.x0 <= u) & (u < region.x1) & (region.y0 <= v) & (v < region.y1)).any(axis=1)
        return [ring for ring, reaches in zip(self._numbers, reached, strict=True) if reaches]

    def _around(self, pose: CameraPose) -> tuple[Floats, Floats]:
        """Where places around each ring are in the picture: columns and rows, each (rings, n)."""
        rings = self.rings
        shifts = np.array([rings.of(ring).shift_mm for ring in self._numbers])
        seen = self._seen_around
        if seen is None or seen[0] is not pose or np.abs(seen[1] - shifts).max() > STILL_MM:
            angles = np.arange(AROUND) * (2 * math.pi / AROUND)
            radius = np.array([np.linspace(*self._board.ring_radii(ring), 3) for ring in self._numbers])
            shift = shifts[:, None, None]
            level = np.array([self._board.ring_z(ring) for ring in self._numbers])[:, None, None]
            x = radius[..., None] * np.cos(angles) + shift[..., 0]
            y = radius[..., None] * np.sin(angles) + shift[..., 1]
            pixels = pose.project(np.stack([x, y, np.broadcast_to(level, x.shape)], axis=-1))
            seen = self._seen_around = (pose, shifts, pixels.reshape(len(radius), -1, 2))
        places = seen[2]
        return places[..., 0], places[..., 1]

    # --- is it a hand? ---------------------------------------------------------------------------------------

    def cover(self, pose: CameraPose, mask: Mask) -> float:
        """The share of the board that a small mask covers."""
        board = self._disc(pose, mask)
        return cv2.countNonZero(cv2.bitwise_and(board, mask)) / max(1, cv2.countNonZero(board))

    def was_pushed(self, image: Image, pose: CameraPose, mask: Mask) -> bool:
        """Has the board moved as a whole, by the lines seen under what a small mask takes for a hand?"""
        beside = np.asarray(cv2.bitwise_not(mask), dtype=np.uint8)
        motion = self._pushed(image, pose, beside)
        if motion is None or motion.is_small(STILL_DEG, STILL_MM):
            return False
        alike = 0
        for ring in self._numbers:
            expected = self._tracker.expected(ring)
            found = self._look(image, pose, ring, motion, beside)
            if expected is not None and found is not None:
                alike += motion.is_like(Motion.between(expected, found), STILL_DEG, STILL_MM)
        return alike >= 2

    def _disc(self, pose: CameraPose, like: Mask) -> Mask:
        angles = np.arange(AROUND) * (2 * math.pi / AROUND)
        radius, (x, y) = self._board.outer_radius_mm, self.rings.of(1).shift_mm
        rim = np.stack(
            [
                radius * np.cos(angles) + x,
                radius * np.sin(angles) + y,
                np.full(AROUND, self._board.ring_z(1)),
            ],
            -1,
        )
        outline = np.round(pose.project(rim) / STRIDE).astype(np.int32)
        disc = np.zeros_like(like)
        cv2.fillConvexPoly(disc, outline, 255)
        return disc


def carried_along(
    before: Mapping[int, Standing], after: Mapping[int, tuple[float, float]], rings: Iterable[int]
) -> dict[int, Motion]:
    """By ring, how the pieces on it were carried along, where that is plain; `after`: (x, y) mm by marker.

    Either most of the pieces on the board have moved as one, or at least two of a ring have.
    """
    both = {marker: one for marker, one in before.items() if marker in after}
    whole = _common(both, after)
    numbers = tuple(rings)
    most = max(CARRIED_LEAST, math.ceil(CARRIED_SHARE * len(both)))
    if whole is not None and whole[1] >= most and not _is_still(whole[0], both):
        return dict.fromkeys(numbers, whole[0])
    carried = {}
    for ring in numbers:
        on_it = {marker: one for marker, one in both.items() if one.ring == ring}
        common = _common(on_it, after)
        if common is None or common[1] < 2 or math.hypot(*common[0].shift_mm) > SLIPPED_MM:
            continue
        if not _is_still(common[0], on_it):
            carried[ring] = common[0]
    return carried


def _is_still(motion: Motion, standing: Mapping[int, Standing]) -> bool:
    return all(
        math.dist(motion.moved(*one.xyz_mm[:2]), one.xyz_mm[:2]) < STILL_MM for one in standing.values()
    )


def _common(
    before: Mapping[int, Standing], after: Mapping[int, tuple[float, float]]
) -> tuple[Motion, int] | None:
    """The motion most pieces share, and how many do; None for fewer than two."""
    best: tuple[Motion, int] | None = None
    for one, other in itertools.combinations(sorted(before), 2):
        (ax, ay, _), (bx, by, _) = before[one].xyz_mm, before[other].xyz_mm
        (cx, cy), (dx, dy) = after[one], after[other]
        # Two pieces close together do not tell a turn.
        if math.hypot(bx - ax, by - ay) < 30 or (
            abs(math.hypot(bx - ax, by - ay) - math.hypot(dx - cx, dy - cy)) > RIGID_MM
        ):
            continue
        turn = math.degrees(math.atan2(dy - cy, dx - cx) - math.atan2(by - ay, bx - ax))
        turn = (turn + 180.0) % 360.0 - 180.0
        x, y = Motion(turn).moved((ax + bx) / 2, (ay + by) / 2)
        motion = Motion(turn, ((cx + dx) / 2 - x, (cy + dy) / 2 - y))
        agree = sum(
            math.dist(motion.moved(*standing.xyz_mm[:2]), after[marker]) <= RIGID_MM
            for marker, standing in before.items()
        )
        if best is None or agree > best[1]:
            best = (motion, agree)
    return best
