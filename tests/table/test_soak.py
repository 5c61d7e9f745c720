"""Whole games on the simulated table: nothing wrong accepted, nobody accused falsely, nobody stuck."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import numpy as np
import pytest

from companion.games.above.action import Action
from companion.games.above.position import Position
from companion.referee.course import Course
from companion.referee.evidence import Evidence
from companion.referee.judging import judge
from companion.referee.session import Session
from companion.referee.verdict import Kind, Verdict
from companion.sensing.frames import Frame, FrameSource
from companion.sensing.olympeak.reading import OlympeakReading
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak.game import FRAMES_PER_S, Watch, soak_game, watch_by_sight
from companion.soak.gaps import Gaps
from companion.soak.plan import SoakPlan
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import UnknownGame, kit_for
from companion.tables.kit import Eyes, Kit
from companion.virtual.faults import Fault
from companion.virtual.tally import ALARM_S
from tests.referee.keeping import newest_game
from tests.table.running import FEW_FRAMES_PER_S

ABOVE = kit_for("above")


def assert_flawless(report: SoakReport) -> None:
    assert report.incidents == []
    assert (report.wrong_accepted, report.false_alarms, report.stuck) == (0, 0, 0)
    assert report.illegal_caught == report.illegal_shown


@pytest.mark.parametrize(("players", "seed"), [(2, 2001), (4, 7001)])
def test_whole_games_by_true_readings(players: int, seed: int) -> None:
    report = SoakReport()
    plan = SoakPlan(players, seed)
    soak_game(ABOVE, plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.turns > 5
    assert_flawless(report)


@pytest.mark.parametrize(("players", "rate"), [(2, FEW_FRAMES_PER_S), (4, FRAMES_PER_S)])
def test_some_turns_through_rendered_pictures(players: int, rate: float) -> None:
    report = SoakReport()
    plan = SoakPlan(players, 100 + players, turns=2)
    soak_game(ABOVE, plan, report, watch=watch_by_sight, frames_per_s=rate)
    assert report.turns == 2
    assert_flawless(report)
    assert report.latencies_s


@pytest.mark.parametrize("watch", [watch_by_readings])
def test_a_game_cut_off_at_any_turn_goes_on_where_it_was(tmp_path: Path, watch: Watch) -> None:
    """Each stage ends without any farewell, as when the process is killed; the next goes on from the file."""
    rng = random.Random(5)
    path = tmp_path / "journal.db"
    reached = 0
    for stage in range(5):
        report = SoakReport()
        soak_game(
            kit_for("above"),
            SoakPlan(2, 50 + stage, illegal=0.2, turns=rng.randint(1, 4)),
            report,
            watch=watch,
            journal=path,
            frames_per_s=FEW_FRAMES_PER_S,
        )
        assert_flawless(report)
        game = newest_game(path)
        assert game.is_open and game.id == 1
        assert len(game.turns) >= reached
        reached = len(game.turns)
    assert reached >= 5


def test_the_report_counts_what_is_wrong() -> None:
    """The guard of the tests above can fail, and the percentiles are those of what was measured."""
    report = SoakReport(
        wrong_accepted=1, latencies_s=[0.1, 6.0, 0.2, 0.3, 0.1], refusal_latencies_s=[6.0, 0.1]
    )
    assert report.as_json()["latency_ms"] == {"p50": 200.0, "p95": 300.0}
    assert report.as_json()["latency_of_turns_ms"] == {"p50": 200.0, "p95": 200.0}
    assert report.as_json()["latency_of_refusals_ms"] == {"p50": 100.0, "p95": 100.0}
    with pytest.raises(AssertionError):
        assert_flawless(report)


def test_who_has_to_object_has_overruled_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table believes a card Spent that is Powered: people lead it on, and that is no flawless game."""
    play = Course.play

    def misbelieve(course: Course, actions: tuple[Action, ...], after: Position) -> None:
        play(course, actions, after if course.turns else _with_card_spent(after))

    monkeypatch.setattr(Course, "play", misbelieve)
    report = SoakReport()
    plan = SoakPlan(2, 12, illegal=0.0, turns=4)
    soak_game(ABOVE, plan, report, watch=watch_by_readings, frames_per_s=FEW_FRAMES_PER_S)
    assert report.overruled == 1
    assert any("overruled: illegal" in text for text in report.incidents), report.incidents
    assert (report.questions, report.asked_by_rules) == (0, 0)
    assert not SoakReport(overruled=report.overruled).is_flawless
    assert report.as_json()["overruled"] == 1


