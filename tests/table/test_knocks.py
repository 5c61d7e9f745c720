"""A table that is knocked about while people play: through the whole service, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence

from companion.sensing.frames import Frame, FrameSource
from companion.sensing.reading import Reading
from companion.simulation import Simulation
from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan
from companion.soak.report import SoakReport
from companion.tables.above.simulated import SimulatedAbove
from companion.tables.catalogue import kit_for
from companion.tables.kit import Eyes, Kit
from companion.virtual.faults import Fault
from companion.virtual.scene import Scene
from tests.table.running import FEW_FRAMES_PER_S

# Seconds of table time: what happens when, and when it is put right.
KNOCKS = (
    (5.0, Fault.RING_SLIPS, True),
    (9.0, Fault.CAMERA_BUMPED, True),
    (12.0, Fault.BOARD_TURNED, True),
    (15.0, Fault.FRAME_MARKER_BUMPED, True),
    (22.0, Fault.RING_SLIPS, False),
    (24.0, Fault.FRAME_MARKER_BUMPED, False),
    (25.0, Fault.FRAME_MARKER_COVERED, True),
    (27.0, Fault.BOARD_TURNED, False),
    (29.0, Fault.CAMERA_BUMPED, False),
)


class Knocked:
    """A camera during whose pictures the table is knocked about."""

    simulated = True

    def __init__(
        self, camera: FrameSource, scene: Scene, knocks: Sequence[tuple[float, Fault, bool]]
    ) -> None:
        self.happened: list[Fault] = []
        self._camera = camera
        self._scene = scene
        self._knocks = list(knocks)

    @property
    def name(self) -> str:
        return self._camera.name

    @property
    def notice(self) -> str:
        return self._camera.notice

    def open(self) -> None:
        self._camera.open()

    def close(self) -> None:
        self._camera.close()

    def read(self, timeout_s: float) -> Frame:
        frame = self._camera.read(timeout_s)
        while self._knocks and self._knocks[0][0] <= frame.exposed_at:
            _, fault, active = self._knocks.pop(0)
            self._scene.set_fault(fault, active)
            self.happened.append(fault)
        return frame


class Overheard:
    """Sight, with what it has found kept."""

    def __init__(self, eyes: Eyes) -> None:
        self.told: dict[str, str] = {}
        self._eyes = eyes

    def process(self, frame: Frame) -> Reading:
        reading: Reading = self._eyes.process(frame)
        self.told |= {finding.key: finding.text for finding in reading.findings}
        return reading


def test_nobody_is_accused_of_what_an_elbow_did_and_every_knock_is_told() -> None:
    report = SoakReport()
    seen: list[tuple[Knocked, Overheard]] = []

    def watch(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
        table = simulation.table
        assert isinstance(table, SimulatedAbove)
        camera, eyes = Knocked(table.camera, table.scene, KNOCKS), Overheard(kit.eyes())
        seen.append((camera, eyes))
        return camera, eyes

    plan = SoakPlan(2, 21, illegal=0.2, turns=7)
    soak_game(kit_for("above"), plan, report, watch=watch, frames_per_s=FEW_FRAMES_PER_S)
    ((camera, eyes),) = seen
    assert len(camera.happened) == len(KNOCKS)
    assert report.incidents == []
    assert report.turns == 7
    assert (report.wrong_accepted, report.false_alarms, report.stuck) == (0, 0, 0)
    assert report.illegal_caught == report.illegal_shown
    assert eyes.told.keys() == {"ring-3-slipped", "board-pushed", "frame-marker-1"}
    assert eyes.told["ring-3-slipped"].startswith("Ring 3 has slipped 5.0°")
