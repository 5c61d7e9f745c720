"""Writing a table profile so that a power cut leaves the old one or the new one, and neither loses its comments."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from companion.errors import CONFIGURATION, CompanionError


class ProfileError(CompanionError, ValueError):
    """A table profile cannot be used. The message names the file, the key and what to do."""

    exit_status = CONFIGURATION


def check_writable(file: Path) -> None:
    """Raise ProfileError if a profile could not be written there: better known before anything is measured."""
    fresh = file.with_name(file.name + ".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("a", encoding="utf-8"):
            pass
        fresh.unlink()
    except OSError as error:
        raise _unwritable(file, error) from None


def _unwritable(file: Path, error: OSError) -> ProfileError:
    return ProfileError(
        f"{file}: cannot be written ({error.strerror}); check the folder and the disk's free space."
    )


def write_profile(file: Path, data: Mapping[str, Any]) -> None:
    """Write `data` as TOML: a new file beside it, flushed to the disk, then put in the old one's place.

    The old one is kept as `.previous`. Raises ProfileError when it cannot be written.
    """
    fresh = file.with_name(file.name + ".new")
    previous = file.with_name(file.name + ".previous")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = _edited(file, data)
        with fresh.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if file.exists():
            # A second name for the old one: at no moment is there no profile.
            previous.unlink(missing_ok=True)
            os.link(file, previous)
        fresh.replace(file)
        directory = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        raise _unwritable(file, error) from None


def _edited(file: Path, data: Mapping[str, Any]) -> str:
    """The file's text with `data` in it, comments kept; a text of its own where there is none to be edited."""
    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, UnicodeDecodeError, TOMLKitError):
        return tomlkit.dumps(data)
    _put_into(document, data)
    text = tomlkit.dumps(document)
    # Comments are worth less than what was measured.
    return text if _holds(text, data) else tomlkit.dumps(data)


def _holds(text: str, data: Mapping[str, Any]) -> bool:
    """Is a text read as this data?"""
    try:
        return bool(tomllib.loads(text) == _plain(data))
    except tomllib.TOMLDecodeError:
        return False


def _put_into(table: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    """Make a table hold `data` and nothing else, leaving alone what is as it should be."""
    for key in [key for key in table if key not in data]:
        del table[key]
    for key, value in data.items():
        old = table.get(key)
        if isinstance(old, MutableMapping) and isinstance(value, Mapping):
            _put_into(old, value)
        elif key not in table or _plain(old) != _plain(value):
            table[key] = value


def _plain(value: Any) -> Any:
    """A value without what tomlkit knows of its spelling."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
