"""From a marker in the picture to a space on the board: height-aware, ring by ring, as probabilities.

A piece on ring r carries its marker at a height all its own, so one pixel is a different place on every ring.
Each ring is asked where the piece would stand if it stood there; the answers that lie well inside one of that
ring's printed spaces win.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.games.above.box import MINI_BY_ID, Board, Table
from companion.sensing.geometry import CameraPose, Floats
from companion.sensing.markers import Marker
from companion.sensing.reading import Point, RingPose

# Rings are glued by hand (HARDWARE): unmeasured, this is how far they may be off.
UNMEASURED_SIGMA_DEG = 2.3
UNMEASURED_SIGMA_MM = 1.7
# How far people put pieces off the middle: mostly within 4 mm, now and then anywhere.
PUT_SIGMA_MM = 2.4
CARELESS_SIGMA_MM = 6.0
CARELESS_SHARE = 0.04
ANYWHERE_SHARE = 0.01
# A miniature on the summit stands in its middle this often, else anywhere on it.
SUMMIT_MIDDLE = 0.7
# Shifted rings let a foot a little further in than where the next step would be.
STEP_SLACK_MM = 2.5
# A ring this far off is not where a piece stands.
FAR_MM = 25.0
# A leaning miniature's cap is off its foot; a token's sticker is glued off its middle.
LEAN_SIGMA_MM = 1.0
STICKER_SIGMA_MM = 0.5
# How thickly pieces lie beside the board, per mm², against a piece belonging to any one space.
BESIDE_DENSITY = 2e-4
LEAST_PROBABILITY = 0.005


@dataclass(frozen=True, slots=True)
class BoardPrint:
    """Where each ring's print lies on the table: poses in the world, not against ring 1. The summit is `rings + 1`."""

    poses: Mapping[int, RingPose] = field(default_factory=dict)

    def of(self, ring: int) -> RingPose:
        """A ring's pose in the world; an unmeasured one like ring 1, and as unsure as glue by hand is."""
        known = self.poses.get(ring)
        if known is not None:
            return known
        first = self.poses.get(1) or RingPose(1, 0.0, (0.0, 0.0), 0.0, 0.0)
        return RingPose(
            ring,
            first.rotation_deg,
            first.shift_mm,
            math.hypot(first.sigma_deg, UNMEASURED_SIGMA_DEG),
            math.hypot(first.sigma_mm, UNMEASURED_SIGMA_MM),
        )

    def differs(self, other: BoardPrint, by_deg: float, by_mm: float) -> bool:
        """Does any ring lie otherwise, or much more or less surely, than in another print?"""
        if self.poses.keys() != other.poses.keys():
            return True
        pairs = [(self.poses[ring], other.poses[ring]) for ring in self.poses]
        return any(
            abs(one.rotation_deg - two.rotation_deg) > by_deg
            or math.dist(one.shift_mm, two.shift_mm) > by_mm
            or abs(one.sigma_deg - two.sigma_deg) > 5 * by_deg
            or abs(one.sigma_mm - two.sigma_mm) > 5 * by_mm
            for one, two in pairs
        )

    def against_ring_one(self) -> tuple[RingPose, ...]:
        """The poses as they are told to others: ring 1 is the board's frame."""
        first = self.poses.get(1)
        if first is None:
            return tuple(self.poses[ring] for ring in sorted(self.poses))
        turn = math.radians(-first.rotation_deg)
        told = []
        for ring, pose in sorted(self.poses.items()):
            dx, dy = pose.shift_mm[0] - first.shift_mm[0], pose.shift_mm[1] - first.shift_mm[1]
            shift = (
                dx * math.cos(turn) - dy * math.sin(turn),
                dx * math.sin(turn) + dy * math.cos(turn),
            )
            # Ring 1 is the frame by definition; the others share its error.
            sigma_deg, sigma_mm = pose.sigma_deg, pose.sigma_mm
            if ring > 1:
                sigma_deg = math.hypot(sigma_deg, first.sigma_deg)
                sigma_mm = math.hypot(sigma_mm, first.sigma_mm)
            told.append(RingPose(ring, pose.rotation_deg - first.rotation_deg, shift, sigma_deg, sigma_mm))
        return tuple(told)


def on_print(point: Floats, ring: RingPose) -> tuple[float, float]:
    """A world point (x, y, …) in the coordinates of a ring's undisturbed print, mm."""
    x, y = float(point[0]) - ring.shift_mm[0], float(point[1]) - ring.shift_mm[1]
    turn = math.radians(-ring.rotation_deg)
    return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))


@dataclass(frozen=True, slots=True)
class _Span:
    """One direction across a space: from `low` to `high` mm from its middle."""

    low: float
    high: float

    def holds(self, seen: float, unsure: float, middle: float, spread: float) -> float:
        """How likely, per mm, a foot put about a middle within the span is seen there.

        The foot is normal about `middle` by `spread`, what is seen of it normal about the foot by `unsure`.
        """
        both = spread * spread + unsure * unsure
        off = seen - middle
        likely = math.exp(-0.5 * off * off / both) / math.sqrt(2 * math.pi * both)
        if likely < 1e-30:
            return 0.0
        foot = middle + off * spread * spread / both
        return likely * self._share(foot, spread * unsure / math.sqrt(both))

    def holds_any(self, seen: float, unsure: float) -> float:
        """The same for a foot put anywhere in the span alike."""
        return self._share(seen, unsure) / (self.high - self.low)

    def _share(self, middle: float, sigma: float) -> float:
        """The share of a normal distribution within the span."""
        scale = sigma * math.sqrt(2.0)
        return 0.5 * (math.erf((self.high - middle) / scale) - math.erf((self.low - middle) / scale))


