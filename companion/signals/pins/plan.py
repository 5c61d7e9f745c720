"""Which part is wired to which pin. Nothing is claimed that is not named here."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from companion.errors import CONFIGURATION, CompanionError


class PinPlanError(CompanionError, ValueError):
    """Pins that cannot be wired so; the text names the part and what is possible."""

    exit_status = CONFIGURATION


class Part(Enum):
    """What may hang on the pins."""

    GREEN = "green"
    RED = "red"
    AMBER = "amber"
    BUZZER = "buzzer"
    YES = "yes"
    NO = "no"
    UNDO = "undo"
    EMERGENCY = "emergency"


LAMPS = (Part.GREEN, Part.AMBER, Part.RED)
BUTTONS = (Part.YES, Part.NO, Part.UNDO)
# The reference table's wiring, BCM numbers.
REFERENCE: dict[Part, int] = {
    Part.GREEN: 17,
    Part.RED: 27,
    Part.AMBER: 22,
    Part.BUZZER: 18,
    Part.YES: 5,
    Part.NO: 6,
    Part.UNDO: 13,
    Part.EMERGENCY: 19,
}
# 0 and 1 belong to the boards that are stacked on the header.
LOWEST, HIGHEST = 2, 27
_FORMS = '"none", "reference", "simulated", or names and numbers such as "green=17,red=27,yes=5"'


@dataclass(frozen=True, slots=True)
class PinPlan:
    """The parts that are fitted, with their pins (BCM numbers).

    `emergency_opens`: the emergency button opens a loop that is closed otherwise, so that a broken wire stops too;
    False: it closes one. `simulated`: none of it is real.
    """

    numbers: Mapping[Part, int] = field(default_factory=dict)
    emergency_opens: bool = True
    simulated: bool = False

    @classmethod
    def parse(cls, said: object) -> PinPlan:
        """A plan from a setting: a word, names and numbers in one text, or a table of them. Raises PinPlanError."""
        if isinstance(said, PinPlan):
            return said
        if isinstance(said, str):
            word = said.strip().lower()
            if word in ("", "none"):
                return cls()
            if word in ("reference", "simulated"):
                return cls(dict(REFERENCE), simulated=word == "simulated")
            # The braces of a settings file may come along, in an environment variable or an option.
            bare = word[1:-1] if word[0] == "{" and word[-1] == "}" else said
            pairs = [pair.partition("=") for pair in bare.split(",") if pair.strip()]
            if any(not equals for _, equals, _ in pairs):
                raise PinPlanError(f'Pins cannot be "{said}": use {_FORMS}.')
            names = [name.strip() for name, _, _ in pairs]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise PinPlanError(f'Pins name "{twice}" twice; name each part once.')
            return cls._of({name.strip(): value.strip() for name, _, value in pairs})
        if isinstance(said, Mapping):
            return cls._of(said)
        raise PinPlanError(f"Pins cannot be {said!r}: use {_FORMS}.")

    @classmethod
    def _of(cls, table: Mapping[object, object]) -> PinPlan:
        numbers: dict[Part, int] = {}
        opens = simulated = None
        for key, value in table.items():
            match key:
                case "emergency_opens":
                    opens = _truth(key, value)
                case "simulated":
                    simulated = _truth(key, value)
                case _:
                    part = _part(key)
                    numbers[part] = _number(part.value, value)
        for part, number in numbers.items():
            other = next((each for each, n in numbers.items() if n == number and each is not part), None)
            if other is not None:
                raise PinPlanError(
                    f"GPIO {number} is given to both {part.value} and {other.value}; each needs a pin of its own."
                )
        return cls(numbers, True if opens is None else opens, bool(simulated))


def _part(name: object) -> Part:
    known = [part.value for part in Part]
    if name not in known:
        near = difflib.get_close_matches(str(name), known, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"known are {', '.join(known)}."
        raise PinPlanError(f'There is no part "{name}" on the pins; {hint}')
    return Part(name)


def _number(name: object, value: object) -> int:
    try:
        if isinstance(value, bool | float):
            raise ValueError(value)
        number = int(str(value))
    except ValueError:
        raise PinPlanError(f"The pin of {name} cannot be {value!r}; it is a BCM number such as 17.") from None
    if not LOWEST <= number <= HIGHEST:
        raise PinPlanError(
            f"The pin of {name} cannot be {number}; the header has the BCM numbers {LOWEST} to {HIGHEST}."
        )
    return number


def _truth(name: object, value: object) -> bool:
    if value in (True, "true"):
        return True
    if value in (False, "false"):
        return False
    raise PinPlanError(f"{name} cannot be {value!r}; it is true or false.")
