"""The one error tree of the companion: what happened, where, and what to do next."""

from __future__ import annotations

from typing import ClassVar
from unicodedata import category

# As in sysexits.h: settings that cannot be used. The service is not started again before somebody has mended them.
CONFIGURATION = 78


def printable(text: str) -> str:
    """A text that may come from a stranger's file, for a terminal: what would steer the terminal is shown as �."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if category(sign) in ("Cc", "Cs") and sign != "\n" else sign
        for sign in text
    )


class CompanionError(Exception):
    """Root of every error a person may meet. Its text is one sentence or two that say what to do.

    `exit_status`: what a program ends with that cannot go on because of it.
    """

    exit_status: ClassVar[int] = 1
