"""A board that its owner wired otherwise: what it feels, shows and moves is what such a board would."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.limits import LANES_UM
from firmware_bridge.protocol import AxisFault
from firmware_bridge.virtual_wiring import WEAK_PERIOD_S, WEAK_SHARE, LaneWiring, Wiring

DRAWN = Wiring()


def test_as_drawn_every_number_is_its_place() -> None:
    assert DRAWN.seen(frozenset({0, 5, 96}), 0.0) == {0, 5, 96}
    colours = tuple((n, 0, 255 - n) for n in range(105))
    assert DRAWN.lit(colours) == colours
    assert DRAWN.carriages_um([(1000.0 * axis, 3) for axis in range(5)]) == (0, 1000, 2000, 3000, 4000)
    assert DRAWN.endstops() == {}


def test_bad_switches_do_what_bad_switches_do() -> None:
    wiring = Wiring(dead=frozenset({1}), stuck=frozenset({2}), weak=frozenset({3}), doubled=((4, 10),))
    assert wiring.seen(frozenset(), 0.0) == {2}
    assert wiring.seen(frozenset({1, 4}), 0.0) == {2, 4, 10}
    flickering = [3 in wiring.seen(frozenset({3}), WEAK_PERIOD_S * n / 20) for n in range(20)]
    assert sum(flickering) == pytest.approx(20 * WEAK_SHARE, abs=1)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_a_board_with_all_diodes_sees_exactly_what_stands_on_it(seed: int) -> None:
    rng = random.Random(seed)
    wiring = Wiring(reeds=tuple(rng.sample(range(97), 97)))
    magnets = frozenset(rng.sample(range(97), 12))
    assert wiring.seen(magnets, 0.0) == {wiring.reeds[n] for n in magnets}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_ghosts_are_only_where_a_rectangle_closes_over_a_missing_diode(seed: int) -> None:
    rng = random.Random(seed)
    magnets = frozenset(rng.sample(range(96), 8))
    back = rng.choice(sorted(magnets))
    ghosts = Wiring(no_diode=frozenset({back})).seen(magnets, 0.0) - magnets
    column, row = divmod(back, 6)
    for n in range(96):
        over_there, beside = 6 * (n // 6) + row, 6 * column + n % 6
        assert (n in ghosts) == (n not in magnets and over_there in magnets and beside in magnets)


def test_lights_shine_where_they_are_wired_as_brightly_as_they_can() -> None:
    wiring = Wiring(
        leds=tuple(reversed(range(105))),
        channels=(1, 0, 2),
        dark_leds=frozenset({3}),
        weak_leds=frozenset({4}),
    )
    lit = wiring.lit(((100, 0, 50),) * 105)
    assert lit[0] == (0, 100, 50)
    assert lit[3] == (0, 0, 0)
    assert lit[4] == (0, 20, 10)


@pytest.mark.parametrize(
    ("lane", "finds", "places"),
    [
        (LaneWiring(0), True, (-180_000, 0, 180_000)),
        (LaneWiring(0, off_um=700), True, (-179_300, 700, 180_700)),
        (LaneWiring(0, turned=True, endstop_north=True), True, (180_000, 0, -180_000)),
        (LaneWiring(0, scale=0.5), True, (-180_000, -90_000, 0)),
        # It cannot leave its lane, however long its motor turns.
        (LaneWiring(0, scale=2.0), True, (-180_000, 180_000, 185_000)),
        (LaneWiring(0, turned=True), False, (180_000, 0, -180_000)),
        (LaneWiring(0, endstop_north=True), False, (-180_000, 0, 180_000)),
    ],
)
def test_a_carriage_goes_as_its_lane_is_mounted(
    lane: LaneWiring, finds: bool, places: tuple[int, ...]
) -> None:
    assert tuple(lane.carriage_um(motor, LANES_UM[0]) for motor in (-180_000, 0, 180_000)) == places
    assert lane.finds_its_end == finds
    others = (LaneWiring(axis) for axis in range(1, 5))
    expected = {} if finds else {0: AxisFault.ENDSTOP_MISSING}
    assert Wiring(lanes=(lane, *others)).endstops() == expected


def test_a_lane_that_loses_steps_falls_behind_with_every_trip() -> None:
    lane = LaneWiring(0, lost_um=300)
    assert [lane.carriage_um(0, LANES_UM[0], trips) for trips in (0, 1, 10)] == [0, -300, -3000]


def test_two_places_cannot_share_a_number() -> None:
    with pytest.raises(ValueError, match="each number belongs to one place"):
        Wiring(reeds=(0, 0, *range(2, 97)))
