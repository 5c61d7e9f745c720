"""Packing a bundle: settings, log, games, measures, the recording, and its pictures as they are read here."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from calibration.profile import load_profile
from calibration.profile_file import ProfileError
from companion.bundle.contents import (
    ABOUT,
    CARDS,
    DECK,
    DOCTOR,
    FORMAT,
    GAMES,
    LIMITS,
    PROFILE,
    SETTINGS,
    Bundle,
)
from companion.bundle.pictures import Measured, as_json, tried
from companion.doctor.check import Check
from companion.logbook import pages
from companion.recording.recorder import FOLDER, pictures, sittings
from companion.referee.journal import JournalError, JournalReader
from companion.settings import Settings

# The newest games; older ones have nothing to do with what has just happened.
NEWEST_GAMES = 50


def pack(
    settings: Settings,
    checks: Sequence[Check],
    system_log: str | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Bundle:
    """A bundle of what this computer keeps. What cannot be read is left out, and named in `about.json`."""
    parts: dict[str, bytes] = {}
    missing: list[str] = []
    folder = settings.journal.parent

    def take(name: str, path: Path) -> None:
        try:
            parts[name] = path.read_bytes()
        except OSError as error:
            missing.append(f"{name}: {error.strerror}")

    parts[SETTINGS] = _json(_shown(settings))
    parts[DOCTOR] = _json([[c.topic, c.state.value, c.text, c.todo] for c in checks])
    progress("the log")
    for page in pages(folder):
        take(f"log/{page.name}", page)
    if system_log:
        parts["log/journal.txt"] = system_log.encode()[-LIMITS[r"log/journal\.txt"] :]
    progress("the games")
    try:
        parts[GAMES] = _games(settings.journal)
    except JournalError as error:
        missing.append(f"{GAMES}: {error}")
    for name, own in ((CARDS, settings.cards), (DECK, settings.deck)):
        if own.is_file():
            take(name, own)
    measured = Measured()
    if settings.profile is not None:
        take(PROFILE, settings.profile)
        try:
            measured = Measured.of(load_profile(settings.profile))
        except ProfileError as error:
            missing.append(f"{PROFILE}: {error}")
    for path in sittings(folder / FOLDER):
        take(f"recording/{path.name}", path)
    for path in pictures(folder / FOLDER):
        progress(path.name)
        take(f"recording/{path.name}", path)
        if (data := parts.get(f"recording/{path.name}")) and (reading := tried(data, measured)) is not None:
            parts[f"recording/{path.stem}.json"] = as_json(reading)
    about = {
        "format": FORMAT,
        "companion": version("olympus-companion"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "numpy": version("numpy"),
        "opencv": version("opencv-python"),
        "missing": missing,
    }
    return Bundle({ABOUT: _json(about), **parts})


def _shown(settings: Settings) -> dict[str, object]:
    """The settings; none of them is a secret (the table's code is no setting), the home folder's name is shortened."""
    told: dict[str, object] = json.loads(settings.model_dump_json())
    home = str(Path.home())
    return {
        key: value.replace(home, "~") if isinstance(value, str) and home != "/" else value
        for key, value in told.items()
    }


def _games(path: Path) -> bytes:
    """The journal as lines of JSON, a game each: no database of a stranger is ever opened."""
    if not path.exists():
        return b""
    lines = []
    with closing(JournalReader(path)) as journal:
        headers = journal.games()
        for header in headers:
            facts = []
            # Earlier games only keep their numbers.
            if header.id > headers[-1].id - NEWEST_GAMES:
                with journal.damage_told(f"game {header.id}"):
                    facts = [[fact.kind, fact.data] for fact in journal.facts(header.id)]
            lines.append(
                json.dumps([header.id, header.game, header.players, header.start, facts], ensure_ascii=False)
            )
    return "".join(f"{line}\n" for line in lines).encode()


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
