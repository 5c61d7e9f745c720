"""Table profiles of earlier versions, brought up to today's one version after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from calibration.profile_file import ProfileError

VERSION: Literal[2] = 2


def migrated(data: dict[str, Any]) -> dict[str, Any]:
    """The profile's data as today's version has it; `data` itself is left alone.

    A file that names no version is one written by hand, of today. Raises ProfileError for a version that nobody
    has written.
    """
    version = data.get("version", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version <= VERSION:
        newer = isinstance(version, int) and version > VERSION
        raise ProfileError(
            f"has version {version!r}, this program reads versions 1 to {VERSION}; "
            + (
                "install the newer program that wrote it, or calibrate again."
                if newer
                else "calibrate again."
            )
        )
    for before in range(version, VERSION):
        data = STEPS[before](dict(data))
        data["version"] = before + 1
    return data


def _from_1(data: dict[str, Any]) -> dict[str, Any]:
    """Version 2 only knows more of a lens (crop, uncertainty, errors), which version 1 would not have read."""
    return data


STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
