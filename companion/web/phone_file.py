"""The file that remembers who has joined, so that a power cut costs nobody a seat."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from companion.web.phones import Phone

log = logging.getLogger(__name__)


def read_phones(path: Path) -> tuple[Phone, ...]:
    """Who had joined when the file was written; nobody if there is none or it cannot be understood."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return tuple(_phone(entry) for entry in entries)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("The phones in %s are not known any more (%s); they join again.", path, error)
        return ()


def _phone(entry: dict[str, object]) -> Phone:
    digest, name, seat, host = entry["digest"], entry["id"], entry["seat"], entry["host"]
    heard_at = entry["heard_at"]
    if (
        not (isinstance(digest, str) and isinstance(name, str))
        or not (seat is None or (isinstance(seat, int) and 0 <= seat < 6))
        or not isinstance(host, bool)
        or not isinstance(heard_at, int | float)
    ):
        raise ValueError("an entry is damaged")
    return Phone(digest, name, seat, host, float(heard_at))


def write_phones(path: Path, phones: Iterable[Phone]) -> None:
    """Writes the file anew, readable by its owner alone; one that cannot be written is only worth a warning."""
    text = json.dumps([asdict(phone) for phone in phones])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # mkstemp makes it readable by its owner alone.
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        log.warning("Who has joined cannot be kept in %s (%s); after a restart they join again.", path, error)
