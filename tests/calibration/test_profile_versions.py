"""Profiles of earlier versions are read as if they had been written today."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.profile import ProfileError, load_profile, save_profile
from calibration.profile_versions import VERSION, migrated

# As version 1 wrote it.
KEPT = Path(__file__).parents[1] / "data" / "profile"
FIRST = (KEPT / "v1.toml").read_text(encoding="utf-8")


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


def test_a_file_of_every_earlier_version_is_at_hand_and_is_read() -> None:
    files = {path.name: path for path in KEPT.glob("*.toml")}
    assert set(files) == {f"v{number}.toml" for number in range(1, VERSION)}
    for path in files.values():
        assert load_profile(path).version == VERSION
