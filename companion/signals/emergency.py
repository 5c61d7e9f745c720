"""The emergency stop: pressed at the page, at a button of the table or at the controller, released only by hand.

It is on until a person releases it, whatever comes and goes meanwhile: a controller that restarts has forgotten it
and is told again. The game goes on without the motors.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from companion.messages import say


class StopBy(Enum):
    """Who pressed it."""

    PAGE = "page"
    BUTTON = "button"  # the one on the Pi's pins
    CONTROLLER = "controller"  # the one on the controller, or an earlier run of this program


class Brakes(Protocol):
    """What stops the motors. Commands are lost while no controller is there."""

    def stop(self) -> None:
        """All motors off at once."""

    def release(self) -> None:
        """They may move again; every axis is homed first."""


class _State(Enum):
    OFF = "off"
    ON = "on"
    LEAVING = "leaving"  # released, and the controller has not said so yet


class _Event(Enum):
    PRESSED = "pressed"
    RELEASED = "released"
    BOARD_STOPPED = "board stopped"  # as it was told
    BOARD_BUTTON = "board button"  # by its own button
    BOARD_FREE = "board free"
    BOARD_HERE = "board here"  # it has come, perhaps after a restart


class _Act(Enum):
    NOTHING = "nothing"
    STOP = "stop"
    RELEASE = "release"


_TABLE: dict[tuple[_State, _Event], tuple[_State, _Act]] = {
    (_State.OFF, _Event.PRESSED): (_State.ON, _Act.STOP),
    (_State.OFF, _Event.RELEASED): (_State.OFF, _Act.NOTHING),
    (_State.OFF, _Event.BOARD_STOPPED): (_State.ON, _Act.NOTHING),
    (_State.OFF, _Event.BOARD_BUTTON): (_State.ON, _Act.NOTHING),
    (_State.OFF, _Event.BOARD_FREE): (_State.OFF, _Act.NOTHING),
    (_State.OFF, _Event.BOARD_HERE): (_State.OFF, _Act.NOTHING),
    (_State.ON, _Event.PRESSED): (_State.ON, _Act.STOP),
    (_State.ON, _Event.RELEASED): (_State.LEAVING, _Act.RELEASE),
    (_State.ON, _Event.BOARD_STOPPED): (_State.ON, _Act.NOTHING),
    (_State.ON, _Event.BOARD_BUTTON): (_State.ON, _Act.NOTHING),
    # Nobody here has released it.
    (_State.ON, _Event.BOARD_FREE): (_State.ON, _Act.STOP),
    (_State.ON, _Event.BOARD_HERE): (_State.ON, _Act.STOP),
    (_State.LEAVING, _Event.PRESSED): (_State.ON, _Act.STOP),
    (_State.LEAVING, _Event.RELEASED): (_State.LEAVING, _Act.RELEASE),
    # It has not heard of the release yet.
    (_State.LEAVING, _Event.BOARD_STOPPED): (_State.LEAVING, _Act.NOTHING),
    (_State.LEAVING, _Event.BOARD_BUTTON): (_State.ON, _Act.NOTHING),
    (_State.LEAVING, _Event.BOARD_FREE): (_State.OFF, _Act.NOTHING),
    (_State.LEAVING, _Event.BOARD_HERE): (_State.LEAVING, _Act.RELEASE),
}


class Emergency:
    """The state of the emergency stop. `brakes` None: there is nothing that moves."""

    def __init__(self, brakes: Brakes | None = None) -> None:
        self._brakes = brakes
        self._state = _State.OFF
        self._by: StopBy | None = None
        self._held = False

    @property
    def by(self) -> StopBy | None:
        """Who has pressed it; None while it is not on."""
        return self._by if self._state is _State.ON else None

    @property
    def is_held(self) -> bool:
        """Is the button on the pins still pressed?"""
        return self._held

    def press(self, by: StopBy) -> None:
        """Somebody wants everything to stop."""
        if self._state is not _State.ON:
            self._by = by
        self._take(_Event.PRESSED)

    def hold(self, pressed: bool) -> None:
        """The button on the pins is pressed, or is not (any more)."""
        if pressed and not self._held:
            self.press(StopBy.BUTTON)
        self._held = pressed

    def release(self) -> str:
        """Somebody lets the motors go on: empty, or why they cannot, as a sentence."""
        if self._held:
            return say("fitted.still_held")
        self._take(_Event.RELEASED)
        return ""

    def board_says(self, stopped: bool, *, by_button: bool = False) -> None:
        """The controller reports that its motors are stopped, or free."""
        if (stopped and self._state is _State.OFF) or by_button:
            self._by = self._by if self._state is _State.ON else StopBy.CONTROLLER
        if not stopped:
            self._take(_Event.BOARD_FREE)
        else:
            self._take(_Event.BOARD_BUTTON if by_button else _Event.BOARD_STOPPED)

    def board_is_here(self) -> None:
        """The controller has come (back)."""
        self._take(_Event.BOARD_HERE)

    def _take(self, event: _Event) -> None:
        self._state, act = _TABLE[self._state, event]
        if self._brakes is not None:
            if act is _Act.STOP:
                self._brakes.stop()
            elif act is _Act.RELEASE:
                self._brakes.release()
