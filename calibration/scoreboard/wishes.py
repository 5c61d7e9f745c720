"""What the step of the scoreboard asks for, as a simulated owner understands it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LayScoreboard:
    """Lay the scoreboard in its place, with the cubes and the round marker on their lanes."""
