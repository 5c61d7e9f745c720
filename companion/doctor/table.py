"""The table: its settings, what was measured, its games, and the way to its page."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from calibration.profile import TableProfile, load_profile
from calibration.profile_file import ProfileError
from companion.doctor.check import Check, bad, nearest, warn, well
from companion.doctor.computer import UNIT
from companion.referee.journal_reader import JournalError, JournalReader
from companion.referee.set_aside import Ailment, ailment_of, asides
from companion.settings import Settings
from companion.web.addresses import page_addresses

# A table is moved, a lens loosens, cardboard creeps: then it is time to measure again.
OLD = timedelta(days=180)
CALIBRATE = "calibrate camera, then calibrate rings"


def check_profile(file: Path | None, now: datetime, *, simulated: bool) -> tuple[Check, TableProfile]:
    """What was measured at this table, how long ago; and the profile, an empty one where there is none."""
    if simulated:
        return well("profile", "none is needed for a simulated camera"), TableProfile()
    if file is None:
        text = "nothing was measured: the reference lens is assumed"
        return warn(
            "profile", text, f"{CALIBRATE}; then name the file as profile in the settings"
        ), TableProfile()
    try:
        profile = load_profile(file)
    except ProfileError as error:
        return bad("profile", str(error), f"mend {file}, or measure again: {CALIBRATE}"), TableProfile()
    if profile.camera is None:
        return warn(
            "profile", f"{file} holds no lens: the reference lens is assumed", "calibrate camera"
        ), profile
    measured = [part.measured.at for part in (profile.camera, profile.rings) if part is not None]
    days = (now - min(measured)).days
    text = f"{profile.name}: measured {days} days ago"
    if profile.rings is None:
        text += ", its rings not"
    if days > OLD.days:
        return warn("profile", text, f"{CALIBRATE}, if table, camera or board were moved since"), profile
    return well("profile", text), profile


def check_journal(path: Path) -> Check:
    """Can the kept games be read?"""
    folder = nearest(path.parent)
    if not os.access(folder, os.X_OK) or (os.path.exists(path) and not os.access(path, os.R_OK)):
        return warn(
            "games",
            f"{path} may not be read by this user",
            "look as the user whose games they are: sudo -u olympus companion doctor",
        )
    if not path.exists():
        return well("games", f"none yet; they will be kept in {path}")
    try:
        with closing(JournalReader(path)) as journal:
            count = len(journal.games())
    except JournalError as error:
        return bad(
            "games",
            str(error),
            "companion bundle keeps what is there for a report; a damaged one the service sets aside as it starts "
            f"(sudo systemctl restart {UNIT})",
        )
    return well("games", f"{count} in {path}")


def check_asides(path: Path) -> list[Check]:
    """Are there journals that the table had to set aside?"""
    return [_aside(file, ailment_of(file, path)) for file in asides(path)]


def _aside(file: Path, why: Ailment) -> Check:
    if why is Ailment.NEWER:
        return warn(
            "set aside",
            f"{file} was written by a newer companion",
            f"update the companion; then its games are seen with companion journal list --journal {file}",
        )
    return warn(
        "set aside",
        f"{file} was damaged: what could be read of it is in the new journal",
        "companion bundle puts it into a report if a game is missing; delete it if none is. A card that does this again "
        "is worn out: take another",
    )


def check_page(settings: Settings) -> tuple[Check, str | None]:
    """Does the page answer, and where do phones find it? Also the address for a QR code, None if there is none."""
    addresses = page_addresses(settings.host, settings.port)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    try:
        socket.create_connection((host, settings.port), timeout=1.0).close()
        runs = True
    except (OSError, UnicodeError):
        runs = False
    state = "the table is running" if runs else "the table is not running now"
    if not addresses:
        return warn(
            "page",
            f"only this computer can see it ({state})",
            'set host = "0.0.0.0" for the phones in the house',
        ), None
    return well("page", f"{' or '.join(addresses)} ({state})"), addresses[0]
