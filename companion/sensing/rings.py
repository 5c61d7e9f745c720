"""How each ring of the board lies: its turn and shift, measured from the radial lines printed between its spaces.

Nobody knows how the next board is printed: dark lines, light ones, gold with a dark casing. Several kinds of line
are tried, and the one whose lines agree best is believed, provided that what it found is symmetric: the light
seam beside a dark line also agrees with itself, but lies beside the middle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.games.above.box import Board
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.masks import Mask
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from companion.sensing.ring_lines import (
    FEW_ROWS,
    LINE_KINDS,
    REACHES_MM,
    LineKind,
    Range,
    all_lines_at,
    measured,
)
from companion.sensing.ring_pattern import (
    PLAIN_LEAD,
    Pattern,
    agree,
    first_look,
    measured_as_pattern,
    same_place,
)
from companion.sensing.ring_view import ROWS, RingView

# The first look covers what glue by hand can do (4°, 3 mm against ring 1) and a nudged board.
GLUED = Range(6.5, 4.5)
# A ring that was bumped may have turned by almost half a space; further, and its lines are its neighbours'.
TURNED = Range(10.5, 3.6)
# A board that was pushed along the table.
PUSHED = Range(9.0, 12.0, 0.75, 1.5)
# Rings creep; that one has jumped must be plain to see.
PLAIN_SIGMA_MM = 0.1

_STRAIGHT: Floats = np.zeros(3)


class RingGauge:
    """Measures the rings of one board, and remembers by which kind of line each was measured best."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._kinds: dict[int, LineKind] = {}

    def measure(
        self, image: Image, pose: CameraPose, known: BoardPrint | None = None, only: int | None = None
    ) -> BoardPrint:
        """The rings' poses in the world from a BGR or grey picture; `only` one of them, where that is enough.

        Around `known` poses is looked first: rings creep, they seldom jump. A ring that cannot be measured keeps
        its known pose, or is left out.
        """
        poses: dict[int, RingPose] = dict(known.poses) if known else {}
        for ring in range(1, self._board.rings + 1) if only is None else (only,):
            found = self.look(image, pose, ring, poses.get(ring))
            if found is not None:
                poses[ring] = found
        return BoardPrint(poses)

    def look(
        self,
        image: Image,
        pose: CameraPose,
        ring: int,
        expected: RingPose | None = None,
        moved: RingPose | None = None,
        covered: Mask | None = None,
    ) -> RingPose | None:
        """One ring's pose in the world; None if it cannot be measured.

        `expected`: where it was last. `moved`: where it would be if it has moved along with what stands on it;
        further search is around there. `covered`: a small mask of what hides the board (a hand).
        """
        view = RingView(image, pose, self._board, ring, covered)
        for around in (expected, moved):
            found = self._near(view, around) if around is not None else None
            if found is not None:
                return found
        if expected is None:
            return self._anywhere(view, _STRAIGHT, GLUED, as_pattern=True)
        found = self._anywhere(view, _estimate(moved or expected), TURNED)
        if found is None or found.sigma_mm > PLAIN_SIGMA_MM:
            return None
        return found

    def search(
        self, image: Image, pose: CameraPose, ring: int, known: RingPose, covered: Mask | None = None
    ) -> RingPose | None:
        """A ring that may have gone further than a ring can slip, with the whole board; None if it is not plain."""
        view = RingView(image, pose, self._board, ring, covered)
        found = self._anywhere(view, _estimate(known), PUSHED)
        return None if found is None or found.sigma_mm > PLAIN_SIGMA_MM else found

    def holding(
        self, image: Image, pose: CameraPose, known: Mapping[int, RingPose], covered: Mask | None = None
    ) -> set[int]:
        """The rings whose lines are still seen where they are `known` to be; not those whose lines cannot be seen."""
        held: set[int] = set()
        by_kind: dict[LineKind, list[int]] = {}
        for ring in known:
            if ring in self._kinds:
                by_kind.setdefault(self._kinds[ring], []).append(ring)
        for kind, rings in by_kind.items():
            # Plain lines show in a few rows; in the dark and in noise it takes all of them.
            for rows in (FEW_ROWS, ROWS):
                left = [ring for ring in rings if ring not in held]
                if left:
                    views = [RingView(image, pose, self._board, ring, covered, rows) for ring in left]
                    lie = all_lines_at(views, kind, [_estimate(known[ring]) for ring in left])
                    held |= {ring for ring, lies in zip(left, lie, strict=True) if lies}
        return held

    def _near(self, view: RingView, expected: RingPose) -> RingPose | None:
        """The ring where it is expected, by the kind of line it was measured by before, or else by any."""
        start = _estimate(expected)
        kinds = [self._kinds[view.ring]] if view.ring in self._kinds else list(LINE_KINDS)
        found = {
            kind: pose
            for kind in kinds
            if kind.channel in view.channels
            and (pose := measured(view, kind, start, REACHES_MM, GLUED, start)) is not None
        }
        return self._best(view.ring, found)

    def _anywhere(
        self, view: RingView, centre: Floats, search: Range, as_pattern: bool = False
    ) -> RingPose | None:
        """The ring by its lines, around `centre`; `as_pattern`: else by all of them together, less surely."""
        found: dict[LineKind, RingPose] = {}
        patterns: dict[LineKind, Pattern] = {}
        usual = self._kinds.get(view.ring)
        for kind in sorted(LINE_KINDS, key=lambda kind: kind != usual):
            if kind.channel not in view.channels:
                continue
            patterns[kind] = first_look(view, kind, centre, search)
            pose = measured(view, kind, patterns[kind].estimate, (2.4, 1.6, 1.6, 1.6), search, centre)
            if pose is None:
                continue
            found[kind] = pose
            if kind == usual and pose.sigma_mm <= PLAIN_SIGMA_MM:
                break
        if not as_pattern:
            return self._best(view.ring, found)
        ranked = sorted(patterns, key=lambda kind: -patterns[kind].lead)
        plain = patterns[ranked[0]]
        if plain.lead >= PLAIN_LEAD:
            # A few lines may agree on a lie that is not the ring's; all of them together do not.
            where = plain.estimate
            found = {k: pose for k, pose in found.items() if same_place(_estimate(pose), where, view)}
            found = {k: pose for k, pose in found.items() if agree(_estimate(pose), where)} or found
        for kind in ranked if not found else ():
            pose = measured_as_pattern(view, kind, patterns[kind])
            if pose is not None:
                self._kinds[view.ring] = kind
                return pose
        return self._best(view.ring, found)

    def _best(self, ring: int, found: Mapping[LineKind, RingPose]) -> RingPose | None:
        """The surest of several kinds of line; one that is as sure of something else makes both unsure."""
        if not found:
            return None
        ranked = sorted(found.items(), key=lambda item: item[1].sigma_mm)
        kind, best = ranked[0]
        self._kinds[ring] = kind
        for _, other in ranked[1:]:
            apart = abs(other.rotation_deg - best.rotation_deg)
            if other.sigma_mm < 2.5 * best.sigma_mm and apart > 0.3:
                return replace(best, sigma_deg=max(best.sigma_deg, apart), sigma_mm=max(best.sigma_mm, 1.0))
        return best


def _estimate(pose: RingPose) -> Floats:
    return np.array([math.radians(pose.rotation_deg), *pose.shift_mm])


def measure_rings(
    image: Image, pose: CameraPose, board: Board, known: BoardPrint | None = None
) -> BoardPrint:
    """The rings' poses in the world in one picture; what cannot be measured is left out or stays as `known`."""
    return RingGauge(board).measure(image, pose, known)
