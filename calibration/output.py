"""Files that calibration writes for people: a failure is a sentence."""

from __future__ import annotations

from pathlib import Path

from companion import kept
from companion.errors import CompanionError


class OutputError(CompanionError, OSError):
    """A file cannot be written. The message names it."""


def write_file(file: Path, content: str | bytes) -> None:
    """Write a file, making its folder. Raises OutputError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            file.write_text(content, encoding="utf-8")
        else:
            file.write_bytes(content)
    except OSError as error:
        raise _unwritable(file, error) from None


def write_whole(file: Path, text: str) -> None:
    """Write a file so that a power cut leaves the old one or the new one. Raises OutputError."""
    try:
        kept.write_whole(file, text)
    except OSError as error:
        raise _unwritable(file, error) from None


def _unwritable(file: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{file}: cannot be written ({error.strerror}); check the folder and the disk's free space."
    )
