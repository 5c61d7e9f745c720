"""The picture of an OlymPeak table: markers where they truly are, covered by what covers them, secrets kept."""

from __future__ import annotations

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.virtual.layers import Look
from companion.virtual.olympeak import columns, layout
from companion.virtual.olympeak.picture import CardPicture
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_ZONE, Thing
from companion.virtual.piece import Pose
from companion.virtual.scene import HandPose

SHARP = Look(defocus_px=0.4, noise=1.0)
ROW = ("red", "white", "green", "blue")
Corners = dict[int, NDArray[np.float64]]


def laid(seed: int, rows: int = 6) -> CardScene:
    """A table in the middle of a game, with piles and cubes, and two cards still face down."""
    scene = CardScene(random.Random(seed))
    deck = [card.id for card in scene.box.deck]
    scene.rng.shuffle(deck)
    for place, contender in enumerate(ROW):
        layout.lay_contender(scene, contender, place, len(ROW))
    for row in range(1, rows + 1):
        for n, contender in enumerate(ROW):
            if n == row % 4 or scene.rng.random() < 0.7:
                columns.lay_card(scene, deck.pop(), contender, row)
    for seat in range(6):
        layout.lay_in_zone(scene, deck.pop(), seat, face_up=seat % 3 != 0)
    for _ in range(7):
        layout.discard(scene, deck.pop())
    layout.set_draw_pile(scene, len(deck))
    for contender, place in zip(ROW, (0, 0, 35, -5), strict=True):
        layout.set_cube(scene, contender, place)
    layout.set_round(scene, 2)
    layout.lay_phone(scene)
    return scene


def detect(image: NDArray[np.uint8]) -> Corners:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    )
    if ids is None:
        return {}
    return {
        int(marker): np.asarray(quad, dtype=np.float64).reshape(4, 2)
        for marker, quad in zip(np.ravel(ids), corners, strict=True)
    }


def shown(scene: CardScene) -> dict[int, Thing]:
    """The things whose marker is open to view, by marker."""
    return {thing.marker: thing for thing in scene.things() if thing.marker is not None}


@pytest.mark.parametrize("seed", [0, 3])
def test_markers_are_where_geometry_puts_them(seed: int) -> None:
    scene = laid(seed)
    found = detect(CardPicture.of(scene, SHARP).draw(scene.snapshot()))
    expected = shown(scene)
    assert set(expected) - set(found) == set()
    assert set(found) - set(expected) == {0, 1, 2, 3, 111, 112, 113, 114}
    errors: dict[str, list[NDArray[np.float64]]] = {}
    for marker, thing in expected.items():
        off = found[marker] - scene.optics.project(thing.marker_corners(scene.table))
        errors.setdefault(thing.kind, []).append(off)
    for kind, off_corners in errors.items():
        # OpenCV pulls the corners of small markers outwards; that cancels over the four corners.
        each, mean = (0.8, 0.3) if kind in ("cube", "round") else (0.3, 0.12)
        assert np.linalg.norm(np.array(off_corners), axis=2).mean() < each, kind
        assert np.abs(np.array(off_corners).mean(axis=(0, 1))).max() < mean, kind


def test_the_scoreboard_lies_where_its_corner_markers_say() -> None:
    scene = laid(2)
    found = detect(CardPicture.of(scene, SHARP).draw(scene.snapshot()))
    table = scene.table
    for marker, x, y in table.scoreboard_corners_mm:
        (u, v) = scene.optics.project([(x, y, table.scoreboard_thick_mm)])[0]
        assert np.linalg.norm(found[marker].mean(axis=0) - (u, v)) < 0.4


def test_a_card_hides_what_lies_under_it_and_nothing_else() -> None:
    scene = laid(1, rows=3)
    picture = CardPicture.of(scene, SHARP)
    free = set(detect(picture.draw(scene.snapshot())))
    upper = next(card for card in scene.column_cards() if card.layer == 2)
    over = replace(upper.pose, x=upper.pose.x + 3, y=upper.pose.y - 4)
    scene.put(scene.card("o15", over, face_up=False, layer=30))
    covered = set(detect(picture.draw(scene.snapshot())))
    assert upper.marker in free - covered
    assert len(free - covered) <= 2
    scene.take("o15")
    assert set(detect(picture.draw(scene.snapshot()))) == free


