"""Lights under the board as the camera sees them."""

from __future__ import annotations

import random

import numpy as np

from companion.games.above.box import Table
from companion.virtual.glow import Glow, LitPicture
from companion.virtual.layers import Look
from companion.virtual.optics import mount
from companion.virtual.scene import Ring, Scene

SIZE = (576, 324)


def test_a_light_is_brightest_where_it_is_and_shines_in_its_colour() -> None:
    optics = mount(random.Random(3), size=SIZE)
    places = [(100.0, 20.0, 3.0), (-60.0, -90.0, 9.0)]
    glow = Glow(optics, places)
    veil = glow.veil([(0, 200, 0), (0, 0, 0)])
    assert not veil[:, :, 3].any()
    assert not veil[:, :, (0, 2)].any()
    row, column = np.unravel_index(int(veil[:, :, 1].argmax()), veil.shape[:2])
    (u, v) = optics.project([places[0]])[0]
    assert abs(column + glow.box[0] - u) <= 1 and abs(row + glow.box[1] - v) <= 1
    assert not glow.veil([(0, 0, 0)] * 2).any()


def test_lit_from_below_the_board_is_brighter_there_and_nowhere_else() -> None:
    scene = Scene(random.Random(3), optics=mount(random.Random(3), size=SIZE))
    scene.build((Ring(),) * 7)
    lights = [(0, 0, 0)]
    place = scene.printed_centre("c1")
    picture = LitPicture(Look(noise=0.5), Table(), lambda: [place], lambda: lights)
    dark = picture.draw(scene.snapshot()).astype(int)
    lights[0] = (255, 255, 255)
    grown = picture.draw(scene.snapshot()).astype(int).sum(axis=2) - dark.sum(axis=2)
    (u, v) = scene.optics.project([place])[0]
    row, column = np.unravel_index(int(grown.argmax()), grown.shape)
    assert abs(column - u) <= 3 and abs(row - v) <= 3
    assert np.abs(grown[:, : SIZE[0] // 3]).max() < 25
