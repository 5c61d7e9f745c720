"""Files that calibration writes for people: a failure is a sentence."""

from __future__ import annotations

import os
from pathlib import Path

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
        raise OutputError(
            f"{file}: cannot be written ({error.strerror}); check the folder and the disk's free space."
        ) from None


def write_whole(file: Path, text: str) -> None:
    """Write a file so that a power cut leaves the old one or the new one. Raises OutputError."""
    fresh = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8", newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(file)
    except OSError as error:
        raise OutputError(
            f"{file}: cannot be written ({error.strerror}); check the folder and the disk's free space."
        ) from None
