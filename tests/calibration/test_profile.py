"""Table profiles: kept safely, strict about keys, honest about when and how."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from calibration.profile import (
    CameraProfile,
    Measured,
    ProfileError,
    TableProfile,
    load_profile,
    rings_profile,
    save_profile,
)
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose

WHEN = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)
RINGS = BoardPrint(
    {2: RingPose(2, 3.75, (-2.19, -1.07), 0.02, 0.06), 1: RingPose(1, 0.0, (0.0, 0.0), 0.02, 0.06)}
)
LENS = CameraProfile(
    matrix=((1774.0, 0.0, 1158.0), (0.0, 1774.0, 643.0), (0.0, 0.0, 1.0)),
    distortion=(-0.045, 0.0, 0.0, 0.0, 0.0),
    width_px=2304,
    height_px=1296,
    lens_position=1.6,
    measured=Measured(at=WHEN, how="ChArUco, 12 views, 0.2 px"),
)
FULL = TableProfile(
    name="kitchen",
    source="picamera",
    port="/dev/olympus-table",
    camera=LENS,
    rings=rings_profile(RINGS, WHEN, "printed lines in table.jpg"),
)


def test_a_profile_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "table.toml"
    save_profile(file, FULL)
    assert load_profile(file) == FULL
    assert load_profile(file).rings is not None
    save_profile(file, TableProfile())
    assert load_profile(file) == TableProfile()
    assert load_profile(file.with_name("table.toml.previous")) == FULL
    assert not file.with_name("table.toml.new").exists()


def test_sight_gets_lens_and_rings() -> None:
    lens = LENS.lens()
    assert (lens.fx, lens.cy, lens.size, lens.known) == (1774.0, 643.0, (2304, 1296), True)
    assert FULL.rings is not None
    assert FULL.rings.board_print().of(2) == RINGS.of(2)


def test_a_disk_that_fails_leaves_the_old_profile(tmp_path: Path, mocker: MockerFixture) -> None:
    file = tmp_path / "table.toml"
    save_profile(file, FULL)
    mocker.patch.object(os, "fsync", side_effect=OSError(28, "No space left on device"))
    with pytest.raises(ProfileError, match="No space left"):
        save_profile(file, TableProfile())
    assert load_profile(file) == FULL


def text_of(tmp_path: Path) -> tuple[Path, str]:
    file = tmp_path / "table.toml"
    save_profile(file, FULL)
    return file, file.read_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name =", "nmae =", "`nmae` is no key of a table profile; is `name` meant?"),
        ("width_px", "widht_px", "`camera.widht_px` is no key of a table profile; is `width_px` meant?"),
        ("rotation_deg = 3.75", "rotation_rad = 3.75", "is `rotation_deg` meant?"),
        ("how = ", "hwo = ", "is `how` meant?"),
        ("rotation_deg = 3.75", 'rotation_deg = "much"', "rotation_deg"),
        ("rotation_deg = 3.75", "rotation_deg = 99.0", "rotation_deg"),
        ("ring = 2", "ring = 1", "ring 1 is given twice"),
        ("width_px = 2304", "width_px = 800", "must lie inside the picture"),
        ("version = 1", "version = 7", "version 7"),
        ("version = 1", "version = = 1", "is not TOML"),
    ],
)
def test_a_wrong_profile_names_what_is_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    file, text = text_of(tmp_path)
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ProfileError) as caught:
        load_profile(file)
    assert said in str(caught.value)
    assert "table.toml" in str(caught.value)


def test_a_missing_profile_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="none.toml: cannot be read"):
        load_profile(tmp_path / "none.toml")


def test_an_owner_may_leave_everything_out(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('name = "garden"  # nothing measured yet\n')
    assert load_profile(file) == TableProfile(name="garden")
