"""Short soaks of what people do beside playing, of what goes wrong, and of tables without a camera."""

from __future__ import annotations

import pytest

from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan, Stage, StageError
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from tests.table.oracle import watch_by_oracle


@pytest.mark.parametrize(
    ("game", "plan"),
    [
        ("above", SoakPlan(2, 3, turns=6, sloppy=True, faults=True)),
        ("above", SoakPlan(2, 3, illegal=0.0, turns=4, stage=Stage.REEDS)),
        ("olympeak", SoakPlan(3, 3, turns=4, sloppy=True, faults=True, stage=Stage.CAMERA)),
    ],
)
def test_some_turns_of_every_mode(game: str, plan: SoakPlan) -> None:
    report = SoakReport()
    soak_game(kit_for(game), plan, report, watch=watch_by_oracle)
    assert report.incidents == []
    assert report.is_flawless
    assert report.turns == plan.turns
    assert bool(report.faults) == plan.faults
    assert bool(report.habits) == plan.sloppy


def test_cards_without_magnets_cannot_be_followed_by_reeds() -> None:
    with pytest.raises(StageError, match="no magnets"):
        soak_game(kit_for("olympeak"), SoakPlan(2, 1, stage=Stage.REEDS), SoakReport())