def test_rows_lie_over_each_other_whatever_the_order_they_were_laid_in() -> None:
    """A card laid back into an older row slips under the rows below it."""
    scene = laid(4, rows=4)
    picture = CardPicture.of(scene, SHARP)
    before = detect(picture.draw(scene.snapshot()))
    lifted = next(card for card in scene.column_cards() if card.layer == 2)
    scene.take(lifted.name)
    gone = detect(picture.draw(scene.snapshot()))
    scene.put(lifted)
    after = detect(picture.draw(scene.snapshot()))
    assert lifted.marker not in gone
    assert set(after) == set(before)


def test_a_card_face_down_gives_nothing_away() -> None:
    """Whatever card lies there, and whichever tile: the pictures are the same to the last bit."""
    pictures = []
    for card, contender in (("p001", "red"), ("o09", "blue")):
        scene = CardScene(random.Random(6))
        layout.set_draw_pile(scene, 30)
        scene.put(scene.card(card, Pose(-295.0, 0.0, 0.0, 7.0), face_up=False, layer=LAYER_ZONE))
        tiles = {"first": (contender, layout.tile_marker(contender, 2)), "second": ("green", 88)}
        for thing in layout.player_card(scene, 2, tiles):
            scene.put(thing)
        pictures.append(CardPicture.of(scene, SHARP).draw(scene.snapshot()))
    assert np.array_equal(pictures[0], pictures[1])
    scene.put(replace(scene.thing("tile 2 first"), face_up=True))
    assert layout.tile_marker("blue", 2) in detect(CardPicture.of(scene, SHARP).draw(scene.snapshot()))


def test_a_card_in_the_air_shows_where_it_hangs() -> None:
    scene = laid(1)
    picture = CardPicture.of(scene, SHARP)
    picture.draw(scene.snapshot())
    scene.put(scene.card("p105", Pose(120.0, -90.0, 60.0, 20.0), face_up=True, held=True))
    held = scene.thing("p105")
    found = detect(picture.draw(scene.snapshot()))
    assert held.marker is not None
    assert np.abs(found[held.marker] - scene.optics.project(held.marker_corners(scene.table))).max() < 1.0


def test_a_hand_covers_what_is_below_it_and_nothing_else() -> None:
    scene = laid(1)
    picture = CardPicture.of(scene, SHARP)
    free = set(detect(picture.draw(scene.snapshot())))
    card = next(t for t in scene.things("card") if t.layer == LAYER_ZONE and t.face_up)
    x, y, _ = card.marker_corners(scene.table).mean(axis=0)
    scene.show_hand("one", HandPose((x + 10, y + 30, 30.0), (x, y - 350, 90.0)))
    covered = set(detect(picture.draw(scene.snapshot())))
    assert card.marker in free - covered
    assert {1, 2, 111, 114, 110} <= covered
    scene.show_hand("one", None)
    assert set(detect(picture.draw(scene.snapshot()))) == free


def test_equal_seeds_give_equal_pictures() -> None:
    first, second = (
        (scene := laid(4), CardPicture.of(scene, Look(seed=4)).draw(scene.snapshot()))[1] for _ in range(2)
    )
    assert first.shape == (1296, 2304, 3)
    assert np.array_equal(first, second)


def test_what_is_redrawn_in_part_equals_what_is_drawn_anew() -> None:
    scene, look = laid(2), Look(noise=0.0)
    kept = CardPicture.of(scene, look)
    kept.draw(scene.snapshot())
    for row in (7, 8):
        columns.lay_card(scene, f"o0{row}", "blue", row)
        layout.set_cube(scene, "red", row)
        changed = kept.draw(scene.snapshot())
    fresh = CardPicture.of(scene, look).draw(scene.snapshot())
    assert cv2.absdiff(changed, fresh).max() <= 2
