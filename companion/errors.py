"""The one error tree of the companion: what happened, where, and what to do next."""

from __future__ import annotations


class CompanionError(Exception):
    """Root of every error a person may meet. Its text is one sentence or two that say what to do."""
