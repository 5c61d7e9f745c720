"""The scoreboard's motors: homed first, never set out under a hand, cubes fetched that were pushed away."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from companion.signals.scoreboard import (
    ABSENT_S,
    COVERED_S,
    FETCHES,
    PUSHED_S,
    UNDER_WAY_S,
    AxisMood,
    AxisReport,
    Look,
    Scoreboard,
)

FRAME_S = 0.1
SPEED_MM_S = 40.0
MAGNET_MM = 7.0


@dataclass
class Lane:
    """A carriage with its magnet under a cube: the cube comes along where the magnet passes it."""

    carriage: float = 50.0
    cube: float = 50.0
    homed: bool = False
    goal: float | None = None
    mood: AxisMood = AxisMood.LOST
    loose: bool = False  # the cube has lost its magnet

    def step(self, seconds: float) -> None:
        if self.goal is None:
            return
        way = self.goal - self.carriage
        here = self.carriage + max(-SPEED_MM_S * seconds, min(SPEED_MM_S * seconds, way))
        met = min(self.carriage, here) - MAGNET_MM <= self.cube <= max(self.carriage, here) + MAGNET_MM
        if met and not self.loose:
            self.cube = here
        self.carriage = here
        if here == self.goal:
            self.goal, self.mood = None, AxisMood.READY


@dataclass
class Axes:
    """Lanes that carry out what they hear a moment later, as over a wire, and note every command."""

    lanes: dict[int, Lane]
    heard: list[tuple[str, int, float]] = field(default_factory=list)
    absent: bool = False
    trouble: str = ""
    on_their_way: list[tuple[int, float]] = field(default_factory=list)

    def reports(self) -> dict[int, AxisReport]:
        return (
            {} if self.absent else {n: AxisReport(lane.mood, self.trouble) for n, lane in self.lanes.items()}
        )

    def home(self, axis: int) -> None:
        self.heard.append(("home", axis, 0.0))
        self.on_their_way.append((axis, -180.0))

    def move(self, axis: int, target_mm: float) -> None:
        assert self.lanes[axis].mood is AxisMood.READY
        self.heard.append(("move", axis, target_mm))
        self.on_their_way.append((axis, target_mm))

    def step(self, seconds: float) -> None:
        for axis, goal in self.on_their_way:
            self.lanes[axis].goal, self.lanes[axis].mood = goal, AxisMood.BUSY
        self.on_their_way.clear()
        for lane in self.lanes.values():
            lane.step(seconds)


class Bench:
    """A scoreboard with its axes and a clock."""

    def __init__(self, *moods: AxisMood) -> None:
        self.axes = Axes({axis: Lane(mood=mood) for axis, mood in enumerate(moods)})
        self.board = Scoreboard(self.axes, ("the blue cube", "the round marker"))
        self.now = 1000.0
        self.clear = True

    def run(self, places_mm: dict[int, float], seconds: float) -> None:
        for _ in range(round(seconds / FRAME_S)):
            self.now += FRAME_S
            seen = {axis: lane.cube for axis, lane in self.axes.lanes.items()}
            # Nothing is seen to be clear while cubes move: they are motion in the picture.
            still = all(lane.goal is None for lane in self.axes.lanes.values())
            self.board.follow(places_mm, Look(self.clear and still, seen), self.now)
            self.axes.step(FRAME_S)


def test_an_axis_is_homed_before_it_moves_and_takes_its_cube_along() -> None:
    bench = Bench(AxisMood.LOST)
    bench.run({0: -135.0}, 12.0)
    assert bench.axes.heard == [("home", 0, 0.0), ("move", 0, -135.0)]
    assert bench.axes.lanes[0].cube == -135.0
    bench.run({0: -126.0}, 5.0)
    assert bench.axes.heard[2:] == [("move", 0, -126.0)]
    assert list(bench.board.troubles) == []


def test_several_axes_move_at_once_and_each_but_once() -> None:
    bench = Bench(AxisMood.READY, AxisMood.READY)
    bench.run({0: 9.0, 1: 20.0}, 20.0)
    assert sorted(bench.axes.heard) == [("move", 0, 9.0), ("move", 1, 20.0)]


def test_nothing_sets_out_under_a_hand_and_the_reason_is_told_after_a_while() -> None:
    bench = Bench(AxisMood.LOST, AxisMood.READY)
    bench.clear = False
    bench.run({0: 0.0, 1: 9.0}, COVERED_S - 1)
    assert bench.axes.heard == []
    assert list(bench.board.troubles) == []
    bench.run({0: 0.0, 1: 9.0}, 2.0)
    assert list(bench.board.troubles) == ["The cubes wait: a hand or something else covers the scoreboard."]
    bench.clear = True
    bench.run({0: 0.0, 1: 9.0}, 1.0)
    assert len(bench.axes.heard) == 2
    assert list(bench.board.troubles) == []


@pytest.mark.parametrize("pushed_to", [-60.0, 30.0, 63.0])
def test_a_cube_pushed_by_hand_is_fetched_and_put_right(pushed_to: float) -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    bench.axes.lanes[0].cube = pushed_to
    bench.run({0: 9.0}, PUSHED_S - 0.5)
    assert len(bench.axes.heard) == 1  # perhaps it is only being nudged
    bench.run({0: 9.0}, 12.0)
    assert bench.axes.heard[1:] == [("move", 0, pushed_to), ("move", 0, 9.0)]
    assert bench.axes.lanes[0].cube == 9.0


def test_a_cube_that_is_being_pushed_about_is_not_chased() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    for n in range(8):
        bench.axes.lanes[0].cube = 40.0 + 10.0 * n
        bench.run({0: 9.0}, PUSHED_S / 2)
    assert len(bench.axes.heard) == 1


def test_a_cube_that_stands_a_little_beside_is_left_alone() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    bench.axes.lanes[0].cube = 12.0
    bench.run({0: 9.0}, 20.0)
    assert len(bench.axes.heard) == 1


def test_a_cube_without_a_magnet_is_given_up_and_told() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    lane = bench.axes.lanes[0]
    lane.loose, lane.cube = True, 80.0
    bench.run({0: 9.0}, 60.0)
    assert len(bench.axes.heard) == 1 + 2 * FETCHES
    assert list(bench.board.troubles) == [
        "The blue cube does not follow its carriage: put it in its place by hand.",
    ]
    lane.cube = 9.0
    bench.run({0: 9.0}, 1.0)
    assert list(bench.board.troubles) == []


def test_a_cube_that_is_not_seen_is_not_looked_for() -> None:
    axes = Axes({0: Lane(mood=AxisMood.READY)})
    board = Scoreboard(axes)
    for n in range(200):
        board.follow({0: 9.0}, Look(True, {}), n * FRAME_S)
        axes.step(FRAME_S)
    assert axes.heard == [("move", 0, 9.0)]


def test_a_failed_axis_is_left_to_a_person_who_may_have_it_tried_again() -> None:
    bench = Bench(AxisMood.FAILED)
    bench.axes.trouble = "its endstop stays closed; free the switch"
    bench.run({0: 9.0}, 5.0)
    assert bench.axes.heard == []
    (told,) = bench.board.troubles
    assert told == "The carriage of the blue cube has stopped: its endstop stays closed; free the switch."
    bench.board.retry()
    bench.run({0: 9.0}, 15.0)
    assert bench.axes.heard == [("home", 0, 0.0), ("move", 0, 9.0)]
    assert list(bench.board.troubles) == []


def test_a_carriage_that_never_arrives_is_told() -> None:
    bench = Bench(AxisMood.BUSY)
    bench.run({0: 9.0}, UNDER_WAY_S - 1)
    assert list(bench.board.troubles) == []
    bench.run({0: 9.0}, 2.0)
    assert list(bench.board.troubles) == [
        "The carriage of the blue cube does not arrive: look whether it is stuck."
    ]


def test_while_the_emergency_stop_is_on_nothing_is_asked_for() -> None:
    bench = Bench(AxisMood.STOPPED)
    bench.run({0: 9.0}, 60.0)
    assert bench.axes.heard == []
    assert list(bench.board.troubles) == []


def test_an_axis_that_lost_its_place_is_homed_and_sent_again() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    bench.axes.lanes[0].mood = AxisMood.LOST
    bench.run({0: 9.0}, 15.0)
    assert bench.axes.heard[1:] == [("home", 0, 0.0), ("move", 0, 9.0)]


def test_after_the_controller_was_away_everything_is_told_again() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    bench.axes.absent = True
    bench.run({0: 9.0}, 1.0)
    bench.axes.absent = False
    bench.run({0: 9.0}, 5.0)
    assert bench.axes.heard == [("move", 0, 9.0)] * 2


def test_a_controller_without_carriages_is_told() -> None:
    bench = Bench(AxisMood.READY)
    bench.axes.absent = True
    bench.run({0: 9.0}, ABSENT_S - 1)
    assert bench.board.troubles == ()
    bench.run({0: 9.0}, 2.0)
    assert list(bench.board.troubles) == ["No carriage answers: the cubes do not move."]
    bench.run({}, 1.0)  # a game without a scoreboard misses nothing
    assert list(bench.board.troubles) == []


def test_a_carriage_that_was_pushed_finds_its_end_again_before_it_is_given_up() -> None:
    bench = Bench(AxisMood.READY)
    bench.run({0: 9.0}, 5.0)
    bench.axes.trouble = "two approaches found different ends"
    bench.run({0: 18.0}, 0.2)
    lane = bench.axes.lanes[0]
    lane.goal, lane.mood = None, AxisMood.FAILED
    bench.run({0: 18.0}, 15.0)
    assert [name for name, *_ in bench.axes.heard] == ["move", "move", "home", "move"]
    assert list(bench.board.troubles) == []
    for _ in range(2):  # now it fails for good
        bench.run({0: 27.0}, 0.3)
        lane.goal, lane.mood = None, AxisMood.FAILED
        bench.run({0: 27.0}, 0.3)
    lane.goal, lane.mood = None, AxisMood.FAILED
    bench.run({0: 27.0}, 5.0)
    assert len(bench.board.troubles) == 1 and "has stopped" in bench.board.troubles[0]


def test_a_command_that_was_lost_is_given_again() -> None:
    bench = Bench(AxisMood.LOST)
    bench.run({0: 9.0}, FRAME_S)
    bench.axes.lanes[0].goal, bench.axes.lanes[0].mood = None, AxisMood.LOST  # it restarted meanwhile
    bench.run({0: 9.0}, 0.5)
    assert bench.axes.heard == [("home", 0, 0.0)]
    bench.run({0: 9.0}, 1.0)
    assert bench.axes.heard == [("home", 0, 0.0)] * 2
