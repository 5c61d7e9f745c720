"""The simulated camera keeps the contract of a camera and fails by name."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sensing.frames import CameraAbsent, FrameSource
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Fault
from companion.virtual.picture import Look
from companion.virtual.scene import Scene

Laid = Callable[[int], Scene]
Detect = Callable[[NDArray[np.uint8]], dict[int, NDArray[np.float64]]]


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def camera_at(scene: Scene, clock: Clock) -> VirtualCamera:
    camera = VirtualCamera(scene, clock, look=Look(defocus_px=0.4, noise=1.0))
    camera.open()
    return camera


def test_frames_are_numbered_and_dated_by_the_given_clock(small: Laid) -> None:
    clock = Clock()
    camera: FrameSource = camera_at(small(1), clock)
    first = camera.read(1.0)
    clock.now = 101.5
    second = camera.read(1.0)
    assert (first.number, second.number) == (1, 2)
    assert (first.exposed_at, second.exposed_at) == (100.0, 101.5)
    assert camera.simulated
    assert second.image.dtype == np.uint8


def test_with_a_wait_it_keeps_to_its_frame_rate(small: Laid) -> None:
    clock = Clock()
    moments: list[float] = []
    camera = VirtualCamera(small(1), clock, fps=10.0, wait=clock.wait, before=moments.append)
    camera.open()
    times = [camera.read(1.0).exposed_at for _ in range(4)]
    assert np.diff(times) == pytest.approx([0.1, 0.1, 0.1])
    assert moments == times


def test_a_frame_not_due_in_time_is_said(small: Laid) -> None:
    clock = Clock()
    camera = VirtualCamera(small(1), clock, fps=0.5, wait=clock.wait)
    camera.open()
    camera.read(0.1)
    with pytest.raises(CameraAbsent, match=r"within 0\.1 s"):
        camera.read(0.1)


def test_reading_a_closed_camera_says_so(small: Laid) -> None:
    camera = VirtualCamera(small(1), Clock())
    with pytest.raises(CameraAbsent, match="open it"):
        camera.read(1.0)


def test_camera_gone_and_back(small: Laid) -> None:
    scene = small(1)
    camera = camera_at(scene, Clock())
    scene.set_fault(Fault.CAMERA_GONE)
    with pytest.raises(CameraAbsent, match="unplugged"):
        camera.read(1.0)
    with pytest.raises(CameraAbsent, match="unplugged"):
        camera.open()
    scene.set_fault(Fault.CAMERA_GONE, False)
    camera.open()
    assert camera.read(1.0).image.any()


def test_stale_frames_show_the_past(small: Laid) -> None:
    scene = small(1)
    camera = camera_at(scene, Clock())
    scene.set_fault(Fault.FRAME_STALE)
    before = camera.read(1.0).image.copy()
    scene.stand("mini ze", "b1")
    assert np.array_equal(camera.read(1.0).image, before)
    scene.set_fault(Fault.FRAME_STALE, False)
    assert not np.array_equal(camera.read(1.0).image, before)


def test_black_frames(small: Laid) -> None:
    scene = small(1)
    camera = camera_at(scene, Clock())
    scene.set_fault(Fault.FRAME_BLACK)
    assert not camera.read(1.0).image.any()


@pytest.mark.parametrize(
    ("fault", "lost"),
    [(Fault.FRAME_MARKER_COVERED, 0), (Fault.GLARE, "token in b3"), (Fault.HAND_LINGERS, "mini ha")],
)
def test_what_a_fault_hides(laid: Laid, detect: Detect, fault: Fault, lost: int | str) -> None:
    scene = laid(1)
    if isinstance(lost, str):
        name = scene.holding()["b3"][0] if lost.startswith("token") else lost
        lost = scene.piece(name).marker
    camera = camera_at(scene, Clock())
    assert lost in detect(camera.read(1.0).image)
    scene.set_fault(fault)
    left = detect(camera.read(1.0).image)
    assert lost not in left
    assert len(left) > 30
    scene.set_fault(fault, False)
    assert lost in detect(camera.read(1.0).image)


def test_a_bump_moves_the_whole_picture(laid: Laid, detect: Detect) -> None:
    scene = laid(1)
    camera = camera_at(scene, Clock())
    before = detect(camera.read(1.0).image)
    scene.set_fault(Fault.CAMERA_BUMPED)
    after = detect(camera.read(1.0).image)
    shifts = [np.linalg.norm((after[m] - before[m]).mean(axis=0)) for m in before.keys() & after.keys()]
    assert len(shifts) > 40
    assert min(shifts) > 3


def test_lights_out_is_dim_and_noisy(small: Laid) -> None:
    scene = small(1)
    camera = camera_at(scene, Clock())
    bright = camera.read(1.0).image
    scene.set_fault(Fault.LIGHTS_OUT)
    dim, again = camera.read(1.0).image, camera.read(1.0).image
    assert dim.mean() < 0.6 * bright.mean()
    assert cv2.absdiff(dim, again).mean() > 1.5
