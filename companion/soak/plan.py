"""The plan of a soak: at which table, with what people, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.errors import CompanionError
from companion.virtual.arm import BRISK, Pace


class Stage(Enum):
    """What is fitted under and over the table."""

    CAMERA = "camera"
    REEDS = "reeds"
    BOTH = "both"


class StageError(CompanionError, ValueError):
    """A game that cannot be told by what is fitted; the text says what it needs."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """`players`, `seed`: whose game and which. `illegal`: how often a turn begins against the rules, 0 to 1.

    `sloppy`: people do all that people do. `faults`: things go wrong (`companion.soak.faults`). `motors`: the
    scoreboard's cubes move by themselves. `turns`: stop after so many; None: play to the end.
    `pace`: how fast people are.
    """

    players: int
    seed: int
    illegal: float = 0.3
    stage: Stage = Stage.BOTH
    sloppy: bool = False
    faults: bool = False
    motors: bool = False
    turns: int | None = None
    pace: Pace = BRISK
