"""Where a table keeps what is its owner's: games, and the cards that were brought in."""

from __future__ import annotations

from pathlib import Path

KEPT = Path.home() / ".local" / "share" / "olympus"
OWNERS_DECK = KEPT / "olympeak-deck.csv"
OWNERS_CARDS = KEPT / "above-cards.csv"
