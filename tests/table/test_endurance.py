"""A short endurance run, and that what it is there to find would be found."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.referee.gap import UNSEEN_S
from companion.sensing.frames import CameraAbsent, Frame, FrameSource
from companion.sensing.reading import Reading
from companion.sensing.sources.watched import FROZEN_S, WatchedCamera
from companion.service import TableService
from companion.simulation import Simulation
from companion.soak import endurance, trouble
from companion.soak.endurance import GROWTH_BYTES, WARM_LOOKS, EnduranceReport, endure
from companion.soak.game import soak_game
from companion.soak.leaks import Leaks
from companion.soak.plan import SoakPlan
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.soak.unreliable import UnreliableCamera, UnreliableEyes
from companion.tables.catalogue import kit_for
from companion.tables.kit import Eyes, Kit
from companion.virtual.arm import BRISK
from tests.referee.keeping import journal_at, play_some
from tests.table.running import FEW_FRAMES_PER_S, only_mistake


def test_a_table_at_which_everything_goes_wrong_says_nothing_wrong_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trouble, "EVERY_S", (1.0, 4.0))
    monkeypatch.setattr(trouble, "LASTS_S", (0.5, 3.0))
    monkeypatch.setattr(endurance, "TURNS", (2, 3))
    monkeypatch.setattr(endurance, "LEISURELY", BRISK)
    hours: list[float] = []

    def step(so_far: EnduranceReport) -> None:
        hours.append(so_far.hours)

    report = endure(kit_for("above"), 2, 2, 0.008, watch=watch_by_readings, progress=step)
    assert report.soak.incidents == [] and report.left == report.soak.tasks_left == []
    assert report.lost == 0 and report.is_flawless
    assert report.runs >= 2 and hours == sorted(hours)
    assert report.troubles.total() >= 4 and len(report.troubles) >= 2
    assert report.as_json()["runs"] == report.runs


@pytest.mark.parametrize(
    ("waited", "lost"),
    [("nothing", 1), ("one more", 0), ("one more than is told", 1), ("another last one", 1)],
)
def test_what_is_lost_is_counted(tmp_path: Path, waited: str, lost: int) -> None:
    """A program that had announced a turn more than the files hold; `waited`: which had no room."""
    report = EnduranceReport()
    folder = tmp_path / "0"
    folder.mkdir()
    journal = journal_at(folder / "journal.db")
    play_some(journal, 3)
    kit = kit_for("above")
    run = endurance._Run(kit, "seed", report, folder / "journal.db")
    run._image = folder / "killed"
    run._image.mkdir()
    for path in folder.glob("journal.db*"):
        (run._image / path.name).write_bytes(path.read_bytes())
    run._announced = ("a turn that nobody wrote down",)
    if waited != "nothing":
        ((game, facts),) = endurance._facts_of(journal).items()
        more = replace(facts[-1], number=len(facts) + 1)
        run._facts = {game: [*facts[:-1], more] if waited == "another last one" else [*facts, more]}
        run._written = len(facts) + (waited == "one more than is told")
    journal.close()
    assert run.killed(tmp_path / "1") == tmp_path / "1" / "journal.db"
    assert report.lost == lost and report.is_flawless is not bool(lost)


@pytest.mark.parametrize(
    "report",
    [
        EnduranceReport(lost=1),
        EnduranceReport(memory_bytes=[0] * WARM_LOOKS + [10, 10 + GROWTH_BYTES]),
        EnduranceReport(left=["a thread"]),
        EnduranceReport(SoakReport(wrong_accepted=1)),
        EnduranceReport(SoakReport(false_alarms=1)),
        EnduranceReport(SoakReport(stuck=1)),
        EnduranceReport(SoakReport(illegal_shown=1)),
        EnduranceReport(SoakReport(tasks_left=["a task"])),
    ],
)
def test_each_kind_of_flaw_counts(report: EnduranceReport) -> None:
    assert not report.is_flawless


def test_a_thread_and_a_file_that_are_left_behind_are_named_once(tmp_path: Path) -> None:
    leaks = Leaks()
    ends = threading.Event()
    thread = threading.Thread(target=ends.wait, name="forgotten", daemon=True)
    with (tmp_path / "forgotten.txt").open("w"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.soak.leaks.END_S", 0.01)
        thread.start()
        assert leaks.found() == ["thread forgotten", f"file {tmp_path / 'forgotten.txt'}"]
        assert leaks.found() == []
        ends.set()
    thread.join()


def test_a_task_that_is_left_behind_is_named() -> None:
    report = SoakReport()
    forgotten: list[asyncio.Task[bool]] = []

    async def forget(*_: object) -> None:
        forgotten.append(asyncio.create_task(asyncio.Event().wait(), name="forgotten"))

    plan = SoakPlan(2, 5, illegal=0.0, turns=1)
    soak_game(kit_for("above"), plan, report, watch=watch_by_readings, beside=forget, threads=False)
    assert report.tasks_left == ["forgotten"]


def test_a_mistake_that_nobody_could_see_is_asked_back_and_is_not_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The camera goes whenever there is a hand over the table, for a while; and no light stands for a card."""
    only_mistake(monkeypatch, "a Spent card turned up")
    report = SoakReport()
    cameras: list[UnreliableCamera] = []

    def watch(kit: Kit, simulation: Simulation) -> tuple[FrameSource, Eyes]:
        camera, eyes = watch_by_readings(kit, simulation)
        cameras.append(UnreliableCamera(camera))
        return cameras[0], eyes

    async def away_with_hands(_: TableService, simulation: Simulation, *__: object) -> None:
        while True:
            cameras[0].gone = not simulation.people.hands_away
            await asyncio.sleep(2 * UNSEEN_S if cameras[0].gone else 0.1)

    plan = SoakPlan(2, 4, illegal=1.0, turns=3)
    soak_game(
        kit_for("above"), plan, report, watch=watch, beside=away_with_hands, frames_per_s=FEW_FRAMES_PER_S
    )
    assert report.illegal_put_back == report.illegal_shown > 0
    assert report.illegal_caught == 0 and report.is_flawless and report.incidents == []


