"""Where the grid lies in a picture, told by the pieces in it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.box import Board
from companion.sensing.reading import CardSighting, MiniSighting, Reading, RingPose
from companion.virtual.optics import Optics, mount
from companion.web.grid import Projection, grid_lines, space_mm

BOARD = Board()
Point = tuple[float, float, float]


def corners(optics: Optics, at: Point) -> tuple[tuple[float, float], ...]:
    x, y, z = at
    square = [(x - 7, y + 7, z), (x + 7, y + 7, z), (x + 7, y - 7, z), (x - 7, y - 7, z)]
    return tuple((float(u), float(v)) for u, v in optics.project(square))


def reading(
    optics: Optics, minis: list[Point], cards: list[Point], rings: tuple[RingPose, ...] = ()
) -> Reading:
    return Reading(
        0.0,
        minis=tuple(MiniSighting("ze", 8, (("a1", 1.0),), at, corners(optics, at)) for at in minis),
        cards=tuple(CardSighting("ze", 1, True, 40, at, corners(optics, at)) for at in cards),
        rings=rings,
    )


def whole_table(seed: int) -> tuple[Optics, Reading]:
    rng = random.Random(seed)
    optics = mount(rng)
    minis = [
        (rng.uniform(-150, 150), rng.uniform(-150, 150), 35.0 + 3 * rng.randrange(1, 8)) for _ in range(8)
    ]
    cards = [
        (side * rng.uniform(230, 300), rng.uniform(-115, 115), 0.4) for side in (-1, 1) for _ in range(6)
    ]
    return optics, reading(optics, minis, cards)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_every_space_is_found_at_its_height(seed: int) -> None:
    optics, read = whole_table(seed)
    found = Projection.of(read)
    assert found is not None
    spaces = np.array([BOARD.space_centre(space) for space in ("a1", "e3", "i5", "m6", "top")])
    # The lens bends what a projection keeps straight, by a few pixels of 2304.
    assert float(np.abs(found.at(spaces) - optics.project(spaces)).max()) < 8.0


def test_a_table_of_cards_alone_gives_at_least_the_plane() -> None:
    optics = mount(random.Random(2))
    cards = [(x, y, 0.4) for x in (-298.0, -237.0, 237.0, 298.0) for y in (-114.0, 0.0, 114.0)]
    found = Projection.of(reading(optics, [], cards))
    assert found is not None
    spaces = np.array([BOARD.space_centre("a1"), BOARD.space_centre("i1")])
    assert float(np.abs(found.at(spaces) - optics.project(spaces)).max()) < 30.0


@pytest.mark.parametrize(
    "cards", [[], [(0.0, 0.0, 0.4)] * 3, [(float(x), 0.0, 0.4) for x in range(-10, 10, 2)]]
)
def test_too_little_tells_nothing(cards: list[Point]) -> None:
    assert Projection.of(reading(mount(random.Random(1)), [], cards)) is None


def test_the_grid_lies_as_its_rings_were_measured() -> None:
    turned = RingPose(3, 10.0, (2.0, -1.0), 0.1, 0.1)
    read = Reading(0.0, rings=(turned,))
    lines = list(grid_lines(read, BOARD))
    assert len(lines) == BOARD.rings * (1 + BOARD.columns)
    circle = lines[2 * (1 + BOARD.columns)]
    assert np.allclose(circle[:, 2], BOARD.ring_z(3))
    assert np.allclose(np.hypot(circle[:, 0] - 2.0, circle[:, 1] + 1.0), BOARD.ring_radii(3)[1])
    x, y, _ = BOARD.space_centre("c3")
    sx, sy, sz = space_mm("c3", read, BOARD)
    angle = np.degrees(np.arctan2(sy + 1.0, sx - 2.0) - np.arctan2(y, x))
    assert sz == BOARD.ring_z(3) and angle == pytest.approx(10.0)
    assert space_mm("c4", read, BOARD) == BOARD.space_centre("c4")
