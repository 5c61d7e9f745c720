"""Arms over the simulated table: when they rest, and what they cover."""

from __future__ import annotations

import random

from companion.sensing.frames import STRIDE
from companion.sensing.gate import QUIET_HAND
from companion.soak.readings.arms import Arms, covered_by
from companion.virtual.faults import Fault
from companion.virtual.layers import LINGERING
from companion.virtual.optics import mount
from companion.virtual.snapshot import HandPose

OPTICS = mount(random.Random(1))
HERE = HandPose((0.0, 100.0, 30.0), (0.0, 480.0, 95.0))
THERE = HandPose((0.0, 140.0, 30.0), (0.0, 520.0, 95.0))
NOTHING: frozenset[Fault] = frozenset()


def shown(*frames: tuple[HandPose, ...]) -> Arms:
    arms = Arms()
    for hands in frames:
        arms.see(hands, NOTHING)
    return arms


def test_nothing_is_told_of_a_first_frame() -> None:
    assert shown(()).is_first
    assert not shown((), ()).is_first


def test_a_hand_that_moves_is_restless_where_it_is_and_where_it_was() -> None:
    arms = shown((), (HERE,), (THERE,))
    assert arms.moving
    assert arms.restless == {HERE, THERE}


def test_a_hand_rests_after_as_many_frames_as_a_pause_takes() -> None:
    paused = shown((), *[(HERE,)] * QUIET_HAND)
    assert not paused.moving and paused.restless == {HERE}
    assert shown((), *[(HERE,)] * (QUIET_HAND + 1)).restless == frozenset()


def test_what_rests_goes_on_resting_when_another_hand_has_been_there() -> None:
    arms = shown((), *[(HERE,)] * (QUIET_HAND + 1), (HERE, THERE), (HERE,))
    assert arms.moving and arms.restless == {THERE}
    arms.see((HERE,), NOTHING)
    assert arms.restless == frozenset() and arms.all == {HERE}


def test_a_hand_that_has_left_is_motion_for_a_frame() -> None:
    arms = shown((), (HERE,), ())
    assert arms.moving and arms.restless == {HERE}
    arms.see((), NOTHING)
    assert not arms.moving and arms.all == frozenset()


def test_an_arm_that_lingers_is_one_of_them() -> None:
    arms = Arms()
    for _ in range(QUIET_HAND + 2):
        arms.see((), frozenset({Fault.HAND_LINGERS}))
    assert arms.all == {LINGERING} and not arms.restless


def test_a_hand_covers_its_finger_tips_and_its_arm_and_no_more_than_near_them() -> None:
    mask = covered_by(HERE, OPTICS)
    (tip_x, tip_y), (arm_x, arm_y), (far_x, far_y) = OPTICS.project([HERE.tip, (0, 160, 40), (150, 100, 30)])
    assert mask[round(tip_y / STRIDE), round(tip_x / STRIDE)]
    assert mask[round(arm_y / STRIDE), round(arm_x / STRIDE)]
    assert not mask[round(far_y / STRIDE), round(far_x / STRIDE)]
