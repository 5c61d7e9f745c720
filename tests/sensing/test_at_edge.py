"""A piece at the picture's edge is as large as a fingertip, and is read as soon as a hand counts as resting."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from companion.sensing.gate import QUIET_HAND
from companion.virtual.scene import HandPose
from tests.sensing.rendered import RenderedTable


@pytest.fixture
def table(filmed: RenderedTable) -> Iterator[RenderedTable]:
    scene = filmed.scene
    pieces = scene.pieces()
    yield filmed
    scene.show_hand("fingers", None)
    for piece in pieces:
        scene.put(piece.name, piece.pose)
    filmed.wait(2 * QUIET_HAND)


@pytest.mark.parametrize("place", [(365.0, 60.0), (-380.0, 20.0), (300.0, -205.0)])
def test_a_piece_laid_at_the_edge_is_no_hand(table: RenderedTable, place: tuple[float, float]) -> None:
    table.scene.move("mini he", *place)
    reading = table.wait(QUIET_HAND + 2)[-1]
    assert not reading.moving
    (mini,) = (one for one in reading.minis if one.deity == "he")
    assert math.dist(mini.xyz_mm[:2], place) < 4


def test_fingers_that_rest_there_cover_what_lies_under_them(table: RenderedTable) -> None:
    place = (300.0, -190.0)
    table.scene.move("token 16", *place)
    assert any(one.marker == 16 for one in table.wait(QUIET_HAND)[-1].tokens)
    table.scene.show_hand("fingers", HandPose((300.0, -185.0, 20.0), (300.0, -500.0, 60.0)))
    readings = [reading for reading in table.wait(2 * QUIET_HAND) if not reading.moving]
    assert readings
    assert not any(one.marker == 16 for reading in readings for one in reading.tokens)
    table.scene.show_hand("fingers", None)
    # Where they were a moment ago nothing is told in the frame in which they have gone.
    reading = table.wait(2)[-1]
    assert not reading.moving and not reading.hands_beside
    assert any(one.marker == 16 for one in reading.tokens)