def _likelihood(
    across: _Span, along: _Span, seen: tuple[float, float], unsure: tuple[float, float], pitch: float
) -> float:
    """How likely, per mm², a piece whose foot is within a space is seen this far off its middle (radial, along).

    What counts is where the foot is: now and then a piece meant for a neighbour, `pitch` mm on, ends up here.
    """
    careful = across.holds(seen[0], unsure[0], 0.0, PUT_SIGMA_MM) * along.holds(
        seen[1], unsure[1], 0.0, PUT_SIGMA_MM
    )
    careless = across.holds(seen[0], unsure[0], 0.0, CARELESS_SIGMA_MM) * sum(
        along.holds(seen[1], unsure[1], middle, CARELESS_SIGMA_MM) for middle in (-pitch, 0.0, pitch)
    )
    anywhere = across.holds_any(seen[0], unsure[0]) * along.holds_any(seen[1], unsure[1])
    careful_share = 1 - CARELESS_SHARE - ANYWHERE_SHARE
    return careful_share * careful + CARELESS_SHARE * careless + ANYWHERE_SHARE * anywhere


def place(
    marker: Marker, pose: CameraPose, table: Table, rings: BoardPrint
) -> tuple[tuple[tuple[str, float], ...], Point]:
    """The spaces a piece may stand on with their probabilities, likeliest first, and its marker's centre in mm.

    No spaces: it lies beside the board.
    """
    mini = marker.id in MINI_BY_ID
    height = table.mini_height_mm if mini else table.token_height_mm
    extra = LEAN_SIGMA_MM if mini else STICKER_SIGMA_MM
    board = table.board
    levels = [0.0, *(board.ring_z(ring) for ring in range(1, board.rings + 2))]
    points = pose.intersect(np.tile(np.array(marker.centre), (len(levels), 1)), np.array(levels) + height)
    weights: dict[str | None, float] = {}
    where: dict[str | None, int] = {}

    reach = math.hypot(points[0][0], points[0][1])
    # A foot on the table keeps clear of the board's edge.
    clear = board.outer_radius_mm + 0.25 * (table.mini_base_mm if mini else table.token_diameter_mm)
    weights[None] = BESIDE_DENSITY / (1 + math.exp(min(60.0, (clear - reach) / 1.2)))
    where[None] = 0

    base = (table.mini_base_mm if mini else table.token_diameter_mm) / 2
    for ring in range(1, board.rings + 1):
        for space, weight in _on_ring(points[ring], ring, rings.of(ring), board, base, extra):
            weights[space] = weight
            where[space] = ring
    top = board.rings + 1
    summit = rings.of(top)
    off = math.hypot(*on_print(points[top], summit))
    sigma = math.hypot(extra, summit.sigma_mm)
    # On the broad summit people put a miniature anywhere.
    inside = 1 / (1 + math.exp(min(60.0, (off - board.summit_radius_mm) / max(0.6 * sigma, 0.5))))
    middle = math.exp(-0.5 * (off * off) / (PUT_SIGMA_MM**2 + sigma**2)) / (
        2 * math.pi * (PUT_SIGMA_MM**2 + sigma**2)
    )
    weights["top"] = SUMMIT_MIDDLE * middle + (1 - SUMMIT_MIDDLE) * inside / (
        math.pi * board.summit_radius_mm**2
    )
    where["top"] = top

    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    best = ranked[0][0]
    level = where[best]
    x, y, z = (float(value) for value in points[level])
    if best is None:
        return (), (x, y, z)
    spaces = tuple(
        (space, weight / total)
        for space, weight in ranked
        if space is not None and weight / total >= LEAST_PROBABILITY
    )
    return spaces, (x, y, z)


def _on_ring(
    point: Floats, ring: int, pose: RingPose, board: Board, base_mm: float, extra: float
) -> list[tuple[str, float]]:
    """The two spaces of a ring nearest to a point, weighted. `base_mm`: the radius of the piece's foot."""
    x, y = on_print(point, pose)
    radius, angle = math.hypot(x, y), math.degrees(math.atan2(y, x))
    inner, outer = board.ring_radii(ring)
    middle = (inner + outer) / 2
    if not inner - FAR_MM < radius < outer + FAR_MM:
        return []
    columns = 360.0 / board.columns
    column = (90.0 - angle) / columns
    pitch = math.radians(columns) * middle
    unsure_radial = math.hypot(extra, pose.sigma_mm)
    unsure_along = math.hypot(extra, pose.sigma_mm, math.radians(pose.sigma_deg) * middle)
    # The next step keeps a foot away from the inner edge; a shifted one a little less.
    across = _Span(inner + base_mm - STEP_SLACK_MM - middle, outer - middle)
    along = _Span(-pitch / 2, pitch / 2)
    near = math.floor(column)
    return [
        (
            f"{chr(ord('a') + candidate % board.columns)}{ring}",
            _likelihood(
                across,
                along,
                (radius - middle, (column - candidate) * pitch),
                (unsure_radial, unsure_along),
                pitch,
            ),
        )
        for candidate in (near, near + 1)
    ]