class Still:
    """A camera that gives a picture every half second, no two alike."""

    name = "camera"
    simulated = True
    notice = ""

    def __init__(self) -> None:
        self.now = 0.0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        self.now += 0.5
        image = np.full((16, 16, 3), 100 + int(2 * self.now) % 2, np.uint8)
        return Frame(image, self.now, int(2 * self.now))


class Looks:
    """Eyes that number what they see."""

    count = 0

    def process(self, frame: Frame) -> Reading:
        self.count += 1
        return Reading(frame.exposed_at, frame=str(self.count))


def test_a_pulled_cable_one_that_is_held_and_a_driver_that_hangs() -> None:
    unreliable = UnreliableCamera(Still())
    camera = WatchedCamera(unreliable)
    eyes = UnreliableEyes(Looks())
    camera.open()
    first = eyes.process(camera.read(1.0))
    unreliable.stale = True
    frame = camera.read(1.0)
    old = eyes.process(frame)
    assert (old.frame, old.exposed_at) == (first.frame, frame.exposed_at)
    with pytest.raises(CameraAbsent, match="same picture"):
        for _ in range(int(FROZEN_S / 0.5) + 2):
            camera.read(1.0)
    # Opened anew it still has nothing new to show, and nothing old passes for it.
    camera.open()
    with pytest.raises(CameraAbsent, match="same picture"):
        camera.read(1.0)
    unreliable.stale, unreliable.gone = False, True
    for call in (camera.open, lambda: camera.read(1.0)):
        with pytest.raises(CameraAbsent, match="camera is"):
            call()
    unreliable.gone, unreliable.busy = False, True
    with pytest.raises(CameraAbsent, match="held by"):
        camera.open()
    unreliable.busy = False
    camera.open()
    assert eyes.process(camera.read(1.0)).frame == "2"
