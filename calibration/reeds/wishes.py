"""What the step of the switches asks for, as a simulated owner understands it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PutPiece:
    """Put or draw a miniature onto a space, alone; whatever else lies on the board stays."""

    space: str


@dataclass(frozen=True, slots=True)
class LayTokens:
    """Lay a token onto each of these spaces."""

    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClearBoard:
    """Take everything off the board."""
