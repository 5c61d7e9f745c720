"""Settings: one TOML file, environment variables (OLYMPUS_…) above it, command-line options above those."""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
import tomllib
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableSetting

from companion.errors import CONFIGURATION, CompanionError
from companion.kept import KEPT, OWNERS_CARDS, OWNERS_DECK
from companion.messages import LANGUAGES

DEFAULT_FILE = Path("companion.toml")
# A table that was installed has its settings here; they are used where there are none in the working directory.
INSTALLED_FILE = Path("/etc/olympus/companion.toml")
PREFIX = "OLYMPUS_"
NAME_LIMIT = 24
# RFC 1123: labels of letters, digits and hyphens.
HOST_NAME = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.?")


class SettingsError(CompanionError, ValueError):
    """A settings file or value that cannot be used; the text names the key and what is possible."""

    exit_status = CONFIGURATION


class Settings(BaseSettings):
    """How one table is run. Every setting has a working default: everything simulated on this machine."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    # "above" or "olympeak": what is played if the command does not say it.
    game: str = "above"
    players: int = Field(default=2, ge=2, le=6)
    # By seat; missing ones are made up.
    names: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=1, le=65535)
    allowed_hosts: tuple[str, ...] = ()
    journal: Path = KEPT / "journal.db"
    # The cards of OlymPeak's box, as `companion box import` keeps them; the assumed deck while there is no such file.
    deck: Path = OWNERS_DECK
    # The same for the letters and ring numbers on Above's cards, as `calibrate box` keeps them.
    cards: Path = OWNERS_CARDS
    # "simulated", "picamera", "usb", "usb:NAME" (a name in /dev/v4l/by-id or a number), "folder:DIR",
    # "video:FILE", "none" (what is played is told by the switches under the board)
    camera: str = "simulated"
    # A fixed exposure in milliseconds, where the camera's own choice never settles; 10 or 20 (where the mains has
    # 60 Hz, 8.33 or 16.67) do not flicker with the lamps.
    exposure_ms: float | None = Field(default=None, gt=0, le=1000)
    # "simulated", "auto" (found by its USB name), "none", or a path such as /dev/olympus-table
    controller: str = "simulated"
    profile: Path | None = None
    # Are the scoreboard's moving cubes fitted? Without them the page says which cube to put where.
    motors: bool = False
    # Lamps, buzzer and buttons on the Pi's own pins: "none", "reference" (the reference table's wiring), "simulated",
    # or the parts that are wired with their BCM numbers: { green = 17, red = 27, yes = 5, no = 6 }.
    pins: str | dict[str, int | str | bool] = "none"
    # Of what this machine itself shows and says: "en", "fr" or "he". A phone has its own.
    language: str = "en"
    # Does the table itself say whose turn it is, what is not allowed, and who has won? "none" or "espeak-ng".
    speech: Literal["none", "espeak-ng"] = "none"
    # Is all that the referee is told kept for a report (the two newest sittings, and pictures of what was refused)?
    record: bool = True
    # May the buzzer be heard? The page silences it too.
    sound: bool = True
    # Of all lights, by day and by night; the night begins and ends by the clock, or whenever the page says so.
    brightness: float = Field(default=1.0, gt=0, le=1)
    night_brightness: float = Field(default=0.25, gt=0, le=1)
    night_from: time | None = None
    night_to: time = time(7, 0)
    # What all LEDs may draw together, in mA, and are dimmed for.
    led_budget_ma: int = Field(default=1500, ge=200, le=4000)
    frames_per_s: float = Field(default=15.0, gt=0, le=60)
    # The simulated table only: how often its players err on purpose, and what chance they draw.
    seed: int | None = None
    illegal: float = Field(default=0.15, ge=0, le=1)

    @field_validator("names")
    @classmethod
    def _can_be_read_out(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """As on the page: what is no sign, such as a colour code of a terminal, is no name."""
        for name in value:
            if not 1 <= len(name) <= NAME_LIMIT or not name.isprintable():
                raise ValueError(f"a name has 1 to {NAME_LIMIT} printable characters, not {name!r}")
        if len(set(value)) < len(value):
            raise ValueError("two players have the same name; tell them apart")
        return value

    @field_validator("host")
    @classmethod
    def _can_be_a_host(cls, value: str) -> str:
        """An address that this computer does not have yet is waited for; what can be none has to be mended."""
        try:
            ipaddress.ip_address(value)
        except ValueError:
            if not HOST_NAME.fullmatch(value) or re.fullmatch(r"[\d.]*", value):
                raise ValueError('use an address like "0.0.0.0", "192.168.1.20" or "::", or a name') from None
        return value

    @field_validator("journal", "deck", "cards", "profile")
    @classmethod
    def _can_be_a_file(cls, value: Path | None) -> Path | None:
        """What lies there is told when it is opened; what can be no file at all has to be mended."""
        if value is not None and (not value.name or "\0" in str(value)):
            raise ValueError("name a file")
        return value

    @field_validator("night_from", "night_to")
    @classmethod
    def _by_the_clock_in_the_room(cls, value: time | None) -> time | None:
        """A bare number would be seconds after midnight in Greenwich."""
        if value is not None and value.tzinfo is not None:
            raise ValueError('write the time in the room, as "22:00"')
        return value

    @field_validator("language")
    @classmethod
    def _known_language(cls, value: str) -> str:
        if value not in LANGUAGES:
            raise ValueError(f"there is {', '.join(LANGUAGES)}")
        return value

    @field_validator("camera")
    @classmethod
    def _known_camera(cls, value: str) -> str:
        kinds = ("simulated", "none", "picamera", "usb", "folder", "video")
        kind, _, rest = value.partition(":")
        if (
            kind not in kinds
            or (kind in ("folder", "video") and not rest)
            or (kind == "picamera" and rest and not rest.isdigit())
            or (kind in ("simulated", "none") and rest)
        ):
            raise ValueError(
                'use "simulated", "picamera", "picamera:NUMBER", "usb", "usb:NAME", "folder:DIRECTORY" or '
                '"video:FILE", or "none": then the switches under the board have to do'
            )
        return value


def load_settings(path: Path | None = None, **overrides: Any) -> Settings:
    """Settings from a file (default: `companion.toml` here, else the installed table's), then options that are not None.

    Raises SettingsError: unreadable file, bad TOML with its line, unknown key or variable with a suggestion, bad
    value.
    """
    _refuse_unknown_variables()
    values: dict[str, Any] = {}
    # Who may not look into the folder they are in has no settings there.
    source = path or (DEFAULT_FILE if os.path.exists(DEFAULT_FILE) else INSTALLED_FILE)
    if path is not None or os.path.exists(source):
        values = _read(source)
        unknown = [key for key in values if key not in Settings.model_fields]
        if unknown:
            raise SettingsError(_unknown(unknown[0], source))
    options = {key: value for key, value in overrides.items() if value is not None}
    try:
        # Options given by hand win over the environment, the environment over the file.
        environment = Settings(**options).model_dump(exclude_unset=True)
        return Settings(**{**values, **environment})
    except UnreadableSetting as error:
        raise SettingsError(f"An environment variable OLYMPUS_… cannot be used: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        where = f" in {source}" if key in values else ""
        reason = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"The setting {key}{where} cannot be {first['input']!r}: {reason}.") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"The settings file {path} cannot be read ({error.strerror}). "
            "Check the name, or leave --config out: every setting has a default."
        ) from None
    except (ValueError, RecursionError) as error:
        # Also numbers of thousands of digits and brackets without end, which the parser does not name as errors of TOML.
        raise SettingsError(f"The settings file {path} is no valid TOML: {error}.") from None


def _refuse_unknown_variables() -> None:
    for name in sorted(os.environ):
        # Case counts in the name of a variable as little as pydantic makes it count.
        key = name.lower().removeprefix(PREFIX.lower())
        if len(key) < len(name) and key not in Settings.model_fields:
            hint = _hint(key, lambda field: f"{PREFIX}{field.upper()}")
            raise SettingsError(f"The environment variable {name} sets nothing. {hint}")


def _unknown(key: str, path: Path) -> str:
    return f'The settings file {path} has an unknown key "{key}". {_hint(key)}'


def _hint(key: str, written: Callable[[str], str] = str) -> str:
    """What may have been meant by `key`; `written`: how a setting is named where the mistake was made."""
    names = sorted(Settings.model_fields)
    close = difflib.get_close_matches(key, names, n=1)
    return f'Did you mean "{written(close[0])}"?' if close else f"Known: {', '.join(map(written, names))}."
