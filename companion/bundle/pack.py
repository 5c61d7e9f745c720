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
    PROFILE,
    SETTINGS,
    Bundle,
    limit_of,
)
from companion.bundle.discreet import Discreet
from companion.bundle.pictures import Measured, as_json, tried
from companion.doctor.check import Check
from companion.kept import CODE_FILE
from companion.logbook import pages
from companion.recording.recorder import FOLDER, pictures, sittings
from companion.referee.journal_reader import JournalError, JournalReader
from companion.referee.set_aside import asides
from companion.settings import Settings

# The newest games; older ones have nothing to do with what has just happened.
NEWEST_GAMES = 50
# So many journals that had to be set aside, as they are: whoever reads the report finds out what is left of them.
NEWEST_ASIDES = 2


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

    discreet = Discreet.here(folder / CODE_FILE)

    def take(name: str, path: Path) -> None:
        limit = limit_of(name)
        try:
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except OSError as error:
            missing.append(f"{name}: {error.strerror}")
            return
        if len(data) > limit:
            missing.append(f"{name}: it is larger than a bundle can have it")
        else:
            parts[name] = data

    parts[SETTINGS] = _json(_shown(settings, discreet))
    parts[DOCTOR] = _json([[c.topic, c.state.value, discreet(c.text), discreet(c.todo)] for c in checks])
    progress("the log")
    for page in pages(folder):
        name = f"log/{page.name}"
        take(name, page)
        if name in parts:
            parts[name] = discreet(parts[name].decode(errors="replace")).encode()
    if system_log:
        parts["log/journal.txt"] = discreet(system_log).encode()[-limit_of("log/journal.txt") :]
    progress("the games")
    try:
        parts[GAMES] = _games(settings.journal, missing)
    except JournalError as error:
        missing.append(f"{GAMES}: {error}")
    for aside in asides(settings.journal)[-NEWEST_ASIDES:]:
        for part in (aside, aside.with_name(f"{aside.name}-wal")):
            if part.is_file():
                take(f"set-aside/{part.name}", part)
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
        "missing": [discreet(each) for each in missing],
    }
    return Bundle({ABOUT: _json(about), **parts})


def _shown(settings: Settings, discreet: Discreet) -> dict[str, object]:
    """The settings; none of them is a secret (the table's code is no setting), the home folder's name is shortened."""
    told: dict[str, object] = json.loads(settings.model_dump_json())
    return {key: discreet(value) if isinstance(value, str) else value for key, value in told.items()}


def _games(path: Path, missing: list[str]) -> bytes:
    """The journal as lines of JSON, a game each: no database of a stranger is ever opened.

    Of a damaged game all that comes before the damage; it is named in `missing`.
    """
    if not path.exists():
        return b""
    lines = []
    with closing(JournalReader(path)) as journal:
        headers = journal.games()
        for header in headers:
            facts: list[list[object]] = []
            # Earlier games only keep their numbers.
            if header.id > headers[-1].id - NEWEST_GAMES:
                try:
                    with journal.damage_told(f"game {header.id}"):
                        facts.extend([fact.kind, fact.data] for fact in journal.facts(header.id))
                except JournalError as error:
                    missing.append(f"{GAMES}: {error}")
            lines.append(
                json.dumps([header.id, header.game, header.players, header.start, facts], ensure_ascii=False)
            )
    return "".join(f"{line}\n" for line in lines).encode()


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
