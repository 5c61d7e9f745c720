"""A short endurance run, and that what it is there to find would be found."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from companion.sensing.frames import CameraAbsent, Frame
from companion.sensing.reading import Reading
from companion.soak import endurance
from companion.soak.endurance import (
    GROWTH_BYTES,
    STALE_S,
    EnduranceReport,
    UnreliableCamera,
    UnreliableEyes,
    endure,
)
from companion.soak.readings.watching import watch_by_readings
from companion.soak.report import SoakReport
from companion.tables.catalogue import kit_for
from tests.referee.keeping import journal_at, play_some


def test_a_table_at_which_everything_goes_wrong_says_nothing_wrong_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(endurance, "EVERY_S", (1.0, 4.0))
    monkeypatch.setattr(endurance, "LASTS_S", (0.5, 3.0))
    monkeypatch.setattr(endurance, "TURNS", (2, 3))
    hours: list[float] = []
    report = endure(kit_for("above"), 2, 2, 0.008, watch=watch_by_readings, progress=hours.append)
    assert report.soak.incidents == [] and report.left == []
    assert report.lost == 0 and report.is_flawless
    assert report.runs >= 2 and hours == sorted(hours)
    assert report.troubles.total() >= 4 and len(report.troubles) >= 2
    assert report.as_json()["runs"] == report.runs


def test_what_is_lost_is_counted(tmp_path: Path) -> None:
    """A program that had announced a turn more than the files hold."""
    report = EnduranceReport()
    folder = tmp_path / "0"
    folder.mkdir()
    journal = journal_at(folder / "journal.db")
    play_some(journal, 3)
    kit = kit_for("above")
    run = endurance._Run(kit, random.Random(1), report, folder / "journal.db")
    run._image = folder / "killed"
    run._image.mkdir()
    for path in folder.glob("journal.db*"):
        (run._image / path.name).write_bytes(path.read_bytes())
    run._announced = ("a turn that nobody wrote down",)
    journal.close()
    assert run.killed(tmp_path / "1") == tmp_path / "1" / "journal.db"
    assert report.lost == 1 and not report.is_flawless


@pytest.mark.parametrize(
    "report",
    [
        EnduranceReport(lost=1),
        EnduranceReport(growth_bytes=GROWTH_BYTES),
        EnduranceReport(left=["a thread"]),
        EnduranceReport(SoakReport(wrong_accepted=1)),
        EnduranceReport(SoakReport(false_alarms=1)),
    ],
)
def test_each_kind_of_flaw_counts(report: EnduranceReport) -> None:
    assert not report.is_flawless


class Still:
    """A camera that gives a picture every half second."""

    name = "camera"
    simulated = True
    notice = ""

    def __init__(self) -> None:
        self.now = 0.0

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        self.now += 0.5
        return Frame(np.zeros((2, 2, 3), np.uint8), self.now, int(2 * self.now))


class Looks:
    """Eyes that number what they see."""

    count = 0

    def process(self, frame: Frame) -> Reading:
        self.count += 1
        return Reading(frame.exposed_at, frame=str(self.count))


def test_a_pulled_cable_and_a_driver_that_hangs() -> None:
    camera = UnreliableCamera(Still())
    eyes = UnreliableEyes(Looks(), camera)
    camera.open()
    first = eyes.process(camera.read(1.0))
    camera.stale = True
    frame = camera.read(1.0)
    old = eyes.process(frame)
    assert (old.frame, old.exposed_at) == (first.frame, frame.exposed_at)
    with pytest.raises(CameraAbsent, match="frozen"):
        for _ in range(int(STALE_S / 0.5) + 2):
            camera.read(1.0)
    camera.stale, camera.gone = False, True
    for call in (camera.open, lambda: camera.read(1.0)):
        with pytest.raises(CameraAbsent, match="camera is"):
            call()
    camera.gone = False
    camera.open()
    assert eyes.process(camera.read(1.0)).frame == "2"
