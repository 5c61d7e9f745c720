"""What people may ask of lights, lamps and motors, and how the page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from companion.web.language import Words


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
    buttons: dict[str, Words] = Field(default_factory=dict)
    silent: bool | None = None
    pressable: bool = False
