"""Profiles of earlier versions are read as if they had been written today."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.profile import ProfileError, load_profile, save_profile
from calibration.profile_versions import VERSION, migrated

# As version 1 wrote it.
FIRST = """\
version = 1
name = "kitchen"
source = "picamera"

[camera]
matrix = [[1774.0, 0.0, 1158.0], [0.0, 1774.0, 643.0], [0.0, 0.0, 1.0]]
distortion = [-0.045, 0.0, 0.0, 0.0, 0.0]
width_px = 2304
height_px = 1296
lens_position = 1.6  # locked

[camera.measured]
at = 2026-05-01T18:30:00Z
how = "ChArUco, 12 views, 0.2 px"
"""


def test_version_1_is_read_and_becomes_today_s_when_it_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(FIRST)
    profile = load_profile(file)
    assert profile.camera is not None
    assert (profile.version, profile.camera.lens_position, profile.camera.width_px) == (VERSION, 1.6, 2304)
    save_profile(file, profile)
    assert f"version = {VERSION}" in file.read_text()
    assert load_profile(file) == profile
    assert file.with_name("table.toml.previous").read_text() == FIRST


@pytest.mark.parametrize("version", [0, -1, VERSION + 1, "1", 1.0, True, None])
def test_a_version_nobody_wrote_is_refused(version: object) -> None:
    with pytest.raises(ProfileError, match=f"this program reads versions 1 to {VERSION}"):
        migrated({"version": version})


def test_every_version_has_its_step() -> None:
    for version in range(1, VERSION + 1):
        data = {"version": version, "name": "kitchen"}
        assert migrated(data) == {"version": VERSION, "name": "kitchen"}
        assert data["version"] == version
