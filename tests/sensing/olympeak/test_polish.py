"""The size of a print by its inside: what tells a card that lies from one that is held."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.sensing.markers import Gray, Marker, dictionary
from companion.sensing.olympeak.polish import finely, inside_fit, polished


def picture(marker: int, side: float, turn_deg: float, noise: float = 3.0) -> tuple[Gray, np.ndarray]:
    """A print in the middle of a picture as a camera takes it, light blurred and then developed; its true corners."""
    print_ = cv2.aruco.generateImageMarker(dictionary(), marker, 350).astype(np.float32) / 255
    sheet = np.pad(print_, 100, constant_values=1.0)
    scale = side / 350
    turn = cv2.getRotationMatrix2D((274.5, 274.5), turn_deg, scale)
    turn = turn + np.array([[0.0, 0.0, 60 - 274.5], [0.0, 0.0, 60 - 274.5]])
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.5 / scale)
    image = cv2.warpAffine(soft, turn, (121, 121), borderValue=0.3)
    developed = 255 * (0.03 + 0.75 * image) ** (1 / 2.2)
    rng = np.random.default_rng(marker)
    noisy = np.clip(developed + rng.normal(0, noise, image.shape), 0, 255).astype(np.uint8)
    square = np.array([[99.5, 99.5], [449.5, 99.5], [449.5, 449.5], [99.5, 449.5]])
    return noisy, square @ turn[:, :2].T + turn[:, 2]


def shaken(corners: np.ndarray, by: float) -> np.ndarray:
    rng = np.random.default_rng(5)
    return corners + rng.uniform(-by, by, corners.shape)


@pytest.mark.parametrize(("marker", "side", "turn"), [(115, 44.0, 0.0), (199, 40.0, 12.0), (108, 23.0, -8.0)])
def test_a_print_is_measured_by_its_inside(marker: int, side: float, turn: float) -> None:
    gray, corners = picture(marker, side, turn)
    rough = Marker(marker, shaken(corners, 1.2).astype(np.float32))
    fine = polished(gray, rough)
    assert fine.side_px == pytest.approx(side, rel=0.02)
    assert np.linalg.norm(fine.corners - corners, axis=1).max() < 0.8
    assert inside_fit(gray, fine) > 0.93


def test_a_print_cut_close_below_keeps_its_size() -> None:
    gray, corners = picture(150, 44.0, 0.0)
    low = round(corners[2, 1])
    # A shadow right below it, then the white of the next card.
    gray[low + 1 : low + 5] = 30
    gray[low + 5 :] = 240
    rough = Marker(150, shaken(corners, 0.8).astype(np.float32))
    measured = finely(gray, rough)
    assert measured[3, 1] - measured[0, 1] == pytest.approx(44.0, abs=1.5)


def test_edges_are_finer_than_the_inside_where_they_are_free() -> None:
    gray, corners = picture(150, 44.0, 4.0)
    assert np.abs(finely(gray, Marker(150, shaken(corners, 0.8).astype(np.float32))) - corners).max() < 0.35


def test_another_print_does_not_fit() -> None:
    gray, corners = picture(150, 44.0, 0.0)
    other = Marker(151, corners.astype(np.float32))
    assert inside_fit(gray, polished(gray, other)) < 0.75


def test_outside_the_picture_nothing_fits() -> None:
    gray, _ = picture(150, 44.0, 0.0)
    far = np.array([[400, 400], [440, 400], [440, 440], [400, 440]], dtype=np.float32)
    assert inside_fit(gray, Marker(150, far)) <= 0.0
    assert (polished(gray, Marker(150, far)).corners == far).all()
