"""Journals that cannot be used are set aside: how one is found out, moved and never lost, and what is saved from it.

A memory card spoils files. What can still be read of the games goes into a new journal; the old file stays beside it
under a name of its own (`journal.damaged-2026-11-30.db`), with the log of the database.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path

from companion.referee.journal_reader import open_to_read, real_place
from companion.referee.salvage import NO_VERSION, Row, bring_over, header_of
from companion.referee.schema import SCHEMA_VERSION, STEPS, migrate, version_of

# The file, the log of what it has not taken in yet, and that log's index (sqlite.org/wal.html).
PARTS = ("", "-wal", "-shm")
# Result codes that tell of the disk, the rights or the moment, not of what is in the file (sqlite.org/rescode.html).
_OUTSIDE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_AUTH,
}
# What the card does not give back is damaged, too.
_UNREADABLE = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
_PRIMARY = 0xFF
# How the facts' table is described in the file.
_ENTRIES = b"CREATE TABLE entries"


class Ailment(Enum):
    """Why a journal cannot be used; the value stands in the name it is set aside under."""

    DAMAGED = "damaged"
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class Aside:
    """A journal that was set aside. `file`: where it lies now; `games`: so many are in the new one."""

    why: Ailment
    file: Path
    games: int


def is_damage(error: BaseException | None) -> bool:
    """Does an error of the database tell of a spoilt file, rather than of the disk or of who may use it?"""
    if not isinstance(error, sqlite3.Error) or isinstance(error, sqlite3.ProgrammingError):
        return False
    # What is no text raises an error of Python's own, without a code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code in _UNREADABLE or code & _PRIMARY not in _OUTSIDE


def ailment(path: Path) -> Ailment | None:
    """What is wrong with the content of a journal; None for a sound one, none at all, and what was never one.

    Raises OSError and sqlite3.Error for what cannot be looked at.
    """
    if not path.is_file():
        return None
    found = _ailment(path)
    return found if found is None or may_be_journal(path) else None


def may_be_journal(path: Path) -> bool:
    """Can a file that cannot be used be a journal? So it is if it is named like one, or if anything of one is in it.

    Settings, a picture or another program's data would be missed where they lay.
    """
    named, path = path, real_place(path)
    if ".db" in {named.suffix.lower(), path.suffix.lower()}:
        return True
    for part in PARTS[:2]:
        with contextlib.suppress(OSError):
            if _ENTRIES in path.with_name(f"{path.name}{part}").read_bytes():
                return True
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db, 0)
        return bring_over(path, db) > 0


def _ailment(path: Path) -> Ailment | None:
    with path.open("rb") as file:
        head = file.read(20)
    # sqlite.org/fileformat.html, 1.3.3: the versions for writing and reading. A spoilt one would only be taken for a
    # file that is not to be written.
    if head and not {1, 2}.issuperset(head[18:20]):
        return Ailment.DAMAGED
    try:
        with closing(open_to_read(path)) as db:
            return _found(db)
    except sqlite3.Error as error:
        if is_damage(error):
            return Ailment.DAMAGED
        raise


def _found(db: sqlite3.Connection) -> Ailment | None:
    version = version_of(db)
    if version is None and not _was_ours(db):
        return None
    (health,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if version is None or health != "ok" or version >= NO_VERSION:
        return Ailment.DAMAGED
    if version > SCHEMA_VERSION:
        return Ailment.NEWER
    if version:
        if not _schema(version) <= _described(db):
            return Ailment.DAMAGED
        db.text_factory = bytes
        heads = db.execute("SELECT id, game, players, position, begun_at FROM games")
        if any(header_of(row) is None for row in heads):
            return Ailment.DAMAGED
    return None


def _schema(version: int) -> set[Row]:
    """Tables, triggers and indices of a version, as a sound file describes them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.executescript("".join(STEPS[:version]))
        return _described(db)


