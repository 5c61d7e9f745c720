"""Eyes that read the simulated table of OlymPeak itself instead of its picture, as `oracle.py` does for Above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.sensing.frames import Frame, FrameSource
from companion.sensing.olympeak.reading import OlympeakReading
from companion.simulation import Simulation
from companion.tables.kit import Eyes, Kit
from companion.tables.olympeak.simulated import SimulatedOlympeak
from tests.referee.olympeak.table import read

QUIET_FRAMES = 2


class CardOracle:
    """Camera and eyes in one: its frames are blank, its readings true; hands in the picture are motion."""

    simulated = True
    notice = ""
    name = "oracle"

    def __init__(self, table: SimulatedOlympeak) -> None:
        self._table = table
        self._number = 0
        self._quiet = 0

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def read(self, timeout_s: float) -> Frame:
        self._number += 1
        return Frame(np.zeros((9, 16, 3), np.uint8), self._table.people.now, self._number)

    def process(self, frame: Frame) -> OlympeakReading:
        scene = self._table.scene
        with scene.lock:
            self._quiet = 0 if scene.snapshot().hands else self._quiet + 1
            if self._quiet < QUIET_FRAMES:
                return OlympeakReading(frame.exposed_at, moving=True)
            seen = read(scene, self._table.people.players, frame.exposed_at, moving=False)
            seats = [int(each.what) for each in scene.things("player_card") if not each.held]
        return replace(seen, player_cards=tuple(sorted(seats)))


def watch_by_card_oracle(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
    """For `soak_game` and `running`."""
    assert isinstance(simulation.table, SimulatedOlympeak)
    oracle = CardOracle(simulation.table)
    return oracle, oracle