def test_red_light_that_stays_when_all_is_put_right_is_a_false_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused rightly at first is the same verdict still, and no new one.

    Whoever could not see for an arm that all is right is told so later, and not let off.
    """
    refused: list[Verdict] = []

    def stubborn(session: Session, evidence: Evidence, now: float) -> Verdict:
        verdict = judge(session, evidence, now)
        refused.extend([verdict] if verdict.kind is Kind.ILLEGAL else [])
        return refused[0] if refused else verdict

    monkeypatch.setattr("companion.referee.watching.judge", stubborn)
    in_view_at = 0.0

    async def lay_an_arm(_: TableService, simulation: Simulation, *others: object) -> None:
        nonlocal in_view_at
        people = simulation.people
        while not people.tally.illegal_caught or people.showing_illegal:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.1)
        simulation.table.set_fault(Fault.HAND_LINGERS, True)
        await asyncio.sleep(5.0)
        simulation.table.set_fault(Fault.HAND_LINGERS, False)
        in_view_at = asyncio.get_running_loop().time()

    report = SoakReport()
    plan = SoakPlan(2, 12, illegal=1.0, turns=2)
    soak_game(
        ABOVE,
        plan,
        report,
        watch=watch_by_readings,
        frames_per_s=FEW_FRAMES_PER_S,
        beside=lay_an_arm,
    )
    assert (report.illegal_caught, report.false_alarms) == (1, 1)
    (told,) = (text for text in report.incidents if "still refused" in text)
    at = float(told.removeprefix("seed 12, ").split(" s: ")[0])
    assert at - in_view_at >= ALARM_S


def _with_card_spent(after: Position) -> Position:
    minis, tokens, hands, turn, players = str(after).split()
    mine, *others = hands.split("/")
    return Position.parse(
        " ".join((minis, tokens, "/".join((mine.rpartition(".")[0], *others)), turn, players))
    )


def test_time_without_pictures_is_no_slowness() -> None:
    class Blank:
        def process(self, frame: Frame) -> float:
            return frame.exposed_at

    gaps = Gaps(Blank(), 0.1)
    image = np.zeros((1, 1, 3), np.uint8)
    for number, at in enumerate((0.0, 0.1, 0.2, 0.8, 0.85, 0.95, 1.45)):
        assert gaps.process(Frame(image, at, number)) == at
    assert gaps.within(0.0, 0.25) == 0.0
    assert gaps.within(0.5, 1.0) == pytest.approx(0.3)
    assert gaps.within(0.0, 9.0) == pytest.approx(0.5 + 0.4)


class Noting:
    """Sight, with the places noted on which it has seen each cube."""

    def __init__(self, eyes: Eyes) -> None:
        self.places: dict[str, set[int]] = {}
        self._eyes = eyes

    def process(self, frame: Frame) -> OlympeakReading:
        reading: OlympeakReading = self._eyes.process(frame)
        for cube in reading.cubes:
            self.places.setdefault(cube.contender, set()).add(cube.place)
        return reading


def test_turns_of_olympeak_through_rendered_pictures_with_cubes_that_move_by_themselves() -> None:
    """Of five players; two play in `tests.tables.test_catalogue`, by the deck of its owner.

    Through the whole way: the turn's end, commands on the wire, carriages, cubes in the picture.
    """
    report = SoakReport()
    noted: list[Noting] = []

    def watch(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
        camera, eyes = watch_by_sight(kit, simulation)
        noted.append(Noting(eyes))
        return camera, noted[0]

    plan = SoakPlan(5, 205, illegal=0.0, motors=True, turns=2)
    soak_game(kit_for("olympeak"), plan, report, watch=watch, frames_per_s=FEW_FRAMES_PER_S)
    assert report.turns == 2
    assert_flawless(report)
    # Home, where it begins, and where a turn has brought it.
    assert any(len(places) > 2 for places in noted[0].places.values()), noted[0].places


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [("above", 3, "2 or 4"), ("olympeak", 7, "2, 3, 4, 5 or 6"), ("chess", 2, "Known: above, olympeak")],
)
def test_what_nobody_can_play_is_said(game: str, players: int, said: str) -> None:
    with pytest.raises(UnknownGame, match=said):
        kit_for(game, players)
