"""The camera over an OlymPeak table keeps the contract of a camera and fails by name."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.sensing.frames import CameraAbsent, FrameSource
from companion.virtual.faults import Fault
from companion.virtual.layers import Look
from companion.virtual.olympeak import layout
from companion.virtual.olympeak.camera import CardCamera
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.optics import mount


@pytest.fixture
def scene() -> CardScene:
    """A small picture of a table with some cards, so that frames are cheap."""
    rng = random.Random(1)
    scene = CardScene(rng, optics=mount(rng, size=(1152, 648)))
    for place, contender in enumerate(("red", "green", "blue")):
        layout.lay_contender(scene, contender, place, 3)
    layout.lay_in_zone(scene, "p007", 0, face_up=True)
    return scene


def opened(scene: CardScene, now: float = 5.0) -> CardCamera:
    camera = CardCamera(scene, lambda: now, look=Look(noise=1.0))
    camera.open()
    return camera


def test_frames_are_numbered_dated_and_as_large_as_the_lens_says(scene: CardScene) -> None:
    camera: FrameSource = opened(scene, 7.5)
    first, second = camera.read(1.0), camera.read(1.0)
    assert (first.number, second.number, first.exposed_at) == (1, 2, 7.5)
    assert first.image.shape == (648, 1152, 3)
    assert camera.simulated


def test_the_world_is_brought_up_to_each_frame(scene: CardScene) -> None:
    moments: list[float] = []
    camera = CardCamera(scene, lambda: 3.0, before=moments.append)
    camera.open()
    camera.read(1.0)
    assert moments == [3.0]


def test_a_camera_that_is_gone_or_closed_says_so(scene: CardScene) -> None:
    with pytest.raises(CameraAbsent, match="open it"):
        CardCamera(scene, lambda: 0.0).read(1.0)
    camera = opened(scene)
    scene.set_fault(Fault.CAMERA_GONE)
    with pytest.raises(CameraAbsent, match="unplugged"):
        camera.read(1.0)
    scene.set_fault(Fault.CAMERA_GONE, False)
    camera.open()
    assert camera.read(1.0).image.any()


def test_black_stale_and_dim_frames(scene: CardScene) -> None:
    camera = opened(scene)
    scene.set_fault(Fault.FRAME_STALE)
    bright = camera.read(1.0).image.copy()
    scene.take("p007")
    assert np.array_equal(camera.read(1.0).image, bright)
    scene.set_fault(Fault.FRAME_STALE, False)
    scene.set_fault(Fault.FRAME_BLACK)
    assert not camera.read(1.0).image.any()
    scene.set_fault(Fault.FRAME_BLACK, False)
    scene.set_fault(Fault.LIGHTS_OUT)
    assert camera.read(1.0).image.mean() < 0.6 * bright.mean()
