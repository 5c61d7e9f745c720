"""A running table is examined by the pictures and the wire that its game goes by."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from calibration.profile import TableProfile
from companion.preflight import RunningPreflight
from companion.sensing.frames import Frame, Image
from companion.virtual.camera import VirtualCamera
from companion.virtual.match import Match
from companion.virtual.scene import Scene
from companion.web.preflight import FindingView, PreflightView
from tests.virtual.conftest import PerfectEyes


class Stopped:
    """A camera whose pictures somebody else takes."""

    name = "stopped"
    simulated = True
    notice = ""

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        raise AssertionError("a running table's camera has one reader")


@dataclass
class Showing:
    """A table that shows these pictures as soon as somebody looks, one every 200 ms of its own time."""

    images: Sequence[Image]
    shown: int = 0
    _onlooker: Callable[[Frame], None] | None = field(default=None)

    @property
    def onlooker(self) -> Callable[[Frame], None] | None:
        return self._onlooker

    @onlooker.setter
    def onlooker(self, look: Callable[[Frame], None] | None) -> None:
        self._onlooker = look
        for number, image in enumerate(self.images if look is not None else ()):
            assert look is not None
            look(Frame(image, 0.2 * number, number))
            self.shown += 1


@pytest.fixture(scope="module")
def picture() -> Image:
    """A laid-out table of Above, seen by the simulated camera."""
    scene = Scene(random.Random(8))
    Match(scene, 2, PerfectEyes())
    camera = VirtualCamera(scene, lambda: 0.0)
    camera.open()
    return camera.read(1.0).image


def examine(images: Sequence[Image]) -> PreflightView:
    table = Showing(images)
    done = asyncio.run(RunningPreflight(table, TableProfile(), Stopped(), None).run())
    assert table.onlooker is None, "nobody looks on any more"
    return done


def finding(done: PreflightView, what: str) -> FindingView:
    return next(each for each in done.findings if each.what.startswith(what))


def test_a_table_in_order_is_a_go_with_its_numbers(picture: Image) -> None:
    done = examine([picture] * 8)
    assert done.go
    assert finding(done, "frame markers").seen == "4 of 4"
    assert finding(done, "pictures a second").seen == "5.0"
    assert finding(done, "controller").judgement == "not fitted"
    assert {each.part: each.at for each in done.measured} == dict.fromkeys(
        ("lens", "rings", "switches", "lights", "scoreboard")
    )


def test_a_dark_blurred_picture_is_no_go_and_says_what_to_do(picture: Image) -> None:
    dim = np.asarray(cv2.GaussianBlur(picture, (0, 0), 4.0) // 4, dtype=np.uint8)
    done = examine([dim] * 8)
    assert not done.go
    assert all(each.advice for each in done.findings if each.judgement == "bad")


def test_a_camera_that_gives_nothing_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.preflight.PICTURES_S", 0.01)
    done = examine([])
    assert not done.go and finding(done, "camera").seen == "no picture"
