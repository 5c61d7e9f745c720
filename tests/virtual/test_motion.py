"""Hands in motion: nothing jumps, what is carried goes along, and a hand is gone when no finger is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest

from companion.virtual import hands
from companion.virtual.layout import pile
from companion.virtual.motion import BRISK, HUMAN, Hand, Motion, token_at
from companion.virtual.scene import HandPose, Scene
from companion.virtual.truth import lie_on

Laid = Callable[[int], Scene]
TICK_S = 1 / 60


class Clock:
    """The time of the current step."""

    def __init__(self) -> None:
        self.now = 0.0


def steps(motion: Motion, clock: Clock, tick: float = TICK_S) -> Iterator[float]:
    """Runs a motion to its end, step by step."""
    for _ in motion:
        yield clock.now
        clock.now += tick


def finish(motion: Motion, clock: Clock) -> float:
    began = clock.now
    for _ in steps(motion, clock):
        pass
    return clock.now - began


def test_a_miniature_is_carried_without_jumps(laid: Laid) -> None:
    scene, clock = laid(1), Clock()
    hand = Hand(scene, clock, 0, 2, BRISK)
    last = scene.piece("mini ze").pose
    held = 0
    for _ in steps(hand.place("mini ze", "b2"), clock):
        pose = scene.piece("mini ze").pose
        assert math.dist((last.x, last.y, last.z), (pose.x, pose.y, pose.z)) < 60
        held += scene.piece("mini ze").held
        last = pose
    assert held > 10
    assert scene.holding()["b2"] == ("mini ze",)
    assert "a1" not in scene.holding()
    assert hand.in_picture


def test_sliding_closes_switches_on_the_way(laid: Laid) -> None:
    scene, clock = laid(1), Clock()
    hand = Hand(scene, clock, 0, 2, BRISK)
    closed: set[str] = set()
    for _ in steps(hand.place("mini ze", "a3", slide=True), clock):
        closed |= scene.closed_reeds()
    assert {"a1", "a2", "a3"} <= closed


def test_a_miniature_set_on_a_token_stands_higher_until_the_token_is_drawn_out(laid: Laid) -> None:
    scene, clock = laid(1), Clock()
    hand = Hand(scene, clock, 0, 2, BRISK)
    token = token_at(scene, "d2")
    assert token is not None
    finish(hand.place("mini ar", "d2"), clock)
    assert set(scene.holding()["d2"]) == {"mini ar", token}
    assert scene.piece("mini ar").pose.z == scene.piece(token).pose.z + 2.0
    finish(hand.to_reserve(token), clock)
    assert scene.holding()["d2"] == ("mini ar",)
    assert scene.piece("mini ar").pose.z == 6.0
    assert scene.space_at(scene.piece(token).pose.x, scene.piece(token).pose.y) is None


def test_a_card_is_turned_where_it_lies(laid: Laid) -> None:
    scene, clock = laid(1), Clock()
    hand = Hand(scene, clock, 1, 2, BRISK)
    card = next(c for c in scene.pieces("card") if c.what == "ze" and c.pose.x > 0)
    before = lie_on(scene, 2).cards
    assert before[1, "ze"] == 1
    finish(hand.flip(card.name, False), clock)
    after = scene.piece(card.name)
    assert after.marker == card.marker + 16
    assert math.dist((card.pose.x, card.pose.y), (after.pose.x, after.pose.y)) <= 8.0
    assert (1, "ze") not in lie_on(scene, 2).cards
    assert pile(scene) == []


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)])
def test_a_hand_is_gone_once_no_finger_is_in_the_picture(laid: Laid, players: int, seat: int) -> None:
    scene, clock = laid(seat), Clock()
    hand = Hand(scene, clock, seat, players, HUMAN)
    finish(hand.to((0.0, 0.0, 80.0)), clock)
    assert hand.left_at is None
    last: HandPose | None = None
    for _ in steps(hand.leave(), clock, 1 / 400):
        last = scene.hands[f"seat {seat}"]
    assert scene.hands == {}
    assert not hand.in_picture
    assert hand.left_at == pytest.approx(clock.now, abs=TICK_S)
    assert last is not None
    seen = hands.place(last, scene.optics)
    covered = sum(int((veil[:, :, 3] > 127).sum()) for _, veil in seen)
    assert covered < 50


def test_human_hands_take_longer_than_brisk_ones(laid: Laid) -> None:
    times = []
    for pace in (BRISK, HUMAN):
        scene, clock = laid(1), Clock()
        times.append(finish(Hand(scene, clock, 0, 2, pace).place("mini ze", "b2"), clock))
    assert times[1] > 1.6 * times[0]


def test_what_is_held_leaves_with_the_hand(laid: Laid) -> None:
    scene, clock = laid(1), Clock()
    hand = Hand(scene, clock, 0, 2, BRISK)
    finish(hand.grasp("mini ze"), clock)
    finish(hand.lift(), clock)
    finish(hand.leave(), clock)
    assert scene.piece("mini ze").held
    u, v = scene.optics.project([(scene.piece("mini ze").pose.x, scene.piece("mini ze").pose.y, 40.0)])[0]
    assert not (-50 < u < 2354 and -50 < v < 1346)
    finish(hand.place("mini ze", "a1"), clock)
    assert scene.holding()["a1"] == ("mini ze",)
