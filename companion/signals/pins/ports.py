"""The ports through which pins are reached, whatever makes them: a Pi, or gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from companion.errors import CompanionError
from companion.signals.pins.plan import Part


class PinError(CompanionError):
    """Pins that cannot be used; the text says which, why, and what to do."""


class NoPinsError(PinError, OSError):
    """This computer has no such pins, or the library for them is missing."""


class PinsDeniedError(PinError, PermissionError):
    """The pins may not be used by this user."""


class PinBusyError(PinError, OSError):
    """Something else uses the pin."""


class Output(Protocol):
    """A lamp or a buzzer."""

    def set(self, level: float) -> None:
        """How strongly it is on, 0 to 1; a buzzer knows only on (above 0) and off."""


class Input(Protocol):
    """A contact to ground."""

    def closed(self) -> bool:
        """Is it closed now?"""


class Pins(Protocol):
    """The pins that could be claimed."""

    @property
    def outputs(self) -> Mapping[Part, Output]: ...

    @property
    def inputs(self) -> Mapping[Part, Input]: ...

    @property
    def troubles(self) -> tuple[str, ...]:
        """Why the others could not be claimed, one sentence each."""

    def claim(self) -> None:
        """Try those again that could not be claimed before."""

    def close(self) -> None:
        """Everything off, every pin given back. Safe to call twice."""


@runtime_checkable
class Pressable(Pins, Protocol):
    """Simulated pins, whose buttons have no fingers of their own."""

    def press(self, part: Part, down: bool) -> None:
        """A finger on a button, or off it again."""
