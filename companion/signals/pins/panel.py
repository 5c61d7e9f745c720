"""The panel: lamps that keep their rhythm, a buzzer that plays its tune, buttons that are listened to.

It has no clock and no thread of its own: `step` is called often, with the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum

from companion.messages import say
from companion.signals.pins.lamps import Lit, Tune
from companion.signals.pins.plan import BUTTONS, LAMPS, Part, PinPlan
from companion.signals.pins.ports import PinError, Pins
from companion.signals.pins.presses import Button, Press

# How often `step` is to be called.
STEP_S = 0.02
# Pins that could not be had are tried again.
RETRY_S = 10.0


class Wish(Enum):
    """What somebody wants who has pressed a button."""

    YES = "yes"
    NO = "no"
    UNDO = "undo"
    UNDO_HINT = "undo hint"  # pressed, but not held for long enough


class Panel:
    """The parts of a plan. `open_pins` claims them; where it cannot, it is tried again and the rest goes on.

    `silent`: the buzzer keeps quiet. `brightness`: of the lamps, above 0 up to 1.
    """

    def __init__(self, plan: PinPlan, open_pins: Callable[[PinPlan], Pins], *, silent: bool = False) -> None:
        self.plan = plan
        self.silent = silent
        self.brightness = 1.0
        self.trouble = ""
        self.emergency_pressed = False
        self.lit: Lit = {}
        self._open_pins = open_pins
        self._pins: Pins | None = None
        self._try_at = -math.inf
        self._began_s = 0.0
        self._levels: dict[Part, float] = {}
        self._tune: Tune | None = None
        self._tune_began_s = 0.0
        self._buttons = {part: Button() for part in (*BUTTONS, Part.EMERGENCY) if part in plan.numbers}

    @property
    def pins(self) -> Pins | None:
        """The pins while they are open."""
        return self._pins

    def show(self, lit: Lit, now: float) -> None:
        """Light these lamps from now on; the rest is dark."""
        if lit != self.lit:
            self.lit, self._began_s = dict(lit), now

    def play(self, tune: Tune, now: float) -> None:
        """Sound a tune, unless the buzzer is silenced."""
        if not self.silent:
            self._tune, self._tune_began_s = tune, now

    def step(self, now: float) -> tuple[Wish, ...]:
        """Keep rhythm and tune, look at the contacts: what somebody wants."""
        if now >= self._try_at:
            self._try_at = now + RETRY_S
            self._claim()
        if self._pins is None:
            return ()
        try:
            self._set_lamps(now)
            self._sound(now)
            return self._listen(now)
        except PinError as error:
            self._let_go(say("fitted.pins_stopped", why=str(error)))
            return ()

    def close(self) -> None:
        """Everything dark and quiet, the pins given back. Safe to call twice."""
        if self._pins is not None:
            self._pins.close()
        self._pins = None

    def _claim(self) -> None:
        try:
            if self._pins is None:
                self._pins = self._open_pins(self.plan)
                self._levels.clear()
            elif self._pins.troubles:
                self._pins.claim()
            self.trouble = " ".join(self._pins.troubles)
        except PinError as error:
            self.trouble = str(error)

    def _let_go(self, reason: str) -> None:
        self.trouble = reason
        self.close()

    def _set_lamps(self, now: float) -> None:
        assert self._pins is not None
        ms = max(0, round((now - self._began_s) * 1000))
        for part in LAMPS:
            rhythm = self.lit.get(part)
            self._set(part, self.brightness if rhythm is not None and rhythm.lit(ms) else 0.0)

    def _sound(self, now: float) -> None:
        ms = max(0, round((now - self._tune_began_s) * 1000))
        if self._tune is not None and (self.silent or ms >= self._tune.length_ms):
            self._tune = None
        self._set(Part.BUZZER, 1.0 if self._tune is not None and self._tune.sounds(ms) else 0.0)

    def _set(self, part: Part, level: float) -> None:
        assert self._pins is not None
        output = self._pins.outputs.get(part)
        if output is not None and self._levels.get(part) != level:
            output.set(level)
            self._levels[part] = level

    def _listen(self, now: float) -> tuple[Wish, ...]:
        assert self._pins is not None
        wishes: list[Wish] = []
        stuck = []
        for part, button in self._buttons.items():
            contact = self._pins.inputs.get(part)
            if contact is None:
                continue
            press = button.step(contact.closed(), now)
            if part is Part.EMERGENCY:
                self.emergency_pressed = button.is_known and button.is_closed != self.plan.emergency_opens
                continue
            if press is not None and (wish := _WISHES.get((part, press))) is not None:
                wishes.append(wish)
            if button.is_stuck(now):
                stuck.append(part.value)
        self.trouble = " ".join((*self._pins.troubles, *(_stuck(name) for name in stuck)))
        return tuple(wishes)


_WISHES: dict[tuple[Part, Press], Wish] = {
    (Part.YES, Press.DOWN): Wish.YES,
    (Part.NO, Press.DOWN): Wish.NO,
    # To take a turn back by brushing against a button would be a pity.
    (Part.UNDO, Press.HELD): Wish.UNDO,
    (Part.UNDO, Press.UP): Wish.UNDO_HINT,
}


def _stuck(name: str) -> str:
    return say("fitted.button_stuck", part=name)
