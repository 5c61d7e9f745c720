"""Rings creep, slip and are bumped: where each lies by all that was seen of it, and what its owner should know.

Every measurement joins what is known by its uncertainty. One that does not fit is no reason to move a ring: the
ring is in doubt until several looks agree, and nothing is read of the table meanwhile. How far a ring has slipped is
told against the board as a whole, so that a board pushed on the table is not six rings slipping, and only when
looks over a second or more agree that it is more than they could be wrong by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.messages import listed, say
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Finding, RingPose

# What a measurement may be off by without being a jump, besides what it says itself.
JUMP_DEG = 0.3
JUMP_MM = 0.5
# Looks that must agree before a ring is believed to have jumped, and looks after which doubt is given up.
AGREEING = 2
PATIENCE = 6
# How much a ring may creep between two looks, and since it was calibrated, per axis.
CREEP_DEG = 0.03
CREEP_MM = 0.06
SINCE_CALIBRATION_DEG = 0.7
SINCE_CALIBRATION_MM = 0.7
# A ring that is not where it was and cannot be measured may be about this far off.
LOST_DEG = 2.5
LOST_MM = 2.0
# From here on a slip is worth telling, and again when it has grown by as much; below this share of it it is over.
SLIP_DEG = 1.5
SLIP_MM = 2.0
OVER = 0.67
# How far the board as a whole may be pushed before it is told.
PUSHED_DEG = 1.0
PUSHED_MM = 4.0
# Looks that must agree before a slip is told, and over how many seconds.
LOOKS = 3
LOOKS_S = 0.9
# Rings that moved alike moved with the board.
ALIKE_DEG = 0.6
ALIKE_MM = 1.0
# From here on a turned ring's spaces come close to being taken for their neighbours.
FAR_DEG = 6.0


@dataclass(frozen=True, slots=True)
class Motion:
    """A turn about the table's middle (degrees, counter-clockwise), then a shift (mm)."""

    turn_deg: float = 0.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def between(cls, before: RingPose, after: RingPose) -> Motion:
        """The motion that takes a ring from where it was to where it is."""
        turn = after.rotation_deg - before.rotation_deg
        x, y = cls(turn).moved(*before.shift_mm)
        return cls(turn, (after.shift_mm[0] - x, after.shift_mm[1] - y))

    def moved(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the table comes to lie."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return (c * x - s * y + self.shift_mm[0], s * x + c * y + self.shift_mm[1])

    def inverse(self) -> Motion:
        """The motion that undoes this one."""
        x, y = Motion(-self.turn_deg).moved(*self.shift_mm)
        return Motion(-self.turn_deg, (-x, -y))

    def is_like(self, other: Motion, by_deg: float, by_mm: float) -> bool:
        """Are two motions the same, but for so many degrees and mm?"""
        return (
            abs(self.turn_deg - other.turn_deg) <= by_deg
            and math.dist(self.shift_mm, other.shift_mm) <= by_mm
        )

    def is_small(self, deg: float, mm: float) -> bool:
        """Is it hardly any motion?"""
        return self.is_like(Motion(), deg, mm)

    def carried(self, ring: RingPose) -> RingPose:
        """A ring that has moved along."""
        return replace(
            ring, rotation_deg=ring.rotation_deg + self.turn_deg, shift_mm=self.moved(*ring.shift_mm)
        )


@dataclass(slots=True)
class _Doubt:
    """Looks at a ring that contradict what is known: the newest run of them that agree, and how many failed."""

    agreeing: list[RingPose] = field(default_factory=list)
    looks: int = 0


@dataclass(slots=True)
class _Slip:
    """A slip as it was seen: looks that make it news, since when, and what was told last (deg, mm), how often."""

    since: float = 0.0
    looks: int = 0
    told: tuple[float, float] | None = None
    times: int = 0
    finding: Finding | None = None


class RingTracker:
    """What is known of all rings. `calibrated`: from the table's profile; None: measured here first."""

    def __init__(self, calibrated: BoardPrint | None = None) -> None:
        self._calibrated = calibrated is not None and bool(calibrated.poses)
        start = dict(calibrated.poses) if calibrated else {}
        # Whatever was measured an evening ago has crept since.
        self._poses = {
            ring: replace(
                pose,
                sigma_deg=math.hypot(pose.sigma_deg, SINCE_CALIBRATION_DEG),
                sigma_mm=math.hypot(pose.sigma_mm, SINCE_CALIBRATION_MM),
            )
            for ring, pose in start.items()
        }
        self._since = start
        self._seen: set[int] = set()
        self._doubts: dict[int, _Doubt] = {}
        self._slips: dict[int | None, _Slip] = {}

    @property
    def rings(self) -> BoardPrint:
        """Where the prints lie, as far as is known; a ring in doubt where it was, and unsure."""
        poses = dict(self._poses)
        for ring, doubt in self._doubts.items():
            if ring in poses:
                poses[ring] = _unsure(poses[ring], doubt.agreeing)
        return BoardPrint(poses)

    @property
    def in_doubt(self) -> Mapping[int, RingPose | None]:
        """Rings that may not be where they are known to be, with where they were seen; another look decides."""
        return {ring: doubt.agreeing[-1] if doubt.agreeing else None for ring, doubt in self._doubts.items()}

    @property
    def wanted(self) -> frozenset[int]:
        """Rings of which more looks would decide whether their owner is to be told something."""
        wanted: set[int] = set()
        for ring, slip in self._slips.items():
            if slip.looks:
                wanted |= self._seen if ring is None else {ring}
        return frozenset(wanted)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the owner should know of the rings."""
        ranked = sorted(self._slips.items(), key=lambda item: item[0] or 0)
        return tuple(slip.finding for _, slip in ranked if slip.finding is not None)

    def expected(self, ring: int) -> RingPose | None:
        """Where a ring was last, None if nobody has ever seen it."""
        return self._poses.get(ring)

    def adopt(self, found: Mapping[int, RingPose], at: float) -> None:
        """The first look at a table, or the only one: what it shows is what is known."""
        for ring, pose in found.items():
            self._settle(ring, pose)
        self._weigh(found, at)

    def take(self, found: Mapping[int, RingPose | None], at: float) -> None:
        """One look at some rings at a time in seconds; None for a ring that could not be measured."""
        for ring, pose in found.items():
            known = self._poses.get(ring)
            if pose is None:
                self._missed(ring)
            elif known is None or self._is_near(known, pose):
                self._settle(ring, pose if known is None else _merged(known, pose))
            else:
                self._contradicted(ring, pose)
        self._weigh([ring for ring in found if found[ring] is not None], at)

    def suspect(self, rings: Iterable[int]) -> None:
        """These rings may have moved: they are in doubt until they have been measured."""
        for ring in rings:
            if ring in self._poses:
                self._doubts.setdefault(ring, _Doubt())

    def _settle(self, ring: int, pose: RingPose) -> None:
        self._poses[ring] = pose
        self._doubts.pop(ring, None)
        self._seen.add(ring)
        if ring not in self._since:
            # First seen after the board was pushed: where it would have been before.
            board = self._board_motion(self._motions())
            self._since[ring] = board.inverse().carried(pose)

    def _is_near(self, known: RingPose, pose: RingPose) -> bool:
        turn = abs(pose.rotation_deg - known.rotation_deg)
        shift = math.dist(pose.shift_mm, known.shift_mm)
        return turn <= JUMP_DEG + 3 * math.hypot(
            known.sigma_deg, pose.sigma_deg
        ) and shift <= JUMP_MM + 3 * math.hypot(known.sigma_mm, pose.sigma_mm)

    def _missed(self, ring: int) -> None:
        doubt = self._doubts.get(ring)
        if doubt is None:
            return
        doubt.looks += 1
        if doubt.looks >= PATIENCE:
            # It is not where it was, and cannot be measured: whatever is read there is unsure.
            self._poses[ring] = _unsure(self._poses[ring], doubt.agreeing)
            del self._doubts[ring]

    def _contradicted(self, ring: int, pose: RingPose) -> None:
        doubt = self._doubts.setdefault(ring, _Doubt())
        if not all(self._is_near(other, pose) for other in doubt.agreeing):
            doubt.agreeing.clear()
        doubt.agreeing.append(pose)
        if len(doubt.agreeing) >= AGREEING:
            self._settle(ring, pose)
        else:
            self._missed(ring)

    # --- what the owner should know --------------------------------------------------------------------------

    def _weigh(self, looked_at: Iterable[int], at: float) -> None:
        """Look over what has slipped, after a look at some rings."""
        looked = set(looked_at)
        motions = self._motions()
        if not motions or not looked:
            return
        board = self._board_motion(motions)
        if len(motions) >= 3:
            self._judge(None, board.turn_deg, math.hypot(*board.shift_mm), (0.0, 0.0), at)
        for ring in sorted(looked & motions.keys()):
            where, carried = self._poses[ring], board.carried(self._since[ring])
            self._judge(
                ring,
                where.rotation_deg - carried.rotation_deg,
                math.dist(where.shift_mm, carried.shift_mm),
                (
                    math.hypot(where.sigma_deg, carried.sigma_deg),
                    math.hypot(where.sigma_mm, carried.sigma_mm),
                ),
                at,
            )

    def _motions(self) -> dict[int, Motion]:
        """How each ring has moved since the start, but for those in doubt."""
        return {
            ring: Motion.between(self._since[ring], self._poses[ring])
            for ring in sorted(self._seen & self._since.keys())
            if ring not in self._doubts
        }

    def _board_motion(self, motions: Mapping[int, Motion]) -> Motion:
        """How most rings have moved; of two groups alike in number the one that moved less."""
        best, most = Motion(), (0, 0.0)
        for candidate in motions.values():
            alike = [motion for motion in motions.values() if motion.is_like(candidate, ALIKE_DEG, ALIKE_MM)]
            far = abs(candidate.turn_deg) + math.hypot(*candidate.shift_mm)
            if (len(alike), -far) > most:
                most = (len(alike), -far)
                share = 1.0 / len(alike)
                best = Motion(
                    sum(motion.turn_deg for motion in alike) * share,
                    (
                        sum(motion.shift_mm[0] for motion in alike) * share,
                        sum(motion.shift_mm[1] for motion in alike) * share,
                    ),
                )
        return best

    def _judge(
        self, ring: int | None, turn: float, shift: float, sigmas: tuple[float, float], at: float
    ) -> None:
        """One look at how far (deg, mm) a ring has moved, or the board (None): is it worth telling, or no longer?"""
        least = (PUSHED_DEG, PUSHED_MM) if ring is None else (SLIP_DEG, SLIP_MM)
        slip = self._slips.setdefault(ring, _Slip())
        if abs(turn) < OVER * least[0] and shift < OVER * least[1]:
            del self._slips[ring]
            return
        told = slip.told or (0.0, 0.0)
        news = (
            abs(turn - told[0]) >= least[0] + 3 * sigmas[0]
            or abs(shift - told[1]) >= least[1] + 3 * sigmas[1]
        )
        if not news:
            slip.looks = 0
            return
        if slip.looks == 0:
            slip.since = at
        slip.looks += 1
        if slip.looks >= LOOKS and at - slip.since >= LOOKS_S:
            slip.looks = 0
            slip.times += 1
            slip.told = (turn, shift)
            slip.finding = self._finding(ring, turn, shift, slip.times)

    def _finding(self, ring: int | None, turn: float, shift: float, times: int) -> Finding:
        since = "calibration" if self._calibrated else "seen"
        key = "board-pushed" if ring is None else f"ring-{ring}-slipped"
        if times > 1:
            key += f"-{times}"
        ways = []
        if abs(turn) >= 0.5:
            way = "left" if turn > 0 else "right"
            ways.append(say("table.turned", degrees=f"{abs(turn):.1f}", way=way))
        if shift >= 1.0:
            ways.append(say("table.shifted", mm=f"{shift:.0f}"))
        far = listed(ways)
        if ring is None:
            text = say("table.board_moved", far=far, since=since)
            return Finding(key, text, say("table.board_goes"))
        todo = say("table.ring_turn_back" if abs(turn) >= FAR_DEG else "table.ring_goes")
        return Finding(key, say("table.ring_slipped", ring=ring, far=far, since=since), todo)


def _unsure(pose: RingPose, elsewhere: Iterable[RingPose]) -> RingPose:
    """A ring that may be where it was or where it was seen since."""
    turns = [abs(other.rotation_deg - pose.rotation_deg) for other in elsewhere]
    shifts = [math.dist(other.shift_mm, pose.shift_mm) for other in elsewhere]
    return replace(
        pose,
        sigma_deg=max(LOST_DEG, *turns, pose.sigma_deg),
        sigma_mm=max(LOST_MM, *shifts, pose.sigma_mm),
    )


def _merged(known: RingPose, pose: RingPose) -> RingPose:
    """What is known after another look, by the uncertainties of both."""
    before_deg, before_mm = known.sigma_deg**2 + CREEP_DEG**2, known.sigma_mm**2 + CREEP_MM**2
    by_deg = before_deg / (before_deg + pose.sigma_deg**2)
    by_mm = before_mm / (before_mm + pose.sigma_mm**2)
    return RingPose(
        pose.ring,
        known.rotation_deg + by_deg * (pose.rotation_deg - known.rotation_deg),
        (
            known.shift_mm[0] + by_mm * (pose.shift_mm[0] - known.shift_mm[0]),
            known.shift_mm[1] + by_mm * (pose.shift_mm[1] - known.shift_mm[1]),
        ),
        math.sqrt(by_deg) * pose.sigma_deg,
        math.sqrt(by_mm) * pose.sigma_mm,
    )
