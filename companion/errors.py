"""The one error tree of the companion: what happened, where, and what to do next."""

from __future__ import annotations

from typing import ClassVar

# As in sysexits.h: settings that cannot be used. The service is not started again before somebody has mended them.
CONFIGURATION = 78


class CompanionError(Exception):
    """Root of every error a person may meet. Its text is one sentence or two that say what to do.

    `exit_status`: what a program ends with that cannot go on because of it.
    """

    exit_status: ClassVar[int] = 1
