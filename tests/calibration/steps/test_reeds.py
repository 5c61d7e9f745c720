"""The switches at a simulated table that was wired wrongly: a miniature drawn over it teaches where each lies."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from calibration.board_sight import BoardSight
from calibration.places import Lies
from calibration.profile import TableProfile
from calibration.reeds import looking
from calibration.reeds.wand import Piece
from calibration.simulated import SimulatedTable
from calibration.simulated_wires import badly_wired
from calibration.steps.reeds import ReedsStep
from calibration.wiring_profile import SPACES, SwitchFault
from companion.games.above.box import Table
from companion.sensing.frames import Image
from firmware_bridge.names import LED_NAMES
from firmware_bridge.virtual_wiring import Wiring
from tests.calibration.wired_run import WiredRun

SMALL = (384, 216)


class Truth:
    """Sees the pieces where they truly are: pictures so small show no markers of pieces."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.run: WiredRun | None = None
        monkeypatch.setattr(looking, "pieces_on", self.pieces_on)

    def pieces_on(self, image: Image, sight: BoardSight, table: Table) -> tuple[Piece, ...]:
        assert self.run is not None
        scene = self.run.table.scene
        found = []
        for piece in scene.pieces():
            if piece.magnetic and piece.pose.z < 60 and (space := scene.space_at(piece.pose.x, piece.pose.y)):
                x, y, _ = scene.printed_centre(space)
                off = ((piece.pose.x - x) ** 2 + (piece.pose.y - y) ** 2) ** 0.5
                found.append(Piece(piece.marker, Lies(space, off), (piece.pose.x, piece.pose.y)))
        return tuple(found)


def check(run: WiredRun, wiring: Wiring) -> None:
    """Was everything learnt as it truly is?"""
    assert run.complete, run.trouble
    kept = run.profile.reeds
    assert kept is not None
    assert kept.spaces == tuple(SPACES[wiring.reeds.index(number)] for number in range(97))
    told = {fault: {bad.space for bad in kept.bad if bad.fault is fault} for fault in SwitchFault}
    assert told[SwitchFault.DEAD] == {SPACES[n] for n in wiring.dead}
    assert told[SwitchFault.STUCK] == {SPACES[n] for n in wiring.stuck}
    assert told[SwitchFault.WEAK] == {SPACES[n] for n in wiring.weak}
    assert told[SwitchFault.DOUBLED] == {SPACES[n] for _, n in wiring.doubled}
    assert told[SwitchFault.GHOSTING] == {SPACES[n] for n in wiring.no_diode}
    assert kept.distrusted == frozenset().union(*told.values())


def test_without_a_camera_each_space_is_asked_for_and_all_is_learnt() -> None:
    wiring = replace(badly_wired(random.Random(4)), doubled=((30, 36),))
    run = WiredRun(ReedsStep(), wiring, camera=False)
    check(run, wiring)
    assert run.said("Put any miniature on c4, alone on the board.")
    assert "the wires of columns e and h are exchanged" in run.outcome.summary
    assert "93 of 97 switches are good" in run.outcome.summary
    assert run.findings["diodes"]
    assert "never closes" in run.findings["dead: b3"]
    assert run.clock < 200


def test_markers_in_the_picture_tell_where_the_miniature_is() -> None:
    only = ("c4", "d4", "d5", "top")
    wiring = Wiring(
        reeds=tuple({20: 44, 44: 20}.get(n, n) for n in range(97)), weak=frozenset({LED_NAMES["d4"]})
    )
    known = TableProfile()
    run = WiredRun(ReedsStep(only), wiring, profile=known, size=(1152, 648))
    assert run.complete, run.trouble
    kept = run.profile.reeds
    assert kept is not None
    for space in only:
        assert kept.spaces[wiring.reeds[LED_NAMES[space]]] == space
    assert [bad.space for bad in kept.bad] == ["d4"]
    assert sum(map(bool, kept.spaces)) == 4
    assert run.said("Put any miniature on the lit space c4, or draw it over")


def test_drawn_over_the_board_with_tokens_on_it_the_miniature_finds_missing_diodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth = Truth(monkeypatch)

    def still(table: SimulatedTable) -> None:
        picture = table.wires.draw()
        monkeypatch.setattr(table.wires, "draw", lambda: picture)

    wiring = replace(badly_wired(random.Random(4)), no_diode=frozenset({LED_NAMES["d3"], LED_NAMES["m6"]}))
    run = WiredRun(ReedsStep(), wiring, size=SMALL, fps=3.0, begin=truth, prepare=still)
    check(run, wiring)
    assert run.said("lay a token on each lit space")
    assert "three pieces stand in a rectangle" in run.findings["ghosting: d3 and m6"]
    assert not any(what == "diodes" for what in run.findings)


def test_no_switch_that_closes_is_a_cable_and_refused() -> None:
    run = WiredRun(ReedsStep(), Wiring(dead=frozenset(range(97))), camera=False)
    assert not run.complete
    assert run.profile.reeds is None
    assert "No switch closes, wherever the miniature stands. Is the cable" in run.trouble


def test_a_mended_switch_is_learnt_anew_alone_and_the_others_stay() -> None:
    broken = Wiring(dead=frozenset({LED_NAMES["c4"]}), stuck=frozenset({LED_NAMES["h2"]}))
    before = WiredRun(ReedsStep(), broken, camera=False).profile
    assert before.reeds is not None and before.reeds.distrusted == {"c4", "h2"}
    run = WiredRun(ReedsStep(("c4",)), replace(broken, dead=frozenset()), camera=False, profile=before)
    assert run.complete
    assert run.profile.reeds is not None
    assert run.profile.reeds.spaces == before.reeds.spaces
    assert run.profile.reeds.distrusted == {"h2"}
