"""The scoreboard's motors: homed first, moved once, and never under a hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.signals.scoreboard import AxisMood, Scoreboard


@dataclass
class Axes:
    """Axes that answer by their moods, and note every command."""

    states: dict[int, AxisMood]
    heard: list[tuple[str, int, float]] = field(default_factory=list)

    def moods(self) -> dict[int, AxisMood]:
        return dict(self.states)

    def home(self, axis: int) -> None:
        self.heard.append(("home", axis, 0.0))
        self.states[axis] = AxisMood.BUSY

    def move(self, axis: int, target_mm: float) -> None:
        self.heard.append(("move", axis, target_mm))
        self.states[axis] = AxisMood.BUSY


def test_an_axis_is_homed_before_it_moves_and_moves_once() -> None:
    axes = Axes({0: AxisMood.LOST, 1: AxisMood.READY})
    board = Scoreboard(axes)
    for _ in range(3):
        board.follow({0: -135.0, 1: 9.0}, clear=True)
    assert axes.heard == [("home", 0, 0.0), ("move", 1, 9.0)]
    axes.states = dict.fromkeys((0, 1), AxisMood.READY)
    for _ in range(3):
        board.follow({0: -135.0, 1: 9.0}, clear=True)
    assert axes.heard[2:] == [("move", 0, -135.0)]


def test_nothing_moves_under_a_hand() -> None:
    axes = Axes({0: AxisMood.LOST, 1: AxisMood.READY})
    Scoreboard(axes).follow({0: 0.0, 1: 9.0}, clear=False)
    assert axes.heard == []


def test_a_failed_axis_is_left_to_a_person() -> None:
    axes = Axes({0: AxisMood.FAILED})
    Scoreboard(axes).follow({0: 9.0}, clear=True)
    assert axes.heard == []


def test_an_axis_that_got_lost_is_homed_and_sent_again() -> None:
    axes = Axes({0: AxisMood.READY})
    board = Scoreboard(axes)
    board.follow({0: 9.0}, clear=True)
    axes.states[0] = AxisMood.LOST
    board.follow({0: 9.0}, clear=True)
    axes.states[0] = AxisMood.READY
    board.follow({0: 9.0}, clear=True)
    assert [name for name, *_ in axes.heard] == ["move", "home", "move"]


def test_axes_that_are_not_there_are_not_missed() -> None:
    axes = Axes({})
    Scoreboard(axes).follow({0: 9.0}, clear=True)
    assert axes.heard == []
