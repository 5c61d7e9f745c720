"""A whole calibration of a table put together and wired wrongly, stopped in the middle: all comes out as it is."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.bench import Bench
from calibration.course import Course
from calibration.profile import TableProfile, load_profile, save_profile
from calibration.scoreboard import driving
from calibration.scoreboard.track import Track
from calibration.sequence import all_steps
from calibration.session import Phase, Session, View
from calibration.simulated import SimulatedTable
from calibration.step import Advice, Step
from calibration.steps.rings import RingsStep
from calibration.steps.scoreboard import ScoreboardStep
from calibration.wiring_profile import LANES, LIGHTS, SPACES, SwitchFault
from companion.games.olympeak.box import Table as Scoreboard
from companion.sensing.frames import Frame, Image
from companion.sensing.geometry import CameraPose
from companion.virtual.olympeak import layout
from firmware_bridge.controller import Controller
from firmware_bridge.limits import LANES_UM

SIZE = (1152, 648)


class Table:
    """One badly built table, and sittings at it, each with what the last one has kept."""

    def __init__(self, seed: int, file: Path) -> None:
        self.clock = 0.0
        self.file = file
        self.table = SimulatedTable(seed, lambda: self.clock, self._wait, SIZE, built=True)
        self.views: list[View] = []
        self.pulled_after = math.inf

    def sitting(self, controller: Controller, *, camera: bool = True) -> bool:
        """Somebody types calibrate all --yes, with the camera plugged in or not."""
        shorter: dict[str, Step] = {
            "rings": RingsStep(assemble=False, looks=2),
            "scoreboard": ScoreboardStep(trips=3),
        }
        steps = [shorter.get(step.name, step) for step in all_steps("simulated", assemble=False)]
        self.views = []
        profile = load_profile(self.file) if self.file.exists() else TableProfile()

        def bench(listen: Callable[[Advice, Frame | None], None]) -> Bench:
            return Bench(
                profile,
                camera=self.table.camera if camera else None,
                controller=controller,
                listen=listen,
                obey=self.table.obey,
                clock=lambda: self.clock,
                sleep=self._sleep,
            )

        async def play() -> bool:
            course = Course(steps, resume=True)
            session = Session(course, bench, show=self._show, save=self._save, unattended=True)
            return await session.run()

        return asyncio.run(play())

    def cubes_as_they_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The scoreboard is laid out and its cubes are seen where they truly are: hundreds of pictures are not drawn."""
        board = self.table.scoreboard
        board.lay()
        layout.set_cube(board.scene, "green", 20)
        picture = board.draw()
        monkeypatch.setattr(board, "draw", lambda: picture)
        monkeypatch.setattr(self.table.wires, "draw", lambda: picture)

        def track_of(image: Image, pose: CameraPose, table: Scoreboard) -> Track:
            return Track({t.what: t.pose.y for t in board.scene.things() if t.what in LANES}, 4)

        monkeypatch.setattr(driving, "track_of", track_of)
        self.table.camera.fps = 1.0

    @property
    def measured(self) -> list[str]:
        """The steps that were begun in this sitting."""
        return list(dict.fromkeys(view.name for view in self.views if view.phase is Phase.MEASURING))

    def _wait(self, seconds: float) -> None:
        self.clock += seconds

    async def _sleep(self, seconds: float) -> None:
        self.clock += seconds
        self.table.go_on(self.clock)
        await asyncio.sleep(0)

    def _show(self, view: View, frame: Frame | None) -> None:
        self.views.append(view)
        assert self.clock < 2000, f"no end: {view.advice and view.advice.text}"
        if len(view.kept) >= self.pulled_after and view.phase is Phase.MEASURING:
            raise KeyboardInterrupt

    def _save(self, bench: Bench) -> None:
        save_profile(self.file, bench.profile)


def test_a_whole_table_built_wrongly_is_learnt_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(seed=11, file=tmp_path / "table.toml")
    with table.table.wires.switched_on() as controller:
        table.pulled_after = 3
        with pytest.raises(KeyboardInterrupt):
            table.sitting(controller)
        assert table.measured[:3] == ["camera", "rings", "lights"]
        kept = load_profile(table.file)
        table.pulled_after = math.inf
        # Without its camera what needs none goes on; with it the rest, and nothing twice.
        assert table.sitting(controller, camera=False), [view.trouble for view in table.views]
        assert table.measured == ["reeds"]
        table.cubes_as_they_are(monkeypatch)
        assert table.sitting(controller), [view.trouble for view in table.views]
        assert table.measured == ["scoreboard"]
    assert kept.camera is not None
    assert table.views[0].course[0].measured_at == kept.camera.measured.at

    profile = load_profile(table.file)
    truth = table.table
    assert profile.camera == kept.camera
    optics = truth.scene.optics
    assert kept.camera.matrix[0][0] == pytest.approx(optics.matrix[0, 0], rel=0.01)
    assert profile.rings is not None
    lies = profile.rings.board_print()
    assert max(abs(ring.rotation_deg) for ring in truth.rings) > 2.5
    for number, ring in enumerate(truth.rings[:6], start=1):
        assert lies.of(number).rotation_deg == pytest.approx(ring.rotation_deg, abs=0.25)
        assert math.dist(lies.of(number).shift_mm, ring.shift_mm) < 0.6
    wiring = truth.wires.wiring
    assert profile.lights is not None
    for place, position in enumerate(wiring.leds[:97]):
        assert profile.lights.places[position] == LIGHTS[place]
    assert wiring.leds != tuple(range(105))
    assert profile.reeds is not None
    assert profile.reeds.spaces == tuple(SPACES[wiring.reeds.index(number)] for number in range(97))
    told = {fault: {bad.space for bad in profile.reeds.bad if bad.fault is fault} for fault in SwitchFault}
    assert told[SwitchFault.DEAD] == {SPACES[number] for number in wiring.dead}
    assert told[SwitchFault.STUCK] == {SPACES[number] for number in wiring.stuck}
    assert told[SwitchFault.WEAK] == {SPACES[number] for number in wiring.weak}
    assert profile.scoreboard is not None
    assert any(lane.turned for lane in wiring.lanes)
    for number, (name, truly) in enumerate(zip(LANES, wiring.lanes, strict=True)):
        lane = profile.scoreboard.lane_of(name)
        assert lane is not None
        assert lane.axis == truly.axis
        reached = truly.carriage_um(1000 * lane.asked_mm(0.0), LANES_UM[number]) / 1000
        assert reached == pytest.approx(0.0, abs=0.6)
