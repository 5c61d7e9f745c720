"""Reading prints by correlation: right in blur, noise and darkness, silent where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.above.box import TOKEN_BY_ID
from companion.sensing.cells import Fit
from companion.sensing.decoder import read
from companion.sensing.markers import Gray, Marker
from tests.sensing.prints import Cells, cells_of, corners_at, stick

TOKENS = tuple(TOKEN_BY_ID)
SIDE = 28.0
UPRIGHT = np.array([[SIDE, 0.0], [0.0, SIDE]])
MIDDLE = (60.0, 60.0)
# The sticker's diameter, in sides.
STICKER = 1.5


def picture(cells: Cells, turn_deg: float, centre: tuple[float, float] = MIDDLE) -> Gray:
    """A print of side 28 px on a white round sticker on grey."""
    ground = np.full((120, 120), 110, np.uint8)
    stick(ground, cells, corners_at(centre, SIDE, turn_deg), STICKER)
    return np.asarray(cv2.GaussianBlur(ground, (0, 0), 0.6), dtype=np.uint8)


def read_one(gray: Gray, at: tuple[float, float] = MIDDLE, blur: float = 0.7) -> Fit | None:
    (found,) = read(gray, [at], [UPRIGHT], TOKENS, blur)
    return found


@pytest.mark.parametrize("marker", [16, 22, 31, 35, 39])
@pytest.mark.parametrize("turn", [0.0, 37.0, 95.0, 181.0, 300.0])
def test_every_print_is_read_in_every_turn(marker: int, turn: float) -> None:
    found = read_one(picture(cells_of(marker), turn), (61.5, 58.8))
    assert found is not None
    assert found.marker.id == marker
    assert np.linalg.norm(found.marker.corners - corners_at(MIDDLE, SIDE, turn), axis=1).max() < 0.5


def test_several_places_are_read_together_each_for_itself() -> None:
    ground = np.full((120, 360), 110, np.uint8)
    for marker, x in ((20, 60.0), (25, 300.0)):
        stick(ground, cells_of(marker), corners_at((x, 60.0), SIDE, x), STICKER)
    found = read(ground, [(60.0, 60.0), (180.0, 60.0), (300.0, 60.0)], [UPRIGHT] * 3, TOKENS, 0.5)
    assert [fit and fit.marker.id for fit in found] == [20, None, 25]
    assert read(ground, [], [], TOKENS, 0.5) == []


def test_blur_noise_and_darkness_together_do_not_change_the_answer() -> None:
    rng = np.random.default_rng(1)
    dull = cv2.GaussianBlur(picture(cells_of(24), 50.0), (0, 0), 1.8) * 0.25
    dark = np.clip(dull + rng.normal(0, 3, dull.shape), 0, 255).astype(np.uint8)
    found = read_one(dark, blur=1.9)
    assert found is not None
    assert found.marker.id == 24


@pytest.mark.parametrize("tone", [40, 170])
@pytest.mark.parametrize("side", [(0, 1), (0, -1), (1, 1), (1, -1)])
def test_a_print_a_third_covered_is_read_over_what_is_seen(side: tuple[int, int], tone: int) -> None:
    shown = picture(cells_of(29), 20.0)
    axis, sign = side
    covered = np.moveaxis(shown, 1 - axis, 0)
    edge = round(MIDDLE[0]) + sign * 6
    if sign > 0:
        covered[edge:] = tone
    else:
        covered[:edge] = tone
    found = read_one(shown)
    assert found is not None
    assert found.marker.id == 29


def test_under_a_cover_as_white_as_its_sticker_a_print_is_read_or_not_but_never_as_another() -> None:
    found = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        shown = picture(cells_of(29), 20.0)
        half = slice(66, None) if sign > 0 else slice(54)
        np.moveaxis(shown, 1 - axis, 0)[half] = 230
        found.append(read_one(shown))
    read_as = [fit.marker.id for fit in found if fit is not None]
    assert set(read_as) == {29}
    assert len(read_as) >= 3


def test_what_is_known_to_cover_a_print_does_not_count() -> None:
    shown = picture(cells_of(29), 20.0)
    # Another print lies over it: nothing plain.
    stick(shown, cells_of(8), corners_at((94.0, 82.0), 40.0, 10.0), 1.57)
    (found,) = read(shown, [MIDDLE], [UPRIGHT], TOKENS, 0.7, covers=[(94.0, 82.0, 31.5)])
    assert found is not None
    assert found.marker.id == 29


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("marker", [18, 29, 35])
def test_a_print_in_the_shadow_of_what_covers_it_is_read_beside_it(marker: int, turn: float) -> None:
    shown = picture(cells_of(marker), turn)
    x, y = np.meshgrid(np.arange(shown.shape[1]), np.arange(shown.shape[0]))
    # The shadow's edge lies across the print.
    shade = (shown * np.where(x < 49, 1.0, 0.7)).astype(np.uint8)
    shade[np.hypot(x - 94.0, y - 82.0) < 31.5] = 230
    (found,) = read(shade, [MIDDLE], [UPRIGHT], TOKENS, 0.7, covers=[(94.0, 82.0, 31.5)])
    assert found is not None
    assert found.marker.id == marker


def test_a_whole_border_with_other_cells_is_never_a_covered_print() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        cells = cells_of(29)
        # One side of the print is as it should be, the other is not.
        cells[2:-2, 5:-2] = rng.random((5, 2)) < 0.5
        if (cells == cells_of(29)).all():
            continue
        others: list[Marker] = []
        (found,) = read(picture(cells, 10.0), [MIDDLE], [UPRIGHT], TOKENS, 0.7, others=others)
        assert found is None
        assert len(others) == 1


def test_a_plain_surface_and_noise_are_no_print() -> None:
    rng = np.random.default_rng(2)
    assert read_one(np.full((120, 120), 90, np.uint8)) is None
    for _ in range(20):
        noise = cv2.GaussianBlur(rng.normal(120, 60, (120, 120)), (0, 0), 2.0)
        assert read_one(np.clip(noise, 0, 255).astype(np.uint8), blur=2.0) is None


def test_a_print_of_no_piece_is_not_read() -> None:
    for marker in (200, 120, 74, 3):
        assert read_one(picture(cells_of(marker), 10.0)) is None
