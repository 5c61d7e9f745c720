"""The emergency stop: on from anywhere, off only by a person's hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.signals.emergency import _TABLE, Emergency, StopBy, _Event, _State


@dataclass
class Board:
    """A controller that may be away or restart, and forgets then; reports arrive when `tell` is called."""

    here: bool = True
    stopped: bool = False
    button: bool = False
    heard: list[str] = field(default_factory=list)

    def stop(self) -> None:
        self.heard.append("stop")
        self.stopped = self.stopped or self.here

    def release(self) -> None:
        self.heard.append("release")
        if self.here:
            self.stopped = self.button


def tell(emergency: Emergency, board: Board) -> None:
    """The board's report reaches us."""
    if board.here:
        emergency.board_says(board.stopped, by_button=board.button)


def test_every_state_answers_every_event() -> None:
    assert set(_TABLE) == {(state, event) for state in _State for event in _Event}


@pytest.mark.parametrize("by", [StopBy.PAGE, StopBy.BUTTON])
def test_pressed_it_stops_the_motors_and_released_it_lets_them_go(by: StopBy) -> None:
    board = Board()
    emergency = Emergency(board)
    assert emergency.by is None
    emergency.press(by)
    tell(emergency, board)
    assert emergency.by is by
    assert board.stopped
    assert emergency.release() == ""
    tell(emergency, board)
    assert emergency.by is None
    assert not board.stopped
    assert board.heard == ["stop", "release"]


def test_a_button_that_is_still_pressed_keeps_it_on() -> None:
    board = Board()
    emergency = Emergency(board)
    emergency.hold(True)
    emergency.hold(True)
    assert board.heard == ["stop"]
    assert "still pressed: turn it out" in emergency.release()
    assert emergency.by is StopBy.BUTTON
    emergency.hold(False)
    assert emergency.by is StopBy.BUTTON  # turning it out releases nothing
    assert emergency.release() == ""
    assert emergency.by is None


def test_the_controllers_own_button_is_known_and_asks_for_the_same_release() -> None:
    board = Board(stopped=True, button=True)
    emergency = Emergency(board)
    tell(emergency, board)
    assert emergency.by is StopBy.CONTROLLER
    emergency.release()
    tell(emergency, board)
    assert emergency.by is StopBy.CONTROLLER  # still pressed over there
    board.button = False
    emergency.release()
    tell(emergency, board)
    assert emergency.by is None


def test_a_stop_of_an_earlier_run_is_still_on() -> None:
    board = Board(stopped=True)
    emergency = Emergency(board)
    tell(emergency, board)
    assert emergency.by is StopBy.CONTROLLER


def test_a_controller_that_restarts_is_stopped_again() -> None:
    board = Board()
    emergency = Emergency(board)
    emergency.press(StopBy.PAGE)
    board.stopped = False
    emergency.board_is_here()
    assert board.stopped
    assert emergency.by is StopBy.PAGE


def test_it_is_on_also_while_no_controller_is_there() -> None:
    board = Board(here=False)
    emergency = Emergency(board)
    emergency.press(StopBy.PAGE)
    assert emergency.by is StopBy.PAGE
    board.here = True
    emergency.board_is_here()
    assert board.stopped
    emergency.release()
    board.here = False
    emergency.board_is_here()
    assert emergency.by is None


def test_a_late_report_of_the_stop_does_not_stop_again() -> None:
    board = Board()
    emergency = Emergency(board)
    emergency.press(StopBy.PAGE)
    emergency.release()
    emergency.board_says(True)
    assert emergency.by is None
    emergency.board_says(False)
    assert emergency.by is None
    assert board.heard == ["stop", "release"]


def test_without_motors_it_is_only_told() -> None:
    emergency = Emergency()
    emergency.press(StopBy.BUTTON)
    assert emergency.by is StopBy.BUTTON
    assert emergency.release() == ""
    assert emergency.by is None


@given(
    st.lists(
        st.sampled_from(["press", "tell", "restart", "away", "back", "turn out", "push in"]), max_size=40
    )
)
def test_whatever_happens_only_a_release_lets_the_motors_go(events: list[str]) -> None:
    board = Board()
    emergency = Emergency(board)
    emergency.press(StopBy.PAGE)
    for event in events:
        match event:
            case "press":
                emergency.press(StopBy.PAGE)
            case "tell":
                tell(emergency, board)
            case "restart":
                board.stopped = board.button
                emergency.board_is_here()
            case "away":
                board.here = False
            case "back":
                board.here, board.stopped = True, board.button
                emergency.board_is_here()
            case "turn out":
                emergency.hold(False)
            case "push in":
                emergency.hold(True)
        assert emergency.by is StopBy.PAGE
        assert board.stopped or not board.here
    assert "release" not in board.heard
