"""Camera and rays: through the lens and back, scaled lenses, camera files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.geometry import Camera, CameraFileError, load_camera
from companion.sensing.registration import tolerance_px
from tests.sensing.photos import camera, pose, truth


def test_the_truth_is_projected_where_the_truth_says() -> None:
    for marker in truth("05")["markers"]:
        np.testing.assert_allclose(pose("05").project(marker["corners_mm"]), marker["corners_px"], atol=0.02)


@given(x=st.floats(-380, 380), y=st.floats(-200, 200), z=st.floats(0, 60), name=st.sampled_from(["01", "05"]))
def test_a_ray_through_a_points_pixel_meets_the_point(x: float, y: float, z: float, name: str) -> None:
    there = pose(name)
    back = there.intersect(there.project([x, y, z]), z)
    np.testing.assert_allclose(back, [x, y, z], atol=0.02)


def test_the_camera_is_where_the_truth_says() -> None:
    np.testing.assert_allclose(pose("07").centre_mm, truth("07")["camera"]["centre_mm"], atol=0.01)


def test_a_step_in_mm_is_a_step_in_pixels() -> None:
    there = pose("01")
    step = there.px_per_mm([100.0, 50.0, 38.0])
    moved = there.project([101.0, 48.0, 38.0]) - there.project([100.0, 50.0, 38.0])
    np.testing.assert_allclose(step @ [1.0, -2.0], moved, atol=0.02)


def test_a_scaled_lens_sees_the_same_ray_in_the_scaled_pixel() -> None:
    lens = camera("05")
    half = lens.scaled_to((1152, 648))
    assert half.fx == lens.fx / 2
    # The picture's corner, half a pixel outside the first pixel's centre, stays the corner.
    assert (half.cx + 0.5) * 2 == pytest.approx(lens.cx + 0.5)
    assert lens.scaled_to(lens.size) is lens


def test_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="another shape"):
        camera("05").scaled_to((1280, 960))


def test_the_assumed_lens_is_the_reference_one() -> None:
    lens = Camera.assumed((2304, 1296))
    assert (lens.fx, lens.known) == (1774.0, False)
    assert Camera.assumed((1152, 648)).fx == 887.0


@given(st.integers(100, 8000), st.integers(100, 8000))
def test_the_lens_of_a_picture_on_its_side_is_the_same_one_turned(width: int, height: int) -> None:
    lens, turned = Camera.assumed((width, height)), Camera.assumed((height, width))
    assert (turned.fx, turned.fy, turned.cx, turned.cy) == (lens.fy, lens.fx, lens.cy, lens.cx)
    assert tolerance_px(turned) == tolerance_px(lens)


def write(folder: Path, data: object) -> Path:
    file = folder / "camera.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    return file


GOOD = {"matrix": [[1774, 0, 1158], [0, 1774, 643], [0, 0, 1]], "distortion": [-0.045, 0, 0, 0, 0]}


def test_a_camera_file_is_read_and_nothing_else_in_it(tmp_path: Path) -> None:
    lens = load_camera(write(tmp_path, {"camera": {**GOOD, "R": "nonsense"}, "size": "nonsense"}))
    assert (lens.fx, lens.cx, lens.size, lens.known) == (1774.0, 1158.0, (2304, 1296), True)


def test_a_lens_measured_at_half_the_size_says_so_by_its_centre(tmp_path: Path) -> None:
    half = {"matrix": [[887, 0, 578], [0, 887, 321], [0, 0, 1]], "distortion": [0] * 5}
    assert load_camera(write(tmp_path, {"camera": half})).size == (1152, 648)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("not json", "is not JSON"),
        ({}, "`camera` is missing"),
        ({"camera": {"distortion": [0] * 5}}, "`camera.matrix` is missing"),
        ({"camera": {"matrix": GOOD["matrix"], "distorsion": [0] * 5}}, "`camera.distorsion` meant"),
        ({"camera": {**GOOD, "matrix": [[1, 0], [0, 1]]}}, "`camera.matrix`"),
        ({"camera": {**GOOD, "matrix": "wide"}}, "`camera.matrix`"),
        ({"camera": {**GOOD, "matrix": [[0, 0, 1], [0, 0, 1], [0, 0, 1]]}}, "`camera.matrix`"),
        ({"camera": {**GOOD, "distortion": [0, 0, 0]}}, "`camera.distortion`"),
        ({"camera": {**GOOD, "distortion": [0, 0, 0, 0, None]}}, "`camera.distortion`"),
    ],
)
def test_a_bad_camera_file_names_the_wrong_key(tmp_path: Path, data: object, named: str) -> None:
    with pytest.raises(CameraFileError) as caught:
        load_camera(write(tmp_path, data))
    assert named in str(caught.value)
    assert "camera.json" in str(caught.value)


def test_a_missing_camera_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraFileError, match="nowhere.json"):
        load_camera(tmp_path / "nowhere.json")


@pytest.mark.parametrize(
    "size", [(1280, 720), (1366, 768), (3840, 2160), (640, 480), (4056, 3040), (2104, 1096)]
)
def test_a_lens_in_the_middle_of_a_picture_is_that_pictures(tmp_path: Path, size: tuple[int, int]) -> None:
    """The file does not say for which resolution it was measured; no common one may be rescaled unasked."""
    width, height = size
    matrix = [[0.77 * width, 0, width / 2 + 4], [0, 0.77 * width, height / 2 - 3], [0, 0, 1]]
    lens = load_camera(write(tmp_path, {"camera": {"matrix": matrix, "distortion": [0] * 5}})).scaled_to(size)
    assert (lens.fx, lens.cx, lens.cy, lens.size) == (0.77 * width, width / 2 + 4, height / 2 - 3, size)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"camera":{"matrix":[[1' + "0" * 400 + ',0,1],[0,1,1],[0,0,1]],"distortion":[0,0,0,0,0]}}',
    ],
)
def test_a_camera_file_of_any_bytes_is_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(CameraFileError, match="camera.json"):
        load_camera(write(tmp_path, text))
