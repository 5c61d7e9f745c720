"""What the three lamps and the buzzer say: each state of the table has its lamp and rhythm, some moments a tune."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from companion.referee.verdict import Kind, Verdict
from companion.signals.pins.plan import Part
from companion.signals.rhythms import Rhythm

Lit = Mapping[Part, Rhythm]

# Green: play. Amber: the companion waits for something. Red: stop.
KIND_LAMPS: dict[Kind, Lit] = {
    Kind.SETUP: {Part.AMBER: Rhythm.OCCULTING},
    Kind.READY: {Part.GREEN: Rhythm.STEADY},
    Kind.LIFTED: {Part.GREEN: Rhythm.SLOW},
    Kind.UNFINISHED: {Part.GREEN: Rhythm.DOUBLE},
    Kind.COMPLETE: {Part.GREEN: Rhythm.OCCULTING},
    Kind.ILLEGAL: {Part.RED: Rhythm.FAST},
    Kind.QUESTION: {Part.AMBER: Rhythm.SLOW},
    Kind.HOLD: {Part.AMBER: Rhythm.FLASH},
    Kind.OVER: {Part.GREEN: Rhythm.FANFARE},
}
STOPPED_LAMPS: Lit = {Part.RED: Rhythm.TRIPLE}


def lamps_of(verdict: Verdict, *, stopped: bool) -> Lit:
    """Which lamp is lit in which rhythm; the rest is dark. An emergency stop takes the red one."""
    lit = KIND_LAMPS[verdict.kind]
    return {**lit, **STOPPED_LAMPS} if stopped else lit


class Tune(Enum):
    """What the buzzer says: milliseconds on, off, on, … None is longer than a second."""

    TURN = (60,)  # a turn was taken; thanks
    TAKEN = (40, 60, 40)  # a button was heard
    REFUSED = (300,)  # a button had nothing to say now
    QUESTION = (100, 100, 100, 100, 100)
    ILLEGAL = (250, 120, 250)
    STOPPED = (700,)
    VICTORY = (120, 80, 120, 80, 120, 80, 350)

    @property
    def length_ms(self) -> int:
        """How long it takes."""
        return sum(self.value)

    def sounds(self, ms: int) -> bool:
        """Is the buzzer on `ms` milliseconds after the tune began?"""
        for number, length in enumerate(self.value):
            if ms < length:
                return number % 2 == 0
            ms -= length
        return False


def tune_between(before: Verdict | None, now: Verdict, turns_before: int, turns: int) -> Tune | None:
    """What is to be heard when one verdict follows another; nothing for what is only said in other words."""
    if before is None:
        return None
    if now.kind is not before.kind:
        if now.kind is Kind.ILLEGAL:
            return Tune.ILLEGAL
        if now.kind is Kind.OVER:
            return Tune.VICTORY
        if now.kind is Kind.QUESTION:
            return Tune.QUESTION
    return Tune.TURN if turns > turns_before else None
