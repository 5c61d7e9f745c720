"""Where a table keeps what is its owner's, games and the cards that were brought in; and how such a file is written."""

from __future__ import annotations

import os
from pathlib import Path

KEPT = Path.home() / ".local" / "share" / "olympus"
OWNERS_DECK = KEPT / "olympeak-deck.csv"
OWNERS_CARDS = KEPT / "above-cards.csv"
# The page's code for the host, beside the games.
CODE_FILE = "table-code"


def write_whole(file: Path, text: str) -> None:
    """Writes a file so that a power cut leaves the old one or the new one. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    file.parent.mkdir(parents=True, exist_ok=True)
    with fresh.open("w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
