"""What every step of the calibration is: it tells what to do, measures, is judged, and goes into the profile.

    instructions → measure (with advice all the while) → findings → the profile

A step knows nothing of who shows what it says: terminal, page, or nobody (`session.py`, `fronts.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from calibration.evidence import Evidence
from calibration.form import Form
from calibration.gate import Finding, passes
from calibration.profile import TableProfile
from companion.errors import CompanionError
from companion.sensing.frames import Image

if TYPE_CHECKING:
    from calibration.bench import Bench

Pixel = tuple[int, int, int]


class Part(Enum):
    """What a step needs of the table."""

    CAMERA = "camera"
    LIGHTS = "lights"
    REEDS = "reeds"
    AXES = "axes"


class StepError(CompanionError):
    """A step cannot go on. The message says why and what to do; the step can be begun again."""


@dataclass(frozen=True, eq=False, slots=True)
class Advice:
    """What to do at this moment, in one sentence, told while a step measures.

    `share`: how much is done, 0 to 1. `lines`: numbers beside it. `lights`: the colours of all LEDs. `draw`: what
    to draw into the live picture. `form`: what is to be confirmed or typed, answered through the bench. `wish`: the same
    for the simulated owner, who does not read.
    """

    text: str
    share: float | None = None
    lines: tuple[str, ...] = ()
    lights: tuple[Pixel, ...] | None = None
    draw: Callable[[Image], Image] | None = None
    form: Form | None = None
    wish: object = None
    done: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What a step measured: `summary` in a sentence, what it was judged by, and how it goes into the profile.

    `data`: the numbers for programs. `pictures`: by which it can be judged later.
    """

    summary: str
    findings: tuple[Finding, ...]
    keep: Callable[[TableProfile], TableProfile]
    data: Mapping[str, Any] = field(default_factory=dict)
    pictures: tuple[Evidence, ...] = ()

    @property
    def passed(self) -> bool:
        """May it be kept?"""
        return passes(self.findings)


class Step(Protocol):
    """One step. `name` as on the command line, `title` and `instructions` for people."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def instructions(self) -> str: ...

    @property
    def needs(self) -> frozenset[Part]: ...

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile says this was measured; None if it was not."""

    async def measure(self, bench: Bench) -> Outcome:
        """Measure, telling `bench` what to do all the while. Raises StepError."""
