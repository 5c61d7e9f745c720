"""What a bundle holds: a zip file with a handful of known names, read as if a stranger had made it."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError

FORMAT = 1
ABOUT, SETTINGS, DOCTOR, PROFILE, GAMES = (
    "about.json",
    "settings.json",
    "doctor.json",
    "profile.toml",
    "games.jsonl",
)
CARDS, DECK = "above-cards.csv", "olympeak-deck.csv"
# Each name that a bundle may hold, and how large it may be at most, in bytes.
_MB = 10**6
LIMITS: Mapping[str, int] = {
    r"about\.json": _MB,
    r"settings\.json": _MB,
    r"doctor\.json": _MB,
    r"profile\.toml": _MB,
    r"games\.jsonl": 64 * _MB,
    r"above-cards\.csv|olympeak-deck\.csv": _MB,
    r"log/companion\.log(\.\d)?": _MB,
    r"log/journal\.txt": 4 * _MB,
    r"set-aside/[^/\\\x00-\x1f]{1,100}": 16 * _MB,
    r"recording/sitting-\d{1,6}\.jsonl\.gz": 20 * _MB,
    r"recording/picture-\d{1,6}\.png": 32 * _MB,
    r"recording/picture-\d{1,6}\.json": _MB,
}
MOST_ENTRIES = 64
WHOLE_BYTES = 400 * _MB
_CHUNK = 1 << 16


class BundleError(CompanionError, ValueError):
    """A bundle that cannot be written or read; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The parts of a bundle by name, in memory: nothing of it is ever put anywhere by the name it gives itself."""

    parts: Mapping[str, bytes]

    def write(self, path: Path) -> None:
        """Raises BundleError."""
        try:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
                for name, data in self.parts.items():
                    packed = name.endswith((".gz", ".png"))
                    kind = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
                    file.writestr(name, data, compress_type=kind)
        except OSError as error:
            raise BundleError(f"{path} cannot be written ({error.strerror}): name another place.") from None

    @classmethod
    def read(cls, path: Path) -> Bundle:
        """Raises BundleError for what is no bundle, or holds more than a bundle does."""
        parts: dict[str, bytes] = {}
        whole = 0
        try:
            with zipfile.ZipFile(path) as file:
                entries = file.infolist()
                if len(entries) > MOST_ENTRIES:
                    raise BundleError(
                        f"{path} holds {len(entries)} files; a bundle has at most {MOST_ENTRIES}."
                    )
                for entry in entries:
                    if entry.filename in parts:
                        raise BundleError(f"{path} holds {entry.filename!r} twice.")
                    parts[entry.filename] = _part(file, entry, path)
                    whole += len(parts[entry.filename])
                    if whole > WHOLE_BYTES:
                        raise BundleError(f"{path} unpacks to more than any bundle.")
        except FileNotFoundError:
            raise BundleError(f"There is no bundle {path}; companion bundle makes one.") from None
        except OSError as error:
            raise BundleError(f"{path} cannot be read ({error.strerror}).") from None
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            if isinstance(error, BundleError):
                raise
            raise BundleError(f"{path} is no bundle, or a damaged one ({error}).") from None
        bundle = cls(parts)
        about = bundle.json(ABOUT)
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise BundleError(
                f"{path} is no bundle of this companion (format {FORMAT}); update the companion if it is newer."
            )
        return bundle

    def json(self, name: str) -> object:
        """A part that is JSON, None where there is none. Raises BundleError."""
        data = self.parts.get(name)
        try:
            return None if data is None else json.loads(data)
        except (ValueError, RecursionError):
            raise BundleError(f"{name} in the bundle is no JSON.") from None


def limit_of(name: str) -> int:
    """How large a part of this name may be, in bytes; 0 for what is no part of a bundle."""
    return next((size for known, size in LIMITS.items() if re.fullmatch(known, name, re.ASCII)), 0)


def _part(file: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> bytes:
    limit = limit_of(entry.filename)
    if not limit:
        raise BundleError(f"{path} holds {entry.filename!r}, which is no part of a bundle.")
    data = bytearray()
    # What is said of the size is not believed: it is counted.
    with file.open(entry) as source:
        while chunk := source.read(_CHUNK):
            data += chunk
            if len(data) > limit:
                raise BundleError(f"{entry.filename} in {path} is larger than {limit // _MB} MB.")
    return bytes(data)
