"""Table profiles: kept safely, strict about keys, honest about when and how."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.profile import (
    CameraProfile,
    LensMismatch,
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
    crop_px=(0, 432, 4608, 1728),
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
        ("crop_px = [0,", "crop_px = [-1,", "crop_px must be"),
        ("version = 2", "version = 7", "version 7"),
        ("version = 2", "version = true", "version True"),
        ("version = 2", 'version = "2"', "version '2'"),
        ("version = 2", "version = = 2", "is not TOML"),
        pytest.param("version = 2", "version = " + "[" * 5000, "is not TOML", id="brackets without end"),
        pytest.param("version = 2", "version = " + "9" * 5000, "is not TOML", id="a number without end"),
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


def test_the_profile_before_is_offered_only_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("name = = 3")
    with pytest.raises(ProfileError, match="mend it, or delete it and calibrate"):
        load_profile(file)
    file.with_name("table.toml.previous").write_text("version = 2")
    with pytest.raises(ProfileError, match="put table.toml.previous back"):
        load_profile(file)


def test_an_owner_may_leave_everything_out(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('name = "garden"  # nothing measured yet\n')
    assert load_profile(file) == TableProfile(name="garden")


def test_the_lens_is_used_as_it_is_where_it_was_measured() -> None:
    assert LENS.lens_for((2304, 1296)) == (LENS.lens(), "")
    assert LENS.lens_for((2304, 1296), lens_position=1.65, crop_px=(0, 432, 4608, 1728)) == (LENS.lens(), "")


def test_another_resolution_of_the_same_shape_is_scaled_exactly_and_said() -> None:
    lens, said = LENS.lens_for((1152, 648))
    assert "2304 × 1296" in said
    assert "1152 × 648" in said
    # A pixel of the small picture is two by two of the large one; its centre lies between theirs.
    assert (lens.fx, lens.cx, lens.cy) == pytest.approx((887.0, 578.75, 321.25))
    assert lens.distortion == LENS.distortion


def test_another_shape_is_refused() -> None:
    with pytest.raises(LensMismatch, match=r"1280 × 960, another shape.*calibrate camera"):
        LENS.lens_for((1280, 960))


def test_another_part_of_the_sensor_is_converted_exactly() -> None:
    # The whole sensor at a quarter of its pixels: 2304 × 1728 binned twice is what was cropped before.
    lens, said = LENS.lens_for((1152, 864), crop_px=(0, 0, 4608, 3456))
    assert "another part of the sensor" in said
    assert lens.size == (1152, 864)
    # 1296 lines showed 1728 of the sensor's: their pixels were flatter than wide.
    sensor_cx, sensor_cy = (1158.5 * 2, 643.5 * 1728 / 1296 + 432)
    assert (lens.cx + 0.5, lens.cy + 0.5) == pytest.approx((sensor_cx / 4, sensor_cy / 4))
    assert lens.fx == pytest.approx(1774 / 2)


def test_another_focus_is_refused() -> None:
    with pytest.raises(LensMismatch, match=r"focus at 1\.60, the camera.s is at 2\.10"):
        LENS.lens_for((2304, 1296), lens_position=2.1)
    assert LENS.model_copy(update={"lens_position": None}).lens_for((2304, 1296), lens_position=2.1)
