"""Fittings: what a table has beside camera, lights and page, as its owner built it: motors, lamps, buttons.

Each part may be missing, and the rest does without it. No part decides anything about the game: what a button asks
for is asked of the table as the page would.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from companion.messages import say, sentences
from companion.referee.verdict import Verdict
from companion.signals.emergency import Emergency, StopBy
from companion.signals.lights import BUDGET_MA, SEAT_LIGHTS, WALK_STEP_MS
from companion.signals.night import Night, NightMode
from companion.signals.pins.chooser import Chooser
from companion.signals.pins.lamps import Tune, lamps_of, tune_between
from companion.signals.pins.panel import STEP_S, Panel, Wish
from companion.signals.pins.plan import LAMPS, Part
from companion.signals.pins.ports import Pressable
from companion.signals.pins.presses import HOLD_S
from companion.signals.scenes import Scene, light_test, stopped
from companion.signals.scoreboard import Look, Scoreboard
from companion.signals.speech.voice import Voice
from companion.web.fitted import (
    FittingCommand,
    Lights,
    NightView,
    PanelView,
    PressButton,
    Sound,
    Stop,
    StopView,
)
from companion.web.hub import Answer, Command, Outcome, Undo
from companion.web.models import DeviceView

# Without buttons to listen to only the hour has to be looked at.
IDLE_S = 1.0
# How often the voice is asked whether it has finished.
LISTEN_S = 0.2
# A light test ends by itself once every light has been on.
TEST_S = (97 + SEAT_LIGHTS) * WALK_STEP_MS / 1000
# How long a finger at the page stays on a simulated button.
TAP_S = 0.2


class Strip(Protocol):
    """The LED strip's limits."""

    def set_led_limits(self, brightness: int, budget_ma: int) -> None:
        """Brightness 0…255 of all LEDs, and the mA they may draw together."""