def _described(db: sqlite3.Connection) -> set[Row]:
    """What a file says of itself; how the lines were broken is of no account."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return {(*names, " ".join((sql or "").split())) for *names, sql in rows}


def _was_ours(db: sqlite3.Connection) -> bool:
    """Other programs may have tables called games; nobody else has these triggers."""
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")}
    return any(f" {name} " in step for name in names for step in STEPS)


def renew(path: Path, why: Ailment, today: date) -> Aside:
    """Sets a journal aside and lays a new one in its place, with the games that can still be read.

    Both where the file truly lies: a link to it goes on leading to the journal.
    Nobody else may have it open for writing. A power cut leaves the old one where it was, or the new one whole.
    Raises OSError and sqlite3.Error; then the old one is where it was.
    """
    path = real_place(path)
    fresh = path.with_name(f".{path.name}.new")
    for part in (*PARTS, "-journal"):
        fresh.with_name(f"{fresh.name}{part}").unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        migrate(db, 0)
        games = 0 if why is Ailment.NEWER else bring_over(path, db)
    kept = _exchange(path, fresh, why, today)
    return Aside(why, kept, games)


def _exchange(path: Path, fresh: Path, why: Ailment, today: date) -> Path:
    """Puts the new file in the old one's place; the old one's new name.

    It has both names for a moment, or is there twice, so that at no moment there is none, nor a log without its file.
    """
    there = [part for part in PARTS if path.with_name(f"{path.name}{part}").exists()]
    kept = _free_name(path, why, today)
    second: list[tuple[Path, Path]] = []
    try:
        # The file itself last: it stays as long as anything may fail.
        for part in reversed(there):
            old, new = path.with_name(f"{path.name}{part}"), kept.with_name(f"{kept.name}{part}")
            try:
                os.link(old, new)
                second.append((old, new))
            except FileExistsError:
                raise
            except OSError:
                # A stick with a file system that knows no second names.
                second.append((old, new))
                _copy(old, new)
        for part in PARTS[1:]:
            path.with_name(f"{path.name}{part}").unlink(missing_ok=True)
        fresh.replace(path)
    except OSError:
        # All goes back to its own name; tried again, it would have a third, and a log would be parted from its file.
        for old, new in second:
            with contextlib.suppress(OSError):
                if old.exists():
                    new.unlink(missing_ok=True)
                else:
                    new.rename(old)
        raise
    return kept


def _copy(old: Path, new: Path) -> None:
    """A copy that survives a power cut. Its owner and times are its own: such a stick may not take others."""
    shutil.copyfile(old, new)
    # The file first, then the folder in which it has its name.
    for place in (new, new.parent):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _free_name(path: Path, why: Ailment, today: date) -> Path:
    """A name beside the file that nothing has yet, nor its log."""
    count = 1
    while True:
        nth = "" if count == 1 else f"-{count}"
        kept = path.with_name(f"{path.stem}.{why.value}-{today.isoformat()}{nth}{path.suffix}")
        if not any(kept.with_name(f"{kept.name}{part}").exists() for part in PARTS):
            return kept
        count += 1


def asides(path: Path) -> list[Path]:
    """The journals that were set aside beside this one, the oldest first."""
    path = real_place(path)
    found: list[Path] = []
    heads = tuple(f"{path.stem}.{why.value}-" for why in Ailment)
    with contextlib.suppress(OSError):
        for file in path.parent.iterdir():
            if file.name.startswith(heads) and file.suffix == path.suffix and file.is_file():
                found.append(file)

    def when(file: Path) -> tuple[str, int, str]:
        told = file.stem.removeprefix(f"{path.stem}.").partition("-")[2]
        return told[: len("2026-11-30")], len(told), told

    return sorted(found, key=when)


def ailment_of(aside: Path, path: Path) -> Ailment:
    """Why a journal was set aside, by the name it has been given."""
    stem = real_place(path).stem
    return next(why for why in Ailment if aside.name.startswith(f"{stem}.{why.value}-"))
