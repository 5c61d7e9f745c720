"""Games with the real firmware in the loop, in a simulated chip: as good as with the virtual controller."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from companion.simulation import NoSimulatedChipError, simulated_chip
from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from firmware_bridge.virtual_controller import VirtualController
from tests.bridge.simavr.chip import missing
from tests.installed import do_without


@pytest.fixture
def chip_needed() -> None:
    if reason := missing():
        do_without(reason)


def played(**options: Any) -> dict[str, object]:
    report = SoakReport()
    soak_game(kit_for("above"), SoakPlan(2, 2001, turns=4), report, watch=watch_by_readings, **options)
    assert report.incidents == []
    return report.as_json()


@pytest.mark.usefixtures("chip_needed")
def test_a_game_takes_the_same_course_as_with_the_virtual_controller() -> None:
    assert played(board=simulated_chip()) == played(board=VirtualController)


def test_without_a_source_tree_it_says_where_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tests.bridge.simavr.chip", None)
    with pytest.raises(NoSimulatedChipError, match="in the source tree"):
        simulated_chip()


def test_without_the_simulator_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bridge.simavr.chip.missing", lambda: "no simulated chip: run `apt install x`")
    with pytest.raises(NoSimulatedChipError, match="apt install x"):
        simulated_chip()
