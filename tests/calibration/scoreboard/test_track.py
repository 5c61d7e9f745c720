"""Where cubes stand is told from a picture of the scoreboard, however it lies."""

from __future__ import annotations

import random

import pytest

from calibration.rings import RingsFailed, pose_of
from calibration.scoreboard.track import track_of
from calibration.simulated_scoreboard import SimulatedScoreboard
from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Table
from companion.sensing.grey import gray_of
from companion.virtual.optics import mount


def test_cubes_and_round_marker_are_seen_where_they_stand() -> None:
    table = SimulatedScoreboard(mount(random.Random(4)), 4, lambda: [0.0] * 5)
    table.lay()
    image = table.draw()
    found = pose_of(gray_of(image), None, FrameTable())
    assert not isinstance(found, RingsFailed)
    track = track_of(image, found[0], Table())
    assert track.corners == 4
    assert track.astray == ()
    truth = {thing.what: thing.pose.y for thing in table.scene.things() if thing.kind in ("cube", "round")}
    assert set(track.at_mm) == set(truth)
    for name, at in truth.items():
        assert track.at_mm[name] == pytest.approx(at, abs=0.8)
