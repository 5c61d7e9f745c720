"""The steps at a simulated table, whose owner does what he is advised: lens and rings come out as they truly are."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from calibration.bench import Bench
from calibration.gate import Judgement
from calibration.profile import CameraProfile, Measured, TableProfile
from calibration.report.drawings import UNCOVERED
from calibration.ring_lights import GREEN
from calibration.session import Phase, Session, View
from calibration.simulated import SimulatedTable
from calibration.step import Advice, Step
from calibration.steps.camera import CameraStep
from calibration.steps.rings import RingsStep
from companion.games.above.box import Board, Table
from companion.sensing.frames import Frame
from companion.sensing.sources.setting import Setting
from companion.virtual.scene import Ring


class Run:
    """One step at a simulated table, as fast as it can be computed."""

    def __init__(
        self,
        step: Step,
        seed: int,
        rings: tuple[Ring, ...] | None = None,
        fps: float = 5.0,
        size: tuple[int, int] = (2304, 1296),
        profile: TableProfile | None = None,
    ) -> None:
        self.clock = 0.0
        self.views: list[View] = []
        self.profile = profile or TableProfile()
        self.table = SimulatedTable(seed, lambda: self.clock, self._wait, size)
        self.table.camera.fps = fps
        if rings is not None:
            self.table.scene.build(rings)

        def bench(listen: Callable[[Advice, Frame | None], None]) -> Bench:
            return Bench(
                self.profile,
                camera=self.table.camera,
                lamps=self.table.lamps,
                listen=listen,
                obey=self.table.obey,
            )

        async def play() -> bool:
            session = Session([step], bench, show=self._show, save=self._save, unattended=True)
            return await session.run()

        self.complete = asyncio.run(play())

    def _wait(self, seconds: float) -> None:
        self.clock += seconds

    def _show(self, view: View, frame: Frame | None) -> None:
        self.views.append(view)
        if self.clock > 120:
            raise AssertionError(f"no end after two minutes: {view.advice and view.advice.text}")

    def _save(self, bench: Bench) -> None:
        self.profile = bench.profile

    def said(self, words: str) -> bool:
        return any(view.advice is not None and words in view.advice.text for view in self.views)


def test_following_the_advice_measures_the_lens() -> None:
    run = Run(CameraStep(source="simulated"), seed=5, size=(1152, 648))
    assert run.complete
    lens = run.profile.camera
    assert lens is not None
    optics = run.table.scene.optics
    assert lens.matrix[0][0] == pytest.approx(optics.matrix[0, 0], rel=0.005)
    assert abs(lens.matrix[0][2] - optics.matrix[0, 2]) < 0.005 * 1152
    assert abs(lens.matrix[1][2] - optics.matrix[1, 2]) < 0.005 * 1152
    assert run.profile.source == "simulated"
    assert lens.measured.how.startswith("ChArUco live, 8 views")
    judged = next(view for view in run.views if view.phase is Phase.JUDGED)
    assert all(finding.good for finding in judged.findings)
    assert judged.outcome is not None
    # All nine parts were covered, and the picture kept of it says so: not one is red.
    (kept,) = judged.outcome.pictures
    for y in (5, 324, 643):
        for x in (5, 560, 1147):
            assert tuple(kept.image[y, x]) != UNCOVERED
    told = {line for view in run.views if view.advice is not None for line in view.advice.lines}
    assert {"0 views taken", "1 view taken", "2 views taken"} <= told
    # Somebody who follows is done within a minute.
    assert run.clock < 60


def test_rings_laid_wrongly_are_brought_home_and_measured() -> None:
    table = Table(board=Board(rings=2))
    run = Run(RingsStep(table=table, looks=2), seed=9, fps=1.0, size=(1152, 648))
    assert run.complete
    assert run.said("lay it loosely")
    assert run.said("press it on")
    assert run.said("clockwise")
    for lie in run.table.rings:
        assert abs(lie.rotation_deg) < 0.7
        assert math.hypot(*lie.shift_mm) < 1.2
    assert run.profile.rings is not None
    measured = run.profile.rings.board_print()
    for number, lie in enumerate(run.table.rings, start=1):
        assert measured.of(number).rotation_deg == pytest.approx(lie.rotation_deg, abs=0.2)
        assert math.dist(measured.of(number).shift_mm, lie.shift_mm) < 0.5
    lights = [view.advice.lights for view in run.views if view.advice is not None and view.advice.lights]
    assert any(GREEN in pixels for pixels in lights)


def test_a_board_that_is_glued_already_is_only_measured() -> None:
    rings = (
        Ring(),
        Ring(3.1, (1.0, -2.0)),
        Ring(-2.4, (0.5, 0.5)),
        Ring(1.0, (-1.5, 0.2)),
        Ring(-3.7, (0.0, 2.5)),
        Ring(2.2, (1.1, 1.3)),
        Ring(),
    )
    run = Run(RingsStep(assemble=False, looks=2), seed=9, rings=rings, size=(1152, 648))
    assert run.complete
    assert run.profile.rings is not None
    told = run.profile.rings.board_print()
    for number, lie in enumerate(rings[:6], start=1):
        assert told.of(number).rotation_deg == pytest.approx(lie.rotation_deg, abs=0.2)
        assert math.dist(told.of(number).shift_mm, lie.shift_mm) < 0.5
    assert run.profile.rings.measured.how == "printed lines, 2 pictures"


@pytest.mark.parametrize(("stands", "kept"), [(1.63, True), (2.4, False)])
def test_rings_seen_through_another_focus_are_not_kept(
    stands: float, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.steps.rings.setting_of", lambda camera: Setting(stands))
    lens = CameraProfile(
        matrix=((887.0, 0.0, 576.0), (0.0, 887.0, 324.0), (0.0, 0.0, 1.0)),
        distortion=(-0.045, 0.0, 0.0, 0.0, 0.0),
        width_px=1152,
        height_px=648,
        lens_position=1.6,
        measured=Measured(at=datetime(2026, 4, 1, tzinfo=UTC), how="ChArUco live"),
    )
    step = RingsStep(table=Table(board=Board(rings=2)), assemble=False, looks=1)
    rings = (Ring(),) * 7
    run = Run(step, seed=9, rings=rings, size=(1152, 648), profile=TableProfile(camera=lens))
    assert (run.profile.rings is not None) is kept
    judged = next(view for view in run.views if view.phase is Phase.JUDGED)
    advice = [finding.advice for finding in judged.findings if finding.what == "lens"]
    assert advice == [] if kept else "another focus is another lens" in advice[0]


def test_a_ring_laid_a_whole_space_off_is_found_by_its_number_and_not_kept() -> None:
    # Its lines lie as those of a ring that is hardly turned.
    rings = (*(Ring(),) * 2, Ring(22.5 + 0.8), *(Ring(),) * 4)
    run = Run(RingsStep(assemble=False, looks=1), seed=9, rings=rings, size=(1152, 648))
    assert not run.complete
    judged = next(view for view in run.views if view.phase is Phase.JUDGED)
    north = next(finding for finding in judged.findings if finding.what == "numbers to the north")
    assert (north.judgement, north.seen) == (Judgement.BAD, "not ring 3")
    assert "lay it anew with its number to the north" in north.advice
    turned = next(finding for finding in judged.findings if finding.what.startswith("ring 3"))
    assert turned.good
    assert run.profile.rings is None
    assert judged.outcome is not None
    (picture,) = judged.outcome.pictures
    assert picture.image.shape == (648, 1152, 3)
