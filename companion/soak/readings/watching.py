"""Whole tables watched by true readings: everything after sight, in a fraction of the time."""

from __future__ import annotations

from companion.sensing.frames import FrameSource
from companion.simulation import Simulation
from companion.soak.readings.above import TrueAbove
from companion.soak.readings.olympeak import TrueOlympeak
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.kit import Eyes, Kit
from companion.tables.olympeak.simulated import SimulatedOlympeak


def watch_by_readings(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
    """For `soak_game`: a camera without pictures, and the readings of the table as it truly lies."""
    table = simulation.table
    if isinstance(table, SimulatedOlympeak):
        cards = TrueOlympeak(table)
        return cards, cards
    assert isinstance(table, SimulatedAbove)
    board = TrueAbove(table)
    return board, board
