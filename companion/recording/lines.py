"""The lines of a recording: JSON, one thing a line, in the order in which the referee was told.

A reading is written once, without its time, and named by a number; every look is then its time and that number. So
quiet frames cost twenty bytes, and a number is exact: JSON has the shortest text that gives the same float again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from companion.errors import CompanionError
from companion.referee.evidence import Switches
from companion.referee.verdict import Verdict
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import Reading
from companion.web.hub import (
    Abandon,
    Answer,
    Correct,
    NewGame,
    Pause,
    Resume,
    Rule,
    StartHere,
    Undo,
)

FORMAT: Final = 1
AnyReading = Reading | OlympeakReading
GameCommand = Answer | Undo | NewGame | Pause | Correct | Rule | StartHere | Resume | Abandon
COMMANDS: Mapping[str, type[GameCommand]] = {
    command.__name__: command
    for command in (Answer, Undo, NewGame, Pause, Correct, Rule, StartHere, Resume, Abandon)
}
_STRICT = ConfigDict(extra="forbid")


class RecordingError(CompanionError, ValueError):
    """A recording that cannot be read or played; the text says where and why."""


@checked(frozen=True, config=_STRICT)
class Head:
    """The first line: the game, who plays, which kept game went on (None: a new one), and how long each kept one was."""

    program: str
    game: Literal["above", "olympeak"]
    players: int
    names: tuple[str, ...]
    resumed: int | None
    kept: dict[int, int]
    line: Literal["head"] = "head"
    # Another one is none that this companion reads.
    format: Literal[1] = FORMAT


@checked(frozen=True, config=_STRICT)
class Seen:
    """What was read for the first time, without when."""

    number: int
    above: Reading | None = None
    olympeak: OlympeakReading | None = None
    line: Literal["seen"] = "seen"


@checked(frozen=True, config=_STRICT)
class Look:
    """The referee was shown reading `number`, exposed `at` (s)."""

    at: float
    number: int
    line: Literal["look"] = "look"


@checked(frozen=True, config=_STRICT)
class Felt:
    """From now on these switches are closed, and those are not believed; `closed` None: nothing is known of them."""

    closed: tuple[str, ...] | None
    ignored: tuple[str, ...] = ()
    line: Literal["felt"] = "felt"

    @classmethod
    def of(cls, switches: Switches | None) -> Felt:
        """The switches as they stand."""
        if switches is None:
            return cls(None)
        return cls(tuple(sorted(switches.closed)), tuple(sorted(switches.ignored)))

    @property
    def switches(self) -> Switches | None:
        """As the referee is given them."""
        return None if self.closed is None else Switches(frozenset(self.closed), frozenset(self.ignored))


@checked(frozen=True, config=_STRICT)
class Asked:
    """Somebody has asked for something, by the page or a button; `taken`: it was carried out."""

    command: str
    data: dict[str, str | int | bool | tuple[str, ...] | tuple[int, ...]]
    taken: bool
    line: Literal["asked"] = "asked"


@checked(frozen=True, config=_STRICT)
class Said:
    """The referee says this now."""

    verdict: Verdict
    line: Literal["said"] = "said"


@checked(frozen=True, config=_STRICT)
class Pictured:
    """The picture that was read last was kept under this name."""

    name: str
    line: Literal["pictured"] = "pictured"


@checked(frozen=True, config=_STRICT)
class Broken:
    """Something happened that cannot be told again, as a disk that was full; what follows may differ."""

    why: str
    line: Literal["broken"] = "broken"


Line = Head | Seen | Look | Felt | Asked | Said | Pictured | Broken
_LINES: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="line")])


def written(line: Line) -> bytes:
    """A line of JSON, with its end."""
    return _LINES.dump_json(line, exclude_defaults=False) + b"\n"


def read(text: bytes, number: int) -> Line:
    """A line from JSON. Raises RecordingError, which names the line's number."""
    try:
        return _LINES.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RecordingError(
            f"Line {number} of the recording cannot be read ({where}: {first['msg']}). It is damaged, or was made by "
            "another version; about.json in the bundle names that one."
        ) from None


@dataclass(frozen=True, slots=True)
class Told:
    """A reading with its time, as the referee was shown it."""

    reading: AnyReading

    @classmethod
    def of(cls, seen: Seen, at: float) -> Told:
        """Raises RecordingError where a line holds no reading."""
        content = seen.above if seen.above is not None else seen.olympeak
        if content is None:
            raise RecordingError(f"Reading {seen.number} of the recording is empty.")
        return cls(replace(content, exposed_at=at))


def command_of(asked: Asked) -> GameCommand:
    """What was asked for. Raises RecordingError for what nobody can ask."""
    kind = COMMANDS.get(asked.command)
    try:
        if kind is None:
            raise ValueError("there is no such request")
        if unknown := set(asked.data) - {each.name for each in fields(kind)}:
            raise ValueError(f"it has no {min(unknown)}")
        return TypeAdapter(kind).validate_python(asked.data)
    except ValueError as error:
        raise RecordingError(f'The recording asks for "{asked.command}", which cannot be: {error}.') from None
