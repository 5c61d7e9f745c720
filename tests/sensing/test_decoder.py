"""Reading one print by correlation: right in blur, noise and darkness, silent where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.above.box import TOKEN_BY_ID
from companion.sensing.decoder import Singles, agreement, decode
from companion.sensing.markers import dictionary

TOKENS = tuple(TOKEN_BY_ID)
SIDE = 28.0
UPRIGHT = np.array([[SIDE, 0.0], [0.0, SIDE]])


def picture(marker: int, turn_deg: float, x: float = 40.0, y: float = 40.0) -> Singles:
    """A print of side 28 px on a white round sticker on grey, drawn finely and reduced."""
    fine = 8
    big = np.full((80 * fine, 80 * fine), 110, np.uint8)
    centre = ((x + 0.5) * fine - 0.5, (y + 0.5) * fine - 0.5)
    cv2.circle(big, (round(centre[0]), round(centre[1])), round(21 * fine), 235, -1)
    side = int(SIDE * fine)
    sheet = cv2.aruco.generateImageMarker(dictionary(), marker, 7 * 32)
    turn = cv2.getRotationMatrix2D((112 - 0.5, 112 - 0.5), turn_deg, side / 224)
    turn[:, 2] = turn[:, 2] + np.array(centre) - (112 - 0.5)
    drawn = cv2.warpAffine(sheet, turn, (640, 640), flags=cv2.INTER_AREA, borderValue=0)
    inside = cv2.warpAffine(np.full_like(sheet, 255), turn, (640, 640), borderValue=0)
    big[inside > 127] = np.where(drawn > 127, 235, 25)[inside > 127]
    return cv2.resize(big, (80, 80), interpolation=cv2.INTER_AREA).astype(np.float32)


@pytest.mark.parametrize("marker", [16, 22, 31, 35, 39])
@pytest.mark.parametrize("turn", [0.0, 37.0, 95.0, 181.0, 300.0])
def test_every_print_is_read_in_every_turn(marker: int, turn: float) -> None:
    found = decode(picture(marker, turn), (41.5, 38.8), UPRIGHT, TOKENS)
    assert found is not None
    assert found.id == marker
    assert found.fit > 0.9
    assert found.lead > 0.1
    assert np.abs(found.corners.mean(axis=0) - 40.0).max() < 0.8
    # getRotationMatrix2D turns counter-clockwise as seen: the printed top left goes with it.
    a = np.radians(-turn)
    top_left = 40.0 + (SIDE / 2) * np.array([-np.cos(a) + np.sin(a), -np.sin(a) - np.cos(a)])
    assert np.linalg.norm(found.corners[0] - top_left) < 2.0


def test_blur_noise_and_darkness_together_do_not_change_the_answer() -> None:
    rng = np.random.default_rng(1)
    dull = cv2.GaussianBlur(picture(24, 50.0), (0, 0), 2.0) * 0.25
    dark = np.asarray(dull + rng.normal(0, 4, dull.shape), dtype=np.float32)
    found = decode(dark, (40, 40), UPRIGHT, TOKENS)
    assert found is not None
    assert found.id == 24
    assert found.fit > 0.8


@pytest.mark.parametrize("side", [(0, 1), (0, -1), (1, 1), (1, -1)])
def test_a_print_a_third_covered_is_read_over_what_is_seen(side: tuple[int, int]) -> None:
    shown = picture(29, 20.0)
    axis, sign = side
    covered = np.moveaxis(shown, 1 - axis, 0)
    edge = 40 + sign * 6
    if sign > 0:
        covered[edge:] = 170
    else:
        covered[:edge] = 170
    plain = decode(shown, (40, 40), UPRIGHT, TOKENS)
    partly = decode(shown, (40, 40), UPRIGHT, TOKENS, partly_hidden=True)
    assert partly is not None
    assert partly.id == 29
    assert partly.fit > 0.88
    assert plain is None or plain.fit < partly.fit
    assert partly.seen < 0.9


def test_what_is_known_to_be_covered_does_not_count() -> None:
    shown = picture(29, 20.0)
    weights = np.ones_like(shown)
    shown[:, 46:], weights[:, 46:] = 250.0, 0.0
    found = decode(shown, (40, 40), UPRIGHT, TOKENS, weights=weights)
    assert found is not None
    assert (found.id, found.fit > 0.9) == (29, True)


def test_a_plain_surface_and_noise_are_no_print() -> None:
    rng = np.random.default_rng(2)
    assert decode(np.full((80, 80), 90, np.float32), (40, 40), UPRIGHT, TOKENS) is None
    for _ in range(20):
        noise = np.asarray(cv2.GaussianBlur(rng.normal(120, 60, (80, 80)), (0, 0), 2.0), dtype=np.float32)
        found = decode(noise, (40, 40), UPRIGHT, TOKENS)
        assert found is None or found.fit < 0.76


def test_a_print_of_no_piece_leads_over_nothing() -> None:
    found = decode(picture(200, 10.0), (40, 40), UPRIGHT, TOKENS)
    assert found is None or found.fit < 0.88


def test_agreement_tells_the_print_from_others() -> None:
    shown = picture(18, 0.0).round().astype(np.uint8)
    corners = np.array([[26, 26], [54, 26], [54, 54], [26, 54]], np.float32) - 0.5
    assert agreement(shown, corners, 18) > 0.9
    assert agreement(shown, corners, 19) < 0.8
    assert agreement(shown, np.roll(corners, 1, axis=0), 18) < 0.8
    assert agreement(shown, corners + 500, 18) == -1.0
