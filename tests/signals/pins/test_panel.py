"""The panel in its own time: rhythms, tunes, buttons, and pins that are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.signals.pins.gpio import SimulatedPins
from companion.signals.pins.lamps import Tune
from companion.signals.pins.panel import RETRY_S, STEP_S, Panel, Wish
from companion.signals.pins.plan import Part, PinPlan
from companion.signals.pins.ports import NoPinsError, PinError, Pins
from companion.signals.pins.presses import HOLD_S, STUCK_S
from companion.signals.rhythms import Rhythm

BEGIN_S = 1000.0


class Bench:
    """A panel on mock pins, with a clock and fingers."""

    def __init__(self, said: object = "simulated", *, silent: bool = False) -> None:
        self.pins: SimulatedPins | None = None
        self.refuse: PinError | None = None
        self.now = BEGIN_S
        self.wishes: list[Wish] = []
        self.panel = Panel(PinPlan.parse(said), self._open, silent=silent)

    def _open(self, plan: PinPlan) -> Pins:
        if self.refuse is not None:
            raise self.refuse
        self.pins = SimulatedPins(plan)
        return self.pins

    def run(self, seconds: float, each: Callable[[], None] = lambda: None) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.wishes += self.panel.step(self.now)
            each()
            self.now += STEP_S

    def level(self, part: Part) -> float:
        assert self.pins is not None
        return float(self.pins._mock.pin(self.panel.plan.numbers[part]).state)

    def press(self, part: Part, seconds: float) -> list[Wish]:
        """A finger on a button for so long; what was wanted."""
        assert self.pins is not None
        self.wishes.clear()
        self.pins.press(part, True)
        self.run(seconds)
        self.pins.press(part, False)
        self.run(0.2)
        return list(self.wishes)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    made.run(0.2)
    yield made
    made.panel.close()


def test_a_lamp_keeps_its_rhythm_and_the_others_are_dark(bench: Bench) -> None:
    bench.panel.show({Part.RED: Rhythm.FAST}, bench.now)
    began, seen = bench.now, []
    bench.run(2.0, lambda: seen.append((bench.now - began, bench.level(Part.RED), bench.level(Part.GREEN))))
    assert all(green == 0.0 for _, _, green in seen)
    assert all(red == float(Rhythm.FAST.lit(round(1000 * at))) for at, red, _ in seen)
    assert {red for _, red, _ in seen} == {0.0, 1.0}


def test_the_same_lamps_again_do_not_begin_anew(bench: Bench) -> None:
    bench.panel.show({Part.AMBER: Rhythm.SLOW}, bench.now)
    bench.run(0.7)
    assert bench.level(Part.AMBER) == 0.0
    bench.panel.show({Part.AMBER: Rhythm.SLOW}, bench.now)
    bench.run(0.1)
    assert bench.level(Part.AMBER) == 0.0
    bench.panel.show({Part.GREEN: Rhythm.STEADY}, bench.now)
    bench.run(STEP_S)
    assert (bench.level(Part.AMBER), bench.level(Part.GREEN)) == (0.0, 1.0)


def test_lamps_are_dimmed_at_night(bench: Bench) -> None:
    bench.panel.brightness = 0.25
    bench.panel.show({Part.GREEN: Rhythm.STEADY}, bench.now)
    bench.run(0.1)
    assert bench.level(Part.GREEN) == 0.25
    bench.panel.brightness = 1.0
    bench.run(0.1)
    assert bench.level(Part.GREEN) == 1.0


@pytest.mark.parametrize("tune", Tune)
def test_a_tune_is_played_once(bench: Bench, tune: Tune) -> None:
    bench.panel.play(tune, bench.now)
    began, heard = bench.now, []
    bench.run(2.0, lambda: heard.append((bench.now - began, bench.level(Part.BUZZER))))
    assert all(level == float(tune.sounds(round(1000 * at))) for at, level in heard)
    assert any(level for _, level in heard)


def test_a_silenced_buzzer_is_silent_at_once(bench: Bench) -> None:
    bench.panel.play(Tune.STOPPED, bench.now)
    bench.run(0.1)
    assert bench.level(Part.BUZZER) == 1.0
    bench.panel.silent = True
    bench.run(STEP_S)
    assert bench.level(Part.BUZZER) == 0.0
    bench.panel.play(Tune.VICTORY, bench.now)
    bench.run(0.1)
    assert bench.level(Part.BUZZER) == 0.0


def test_yes_and_no_act_when_pressed_undo_when_held(bench: Bench) -> None:
    assert bench.press(Part.YES, 0.1) == [Wish.YES]
    assert bench.press(Part.NO, HOLD_S + 1) == [Wish.NO]
    assert bench.press(Part.UNDO, 0.3) == [Wish.UNDO_HINT]
    assert bench.press(Part.UNDO, HOLD_S + 0.2) == [Wish.UNDO]


def test_yes_is_heard_while_the_finger_is_still_down(bench: Bench) -> None:
    assert bench.pins is not None
    bench.pins.press(Part.YES, True)
    bench.run(0.1)
    assert bench.wishes == [Wish.YES]


def test_the_emergency_button_is_told_as_long_as_it_is_pressed(bench: Bench) -> None:
    assert bench.pins is not None
    assert not bench.panel.emergency_pressed
    bench.pins.press(Part.EMERGENCY, True)
    bench.run(0.1)
    assert bench.panel.emergency_pressed
    bench.pins.press(Part.EMERGENCY, False)
    bench.run(0.1)
    assert not bench.panel.emergency_pressed


def test_an_emergency_loop_that_is_broken_from_the_beginning_stops() -> None:
    bench = Bench({"emergency": 19, "simulated": True})
    bench.panel.step(bench.now)
    assert bench.pins is not None
    bench.pins.press(Part.EMERGENCY, True)
    bench.run(0.1)
    assert bench.panel.emergency_pressed
    bench.panel.close()


def test_an_emergency_button_that_closes_a_loop() -> None:
    bench = Bench({"emergency": 19, "emergency_opens": False, "simulated": True})
    bench.run(0.1)
    assert not bench.panel.emergency_pressed
    assert bench.pins is not None
    bench.pins.press(Part.EMERGENCY, True)
    bench.run(0.1)
    assert bench.panel.emergency_pressed
    bench.panel.close()


def test_a_button_that_is_stuck_is_told_and_wants_nothing(bench: Bench) -> None:
    assert bench.pins is not None
    bench.pins.press(Part.NO, True)
    bench.run(STUCK_S + 1)
    assert bench.wishes == [Wish.NO]
    assert bench.panel.trouble.startswith("The no button is pressed all the time")
    bench.pins.press(Part.NO, False)
    bench.run(0.1)
    assert bench.panel.trouble == ""


def test_parts_that_are_not_fitted_are_not_missed() -> None:
    bench = Bench({"green": 17, "simulated": True})
    bench.panel.show({Part.RED: Rhythm.FAST, Part.GREEN: Rhythm.STEADY}, bench.now)
    bench.panel.play(Tune.VICTORY, bench.now)
    bench.run(1.0)
    assert bench.wishes == []
    assert bench.level(Part.GREEN) == 1.0
    bench.panel.close()


def test_pins_that_are_not_there_are_tried_again_and_the_lamps_catch_up() -> None:
    bench = Bench()
    bench.refuse = NoPinsError("There are no pins.")
    bench.panel.show({Part.GREEN: Rhythm.STEADY}, bench.now)
    bench.run(1.0)
    assert bench.panel.trouble == "There are no pins."
    assert bench.panel.pins is None
    bench.refuse = None
    bench.run(RETRY_S)
    assert bench.panel.trouble == ""
    assert bench.level(Part.GREEN) == 1.0
    bench.panel.close()


def test_pins_that_stop_working_are_told_given_back_and_tried_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench.pins is not None
    lost = bench.pins

    def broken() -> bool:
        raise PinError("the yes pin: gone")

    monkeypatch.setattr(lost.inputs[Part.YES], "closed", broken)
    bench.run(0.1)
    assert bench.panel.trouble == "The pins stopped working (the yes pin: gone); they are tried again."
    bench.run(RETRY_S)
    assert bench.panel.trouble == ""
    assert bench.pins is not lost
    assert bench.press(Part.YES, 0.1) == [Wish.YES]


def test_a_closed_panel_leaves_the_lamps_dark(bench: Bench) -> None:
    bench.panel.show({Part.GREEN: Rhythm.STEADY}, bench.now)
    bench.run(0.1)
    assert bench.pins is not None
    green = bench.pins._mock.pin(17)
    bench.panel.close()
    bench.panel.close()
    assert green.state == 0.0
