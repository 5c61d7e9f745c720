"""The commands that learn the wiring: by their names, from the simulated table to the profile."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import TableProfile, load_profile, save_profile
from calibration.profile_base import Measured
from calibration.wiring_profile import (
    LIGHTS,
    SPACES,
    BadSwitch,
    LaneProfile,
    LightsProfile,
    ReedsProfile,
    ScoreboardProfile,
    SwitchFault,
)
from tests.calibration.running import run

MEASURED = Measured(at=datetime(2026, 1, 1, tzinfo=UTC), how="test")


@pytest.mark.parametrize("command", ["lights", "reeds", "scoreboard"])
def test_help_shows_examples(command: str) -> None:
    assert "Examples" in run(command, "--help")[1]


def test_a_space_there_is_none_of_is_said() -> None:
    status, _, err = run("reeds", "--only", "q9")
    assert (status, err) == (1, "calibrate: --only q9: there is no such space; they are a1 to p6, and top.")


def test_a_table_without_a_controller_is_told_that_it_has_none(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((36, 64, 3), 90, np.uint8))
    for command in ("lights", "reeds", "scoreboard"):
        file = tmp_path / "t.toml"
        _, out, _ = run(command, "--source", f"folder:{tmp_path}", "--yes", "--save", file)
        assert "This table has no" in out
        assert not file.exists()


def test_a_single_switch_is_learnt_without_a_camera(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    status, out, err = run(
        "reeds", "--no-camera", "--only", "c4", "--source", "simulated", "--json", "--save", file
    )
    assert status == 0, (out, err)
    said, ended = (json.loads(line) for line in out.splitlines())
    assert said["good"] and "1 of 1 switches are good" in said["summary"]
    assert ended["kept"] == ["reeds"]
    kept = load_profile(file).reeds
    assert kept is not None and [space for space in kept.spaces if space] == ["c4"]


def test_show_tells_how_the_controller_is_wired(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    save_profile(file, TableProfile())
    assert run("profile", "show", file)[1].count("not measured: as drawn") == 3
    bad = BadSwitch(space="c4", fault=SwitchFault.STUCK, trust=0.0)
    lane = LaneProfile(carries="blue", axis=1, scale=-1.0)
    save_profile(
        file,
        TableProfile(
            lights=LightsProfile(measured=MEASURED, places=LIGHTS, dark=("d5",)),
            reeds=ReedsProfile(measured=MEASURED, spaces=SPACES, bad=(bad,)),
            scoreboard=ScoreboardProfile(measured=MEASURED, lane=(lane,)),
        ),
    )
    out = run("profile", "show", file)[1]
    assert "lights  measured 2026-01-01 00:00 (test); dark: d5" in out
    assert "not believed: c4" in out
    assert "blue by axis 1 × -1.000" in out
