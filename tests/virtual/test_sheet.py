"""A sheet held under the simulated camera: its corners are where the bent lens shows them."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from companion.virtual.optics import mount
from companion.virtual.scene import Ring, Scene, SceneError
from companion.virtual.sheet import HeldSheet, SheetCameraPicture, SheetPrint, corners_mm

SHEET = SheetPrint()


def test_the_sheet_s_markers_are_where_it_is_held() -> None:
    optics = mount(random.Random(3), size=(1152, 648))
    turn = np.asarray(cv2.Rodrigues(np.radians([12.0, -18.0, 30.0]))[0], dtype=np.float64)
    held = HeldSheet(np.array([40.0, -20.0, 90.0]), turn)
    table = np.full((648, 1152, 3), 110, np.uint8)
    picture = SheetCameraPicture(SHEET, lambda: optics).over(table, held)
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(family, parameters).detectMarkers(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    )
    assert sorted(np.ravel(ids)) == list(range(17))
    # Marker 8 is in the sheet's middle.
    quad = corners[int(np.nonzero(np.ravel(ids) == 8)[0][0])].reshape(4, 2)
    half = SHEET.marker_mm / 2
    local = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    assert np.abs(quad - optics.project(held.centre_mm + local @ turn.T)).max() < 0.8
    # Beside the paper nothing has changed.
    paper = optics.project(corners_mm(SHEET, held)).astype(np.int32)
    beside = cv2.fillConvexPoly(np.ones(picture.shape[:2], np.uint8), paper, 0)
    outside = np.asarray(cv2.erode(beside, np.ones((9, 9), np.uint8)))
    assert (picture[outside > 0] == 110).all()


def test_a_sheet_out_of_view_changes_nothing() -> None:
    optics = mount(random.Random(3), size=(1152, 648))
    table = np.full((648, 1152, 3), 110, np.uint8)
    held = HeldSheet(np.array([3000.0, 0.0, 90.0]), np.eye(3))
    assert (SheetCameraPicture(SHEET, lambda: optics).over(table, held) == table).all()


def test_a_board_is_put_together_ring_by_ring() -> None:
    scene = Scene(random.Random(1))
    scene.build(())
    assert scene.ring_at(170.0, 0.0) == 0
    scene.build([Ring(), Ring(3.0)])
    assert (scene.ring_at(170.0, 0.0), scene.ring_at(150.0, 0.0), scene.ring_at(10.0, 0.0)) == (1, 2, 2)
    with pytest.raises(SceneError, match="not 8"):
        scene.build([Ring()] * 8)
