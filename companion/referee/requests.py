"""What people ask of a referee beside answering it, and why that may not be."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.messages import sentences

# The answer that what was taken back on request counts after all.
KEEP = "keep"


class Refused(CompanionError, ValueError):
    """A request that cannot be carried out now. `defects`: everything that stands against it, in sentences."""

    def __init__(self, text: str, defects: tuple[str, ...] = ()) -> None:
        super().__init__(sentences(text, *defects))
        self.defects = defects
