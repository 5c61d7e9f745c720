"""The part of a table profile that tells how its controller is wired: switches, lights, and the lanes of the cubes.

Everything that plays or calibrates speaks of spaces, of lights as the board numbers them and of cubes; these say which
number on the matrix, which position on the strip and which axis that is at this table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from calibration.profile_base import Measured, Strict
from companion.games.olympeak.cards import CONTENDERS
from firmware_bridge.limits import LANES_UM, OVERSHOOT_UM
from firmware_bridge.names import LED_NAMES, led_name, reed_name
from firmware_bridge.protocol import AXES, LEDS, REEDS
from firmware_bridge.wire import Pixel

SPACES: tuple[str, ...] = tuple(reed_name(number) for number in range(REEDS))
LIGHTS: tuple[str, ...] = tuple(led_name(number) for number in range(LEDS))
# What the lanes carry, in the order of the reference table's axes.
LANES: tuple[str, ...] = (*CONTENDERS, "round")
DARK: Pixel = (0, 0, 0)


class SwitchFault(StrEnum):
    """What can be wrong with a switch, or with its wires."""

    DEAD = "dead"
    STUCK = "stuck"
    WEAK = "weak"
    DOUBLED = "doubled"
    GHOSTING = "ghosting"


# How far a switch with such a fault is believed, 0 to 1: a doubled one still tells that a magnet is near.
TRUST = {
    SwitchFault.DEAD: 0.0,
    SwitchFault.STUCK: 0.0,
    SwitchFault.WEAK: 0.3,
    SwitchFault.DOUBLED: 0.5,
    SwitchFault.GHOSTING: 0.5,
}
# One believed less than this is of no use in a game.
LEAST_TRUST = 0.6


class BadSwitch(Strict):
    """A switch that cannot be believed as others can. `also`: the space whose magnet closes it, too."""

    space: str
    fault: SwitchFault
    trust: float = Field(ge=0, le=1)
    also: str | None = None

    @model_validator(mode="after")
    def _is_a_space(self) -> Self:
        for space in (self.space, *((self.also,) if self.also else ())):
            if space not in SPACES:
                raise ValueError(f"there is no space {space!r}; they are a1 to p6 and top")
        return self


class ReedsProfile(Strict):
    """The switches. `spaces`: by number on the matrix, the space that a switch lies under, "" where nobody knows."""

    measured: Measured
    spaces: tuple[str, ...]
    bad: tuple[BadSwitch, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        _check_places("spaces", self.spaces, SPACES, REEDS)
        return self

    def space_of(self, number: int) -> str:
        """The space over a switch; "" if nobody knows."""
        return self.spaces[number]

    def closed(self, numbers: Iterable[int]) -> frozenset[str]:
        """The spaces on which these switches say that a magnet stands."""
        return frozenset(self.spaces[number] for number in numbers) - {""}

    def trust(self, space: str) -> float:
        """How far the switch of a space is believed, 0 to 1; a space without a switch is not."""
        if space not in self.spaces:
            return 0.0
        return min((bad.trust for bad in self.bad if bad.space == space), default=1.0)

    @property
    def distrusted(self) -> frozenset[str]:
        """The spaces whose switch is of no use in a game."""
        return frozenset(space for space in SPACES if self.trust(space) < LEAST_TRUST)


class LightsProfile(Strict):
    """The lights. `places`: by position on the strip, the place that a light shines at, "" where nobody saw it.

    `channels`: which colours a light shows when red, green and blue are sent, as `rgb` or `grb`. `dark`: places whose
    light was not seen; `weak`: those that are much darker than others.
    """

    measured: Measured
    places: tuple[str, ...]
    channels: str = "rgb"
    dark: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        _check_places("places", self.places, LIGHTS, LEDS)
        if sorted(self.channels) != ["b", "g", "r"]:
            raise ValueError(f"channels must be the letters r, g and b in some order, not {self.channels!r}")
        return self

    def sent(self, shown: Sequence[Pixel]) -> tuple[Pixel, ...]:
        """The colours to send down the strip, that at each place `shown` is seen."""
        order = tuple("rgb".index(letter) for letter in self.channels)
        return tuple(DARK if not place else _sent(shown[LED_NAMES[place]], order) for place in self.places)


def _sent(shown: Pixel, order: tuple[int, ...]) -> Pixel:
    red, green, blue = (shown[channel] for channel in order)
    return (red, green, blue)


class LaneProfile(Strict):
    """One lane. `axis` moves what is named `carries` (a cube's colour, `round`): asked for `m` mm, it stands at
    `offset_mm` + `scale` · m, in mm north of the lane's middle.

    `repeat_mm`: how far it stands from where it stood before (one sigma); `slack_mm`: by how much more when it comes
    from the other side.
    """

    carries: str
    axis: int = Field(ge=0, lt=AXES)
    scale: float = 1.0
    offset_mm: float = 0.0
    repeat_mm: float = Field(default=0.0, ge=0)
    slack_mm: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _is_a_lane(self) -> Self:
        if self.carries not in LANES:
            raise ValueError(f"carries must be one of {', '.join(LANES)}, not {self.carries!r}")
        if self.scale == 0:
            raise ValueError("scale must not be 0")
        return self

    def asked_mm(self, wanted_mm: float) -> float:
        """What the axis is to be asked for, that its cube stands at `wanted_mm`, within what the board allows."""
        south, north = (end / 1000 for end in LANES_UM[self.axis])
        over = OVERSHOOT_UM / 1000
        asked = (wanted_mm - self.offset_mm) / self.scale
        return min(max(asked, south - over), north + over)


class ScoreboardProfile(Strict):
    """The lanes under the scoreboard, as far as they were measured."""

    measured: Measured
    lane: tuple[LaneProfile, ...]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for what in ("carries", "axis"):
            twice = [
                value for value, n in Counter(getattr(lane, what) for lane in self.lane).items() if n > 1
            ]
            if twice:
                raise ValueError(f"{what} {twice[0]} is given twice")
        return self

    def lane_of(self, carries: str) -> LaneProfile | None:
        """The lane that carries something; None if it was not measured."""
        return next((lane for lane in self.lane if lane.carries == carries), None)


def _check_places(key: str, given: Sequence[str], known: Sequence[str], count: int) -> None:
    if len(given) != count:
        raise ValueError(f"{key} must hold {count} names, not {len(given)}")
    for name, times in Counter(given).items():
        if name and name not in known:
            raise ValueError(f"{key}: there is no {name!r}")
        if name and times > 1:
            raise ValueError(f"{key}: {name} is given twice")
