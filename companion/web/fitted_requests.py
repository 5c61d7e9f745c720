"""The page's requests about lights, lamps and motors, with the rights that they need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict

from companion.web.asks import Done
from companion.web.fitted import FittingCommand, Lights, PressButton, Sound, Stop
from companion.web.phones import JOIN_FIRST, Unwelcome
from companion.web.rights import Anybody, Host, Seated, host


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
AskTable = Callable[[FittingCommand], Awaitable[Done]]


def add_fitting_requests(app: FastAPI, ask: AskTable, responses: dict[int | str, dict[str, Any]]) -> None:
    """The requests of the page about what is fitted."""

    @app.post("/api/stop", responses=responses)
    async def stop(body: StopAsk, phone: Anybody) -> Done:
        """The emergency stop: anybody may have all motors off at once, only the host releases them."""
        if not body.stopped:
            if phone is None:
                raise Unwelcome(401, JOIN_FIRST)
            host(phone)
        return await ask(Stop(body.stopped))

    @app.post("/api/lights", responses=responses)
    async def lights(body: LightsAsk, phone: Host) -> Done:
        """Dim the lights for the night, or let one after the other light up as a test."""
        return await ask(Lights(body.night, body.test))

    @app.post("/api/sound", responses=responses)
    async def sound(body: SoundAsk, phone: Seated) -> Done:
        """Silence the buzzer, or let it sound."""
        return await ask(Sound(body.silent))

    @app.post("/api/press", responses=responses)
    async def press(body: PressAsk, phone: Host) -> Done:
        """Press a button of a simulated table."""
        return await ask(PressButton(body.button))
