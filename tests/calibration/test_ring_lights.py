"""The lights under the board say the way to turn and push without a word."""

from __future__ import annotations

import itertools

import pytest

from calibration.assembly import Correction, Guide, Stage
from calibration.ring_lights import BLUE, DARK, GREEN, SPOT, STEP_S, Pixel, ring_lights
from companion.games.above.box import LED_COUNT, led_index


def ring_of(pixels: tuple[Pixel, ...], ring: int) -> list[Pixel]:
    return [pixels[led_index(f"{column}{ring}")] for column in "abcdefghijklmnop"]


def align(turn: float, shift: tuple[float, float] = (0.0, 0.0), ring: int = 3) -> Guide:
    return Guide(Stage.ALIGN, ring, Correction(ring, turn, shift))


@pytest.mark.parametrize(("turn", "step"), [(-2.0, 1), (2.0, -1)])
def test_a_spot_runs_the_way_to_turn(turn: float, step: int) -> None:
    places = [ring_of(ring_lights(align(turn), (n + 0.5) * STEP_S), 3).index(SPOT) % 8 for n in range(10)]
    # Columns run clockwise, from a in the north over e in the east.
    assert [(b - a) % 8 for a, b in itertools.pairwise(places)] == [step % 8] * 9


@pytest.mark.parametrize(
    ("shift", "column"), [((0, 2), "a"), ((2, 0), "e"), ((0, -2), "i"), ((-2, 0), "m"), ((1.5, 1.5), "c")]
)
def test_blue_lies_where_to_push(shift: tuple[float, float], column: str) -> None:
    colours = ring_of(ring_lights(align(0.0, shift), 0.0), 3)
    middle = ord(column) - ord("a")
    assert {n for n, colour in enumerate(colours) if colour == BLUE} == {
        (middle + n) % 16 for n in (-1, 0, 1)
    }


def test_a_ring_that_lies_well_is_green() -> None:
    for guide in (align(0.1), Guide(Stage.PRESS, 3, Correction(3, 0.1, (0, 0)))):
        assert ring_of(ring_lights(guide, 1.0), 3) == [GREEN] * 16


def test_a_missing_ring_blinks_and_the_others_are_dark_or_done() -> None:
    guide = Guide(Stage.LAY, 3)
    early, late = (ring_of(ring_lights(guide, at), 3) for at in (0.1, 0.7))
    assert early != late
    assert DARK in (early[0], late[0])
    pixels = ring_lights(guide, 0.1)
    assert len(pixels) == LED_COUNT
    assert all(colour != DARK for ring in (1, 2) for colour in ring_of(pixels, ring))
    assert all(colour == DARK for ring in (4, 5, 6) for colour in ring_of(pixels, ring))


def test_at_the_end_all_rings_are_green() -> None:
    pixels = ring_lights(Guide(Stage.DONE, 6), 0.0)
    assert all(
        green > red and green > blue for ring in range(1, 7) for red, green, blue in ring_of(pixels, ring)
    )
