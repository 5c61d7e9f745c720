"""Pieces drawn at random as people put them down, on rings glued by hand, and how far probabilities come true."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.above.box import Table
from companion.sensing.markers import Marker
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import RingPose
from companion.virtual.scene import Ring
from tests.sensing.photos import pose

TABLE = Table()
BOARD = TABLE.board
SUMMIT = BOARD.rings + 1
CAMERAS = ("01", "05", "06", "08")
# How well rings are measured: degrees, mm. By the lines, by a few of them, and hardly.
MEASURED = ((0.02, 0.06), (0.1, 0.2), (0.5, 0.5), (1.5, 1.2))
BINS = (0.0, 0.05, 0.15, 0.35, 0.5, 0.65, 0.85, 0.95, 0.99, 1.01)


@dataclass(frozen=True)
class People:
    """Where people put pieces: within 4 mm of the middle, pushed about by 6 mm, or anywhere on the board."""

    careful: float
    careless: float


@dataclass(frozen=True)
class Drawn:
    """A piece: where it truly is, and what is said of it."""

    space: str
    said: tuple[tuple[str, float], ...]


def glued(rng: random.Random) -> dict[int, Ring]:
    """Rings as they are glued: turned by up to 4°, shifted by up to 3 mm against ring 1."""
    rings = {1: Ring()}
    for ring in range(2, SUMMIT + 1):
        far, towards = 3 * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        rings[ring] = Ring(rng.uniform(-4, 4), (far * math.cos(towards), far * math.sin(towards)))
    return rings


def measured(rng: random.Random, rings: dict[int, Ring]) -> BoardPrint:
    """What a gauge says of them, each measured more or less well."""
    poses = {}
    for ring in range(1, SUMMIT):
        deg, mm = rng.choice(MEASURED)
        x, y = rings[ring].shift_mm
        shift = (x + rng.gauss(0, mm), y + rng.gauss(0, mm))
        poses[ring] = RingPose(ring, rings[ring].rotation_deg + rng.gauss(0, deg), shift, deg, mm)
    return BoardPrint(poses)


def draw(rng: random.Random, people: People, ring_known: bool) -> Drawn:
    """One miniature or token put down somewhere, seen by a camera, and placed."""
    rings = glued(rng)
    mini = rng.random() < 0.5
    base = (TABLE.mini_base_mm if mini else TABLE.token_diameter_mm) / 2
    x, y = _foot(rng, rings, people)
    while not _can_stand(rings, x, y, base):
        x, y = _foot(rng, rings, people)
    ring = _ring_at(rings, x, y)
    height = TABLE.mini_height_mm if mini else TABLE.token_height_mm
    top_x, top_y = x + rng.gauss(0, 0.2), y + rng.gauss(0, 0.2)
    if mini and rng.random() < 0.3:
        lean, towards = math.radians(rng.uniform(0.5, 4.0)), rng.uniform(0, math.tau)
        top_x += height * math.sin(lean) * math.cos(towards)
        top_y += height * math.sin(lean) * math.sin(towards)
        height *= math.cos(lean)
    half = (TABLE.mini_marker_mm if mini else TABLE.token_marker_mm) / 2
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    level = np.full(4, BOARD.ring_z(ring) + height)
    view = pose(rng.choice(CAMERAS))
    corners = view.project(np.column_stack([square + np.array([top_x, top_y]), level])).astype(np.float32)
    known = measured(rng, rings) if ring_known else BoardPrint()
    said, _ = place(Marker(8 if mini else 16, corners), view, TABLE, known)
    return Drawn(_space_at(rings, ring, x, y), said)


def _foot(rng: random.Random, rings: dict[int, Ring], people: People) -> tuple[float, float]:
    chance = rng.random()
    if chance > people.careful + people.careless:
        far, towards = BOARD.outer_radius_mm * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        return (far * math.cos(towards), far * math.sin(towards))
    ring = rng.randint(1, BOARD.rings)
    x, y, _ = BOARD.space_centre(f"{chr(ord('a') + rng.randrange(BOARD.columns))}{ring}")
    x, y = rings[ring].to_world(x, y)
    if chance > people.careful:
        return (x + rng.gauss(0, 6.0), y + rng.gauss(0, 6.0))
    off, towards = 4 * math.sqrt(rng.random()), rng.uniform(0, math.tau)
    return (x + off * math.cos(towards), y + off * math.sin(towards))


def _radius(ring: int) -> float:
    return BOARD.summit_radius_mm if ring == SUMMIT else BOARD.ring_radii(ring)[1]


def _ring_at(rings: dict[int, Ring], x: float, y: float) -> int:
    return next(
        (ring for ring in range(SUMMIT, 0, -1) if math.hypot(*rings[ring].to_print(x, y)) <= _radius(ring)), 0
    )


def _can_stand(rings: dict[int, Ring], x: float, y: float, base: float) -> bool:
    """A foot stands on the board, and not in the next step."""
    ring = _ring_at(rings, x, y)
    if ring in (0, SUMMIT):
        return ring == SUMMIT
    return math.hypot(*rings[ring + 1].to_print(x, y)) >= _radius(ring + 1) + base - 1.0


def _space_at(rings: dict[int, Ring], ring: int, x: float, y: float) -> str:
    if ring == SUMMIT:
        return "top"
    px, py = rings[ring].to_print(x, y)
    column = round((90.0 - math.degrees(math.atan2(py, px))) / (360.0 / BOARD.columns)) % BOARD.columns
    return f"{chr(ord('a') + column)}{ring}"


def unreliable(drawn: Iterable[Drawn], bins: Sequence[float] = BINS, slack: float = 0.05) -> list[str]:
    """Where what was said came true more or less often than it was said, beyond `slack` and three sigmas.

    Too sure is worse than too unsure: near certainty only the first is complained of, and with little slack.
    """
    pairs = [(p, space == one.space) for one in drawn for space, p in one.said]
    complaints = []
    for low, high in itertools.pairwise(bins):
        inside = [(p, true) for p, true in pairs if low <= p < high]
        if not inside:
            continue
        said = sum(p for p, _ in inside) / len(inside)
        came_true = sum(true for _, true in inside) / len(inside)
        chance = 3 * math.sqrt(max(said * (1 - said), 0.002) / len(inside))
        allowed = min(slack, 0.5 * (1 - said) + 0.002) + chance
        if said - came_true > allowed or (said < 0.9 and came_true - said > 2 * slack + chance):
            complaints.append(f"said {said:.3f}, came true {came_true:.3f} of {len(inside)}")
    return complaints
