"""A live session wired together: pictures from the source named, and what was kept stands in the profile."""

from __future__ import annotations

import io
import socket
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from rich.console import Console

from calibration.course import Course
from calibration.devices import DeviceChoiceError, named_source, open_devices
from calibration.live import LiveOptions, run_live
from calibration.profile import CameraProfile, Measured, TableProfile, load_profile, save_profile
from companion.sensing.sources.folder import FolderCamera
from companion.sensing.sources.wish import Wish
from tests.calibration.scripted import ScriptedStep, outcome

WHEN = datetime(2026, 4, 1, tzinfo=UTC)


def options(tmp_path: Path, **changes: object) -> LiveOptions:
    for n in range(2):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((36, 64, 3), 90 + n, np.uint8))
    return replace(LiveOptions(tmp_path / "table.toml", f"folder:{tmp_path}", yes=True), **changes)  # type: ignore[arg-type]


def test_what_is_good_is_kept_in_the_profile_and_told(tmp_path: Path) -> None:
    lines: list[str] = []
    assert run_live([ScriptedStep("one", looks=2)], options(tmp_path), lines.append)
    assert load_profile(tmp_path / "table.toml").name == "table one"
    assert lines[-1] == "Kept: one."


def test_what_is_not_good_enough_writes_nothing(tmp_path: Path) -> None:
    lines: list[str] = []
    step = ScriptedStep("one", (outcome(False),))
    assert not run_live([step], options(tmp_path, as_json=True), lines.append)
    assert not (tmp_path / "table.toml").exists()
    assert '"good": false' in lines[-2]


def test_a_real_controller_does_not_light_a_simulated_table() -> None:
    with pytest.raises(DeviceChoiceError, match="--source"), open_devices(TableProfile(), None, "auto", 1):
        pass


def test_without_a_terminal_the_page_leads_through_and_ends_with_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.live.new_code", lambda: "314159")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines: list[str] = []
    told = threading.Event()

    def write(line: str) -> None:
        lines.append(line)
        told.set()

    def press() -> None:
        told.wait(20)
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"X-Table-Code": "314159"}, timeout=20
        ) as page:
            for phase, key in (("intro", "go"), ("judged", "keep")):
                while (seen := page.get("/api/state").json())["phase"] != phase:
                    assert seen["phase"] != "ended"
                assert page.post("/api/press", json={"key": key}).json() == {"taken": True}

    monkeypatch.setattr("calibration.live.Console", lambda **options: Console(file=io.StringIO(), **options))
    asked = replace(options(tmp_path), yes=False, host="127.0.0.1", port=port)
    people = threading.Thread(target=press)
    people.start()
    try:
        assert run_live([ScriptedStep("one")], asked, write)
    finally:
        people.join(20)
    assert lines[0] == f"The page: http://127.0.0.1:{port}   its code: 314159"
    assert load_profile(tmp_path / "table.toml").name == "table one"


def test_a_simulated_table_and_a_real_one_are_never_mixed_up(tmp_path: Path) -> None:
    simulated, real = TableProfile(source="simulated"), TableProfile(source="usb")
    for profile, source in ((simulated, "usb"), (real, "simulated")):
        with (
            pytest.raises(DeviceChoiceError, match="name another file"),
            open_devices(profile, source, None, 1),
        ):
            pass
    file = tmp_path / "t.toml"
    with pytest.raises(DeviceChoiceError, match="Which table"):
        named_source(file, None, simulated=False)
    save_profile(file, TableProfile())
    with pytest.raises(DeviceChoiceError, match="Which table"):
        named_source(file, None, simulated=False)
    with pytest.raises(DeviceChoiceError, match="leave one out"):
        named_source(file, "usb", simulated=True)
    save_profile(file, real)
    assert named_source(file, None, simulated=False) is None
    assert named_source(file, "picamera", simulated=False) == "picamera"
    assert named_source(file, None, simulated=True) == "simulated"


@pytest.mark.parametrize(
    ("steps", "focus"),
    [
        ([ScriptedStep("rings")], 1.6),
        ([ScriptedStep("camera")], None),
        (Course([ScriptedStep("camera", at=WHEN), ScriptedStep("rings")], resume=True), 1.6),
        (Course([ScriptedStep("camera", at=WHEN), ScriptedStep("rings")], ["camera"], resume=True), None),
    ],
)
def test_the_focus_stays_where_the_lens_was_measured_unless_it_is_measured_anew(
    steps: list[ScriptedStep] | Course, focus: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes: list[Wish] = []

    def opened(setting: str, wish: Wish) -> FolderCamera:
        wishes.append(wish)
        return FolderCamera(tmp_path, lambda: 0.0)

    monkeypatch.setattr("companion.sensing.sources.opening.open_source", opened)
    asked = options(tmp_path, source="picamera")
    matrix = ((1774.0, 0.0, 1158.0), (0.0, 1774.0, 643.0), (0.0, 0.0, 1.0))
    lens = CameraProfile(
        matrix=matrix,
        distortion=(-0.045, 0.0, 0.0, 0.0, 0.0),
        width_px=2304,
        height_px=1296,
        lens_position=1.6,
        measured=Measured(at=WHEN, how="ChArUco live"),
    )
    save_profile(asked.file, TableProfile(source="picamera", camera=lens))
    run_live(steps, asked, lambda line: None)
    assert wishes == [Wish((2304, 1296), focus)]


def test_the_controller_that_was_named_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.devices.FIRST_WORD_S", 0.01)
    run_live([ScriptedStep("one")], options(tmp_path, controller="/dev/nothing-here"), lambda line: None)
    assert load_profile(tmp_path / "table.toml").port == "/dev/nothing-here"
