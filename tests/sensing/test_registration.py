"""The camera's pose from the frame markers: exact, voted, never mirrored, refused when badly fixed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.games.above.box import Table
from companion.sensing.geometry import Camera
from companion.sensing.grey import gray_of
from companion.sensing.markers import Gray, Marker, detect
from companion.sensing.registration import Registration, Unregistered, marker_square, register, solve_pose
from tests.sensing.photos import NAMES, camera, photo, pose, truth

# A picture without edges: corners are taken as they are given.
FLAT: Gray = np.full((1296, 2304), 128, np.uint8)


def frame_markers(name: str, noise_px: float = 0.0, **moved_mm: tuple[float, float]) -> list[Marker]:
    """The frame markers as the true camera sees them, some moved (`m2=(5, 0)`) on the table."""
    rng = np.random.default_rng(3)
    seen = []
    for number, x, y in Table().frame_centres_mm:
        dx, dy = moved_mm.get(f"m{number}", (0.0, 0.0))
        pixels = pose(name).project(marker_square(x + dx, y + dy, 36.0))
        seen.append(Marker(number, (pixels + rng.normal(0, noise_px, (4, 2))).astype(np.float32)))
    return seen


def found(result: Registration | Unregistered) -> Registration:
    assert isinstance(result, Registration), result
    return result


@pytest.mark.parametrize("name", NAMES)
def test_photographs_give_the_camera_to_half_a_millimetre(name: str) -> None:
    gray = gray_of(photo(name))
    result = found(register(gray, detect(gray), camera(name), Table()))
    assert result.used == (0, 1, 2, 3)
    assert math.dist(result.pose.centre_mm, truth(name)["camera"]["centre_mm"]) < 0.5
    rim = np.array([[190.0, 0, 38], [-190, 0, 38], [0, 190, 38], [0, -190, 38], [0, 0, 56]])
    assert np.abs(result.pose.project(rim) - pose(name).project(rim)).max() < 0.3


def test_without_a_measured_lens_its_bend_is_found() -> None:
    gray = gray_of(photo("01"))
    result = found(register(gray, detect(gray), Camera.assumed((2304, 1296)), Table()))
    assert result.pose.camera.distortion[0] == pytest.approx(-0.045, abs=0.006)
    rim = np.array([[190.0, 0, 38], [-190, 0, 38], [0, 190, 38], [0, -190, 38]])
    assert np.abs(result.pose.project(rim) - pose("01").project(rim)).max() < 1.5


@pytest.mark.parametrize("bumped", [0, 1, 2, 3])
@pytest.mark.parametrize("by", [(4.0, 0.0), (-30.0, 25.0)])
def test_one_bumped_marker_is_voted_out(bumped: int, by: tuple[float, float]) -> None:
    result = found(register(FLAT, frame_markers("05", 0.2, **{f"m{bumped}": by}), camera("05"), Table()))
    assert result.bumped == (bumped,)
    assert math.dist(result.pose.centre_mm, pose("05").centre_mm) < 2.0


def test_two_bumped_markers_are_not_guessed_about() -> None:
    markers = frame_markers("05", 0.2, m0=(20.0, 0.0), m1=(0.0, -25.0))
    result = register(FLAT, markers, camera("05"), Table())
    assert isinstance(result, Unregistered)
    assert "put each back" in result.reason


@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_three_markers_do(missing: int) -> None:
    markers = [m for m in frame_markers("08", 0.2) if m.id != missing]
    result = found(register(FLAT, markers, camera("08"), Table()))
    assert math.dist(result.pose.centre_mm, pose("08").centre_mm) < 2.0


def test_two_markers_far_apart_do_and_one_does_not() -> None:
    seen = {m.id: m for m in frame_markers("08", 0.1)}
    result = found(register(FLAT, [seen[0], seen[2]], camera("08"), Table()))
    assert math.dist(result.pose.centre_mm, pose("08").centre_mm) < 4.0
    alone = register(FLAT, [seen[1]], camera("08"), Table())
    assert isinstance(alone, Unregistered)
    assert "only 1" in alone.reason


def test_two_noisy_markers_are_not_believed() -> None:
    seen = {m.id: m for m in frame_markers("08", 1.5)}
    assert isinstance(register(FLAT, [seen[0], seen[3]], camera("08"), Table()), Unregistered)


def pictured(
    markers: list[Marker], scale: float, turn: float = 0.5, at: tuple[float, float] = (700, 250)
) -> list[Marker]:
    """The prints again as a photograph of the table shows them, turned, its middle at a pixel."""
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) * scale
    return [
        Marker(m.id, ((m.corners - np.array([1152, 648])) @ turned + np.array(at)).astype(np.float32))
        for m in markers
    ]


def test_of_two_prints_of_one_frame_marker_the_one_that_lies_in_its_place_is_believed() -> None:
    markers = frame_markers("05", 0.1)
    again = Marker(2, markers[2].corners - np.float32(200))
    result = found(register(FLAT, [again, *markers], camera("05"), Table()))
    assert (result.used, result.bumped) == ((0, 1, 2, 3), ())
    neither = [Marker(2, markers[2].corners + np.float32(30)), again]
    result = found(register(FLAT, [*neither, *markers[:2], markers[3]], camera("05"), Table()))
    assert (result.used, result.bumped) == ((0, 1, 3), (2,))


@pytest.mark.parametrize("lens", [camera("05"), Camera.assumed((2304, 1296))], ids=["measured", "assumed"])
@pytest.mark.parametrize("scale", [0.17, 0.45])
@pytest.mark.parametrize("shown", [(0, 1, 2, 3), (1, 2)])
def test_a_picture_of_the_table_on_the_table_is_not_the_table(
    lens: Camera, scale: float, shown: tuple[int, ...]
) -> None:
    markers = frame_markers("05", 0.1)
    copies = [m for m in pictured(markers, scale) if m.id in shown]
    result = found(register(FLAT, [*copies, *markers], lens, Table()))
    alone = found(register(FLAT, markers, lens, Table()))
    assert (result.used, result.bumped) == ((0, 1, 2, 3), ())
    assert result.pose.centre_mm == pytest.approx(alone.pose.centre_mm)


@pytest.mark.parametrize("covered", [0, 1, 2, 3])
def test_a_frame_marker_under_a_picture_of_the_table_is_not_read_in_it(covered: int) -> None:
    markers = frame_markers("05", 0.1)
    seen = [m for m in markers if m.id != covered]
    result = found(register(FLAT, [*pictured(markers, 0.2), *seen], camera("05"), Table()))
    assert (result.used, result.bumped) == (tuple(m.id for m in seen), ())


def test_a_picture_of_the_table_is_never_taken_for_it_when_the_table_shows_through() -> None:
    markers = frame_markers("05", 0.1)
    for seen in ([markers[2]], [markers[2], Marker(1, markers[1].corners + np.float32(90))]):
        result = register(FLAT, [*pictured(markers, 0.2), *seen], camera("05"), Table())
        assert isinstance(result, Unregistered)
        assert "take that picture away" in result.reason
    result = register(FLAT, [*pictured(markers, 0.2)[:3], markers[3]], camera("05"), Table())
    assert isinstance(result, Unregistered)


def test_of_two_frames_as_large_as_each_other_neither_is_guessed() -> None:
    markers = pictured(frame_markers("05", 0.1), 0.45, 0.0, (600, 648))
    other = pictured(frame_markers("05", 0.1), 0.5, 0.0, (1700, 648))
    both = register(FLAT, [*markers, *other], camera("05"), Table())
    assert isinstance(both, Unregistered)
    assert "twice" in both.reason


def test_a_larger_print_held_up_beside_the_frame_is_known_for_none_by_where_the_camera_was() -> None:
    markers = frame_markers("05", 0.1)
    held = Marker(1, pictured(markers, 3.0)[1].corners)
    result = register(FLAT, [*markers, held], camera("05"), Table())
    assert isinstance(result, Unregistered)
    result = register(FLAT, [*markers, held], camera("05"), Table(), before=pose("05"))
    assert found(result).used == (0, 1, 2, 3)


def test_no_marker_at_all_is_said_in_words() -> None:
    result = register(FLAT, [], camera("05"), Table())
    assert isinstance(result, Unregistered)
    assert result.reason.startswith("no frame markers in view: ")


def test_a_pose_never_lies_below_the_table() -> None:
    world = np.concatenate([marker_square(x, y, 36.0, 0.1) for _, x, y in Table().frame_centres_mm])
    true = pose("06")
    solved = solve_pose(world, true.project(world), true.camera)
    assert solved is not None
    assert solved.centre_mm[2] > 500
    assert np.abs(solved.project(world) - true.project(world)).max() < 0.05
