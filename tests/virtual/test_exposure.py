"""A picture that is only glanced at shows what it shows when it is developed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.sensing.frames import Frame, thinned
from companion.virtual.exposure import Exposure
from companion.virtual.faults import Fault
from companion.virtual.layers import Look
from companion.virtual.layout import lay_out
from companion.virtual.optics import mount
from companion.virtual.picture import Picture
from companion.virtual.scene import HandPose, Scene

SMALL = (1152, 648)


class Filmed:
    """A laid-out table and its picture."""

    def __init__(self, start: str, seed: int = 3) -> None:
        rng = random.Random(seed)
        self.scene = Scene(rng, optics=mount(rng, size=SMALL))
        lay_out(self.scene, start)
        self.picture = Picture(Look(seed=seed), self.scene.table)

    def expose(self) -> Exposure:
        return self.picture.expose(self.scene.snapshot())

    def carry(self, x: float) -> None:
        """A hand with a piece in it, at x mm."""
        pose = self.scene.piece("mini ze").pose
        self.scene.put("mini ze", type(pose)(x, 20.0, 40.0, pose.yaw), held=True)
        self.scene.show_hand("somebody", HandPose((x, 20.0, 60.0), (x - 280.0, 130.0, 90.0), 2))


@pytest.mark.parametrize(
    "fault", [None, Fault.GLARE, Fault.HAND_LINGERS, Fault.LIGHTS_OUT, Fault.CAMERA_BUMPED]
)
def test_a_glance_shows_every_fourth_pixel_of_the_picture(start: str, fault: Fault | None) -> None:
    table = Filmed(start)
    if fault is not None:
        table.scene.set_fault(fault)
    for x in (-120.0, -63.0, 21.0):
        table.carry(x)
        exposure = table.expose()
        glance = exposure.thinned().astype(int)
        whole = thinned(exposure.developed()).astype(int)
        # A hand is turned into its place anew for the glance: by less than a thousandth of a pixel elsewhere.
        assert np.abs(glance - whole).max() <= 1
        assert (glance != whole).mean() < 0.001


def test_a_picture_that_is_kept_shows_the_table_as_it_was(start: str) -> None:
    one, other = Filmed(start), Filmed(start)
    for table in (one, other):
        table.carry(-60.0)
    kept, at_once = one.expose(), other.expose().developed()
    one.carry(90.0)
    one.expose()
    assert np.array_equal(kept.developed(), at_once)
    assert np.array_equal(kept.thinned(), thinned(at_once))


def test_a_frame_is_the_same_however_often_it_is_looked_at(start: str) -> None:
    table = Filmed(start)
    frame = Frame(table.expose(), 1.0, 1)
    assert frame.image is frame.image
    assert frame.thinned is frame.thinned
    assert frame.image.shape == (SMALL[1], SMALL[0], 3)
