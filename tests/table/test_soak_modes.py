"""Short soaks of what people do beside playing, of what goes wrong, and of tables without a camera."""

from __future__ import annotations

import pytest

from companion.soak.game import soak_game
from companion.soak.plan import SoakPlan, Stage, StageError
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from companion.virtual.faults import Fault
from companion.virtual.habits import Habit
from tests.table.running import FEW_FRAMES_PER_S


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
    soak_game(kit_for(game), plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.incidents == []
    assert report.is_flawless
    assert report.turns == plan.turns
    assert bool(report.faults) == plan.faults
    assert bool(report.habits) == plan.sloppy


# What can be done at any time; the others need a token that is to be laid or taken off.
AT_ANY_TIME = frozenset(Habit) - {
    Habit.TAKES_LATE,
    Habit.FORGETS_TOKEN,
    Habit.STARTS_EARLY,
    Habit.WRONG_PLAYER,
}


@pytest.mark.parametrize("habit", list(Habit), ids=lambda habit: habit.value)
def test_a_habit_is_never_taken_for_a_move(habit: Habit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does it every turn plays on all the same."""
    monkeypatch.setattr("companion.tables.above.simulated.SLOPPY", {habit: 1.0})
    report = SoakReport()
    # Under a covered camera two turns are played at once.
    turns = 3 if habit is Habit.COVERS_CAMERA else 1
    plan = SoakPlan(2, 11, illegal=0.0, turns=turns, sloppy=True)
    soak_game(kit_for("above"), plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.incidents == []
    assert report.is_flawless
    assert habit not in AT_ANY_TIME or report.habits[habit.value]


QUIET = {"MISREAD_SHARE": 0.0, "DROP_EVERY_S": (1e6, 1e6), "LINGER_EVERY_S": (1e6, 1e6), "BROKEN": {}}


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [
        ("ids_misread", "MISREAD_SHARE", 0.02),
        ("frames_dropped", "DROP_EVERY_S", (1.0, 2.0)),
        ("hand_lingers", "LINGER_EVERY_S", (2.0, 4.0)),
        ("reed_open", "BROKEN", {Fault.REED_OPEN: 12}),
        ("reed_stuck", "BROKEN", {Fault.REED_STUCK: 8}),
        ("reed_weak", "BROKEN", {Fault.REED_WEAK: 12}),
    ],
)
def test_a_fault_alone_is_survived(
    name: str, setting: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant, nothing in (QUIET | {setting: value}).items():
        monkeypatch.setattr(f"companion.soak.faults.{constant}", nothing)
    report = SoakReport()
    soak_game(
        kit_for("above"),
        SoakPlan(2, 12, turns=2, faults=True),
        report,
        watch=watch_by_readings,
        frames_per_s=FEW_FRAMES_PER_S,
    )
    assert report.incidents == []
    assert report.is_flawless
    assert [fault for fault, count in report.faults.items() if count] == [name]


def test_cards_without_magnets_cannot_be_followed_by_reeds() -> None:
    with pytest.raises(StageError, match="no magnets"):
        soak_game(kit_for("olympeak"), SoakPlan(2, 1, stage=Stage.REEDS), SoakReport())
