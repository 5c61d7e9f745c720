"""The adapter to gpiozero, on its own mock pins: what is claimed, what is driven, what is told when it cannot be."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Iterator

import pytest
from gpiozero import LED
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.signals.pins.chips import Chip
from companion.signals.pins.gpio import GpioPins, SimulatedPins, open_pins
from companion.signals.pins.plan import Part, PinPlan
from companion.signals.pins.ports import NoPinsError, PinBusyError, PinError, PinsDeniedError

HEADER = Chip(0, "pinctrl-rp1")


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


def levels(factory: MockFactory, number: int) -> list[float]:
    """Every level that a pin has had."""
    return [state.state for state in factory.pin(number).states]


def test_only_what_is_named_is_claimed(factory: MockFactory) -> None:
    pins = GpioPins(PinPlan.parse("green=17,yes=5"), factory)
    assert len(factory.pins) == 2
    assert (list(pins.outputs), list(pins.inputs), pins.troubles) == ([Part.GREEN], [Part.YES], ())
    pins.close()


def test_no_plan_claims_nothing(factory: MockFactory) -> None:
    GpioPins(PinPlan(), factory).close()
    assert not factory.pins


def test_lamps_are_dimmed_by_pulses_and_the_buzzer_is_on_or_off(factory: MockFactory) -> None:
    pins = GpioPins(PinPlan.parse("red=27,buzzer=18"), factory)
    assert factory.pin(27).frequency == 200
    assert factory.pin(18).frequency is None
    for level in (1.0, 0.25, 0.0):
        pins.outputs[Part.RED].set(level)
        pins.outputs[Part.BUZZER].set(level)
    assert levels(factory, 27) == [0.0, 1.0, 0.25, 0.0]
    assert levels(factory, 18) == [0.0, 1.0, 0.0]
    pins.close()


def test_a_contact_to_ground_is_closed_when_low(factory: MockFactory) -> None:
    pins = GpioPins(PinPlan.parse("yes=5"), factory)
    pin = factory.pin(5)
    assert (pin.function, pin.pull) == ("input", "up")
    assert not pins.inputs[Part.YES].closed()
    pin.drive_low()
    assert pins.inputs[Part.YES].closed()
    pins.close()


def test_closing_leaves_everything_dark_and_free(factory: MockFactory) -> None:
    plan = PinPlan.parse("reference")
    pins = GpioPins(plan, factory)
    pins.outputs[Part.GREEN].set(1.0)
    green = factory.pin(17)
    pins.close()
    pins.close()
    assert (green.state, green.function) == (0.0, "input")
    again = GpioPins(plan, factory)
    assert again.troubles == ()
    again.close()


def test_a_pin_in_use_is_told_with_its_user_and_the_rest_works(factory: MockFactory) -> None:
    other = LED(17, pin_factory=factory)
    pins = GpioPins(PinPlan.parse("green=17,red=27"), factory, lambda number: f"the user of {number}")
    assert list(pins.troubles) == [
        "The green pin GPIO 17 is busy: the user of 17 uses it; end that, or wire and name another pin."
    ]
    assert list(pins.outputs) == [Part.RED]
    other.close()
    pins.claim()
    assert pins.troubles == ()
    assert set(pins.outputs) == {Part.GREEN, Part.RED}
    pins.close()


class LgpioError(Exception):
    """As lgpio raises it: its text stands in quotes."""

    def __str__(self) -> str:
        return repr(self.args[0])


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> type[LgpioError]:
    """lgpio as far as its errors go."""
    module = types.ModuleType("lgpio")
    module.error = LgpioError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lgpio", module)
    return LgpioError


class BrokenFactory(MockFactory):  # type: ignore[misc]
    """A factory whose pins cannot be had, or break later."""

    def __init__(self, error: Exception) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.error: Exception | None = error

    def pin(self, name: object, **options: object) -> object:
        if self.error is not None:
            raise self.error
        return super().pin(name, **options)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LgpioError("GPIO busy"), r"GPIO 17 is busy: something else uses it \(`gpioinfo` names it\)"),
        (LgpioError("bad GPIO number"), r"GPIO 17 cannot be used \(bad GPIO number\); name another pin"),
        (PermissionError(13, "Permission denied"), "GPIO 17 may not be used; run `sudo usermod -aG gpio"),
        (OSError(5, "Input/output error"), r"GPIO 17 cannot be used \(.*Input/output error"),
    ],
)
def test_every_reason_why_a_pin_cannot_be_had_has_its_remedy(
    lgpio: type[LgpioError], error: Exception, said: str
) -> None:
    pins = GpioPins(PinPlan.parse("green=17"), BrokenFactory(error))
    with pytest.raises(PinError, match=said):
        raise PinError(pins.troubles[0])
    pins.close()


def test_a_pin_that_breaks_later_is_an_error_of_ours(
    lgpio: type[LgpioError], factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pins = GpioPins(PinPlan.parse("green=17,yes=5"), factory)

    def broken(*_: object) -> None:
        raise LgpioError("unknown handle")

    monkeypatch.setattr(MockPWMPin, "_set_state", broken)
    monkeypatch.setattr(MockPWMPin, "_get_state", broken)
    with pytest.raises(PinError, match="the green pin: unknown handle"):
        pins.outputs[Part.GREEN].set(1.0)
    with pytest.raises(PinError, match="the yes pin: unknown handle"):
        pins.inputs[Part.YES].closed()
    pins.close()


def fails(error: Exception) -> object:
    def make(_: int) -> object:
        raise error

    return make


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ImportError("No module named 'lgpio'"), NoPinsError, "apt-get install -y python3-lgpio"),
        (PinUnknownPi("unable to locate Pi revision"), NoPinsError, "is no Raspberry Pi"),
        (OSError(5, "Input/output error"), NoPinsError, r"gpiochip0 \(pinctrl-rp1\) cannot be opened"),
        (LgpioError("can not open gpiochip"), NoPinsError, r"cannot be opened \(can not open gpiochip\)"),
    ],
)
def test_no_factory_is_told_with_what_to_do(
    lgpio: type[LgpioError], error: Exception, kind: type[PinError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        open_pins(PinPlan.parse("reference"), lambda: HEADER, fails(error))  # type: ignore[arg-type]


def test_the_chip_that_is_the_header_is_opened() -> None:
    opened: list[int] = []

    def make(chip: int) -> MockFactory:
        opened.append(chip)
        return MockFactory(pin_class=MockPWMPin)

    open_pins(PinPlan.parse("green=17"), lambda: Chip(4, "pinctrl-rp1"), make).close()
    assert opened == [4]


def test_a_chip_that_may_not_be_asked_ends_there() -> None:
    def denied() -> Chip:
        raise PinsDeniedError("The pins may not be used.")

    with pytest.raises(PinsDeniedError):
        open_pins(PinPlan.parse("green=17"), denied)


def test_simulated_pins_are_pressed_by_hand_and_ask_for_no_chip() -> None:
    def never() -> Chip:
        raise AssertionError("a chip was looked for")

    pins = open_pins(PinPlan.parse("simulated"), never)
    assert isinstance(pins, SimulatedPins)
    assert not pins.inputs[Part.YES].closed()
    assert pins.inputs[Part.EMERGENCY].closed()  # the loop of a button that opens
    pins.press(Part.YES, True)
    pins.press(Part.EMERGENCY, True)
    assert pins.inputs[Part.YES].closed()
    assert not pins.inputs[Part.EMERGENCY].closed()
    pins.press(Part.YES, False)
    assert not pins.inputs[Part.YES].closed()
    pins.close()
    with pytest.raises(KeyError):
        SimulatedPins(PinPlan.parse({"green": 17, "simulated": True})).press(Part.YES, True)


def test_busy_is_an_error_of_its_own_kind() -> None:
    assert issubclass(PinBusyError, PinError) and issubclass(PinBusyError, OSError)


def test_the_companion_loads_without_gpiozero() -> None:
    """No module but the adapter needs the library of the pins."""
    program = """
import importlib, pkgutil, sys
sys.modules["gpiozero"] = sys.modules["lgpio"] = None
import companion
for module in pkgutil.walk_packages(companion.__path__, "companion."):
    if module.name != "companion.signals.pins.gpio":
        importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
