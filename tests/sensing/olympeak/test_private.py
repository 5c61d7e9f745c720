"""What is secret is told by sight as such, and covered in every picture that is shown."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.sensing.olympeak.reading import Corners, PrivatePrint
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.things import LAYER_FAN
from companion.virtual.piece import Pose
from companion.web.overlay import annotate_olympeak
from tests.sensing.olympeak.live import LiveTable


def contrast(
    picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], corners: Corners, scale: float
) -> float:
    """How much the grey levels differ within a print."""
    quad = np.round(np.asarray(corners) * scale).astype(np.int32)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, quad, 255)
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[mask > 0].std())


def test_a_tile_that_lies_open_and_a_card_in_a_hand_are_covered() -> None:
    live = LiveTable()
    tiles = {
        side: (contender, layout.tile_marker(contender, 1))
        for side, contender in (("first", "red"), ("second", "blue"))
    }
    card, first, second = layout.player_card(live.scene, 1, tiles)
    for thing in (card, replace(first, face_up=True), second):
        live.scene.put(thing)
    held = live.scene.card("p030", Pose(20.0, -150.0, 80.0), face_up=True, layer=LAYER_FAN)
    live.scene.put(held)
    reading = live.settle()
    assert sorted(each.is_tile for each in reading.private) == [False, True]
    assert all(isinstance(each, PrivatePrint) for each in reading.private)
    assert "p030" not in {each.card for each in reading.stray} | {each.card for each in reading.columns}

    image = live.picture()
    shown = cv2.imdecode(np.frombuffer(annotate_olympeak(image, reading), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    picture = np.asarray(shown, dtype=np.uint8)
    scale = picture.shape[1] / image.shape[1]
    for each in reading.private:
        assert contrast(picture, each.corners_px, scale) < 4.0
    # The guard can fail: what everybody may see is shown.
    assert contrast(picture, reading.columns[0].corners_px, scale) > 30.0
