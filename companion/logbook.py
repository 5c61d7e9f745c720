"""The logbook: what the table said and what went wrong, in a file that never grows beyond its bounds.

For a bug report on any computer, whether or not a system's journal is kept there.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

NAME = "companion.log"
# The file and the two before it: at most 1.5 MB together.
FILE_BYTES = 512 * 1024
KEPT_FILES = 2
PROGRAMS = ("companion", "firmware_bridge", "calibration")


class _BoundedFile(RotatingFileHandler):
    """A full or pulled disk costs lines of the log, never the game."""

    def handleError(self, record: logging.LogRecord) -> None:
        """The line is lost."""


@contextlib.contextmanager
def kept_log(folder: Path) -> Iterator[None]:
    """While it is open the programs' log goes into `folder`, too; where that cannot be written, it is left out."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _BoundedFile(folder / NAME, maxBytes=FILE_BYTES, backupCount=KEPT_FILES, encoding="utf-8")
    except OSError as error:
        logging.getLogger(__name__).warning("No log is kept in %s (%s).", folder, error.strerror)
        yield
        return
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    terminal = logging.StreamHandler()
    terminal.setLevel(logging.WARNING)
    programs = [logging.getLogger(name) for name in PROGRAMS]
    before = [program.level for program in programs]
    for program in programs:
        program.setLevel(logging.INFO)
        program.addHandler(file)
        # As without a logbook: warnings are seen where the program runs.
        program.addHandler(terminal)
    try:
        yield
    finally:
        for program, level in zip(programs, before, strict=True):
            program.removeHandler(file)
            program.removeHandler(terminal)
            program.setLevel(level)
        file.close()


def pages(folder: Path) -> list[Path]:
    """The files of the logbook there are, the oldest first."""
    names = [f"{NAME}.{number}" for number in range(KEPT_FILES, 0, -1)] + [NAME]
    return [folder / name for name in names if (folder / name).is_file()]
