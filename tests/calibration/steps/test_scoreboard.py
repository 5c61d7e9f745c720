"""The scoreboard at a simulated table whose lanes were mounted wrongly: driven, seen, learnt or refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from calibration.scoreboard import driving
from calibration.scoreboard.track import Track
from calibration.simulated import SimulatedTable
from calibration.steps.scoreboard import ScoreboardStep
from calibration.wiring_profile import LANES
from companion.games.olympeak.box import Table
from companion.sensing.frames import Image
from companion.sensing.geometry import CameraPose
from companion.virtual.olympeak import layout
from firmware_bridge.faults import Fault
from firmware_bridge.limits import LANES_UM
from firmware_bridge.virtual_wiring import LaneWiring, Wiring
from tests.calibration.wired_run import WiredRun

TRIPS = 4


def wired(**changes: LaneWiring) -> Wiring:
    """Lanes as drawn, but for those that are named by what they carry."""
    return Wiring(lanes=tuple(changes.get(name, LaneWiring(axis)) for axis, name in enumerate(LANES)))


class Truth:
    """Sees the cubes where they truly are, in a picture that never changes."""

    run: WiredRun | None = None

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.hidden: tuple[str, ...] = ()
        monkeypatch.setattr(driving, "track_of", self.track_of)

    def still(self, table: SimulatedTable) -> None:
        table.scoreboard.lay()
        # Where every carriage passes that runs north from where it stands at first.
        layout.set_cube(table.scoreboard.scene, "green", 20)
        picture = table.scoreboard.draw()
        self._monkeypatch.setattr(table.scoreboard, "draw", lambda: picture)
        self._monkeypatch.setattr(table.wires, "draw", lambda: picture)

    def track_of(self, image: Image, pose: CameraPose, table: Table) -> Track:
        assert self.run is not None
        things = self.run.table.scoreboard.scene.things()
        return Track({t.what: t.pose.y for t in things if t.what in LANES and t.what not in self.hidden}, 4)


Drive = Callable[..., WiredRun]


@pytest.fixture
def drive(monkeypatch: pytest.MonkeyPatch) -> Drive:
    """Runs the step with this wiring."""
    truth = Truth(monkeypatch)

    def run(
        wiring: Wiring,
        prepare: Callable[[SimulatedTable], None] = lambda table: None,
        hidden: tuple[str, ...] = (),
    ) -> WiredRun:
        def both(table: SimulatedTable) -> None:
            truth.still(table)
            prepare(table)

        truth.hidden = hidden
        return WiredRun(
            ScoreboardStep(TRIPS), wiring, size=(768, 432), fps=1.0, limit_s=1500.0, prepare=both, begin=truth
        )

    return run


def test_exchanged_plugs_turned_lanes_and_other_endstops_are_learnt(drive: Drive) -> None:
    wiring = wired(
        blue=LaneWiring(1, turned=True, endstop_north=True, off_um=-800),
        green=LaneWiring(0, off_um=1500),
        white=LaneWiring(3, scale=1.6, off_um=-3000),
    )
    run = drive(wiring)
    assert run.complete, (run.trouble, run.findings)
    kept = run.profile.scoreboard
    assert kept is not None
    for number, (name, truly) in enumerate(zip(LANES, wiring.lanes, strict=True)):
        lane = kept.lane_of(name)
        assert lane is not None and lane.axis == truly.axis
        south, north = (end / 1000 for end in LANES_UM[number])
        for wanted in (south + 4, 0.0, north - 4):
            reached = truly.carriage_um(1000 * lane.asked_mm(wanted), LANES_UM[number]) / 1000
            assert reached == pytest.approx(wanted, abs=0.5)
    assert "axis 1 (Y) moves the blue cube" in run.outcome.summary
    assert "the blue cube is mounted the other way round" in run.outcome.summary
    assert "1.600 mm for 1 mm" in [finding.seen for finding in run.outcome.findings]
    assert set(run.findings) == {"the white cube: steps"}


@pytest.mark.parametrize(
    ("wiring", "what", "advice"),
    [
        (
            wired(green=LaneWiring(1, turned=True)),
            "axis 1 (Y), the green cube: its end",
            "turn the motor's plug round",
        ),
        (wired(red=LaneWiring(2, scale=0.5)), "the red cube: reach", "program the controller anew"),
        (wired(blue=LaneWiring(0, lost_um=600)), "the blue cube: lost steps", "raise the driver's current"),
        (wired(white=LaneWiring(3, scale=0.0)), "Axis 3 (E0)", "is its motor plugged in"),
    ],
)
def test_a_lane_that_is_off_is_refused_with_what_to_do(
    drive: Drive, wiring: Wiring, what: str, advice: str
) -> None:
    run = drive(wiring)
    assert not run.complete
    assert run.profile.scoreboard is None
    # Not told twice alike: a carriage that has run away from its end does not move the second time.
    told = [
        finding for view in run.views for finding in view.findings if finding.what.lower() == what.lower()
    ]
    assert advice in told[0].advice


def test_an_inverted_endstop_is_named_as_such(drive: Drive) -> None:
    run = drive(
        wired(),
        lambda table: table.wires.controller.inject(Fault.ENDSTOP_INVERTED, axes=frozenset({2})),
    )
    assert not run.complete
    (advice,) = [said for what, said in run.findings.items() if what.startswith("Axis 2")]
    assert "move its wire to the switch's NO contact" in advice


def test_an_emergency_stop_ends_it_in_words(drive: Drive) -> None:
    run = drive(wired(), lambda table: table.wires.controller.press_emergency())
    assert not run.complete
    assert "The emergency stop" in run.trouble


def test_what_is_not_laid_out_is_asked_for(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "PATIENCE_S", 3.0)
    run = drive(wired(), hidden=("red", "round"))
    assert not run.complete
    assert run.said("Lay out what is not seen yet: the red cube, the round marker on their lanes.")
    assert "The camera does not see the red cube, the round marker on their lanes" in run.trouble
