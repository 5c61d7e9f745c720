"""What people may ask of lights, lamps and motors, and how the page shows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody presses the emergency stop, or releases it and has what failed tried again."""

    stopped: bool


@dataclass(frozen=True, slots=True)
class Lights:
    """Somebody wants the lights dimmed (`auto`, `night`, `day`), or tested. None: as it is."""

    night: str | None = None
    test: bool | None = None


@dataclass(frozen=True, slots=True)
class Sound:
    """Somebody silences the buzzer, or lets it sound."""

    silent: bool


@dataclass(frozen=True, slots=True)
class PressButton:
    """A finger on a button of a simulated table."""

    button: str


FittingCommand = Stop | Lights | Sound | PressButton


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StopView(_View):
    """The emergency stop, where something moves: whether it is on, who pressed it, whether its button still is.

    `by`: `page`, `button` (of the table) or `controller`; empty while it is off.
    """

    on: bool = False
    by: str = ""
    held: bool = False


class NightView(_View):
    """The lights: `mode` is `auto`, `night` or `day`; `dark`: dimmed now; `testing`: the light test runs."""

    mode: str = "auto"
    dark: bool = False
    testing: bool = False


class PanelView(_View):
    """The lamps and buttons on the Pi's pins. `lamps`: the rhythm of each fitted lamp, empty for a dark one.

    `buttons`: what each fitted button would do now, in words, empty for nothing. `silent`: None without a buzzer.
    `pressable`: the buttons are simulated and may be pressed at the page.
    """

    lamps: dict[str, str] = Field(default_factory=dict)
    buttons: dict[str, str] = Field(default_factory=dict)
    silent: bool | None = None
    pressable: bool = False


class _Ask(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StopAsk(_Ask):
    """Stop all motors, or release the stop."""

    stopped: bool


class LightsAsk(_Ask):
    """Dim the lights or test them; what is left out stays as it is."""

    night: Literal["auto", "night", "day"] | None = None
    test: bool | None = None


class SoundAsk(_Ask):
    """Silence the buzzer, or let it sound."""

    silent: bool


class PressAsk(_Ask):
    """Press a button of a simulated table."""

    button: Literal["yes", "no", "undo", "emergency"]


# Hands a command to the table and answers as the page's requests are answered.
AskTable = Callable[[FittingCommand], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """How the requests are declared: their refusals, and what checks the table's code."""

    responses: dict[int | str, dict[str, Any]] = field(default_factory=dict)
    dependencies: tuple[Any, ...] = ()


def add_fitting_requests(app: FastAPI, ask: AskTable, route: Route) -> None:
    """The requests of the page about what is fitted."""
    declared: dict[str, Any] = {"responses": route.responses, "dependencies": list(route.dependencies)}

    @app.post("/api/stop", **declared)
    async def stop(body: StopAsk) -> Any:
        """The emergency stop: all motors off at once, or their release by an explicit act."""
        return await ask(Stop(body.stopped))

    @app.post("/api/lights", **declared)
    async def lights(body: LightsAsk) -> Any:
        """Dim the lights for the night, or let one after the other light up as a test."""
        return await ask(Lights(body.night, body.test))

    @app.post("/api/sound", **declared)
    async def sound(body: SoundAsk) -> Any:
        """Silence the buzzer, or let it sound."""
        return await ask(Sound(body.silent))

    @app.post("/api/press", **declared)
    async def press(body: PressAsk) -> Any:
        """Press a button of a simulated table."""
        return await ask(PressButton(body.button))
