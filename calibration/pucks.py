"""Calibration pucks: discs with a marker that are laid on named spaces where a print cannot be read."""

from __future__ import annotations

PUCK_IDS: tuple[int, ...] = tuple(range(235, 241))
# A round sticker on a disc as thick as a token.
PUCK_MARKER_MM = 14.0
PUCK_DIAMETER_MM = 22.0
PUCK_HEIGHT_MM = 2.0
