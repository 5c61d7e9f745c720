"""A live session wired together: pictures from the source named, and what was kept stands in the profile."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.devices import DeviceChoiceError, open_devices
from calibration.live import LiveOptions, run_live
from calibration.profile import TableProfile, load_profile
from tests.calibration.scripted import ScriptedStep, outcome


def options(tmp_path: Path, **changes: object) -> LiveOptions:
    for n in range(2):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((36, 64, 3), 90 + n, np.uint8))
    return LiveOptions(tmp_path / "table.toml", f"folder:{tmp_path}", yes=True, **changes)  # type: ignore[arg-type]


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
    assert '"good": false' in lines[-1]


def test_a_real_controller_does_not_light_a_simulated_table() -> None:
    with pytest.raises(DeviceChoiceError, match="--source"), open_devices(TableProfile(), None, "auto", 1):
        pass
