"""Simulated tables for the tests: laid out, pictured, and played on by players who see perfectly."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.virtual.layout import lay_out
from companion.virtual.match import Match
from companion.virtual.optics import mount
from companion.virtual.scene import Scene

START = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k5,po=m6,ap=n6 "
    "thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at.ha.de.po.ap/ze.he.ar.at 0 2"
)


@pytest.fixture
def start() -> str:
    """A position with miniatures side by side on ring 6."""
    return START


@pytest.fixture
def laid() -> Callable[[int], Scene]:
    """Makes a table by seed, laid out as `start`."""

    def make(seed: int = 1) -> Scene:
        scene = Scene(random.Random(seed))
        lay_out(scene, START)
        return scene

    return make


@pytest.fixture
def small() -> Callable[[int], Scene]:
    """The same before a camera of half the pixels each way, for what is not about reading markers."""

    def make(seed: int = 1) -> Scene:
        optics = mount(random.Random(seed), size=(1152, 648))
        scene = Scene(random.Random(seed), optics=optics)
        lay_out(scene, START)
        return scene

    return make


@pytest.fixture
def detect() -> Callable[[NDArray[np.uint8]], dict[int, NDArray[np.float64]]]:
    """OpenCV's own detector: marker id → corners (4, 2) in pixels."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)

    def find(image: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
        corners, ids, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is None:
            return {}
        return {
            int(marker): np.asarray(quad, dtype=np.float64).reshape(4, 2)
            for marker, quad in zip(np.ravel(ids), corners, strict=True)
        }

    return find


class PerfectEyes:
    """Lights that always tell the truth about a match, for as long as they are switched on."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.lights_on = True
        self.alarm: frozenset[str] = frozenset()
        self.asked_for: frozenset[str] = frozenset()

    def seat_lit(self, seat: int) -> bool:
        return self.lights_on and self.match is not None and seat == self.match.position.turn

    def seat_red(self, seat: int) -> bool:
        return False

    def red_spaces(self) -> frozenset[str]:
        wrong = self.lights_on and self.match is not None and bool(self.match.showing_illegal)
        return self.alarm | (frozenset({"a1"}) if wrong else frozenset())

    def amber_spaces(self) -> frozenset[str]:
        return self.asked_for


@pytest.fixture
def eyes() -> PerfectEyes:
    """Perfect eyes; set their `match`."""
    return PerfectEyes()
