"""`calibrate all`: goes on where it was stopped, and says how."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import TableProfile, load_profile, save_profile
from tests.calibration.running import run
from tests.calibration.scripted import ScriptedStep, outcome


class Measured(ScriptedStep):
    """Done once the profile is called so."""

    def measured_at(self, profile: TableProfile) -> datetime | None:
        return datetime(2026, 1, 1, tzinfo=UTC) if self.name in profile.name else None


def test_a_failure_keeps_what_was_good_and_the_next_start_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((36, 64, 3), 90, np.uint8))
    good, bad = Measured("camera"), Measured("rings", (outcome(False), outcome(False), outcome(name="rings")))
    monkeypatch.setattr("calibration.commands.all.all_steps", lambda source, assemble: (good, bad))
    file = tmp_path / "my.toml"
    arguments = ("all", file, "--source", f"folder:{tmp_path}", "--yes")
    status, out, err = run(*arguments)
    assert status == 1
    assert f"go on with: calibrate all {file} --source folder:{tmp_path}" in err
    assert load_profile(file).name == "my camera"
    status, out, err = run(*arguments)
    assert status == 0
    assert (good.begun, bad.begun) == (1, 3)
    assert f"companion play above --profile {file}" in err
    assert "Kept: rings." in out
    status, out, _ = run(*arguments)
    assert (status, out.strip()) == (0, "Everything was measured already.")
    status, out, _ = run(*arguments, "--json", "--redo", "camera")
    assert (status, out.count('"step": "camera"'), good.begun) == (0, 1, 2)


def test_a_step_there_is_none_of_is_named(tmp_path: Path) -> None:
    save_profile(tmp_path / "t.toml", TableProfile())
    status, _, err = run("all", tmp_path / "t.toml", "--simulated", "--yes", "--redo", "ringss")
    assert status == 1
    assert "--redo ringss: there is no such step; they are camera, rings" in err


def test_nothing_fitted_is_said_and_where_nothing_can_be_written_nothing_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Measured("camera")
    monkeypatch.setattr("calibration.commands.all.all_steps", lambda source, assemble: (step,))
    status, out, err = run("all", tmp_path / "t.toml", "--source", "none", "--controller", "none", "--yes")
    assert status == 0
    assert "This table has no camera: this is left out." in out
    assert "Nothing is fitted that could be measured." in out
    assert err == ""
    (tmp_path / "file").write_text("")
    status, _, err = run("all", tmp_path / "file" / "t.toml", "--simulated", "--yes")
    assert (status, step.begun) == (1, 0)
    assert "cannot be written" in err
