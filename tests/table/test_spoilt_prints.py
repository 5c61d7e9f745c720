"""A game in which some prints cannot be read any more: played on through the whole service."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.sensing.cells import agreement
from companion.sensing.frames import Frame, FrameSource
from companion.sensing.grey import gray_of
from companion.sensing.reading import Reading
from companion.simulation import Simulation
from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan
from companion.soak.report import SoakReport
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.catalogue import kit_for
from companion.tables.kit import Eyes, Kit
from companion.virtual.scene import Scene
from tests.sensing.spoiled import blank
from tests.table.running import FEW_FRAMES_PER_S
from tests.table.test_knocks import Knocked

# From these seconds of table time on.
SINCE_S = 8.0
SPOILT = ("mini he", "mini ar", "mini ze", "token 16", "token 22", "token 28", "token 34")


class Spoiling(Knocked):
    """A camera for which some prints are blank, where nothing lies over them."""

    def __init__(self, camera: FrameSource, scene: Scene) -> None:
        super().__init__(camera, scene, ())

    def read(self, timeout_s: float) -> Frame:
        frame = super().read(timeout_s)
        if frame.exposed_at < SINCE_S:
            return frame
        image, gray = frame.image, gray_of(frame.image)
        for name in SPOILT:
            piece = self._scene.piece(name)
            corners = self._scene.optics.project(piece.marker_corners(self._scene.table))
            inside = corners.min() > 20 and (corners.max(axis=0) < np.array(gray.shape[::-1]) - 20).all()
            if inside and agreement(gray, corners.astype(np.float32), piece.marker) > 0.6:
                image = blank(image, corners)
        return replace(frame, picture=image)


class Counting:
    """Sight, with the settled looks counted in which a miniature was known by its colour."""

    def __init__(self, eyes: Eyes) -> None:
        self.by_colour = 0
        self._eyes = eyes

    def process(self, frame: Frame) -> Reading:
        reading: Reading = self._eyes.process(frame)
        self.by_colour += not reading.moving and any(not one.by_marker for one in reading.minis)
        return reading


def test_a_game_is_played_on_with_prints_that_nobody_can_read() -> None:
    report = SoakReport()
    seen: list[Counting] = []

    def watch(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
        table = simulation.table
        assert isinstance(table, SimulatedAbove)
        seen.append(Counting(kit.eyes()))
        return Spoiling(table.camera, table.scene), seen[0]

    plan = SoakPlan(2, 32, illegal=0.2, turns=6)
    soak_game(kit_for("above"), plan, report, watch=watch, frames_per_s=FEW_FRAMES_PER_S)
    assert seen[0].by_colour > 20
    assert report.incidents == []
    assert report.turns == 6
    assert (report.wrong_accepted, report.false_alarms, report.stuck) == (0, 0, 0)
    assert report.illegal_caught == report.illegal_shown