class Fittings:
    """All methods are called in the event loop's thread; `now` is the loop's clock in seconds.

    `emergency`: where anything moves, or a button for it is fitted. `simulated`: the motors are.
    """

    def __init__(
        self,
        *,
        emergency: Emergency | None = None,
        scoreboard: Scoreboard | None = None,
        panel: Panel | None = None,
        night: Night | None = None,
        strip: Strip | None = None,
        budget_ma: float = BUDGET_MA,
        simulated: bool = False,
        voice: Voice | None = None,
    ) -> None:
        self.emergency = emergency
        self._scoreboard = scoreboard
        self._panel = panel
        self._night = night
        self._strip = strip
        self._budget_ma = round(budget_ma)
        self._simulated = simulated
        self._voice = voice
        self._chooser = Chooser()
        self._brightness: float | None = None
        self._test_ends: float | None = None
        self._verdict: Verdict | None = None
        self._turns = 0
        self._by: StopBy | None = None
        self._lift_at: list[tuple[float, Part]] = []

    @property
    def period_s(self) -> float:
        """How often `step` is to be called."""
        if self._panel is not None:
            return STEP_S
        return IDLE_S if self._voice is None else LISTEN_S

    # -- what goes out

    def dressed(self, scene: Scene) -> Scene:
        """The scene with what lies over the game: the emergency stop, a light test."""
        if self.emergency is not None and self.emergency.by is not None:
            scene = stopped(scene)
        return light_test(scene) if self._test_ends is not None else scene

    def tell(self, verdict: Verdict, turns: int, now: float) -> None:
        """The verdict as it is shown; `turns`: how many are completed."""
        tune = tune_between(self._verdict, verdict, self._turns, turns)
        self._verdict, self._turns = verdict, turns
        self._chooser.ask(verdict.choices)
        by = None if self.emergency is None else self.emergency.by
        if by is not self._by:
            self._by, tune = by, Tune.STOPPED if by is not None else tune
        if self._panel is not None:
            self._panel.show(lamps_of(verdict, stopped=by is not None), now)
            if tune is not None:
                self._panel.play(tune, now)

    def follow(self, places_mm: Mapping[int, float], look: Look, now: float) -> None:
        """A reading has come: cubes and round marker go where the game has them."""
        if self._scoreboard is not None:
            self._scoreboard.follow(places_mm, look, now)

    def devices(self) -> tuple[DeviceView, ...]:
        """The state of every part that is fitted."""
        views = []
        if self._scoreboard is not None:
            stuck = sentences(*self._scoreboard.troubles)
            views.append(DeviceView(name="motors", ok=not stuck, detail=stuck, simulated=self._simulated))
        if self._panel is not None:
            trouble = self._panel.trouble
            views.append(
                DeviceView(name="pins", ok=not trouble, detail=trouble, simulated=self._panel.plan.simulated)
            )
        if self._voice is not None:
            views.append(DeviceView(name="voice", ok=not self._voice.trouble, detail=self._voice.trouble))
        return tuple(views)

    def announce(self, text: str) -> None:
        """Something is to be said aloud."""
        if self._voice is not None:
            self._voice.say(text)

    def views(self) -> dict[str, Any]:
        """What the page shows of them: fields of its snapshot."""
        return {"stop": self._stop_view(), "night": self._night_view(), "panel": self._panel_view()}

    # -- what comes in

    def step(self, now: float) -> tuple[Command, ...]:
        """Keeps rhythms, listens to the buttons: what somebody asks of the table."""
        if self._test_ends is not None and now >= self._test_ends:
            self._test_ends = None
        self._dim()
        if self._voice is not None:
            self._voice.step()
        if self._panel is None:
            return ()
        while self._lift_at and self._lift_at[0][0] <= now:
            self._press(self._lift_at.pop(0)[1], False)
        wishes = self._panel.step(now)
        if self.emergency is not None:
            self.emergency.hold(self._panel.emergency_pressed)
        commands = [self._command(wish, now) for wish in wishes]
        return tuple(command for command in commands if command is not None)

    def answered(self, outcome: Outcome, now: float) -> None:
        """What became of what a button asked for is to be heard."""
        if self._panel is not None:
            self._panel.play(Tune.TAKEN if outcome.accepted else Tune.REFUSED, now)

    def board_is_here(self) -> None:
        """The controller has come (back)."""
        if self.emergency is not None:
            self.emergency.board_is_here()

    def board_says(self, stopped: bool, *, by_button: bool) -> None:
        """The controller reports its emergency stop."""
        if self.emergency is not None:
            self.emergency.board_says(stopped, by_button=by_button)

    def serve(self, command: FittingCommand, now: float) -> Outcome:
        """Carries out what somebody at the page asks of a part."""
        match command:
            case Stop(on):
                return self._serve_stop(on)
            case Lights(mode, test):
                return self._serve_lights(mode, test, now)
            case Sound(silent):
                if self._panel is None or Part.BUZZER not in self._panel.plan.numbers:
                    return Outcome(False, say("fitted.no_buzzer"))
                self._panel.silent = silent
                return Outcome(True, say("fitted.buzzer_quiet" if silent else "fitted.buzzer_heard"))
            case PressButton(button):
                return self._serve_press(Part(button), now)

    def close(self) -> None:
        """Everything dark and quiet."""
        if self._voice is not None:
            self._voice.close()
        if self._panel is not None:
            self._panel.close()

    def _serve_stop(self, on: bool) -> Outcome:
        if self.emergency is None:
            return Outcome(False, say("fitted.nothing_moves"))
        if on:
            self.emergency.press(StopBy.PAGE)
            return Outcome(True, say("fitted.stopped"))
        refusal = self.emergency.release()
        if refusal:
            return Outcome(False, refusal)
        if self._scoreboard is not None:
            self._scoreboard.retry()
        return Outcome(True, say("fitted.released"))

    def _serve_lights(self, mode: str | None, test: bool | None, now: float) -> Outcome:
        if self._night is None:
            return Outcome(False, say("fitted.no_lights"))
        said = say("fitted.lights_stay")
        if mode is not None:
            self._night.mode = NightMode(mode)
            self._dim()
            said = say("fitted.lights_dimmed" if self._night.is_on else "fitted.lights_bright")
        if test is not None:
            self._test_ends = now + TEST_S if test else None
            said = say("fitted.test_runs" if test else "fitted.test_over")
        return Outcome(True, said)

    def _serve_press(self, part: Part, now: float) -> Outcome:
        pins = None if self._panel is None else self._panel.pins
        if not isinstance(pins, Pressable):
            return Outcome(False, say("fitted.only_simulated"))
        if part not in pins.inputs:
            return Outcome(False, say("fitted.no_button", part=part.value))
        if part is Part.EMERGENCY:
            # It latches, as the real one does: pressed in, or turned out again.
            assert self._panel is not None
            self._press(part, not self._panel.emergency_pressed)
        else:
            self._press(part, True)
            self._lift_at.append((now + (HOLD_S + TAP_S if part is Part.UNDO else TAP_S), part))
            self._lift_at.sort(key=lambda each: each[0])
        return Outcome(True, say("fitted.pressed"))

    def _press(self, part: Part, down: bool) -> None:
        pins = None if self._panel is None else self._panel.pins
        if isinstance(pins, Pressable):
            pins.press(part, down)

    def _command(self, wish: Wish, now: float) -> Command | None:
        assert self._panel is not None
        match wish:
            case Wish.UNDO:
                return Undo()
            case Wish.YES if (choice := self._chooser.yes) is not None:
                return Answer(choice.key)
            case Wish.NO if (choice := self._chooser.no) is not None:
                return Answer(choice.key)
            case Wish.NO if self._chooser.goes_on:
                self._chooser.next()
                self._panel.play(Tune.TURN, now)
            case _:
                # Nothing is asked, or undo was pressed and not held.
                self._panel.play(Tune.REFUSED, now)
        return None

    def _dim(self) -> None:
        if self._night is None or self._night.brightness == self._brightness:
            return
        self._brightness = self._night.brightness
        if self._panel is not None:
            self._panel.brightness = self._brightness
        if self._strip is not None:
            self._strip.set_led_limits(max(1, round(255 * self._brightness)), self._budget_ma)

    # -- views

    def _stop_view(self) -> StopView | None:
        if self.emergency is None:
            return None
        by = self.emergency.by
        return StopView(on=by is not None, by="" if by is None else by.value, held=self.emergency.is_held)

    def _night_view(self) -> NightView | None:
        if self._night is None:
            return None
        return NightView(
            mode=self._night.mode.value, dark=self._night.is_on, testing=self._test_ends is not None
        )

    def _panel_view(self) -> PanelView | None:
        if self._panel is None:
            return None
        fitted = self._panel.plan.numbers
        lit = self._panel.lit
        does = {
            Part.YES: "" if self._chooser.yes is None else self._chooser.yes.text,
            Part.NO: say("fitted.next_answer") if self._chooser.goes_on else "",
            Part.UNDO: say("fitted.hold_to_undo") if self._turns else "",
            Part.EMERGENCY: say("fitted.stops_motors"),
        }
        if self._chooser.no is not None:
            does[Part.NO] = self._chooser.no.text
        return PanelView(
            lamps={
                part.value: lit[part].name.lower() if part in lit else "" for part in LAMPS if part in fitted
            },
            buttons={part.value: text for part, text in does.items() if part in fitted},
            silent=self._panel.silent if Part.BUZZER in fitted else None,
            pressable=isinstance(self._panel.pins, Pressable),
        )
