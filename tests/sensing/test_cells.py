"""Cell by cell a print is told from whatever else looks like one, and its corners are found exactly."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.box import CARD_BY_ID, MINI_BY_ID, TOKEN_BY_ID
from companion.sensing.cells import DOUBTED, fitted
from companion.sensing.markers import Gray, Marker
from companion.sensing.print_model import bits
from companion.sensing.surely import checked, nearest_other, surely
from tests.sensing.prints import cells_of, corners_at, sheet_of

PIECES = (*MINI_BY_ID, *TOKEN_BY_ID, *CARD_BY_ID)
RNG = np.random.default_rng(4)


def about(marker: int, corners: np.ndarray, off_sides: float = 0.03) -> Marker:
    """A print as a detector has it: its corners a little off."""
    side = float(np.linalg.norm(corners[1] - corners[0]))
    return Marker(marker, (corners + RNG.uniform(-off_sides, off_sides, (4, 2)) * side).astype(np.float32))


def blurred(picture: Gray, sigma: float) -> Gray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    marker=st.sampled_from(PIECES),
    side=st.floats(22, 60),
    turn=st.floats(0, 360),
    squeeze=st.floats(0.7, 1.0),
)
def test_a_print_shows_and_its_corners_are_found(
    marker: int, side: float, turn: float, squeeze: float
) -> None:
    corners = corners_at((60.3, 59.6), side, turn, squeeze)
    picture = blurred(sheet_of(cells_of(marker), corners), 0.6)
    (fit,) = fitted(picture, [about(marker, corners)])
    assert surely(fit)
    assert np.abs(fit.doubt[1:-1, 1:-1]).max() < 0.4
    assert np.linalg.norm(fit.marker.corners - corners, axis=1).max() < 0.5


@pytest.mark.parametrize("sigma", [0.6, 1.2])
def test_one_cell_the_other_way_round_is_another_print(sigma: float) -> None:
    corners = corners_at((60.0, 60.0), 30.0, 20.0)
    for cell in range(25):
        cells = cells_of(21)
        cells[2 + cell // 5, 2 + cell % 5] ^= True
        (fit,) = fitted(blurred(sheet_of(cells, corners), sigma), [about(21, corners)])
        assert fit.doubted == 1
        assert not surely(fit)
        assert fit.doubt[2 + cell // 5, 2 + cell % 5] == fit.doubt[1:-1, 1:-1].max()


@pytest.mark.parametrize("marker", [28, 21])
@pytest.mark.parametrize("sigma", [0.8, 1.5, 2.1])
def test_two_neighbours_the_other_way_round_hide_each_other_in_no_blur(marker: int, sigma: float) -> None:
    corners = corners_at((60.0, 60.0), 30.0, 35.0)
    (true,) = fitted(blurred(sheet_of(cells_of(marker), corners), sigma), [about(marker, corners)])
    assert surely(true)
    assert true.together() < 0.35
    for row, column, down in np.ndindex(5, 5, 2):
        one, other = (2 + row, 2 + column), (2 + row + down, 3 + column - down)
        cells = cells_of(marker)
        if max(other) > 6 or cells[one] == cells[other]:
            continue
        cells[one], cells[other] = cells[other], cells[one]
        (fit,) = fitted(blurred(sheet_of(cells, corners), sigma), [about(marker, corners)])
        assert not surely(fit)
        assert fit.together() > DOUBTED


def test_the_same_print_turned_or_mirrored_does_not_show() -> None:
    corners = corners_at((60.0, 60.0), 30.0)
    for cells in (np.rot90(cells_of(30)), cells_of(30)[:, ::-1], cells_of(30)[::-1]):
        (fit,) = fitted(sheet_of(cells, corners), [Marker(30, corners)])
        assert not surely(fit)


def test_blur_shake_noise_and_darkness_cast_no_doubt() -> None:
    corners = corners_at((60.0, 60.0), 30.0, 70.0)
    sharp = sheet_of(cells_of(12), corners)
    shake = np.zeros((9, 9), np.float32)
    shake[4, 1:8] = 1 / 7
    noisy = np.clip(sharp + RNG.normal(0, 18, sharp.shape), 0, 255).astype(np.uint8)
    dark = np.clip(sharp * 0.08 + RNG.normal(0, 0.7, sharp.shape), 0, 255).astype(np.uint8)
    shaken = np.asarray(cv2.filter2D(sharp, -1, shake), dtype=np.uint8)
    for picture in (blurred(sharp, 2.0), shaken, noisy, dark):
        (fit,) = fitted(picture, [about(12, corners)])
        assert surely(fit)


@pytest.mark.parametrize("towards", [0.0, 55.0, 120.0])
def test_the_edge_of_a_shadow_across_a_print_casts_no_doubt(towards: float) -> None:
    corners = corners_at((60.0, 60.0), 34.0, 15.0)
    lit = sheet_of(cells_of(44), corners).astype(np.float64) / 255
    x, y = np.meshgrid(np.arange(120) - 60.0, np.arange(120) - 60.0)
    across = x * np.cos(np.radians(towards)) + y * np.sin(np.radians(towards))
    light = np.where(across > 0, 0.3, 1.0)
    shaded = np.asarray(((lit**2.2) * light) ** (1 / 2.2) * 255, dtype=np.uint8)
    (fit,) = checked(shaded, [about(44, corners)], blur_px=0.8)
    assert fit.marker.id == 44


def test_what_is_more_blurred_than_the_picture_is_no_print() -> None:
    corners = corners_at((60.0, 60.0), 28.0)
    soft = blurred(sheet_of(cells_of(17), corners), 2.6)
    assert surely(fitted(soft, [Marker(17, corners)])[0])
    assert not surely(fitted(soft, [Marker(17, corners)], blur_px=0.5)[0])


def test_plain_surfaces_and_noise_show_nothing() -> None:
    corners = corners_at((60.0, 60.0), 30.0)
    noise = RNG.integers(0, 255, (120, 120)).astype(np.uint8)
    for picture in (np.full((120, 120), 200, np.uint8), noise, blurred(noise, 2.0)):
        assert not any(surely(fit) for fit in fitted(picture, [Marker(n, corners) for n in PIECES]))


def test_many_are_fitted_as_well_as_one() -> None:
    corners = corners_at((60.0, 60.0), 30.0, 33.0)
    picture = sheet_of(cells_of(33), corners)
    markers = [about(n, corners) for n in (33, 34, 35)]
    together = fitted(picture, markers)
    assert [surely(fit) for fit in together] == [True, False, False]
    (alone,) = fitted(picture, markers[:1])
    assert np.allclose(alone.marker.corners, together[0].marker.corners, atol=1e-3)


def test_no_print_of_the_box_is_near_another_in_any_turn_or_mirrored() -> None:
    whole = np.ones((7, 7), dtype=np.bool_).tobytes()
    for marker in PIECES:
        assert nearest_other(marker, PIECES, whole) >= 5
        mirrored = bits(marker)[:, ::-1]
        for other in PIECES:
            for turn in range(4):
                assert (np.rot90(bits(other), turn) != mirrored).sum() >= 2
