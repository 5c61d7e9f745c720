"""Sight of the OlymPeak table: cards in columns, reveals, piles, cubes and tiles."""
