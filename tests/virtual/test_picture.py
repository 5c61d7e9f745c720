"""The camera picture: markers where they truly are, hidden by what covers them, the same by the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.above.box import Table
from companion.virtual.faults import Fault
from companion.virtual.layout import lay_out
from companion.virtual.optics import bumped, mount
from companion.virtual.picture import Look, Picture, random_look
from companion.virtual.scene import HandPose, Scene
from companion.virtual.textures import TABLES

Laid = Callable[[int], Scene]
Detect = Callable[[NDArray[np.uint8]], dict[int, NDArray[np.float64]]]
SHARP = Look(defocus_px=0.4, noise=1.0)


def frame_corners(scene: Scene) -> dict[int, NDArray[np.float64]]:
    half = scene.table.frame_marker_mm / 2
    return {
        marker: scene.optics.project(
            [
                (x - half, y + half, 0.1),
                (x + half, y + half, 0.1),
                (x + half, y - half, 0.1),
                (x - half, y - half, 0.1),
            ]
        )
        for marker, x, y in scene.table.frame_centres_mm
    }


@pytest.mark.parametrize("seed", [0, 3])
def test_markers_are_where_geometry_puts_them(laid: Laid, detect: Detect, seed: int) -> None:
    scene = laid(seed)
    found = detect(Picture(SHARP).draw(scene.snapshot()))
    errors: dict[str, list[NDArray[np.float64]]] = {"mini": [], "token": [], "card": [], "frame": []}
    for piece in scene.pieces():
        if piece.marker in found:
            truth = scene.optics.project(piece.marker_corners(scene.table))
            errors[piece.kind].append(found[piece.marker] - truth)
    for marker, truth in frame_corners(scene).items():
        errors["frame"].append(found[marker] - truth)
    assert len(errors["mini"]) == 8
    assert len(errors["card"]) == 16
    assert len(errors["token"]) >= 22
    for kind, off in errors.items():
        # OpenCV pulls the corners of small markers outwards; that cancels over the four corners.
        limit = 0.6 if kind == "token" else 0.3
        assert np.linalg.norm(np.array(off), axis=2).mean() < limit, kind
        assert np.abs(np.array(off).mean(axis=(0, 1))).max() < 0.06, kind


def test_equal_seeds_give_equal_pictures(small: Laid) -> None:
    first, second = (Picture(Look(seed=4)).draw(small(4).snapshot()) for _ in range(2))
    other = Picture(Look()).draw(small(4).snapshot())
    assert first.shape == (648, 1152, 3)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("stands", [0, 20])
def test_what_is_redrawn_in_part_equals_what_is_drawn_anew(small: Laid, stands: int) -> None:
    """Also once the camera has stood for so many pictures that its view of the bare table is packed."""
    scene, look = small(2), Look(noise=0.0)
    kept = Picture(look)
    plain = kept.draw(scene.snapshot())
    for _ in range(stands):
        kept.expose(scene.snapshot())
    assert (kept._ground.nbytes < 0.6 * plain.nbytes) == bool(stands)
    for _ in range(3):
        scene.stand("mini he", scene.rng.choice(["b1", "c2", "d3"]))
        scene.creep()
        changed = kept.draw(scene.snapshot())
    fresh = Picture(look).draw(scene.snapshot())
    assert cv2.absdiff(changed, fresh).max() <= 2


def test_noise_differs_from_frame_to_frame(small: Laid) -> None:
    picture, snapshot = Picture(), small(1).snapshot()
    first, second = picture.draw(snapshot).copy(), picture.draw(snapshot)
    difference = first.astype(np.int16) - second
    assert 1.0 < difference.std() < 8.0
    assert abs(float(difference.mean())) < 0.2


def test_a_hand_covers_what_is_below_it_and_nothing_else(laid: Laid, detect: Detect) -> None:
    scene, picture = laid(1), Picture(SHARP)
    free = set(detect(picture.draw(scene.snapshot())))
    pose = scene.piece("mini ha").pose
    scene.show_hand("one", HandPose((pose.x, pose.y + 40, 50.0), (pose.x, pose.y - 340, 90.0)))
    covered = set(detect(picture.draw(scene.snapshot())))
    assert scene.piece("mini ha").marker in free - covered
    assert {0, 1, 2, 3, scene.piece("mini ze").marker} <= covered
    scene.show_hand("one", None)
    assert set(detect(picture.draw(scene.snapshot()))) == free


def test_a_lifted_miniature_leaves_its_place_and_shows_where_it_hangs(laid: Laid, detect: Detect) -> None:
    scene, picture = laid(1), Picture(SHARP)
    picture.draw(scene.snapshot())
    marker = scene.piece("mini ar").marker
    scene.put("mini ar", replace(scene.piece("mini ar").pose, x=0.0, y=0.0, z=80.0), held=True)
    lifted = scene.piece("mini ar")
    found = detect(picture.draw(scene.snapshot()))
    truth = scene.optics.project(lifted.marker_corners(scene.table))
    assert np.abs(found[marker] - truth).max() < 1.0


def test_a_cap_hides_the_token_behind_it(laid: Laid, detect: Detect) -> None:
    scene = laid(1)
    scene.move("mini ze", 0.0, 150.0)
    token = next(p for p in scene.pieces("token") if scene.space_at(p.pose.x, p.pose.y) is None)
    cap = scene.optics.project([(0.0, 150.0, scene.piece("mini ze").pose.z + 35.0)])[0]
    # Outwards of the miniature, where the line of sight over its cap meets the board.
    scene.move(token.name, 0.0, 158.0)
    behind = scene.optics.project([(0.0, 158.0, 8.0)])[0]
    assert np.linalg.norm(cap - behind) < 25
    picture = Picture(SHARP)
    assert token.marker not in detect(picture.draw(scene.snapshot()))
    scene.move("mini ze", 0.0, -150.0)
    assert token.marker in detect(picture.draw(scene.snapshot()))


def test_of_the_pile_only_the_top_card_is_seen(detect: Detect) -> None:
    scene = Scene(random.Random(2))
    lay_out(
        scene,
        "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=,fertility=,gate=,barrier= "
        "ze.he/ar.ar.at.po/ha/de.ze 0 4",
    )
    x, y = scene.table.pile_centre_mm
    lying = [c for c in scene.pieces("card") if abs(c.pose.x - x) < 10 and abs(c.pose.y - y) < 10]
    top = max(lying, key=lambda card: card.pose.z)
    found = detect(Picture(SHARP).draw(scene.snapshot()))
    assert {card.marker for card in lying} & set(found) == {top.marker}


def test_every_mounted_camera_sees_the_corner_markers_and_stands_at_its_height() -> None:
    for seed in range(30):
        optics = mount(random.Random(seed))
        assert 600 < optics.centre_mm[2] < 640
        corners = [
            (x + dx, y + dy, 0.0)
            for _, x, y in Table().frame_centres_mm
            for dx in (-18, 18)
            for dy in (-18, 18)
        ]
        pixels = optics.project(corners)
        assert pixels.min() > 0
        assert (pixels < (2304, 1296)).all()


def test_the_ray_behind_a_pixel_leads_back_to_the_point() -> None:
    optics = mount(random.Random(3), size=(1152, 648))
    slopes = optics.ray_slopes((0, 0, *optics.size))
    for point in ((-300.0, 150.0, 10.0), (200.0, -120.0, 21.0), (0.0, 0.0, 0.0)):
        u, v = optics.project([point])[0]
        slope = slopes[round(v), round(u)]
        reached = optics.centre_mm[:2] + slope * (point[2] - optics.centre_mm[2])
        assert np.linalg.norm(reached - point[:2]) < 0.8 / optics.scale_at(0)


def test_a_bumped_camera_sees_everything_elsewhere() -> None:
    optics = mount(random.Random(3))
    moved = bumped(optics, (6.0, -4.0), 0.8)
    shift = moved.project([(100.0, 50.0, 0.0)]) - optics.project([(100.0, 50.0, 0.0)])
    assert 5 < np.linalg.norm(shift) < 60


@pytest.mark.parametrize("edge", ["west", "east", "south", "north"])
def test_a_piece_may_lie_across_or_beyond_the_pictures_edge(small: Laid, edge: str) -> None:
    scene = small(3)
    picture = Picture(SHARP)
    picture.draw(scene.snapshot())
    for out in range(170, 480, 3):
        x, y = {"west": (-out, 0), "east": (out, 0), "south": (0, -out), "north": (0, out)}[edge]
        scene.move("token 16", float(x), float(y))
        assert picture.draw(scene.snapshot()).shape == (648, 1152, 3)


@pytest.mark.parametrize("kind", TABLES)
def test_on_every_table_top_the_markers_can_be_read(laid: Laid, detect: Detect, kind: str) -> None:
    look = replace(random_look(np.random.default_rng(len(kind))), table=kind, seed=SHARP.seed)
    found = detect(Picture(look).draw(laid(2).snapshot()))
    assert {0, 1, 2, 3} <= set(found)
    assert len(found) >= 44


def test_a_bumped_corner_marker_lies_elsewhere_and_goes_back(laid: Laid, detect: Detect) -> None:
    scene = laid(0)
    picture = Picture(SHARP)
    truth = frame_corners(scene)

    def off() -> dict[int, float]:
        found = detect(picture.draw(scene.snapshot()))
        return {n: float(np.linalg.norm(found[n].mean(axis=0) - truth[n].mean(axis=0))) for n in truth}

    scene.set_fault(Fault.FRAME_MARKER_BUMPED)
    moved = off()
    assert [n for n, far in moved.items() if far > 1.0] == [1]
    assert moved[1] > 20.0
    scene.set_fault(Fault.FRAME_MARKER_BUMPED, False)
    assert max(off().values()) < 1.0


@pytest.mark.parametrize("fault", [Fault.RING_SLIPS, Fault.BOARD_TURNED])
def test_a_board_that_moves_while_filmed_is_drawn_as_if_it_had_always_lain_so(
    small: Laid, fault: Fault
) -> None:
    scene, look = small(2), Look(noise=0.0)
    kept = Picture(look)
    still = kept.draw(scene.snapshot())
    scene.set_fault(fault)
    moved = kept.draw(scene.snapshot())
    assert cv2.absdiff(moved, still).max() > 100
    assert cv2.absdiff(moved, Picture(look).draw(scene.snapshot())).max() <= 2
