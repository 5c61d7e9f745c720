"""The plan of a table keeps little and shows every part of itself alike."""

from __future__ import annotations

import random

import numpy as np

from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.plan import Plan, plan_of
from companion.virtual.optics import mount


def plan() -> Plan:
    lens = mount(random.Random(4))
    return plan_of(
        CameraPose(Camera.assumed(lens.size), lens.rotation, lens.translation), 12.0, (390.0, 225.0)
    )


def test_a_part_shows_what_the_whole_shows_there() -> None:
    whole, width, height = plan(), *plan().size
    x, y = whole.shown(np.arange(width), np.arange(height))
    left, top, right, bottom = 301, 203, 380, 291
    part_x, part_y = whole.shown(np.arange(left, right), np.arange(top, bottom))
    assert np.array_equal(part_x, x[top:bottom, left:right])
    assert np.array_equal(part_y, y[top:bottom, left:right])
    assert whole.pixel(left, top) == (x[top, left], y[top, left])


def test_a_pixel_shows_the_point_of_the_table_that_it_stands_for() -> None:
    whole = plan()
    for x_mm, y_mm in ((-310.2, 160.7), (0.0, 0.0), (122.4, -98.1)):
        column, row = (round(at) for at in whole.at(x_mm, y_mm))
        at_mm = (column + 0.5 - 390.0, 225.0 - row - 0.5, 12.0)
        assert np.hypot(*(whole.pixel(column, row) - whole.pose.project(np.array([at_mm]))[0])) < 0.1


def test_it_keeps_no_picture_of_the_table() -> None:
    """As many heights as a table has prints lie ready for as long as it is played at."""
    width, height = plan().size
    assert plan().coarse_x.nbytes + plan().coarse_y.nbytes < width * height / 4
