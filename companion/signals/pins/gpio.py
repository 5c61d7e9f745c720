"""The pins through gpiozero: a Pi's by lgpio, or its mock pins. Nobody else imports it.

Nothing here waits or runs by itself: levels are set and contacts are looked at when the panel says so.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from gpiozero import DigitalOutputDevice, InputDevice, PWMOutputDevice
from gpiozero.exc import GPIOPinInUse, GPIOZeroError, PinUnknownPi
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.signals.pins.chips import Chip, header_chip, user_of_line
from companion.signals.pins.plan import LAMPS, Part, PinPlan
from companion.signals.pins.ports import Input, NoPinsError, Output, PinBusyError, PinError, PinsDeniedError

# Fast enough for eyes and cameras, slow enough for pulses made by software.
PWM_HZ = 200


@contextlib.contextmanager
def _told(part: Part) -> Iterator[None]:
    """Whatever the library raises about a pin in use becomes an error of ours."""
    try:
        yield
    except (GPIOZeroError, OSError, *_lgpio_errors()) as error:
        raise PinError(f"the {part.value} pin: {_said(error)}") from None


class _Lamp:
    def __init__(self, part: Part, device: Any) -> None:
        self._part, self._device = part, device

    def set(self, level: float) -> None:
        with _told(self._part):
            self._device.value = level


class _Buzzer:
    def __init__(self, part: Part, device: Any) -> None:
        self._part, self._device = part, device

    def set(self, level: float) -> None:
        with _told(self._part):
            self._device.value = level > 0


class _Contact:
    def __init__(self, part: Part, device: Any) -> None:
        self._part, self._device = part, device

    def closed(self) -> bool:
        with _told(self._part):
            return bool(self._device.is_active)


class GpioPins:
    """The parts of a plan on a pin factory. Claims what it can; `troubles` tells of the rest.

    `user_of(number)`: what else uses a pin, in words, as far as somebody can tell.
    """

    def __init__(self, plan: PinPlan, factory: Any, user_of: Callable[[int], str] = lambda _: "") -> None:
        self._plan = plan
        self._factory = factory
        self._user_of = user_of
        self._devices: dict[Part, Any] = {}
        self._troubles: dict[Part, str] = {}
        self.outputs: dict[Part, Output] = {}
        self.inputs: dict[Part, Input] = {}
        self.claim()

    @property
    def troubles(self) -> tuple[str, ...]:
        return tuple(self._troubles.values())

    def claim(self) -> None:
        for part, number in self._plan.numbers.items():
            if part in self._devices:
                continue
            try:
                self._claim(part, number)
                self._troubles.pop(part, None)
            except PinError as error:
                self._troubles[part] = str(error)

    def close(self) -> None:
        devices = list(self._devices.values())
        self._devices.clear()
        self.outputs.clear()
        self.inputs.clear()
        for device in devices:
            with contextlib.suppress(GPIOZeroError, OSError, *_lgpio_errors()):
                device.close()
        with contextlib.suppress(GPIOZeroError, OSError, *_lgpio_errors()):
            self._factory.close()

    def _claim(self, part: Part, number: int) -> None:
        try:
            if part in LAMPS:
                device = PWMOutputDevice(number, frequency=PWM_HZ, pin_factory=self._factory)
                self.outputs[part] = _Lamp(part, device)
            elif part is Part.BUZZER:
                device = DigitalOutputDevice(number, pin_factory=self._factory)
                self.outputs[part] = _Buzzer(part, device)
            else:
                device = InputDevice(number, pull_up=True, pin_factory=self._factory)
                self.inputs[part] = _Contact(part, device)
        except (GPIOZeroError, OSError, *_lgpio_errors()) as error:
            raise _explained(part, number, error, self._user_of(number)) from None
        self._devices[part] = device


class SimulatedPins(GpioPins):
    """gpiozero's mock pins, with hands on the buttons. At rest an emergency loop is closed if it opens when pressed."""

    def __init__(self, plan: PinPlan) -> None:
        self._mock = MockFactory(pin_class=MockPWMPin)
        super().__init__(plan, self._mock)
        if Part.EMERGENCY in self.inputs:
            self.press(Part.EMERGENCY, False)

    def press(self, part: Part, down: bool) -> None:
        """A finger on a button, or off it again. KeyError for a part that is not fitted."""
        pin = self._mock.pin(self._plan.numbers[part])
        closes = down != (part is Part.EMERGENCY and self._plan.emergency_opens)
        if closes:
            pin.drive_low()
        else:
            pin.drive_high()


def open_pins(
    plan: PinPlan,
    find_chip: Callable[[], Chip] = header_chip,
    make_factory: Callable[[int], Any] | None = None,
) -> GpioPins:
    """The pins of a plan. Raises NoPinsError or PinsDeniedError if there are none to be had at all."""
    if plan.simulated:
        return SimulatedPins(plan)
    chip = find_chip()
    try:
        factory = (make_factory or _lgpio_factory)(chip.number)
    except ImportError:
        raise NoPinsError(
            "The library for the Pi's pins is missing; run `sudo apt-get install -y python3-lgpio`, or install lgpio "
            "where this program is installed."
        ) from None
    except PinUnknownPi:
        raise NoPinsError(
            'This computer is no Raspberry Pi: leave pins out of the settings, or set them to "simulated".'
        ) from None
    except (GPIOZeroError, OSError, *_lgpio_errors()) as error:
        raise NoPinsError(
            f"The pins of gpiochip{chip.number} ({chip.label}) cannot be opened ({_said(error)})."
        ) from None
    return GpioPins(plan, factory, lambda number: user_of_line(chip.number, number))


def _lgpio_factory(chip: int) -> Any:
    # lgpio keeps a pipe in its working folder, and a service's may not be writable.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=chip)


def _lgpio_errors() -> tuple[type[Exception], ...]:
    """What lgpio raises; nothing where it is not installed."""
    try:
        import lgpio
    except ImportError:
        return ()
    return (lgpio.error,)


def _said(error: Exception) -> str:
    # lgpio's errors quote themselves.
    return str(error).strip("'\"") or type(error).__name__


def _explained(part: Part, number: int, error: Exception, user: str) -> PinError:
    said = _said(error).lower()
    if isinstance(error, PermissionError) or "permission" in said:
        return PinsDeniedError(
            f"The {part.value} pin GPIO {number} may not be used; run `sudo usermod -aG gpio $USER` and log in again."
        )
    if isinstance(error, GPIOPinInUse) or "busy" in said:
        who = f"{user} uses it" if user else "something else uses it (`gpioinfo` names it)"
        return PinBusyError(
            f"The {part.value} pin GPIO {number} is busy: {who}; end that, or wire and name another pin."
        )
    return PinError(f"The {part.value} pin GPIO {number} cannot be used ({_said(error)}); name another pin.")
