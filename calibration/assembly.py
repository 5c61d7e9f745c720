"""The assembly assistant: while ring after ring is laid, how far the one in the hands must still be turned and pushed.

A ring is told against ring 1 once that is pressed on: the printed lines shall run on. Ring 1 itself is told against
the table's frame, under which switches and lights lie.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.rings import RingGauge

# A ring lies well enough within this: at the rim half a degree is 1.5 mm.
TURN_DEG = 0.5
SHIFT_MM = 0.8
# It must do so for this long, seen in at least so many pictures, before and after it is pressed on.
STEADY_S = 1.5
STEADY_LOOKS = 3
PRESS_S = 3.0
# A pressed ring that lies worse than this share beyond tolerance has slipped.
SLIPPED = 1.6
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a ring still needs: `turn_deg` counter-clockwise, `shift_mm` (x, y) to push it."""

    ring: int
    turn_deg: float
    shift_mm: tuple[float, float]

    @property
    def within(self) -> bool:
        """It lies well enough."""
        return abs(self.turn_deg) <= TURN_DEG and math.hypot(*self.shift_mm) <= SHIFT_MM

    def worse_than(self, share: float) -> bool:
        """It lies worse than tolerance times `share`."""
        return abs(self.turn_deg) > share * TURN_DEG or math.hypot(*self.shift_mm) > share * SHIFT_MM

    @property
    def text(self) -> str:
        """In words: `ring 3: turn 2.1° clockwise, 1 mm north`."""
        told = []
        if abs(self.turn_deg) > TURN_DEG / 2:
            way = "counter-clockwise" if self.turn_deg > 0 else "clockwise"
            told.append(f"turn {abs(self.turn_deg):.1f}° {way}")
        length = math.hypot(*self.shift_mm)
        if length > SHIFT_MM / 2:
            told.append(f"{max(0.5, round(2 * length) / 2):g} mm {towards(self.shift_mm)}")
        return f"ring {self.ring}: {', '.join(told) or 'lies well'}"


def towards(step: tuple[float, float]) -> str:
    """The direction of a step (x, y) on the table, as on a map: north is away from you."""
    return COMPASS[round(math.degrees(math.atan2(step[1], step[0])) / 45) % 8]


def correction(pose: RingPose, target: RingPose | None = None) -> Correction:
    """What brings a ring from `pose` to `target` (None: straight on the table's frame)."""
    turn, x, y = (0.0, 0.0, 0.0) if target is None else (target.rotation_deg, *target.shift_mm)
    return Correction(pose.ring, turn - pose.rotation_deg, (x - pose.shift_mm[0], y - pose.shift_mm[1]))


class Stage(Enum):
    """Where the assembly is with the ring that comes next."""

    LAY = "lay"  # it is not seen yet
    ALIGN = "align"  # it is seen, and not where it belongs
    PRESS = "press"  # it lies well and may be pressed on
    SLIPPED = "slipped"  # one that was pressed on has moved
    DONE = "done"  # all are laid


@dataclass(frozen=True, slots=True)
class Guide:
    """What is to be done now: `stage`, the `ring` concerned, and what it still needs, if it is seen."""

    stage: Stage
    ring: int
    correction: Correction | None = None

    @property
    def text(self) -> str:
        """The sentence for the person with the ring in the hands."""
        match self.stage:
            case Stage.LAY:
                return f"ring {self.ring}: lay it loosely on its place, its number to the north"
            case Stage.PRESS:
                return f"ring {self.ring}: lies well, press it on"
            case Stage.DONE:
                return "all rings are laid"
            case Stage.SLIPPED:
                return f"ring {self.ring} has slipped: lift it. {'' if self.correction is None else self.correction.text}"
            case Stage.ALIGN:
                return f"ring {self.ring}" if self.correction is None else self.correction.text


class Gauge(Protocol):
    """What measures one ring in a picture; None if it is not seen. `expected`: where it was last."""

    def look(
        self, image: Image, pose: CameraPose, ring: int, expected: RingPose | None = None
    ) -> RingPose | None: ...


class Assembly:
    """Follows the rings as they are laid, from ring 1 inwards; one call of `look` a picture."""

    def __init__(self, board: Board, gauge: Gauge | None = None) -> None:
        self._board = board
        self._gauge = gauge or RingGauge(board)
        self._seen = BoardPrint()
        self._next = 1
        self._well_since: float | None = None
        self._looks = 0
        self._checked = 0

    @property
    def seen(self) -> BoardPrint:
        """The rings as they were seen last."""
        return self._seen

    @property
    def laid(self) -> int:
        """How many rings are pressed on."""
        return self._next - 1

    def look(self, image: Image, pose: CameraPose, at: float) -> Guide:
        """What is to be done, as a picture exposed `at` seconds shows it."""
        slipped = self._slipped(image, pose)
        if slipped is not None:
            return slipped
        if self._next > self._board.rings:
            return Guide(Stage.DONE, self._board.rings)
        ring = self._next
        needs = self._measured(image, pose, ring)
        if needs is None:
            self._unsteady()
            return Guide(Stage.LAY, ring)
        if not needs.within:
            self._unsteady()
            return Guide(Stage.ALIGN, ring, needs)
        if self._well_since is None:
            self._well_since = at
        self._looks += 1
        if self._looks < STEADY_LOOKS or at - self._well_since < STEADY_S:
            return Guide(Stage.ALIGN, ring, needs)
        if at - self._well_since >= STEADY_S + PRESS_S:
            self._next += 1
            self._unsteady()
            if self._next > self._board.rings:
                return Guide(Stage.DONE, ring)
        return Guide(Stage.PRESS, ring, needs)

    def _unsteady(self) -> None:
        self._well_since, self._looks = None, 0

    def _measured(self, image: Image, pose: CameraPose, ring: int) -> Correction | None:
        """What a ring needs; None if it is not seen in this picture."""
        found = self._gauge.look(image, pose, ring, self._seen.poses.get(ring))
        if found is None:
            return None
        self._seen = BoardPrint({**self._seen.poses, ring: found})
        return correction(found, self._seen.poses.get(1) if ring > 1 else None)

    def _slipped(self, image: Image, pose: CameraPose) -> Guide | None:
        """One of the rings pressed on is looked at again, another each time."""
        if self.laid == 0:
            return None
        self._checked = self._checked % self.laid + 1
        needs = self._measured(image, pose, self._checked)
        if needs is None or not needs.worse_than(SLIPPED):
            return None
        self._next = self._checked
        self._unsteady()
        return Guide(Stage.SLIPPED, self._checked, needs)
