"""Drivers in place of the real ones."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_mock import MockerFixture

from companion.sensing.sources import v4l
from tests.sensing.sources.drivers import FakeCapture, FakePicamera2, pictures

Plug = Callable[..., FakeCapture]


@pytest.fixture
def v4l_names(tmp_path: Path, mocker: MockerFixture) -> Path:
    """/dev/v4l/by-id with two cameras, one of them with a node of metadata before the one of pictures."""
    names, nodes = tmp_path / "by-id", tmp_path / "dev"
    names.mkdir()
    nodes.mkdir()
    for node, name in enumerate(
        (
            "usb-Logi_C920_A1-video-index0",
            "usb-Logi_C920_A1-video-index1",
            "usb-Arducam_16MP-video-index0",
            "usb-Arducam_16MP-video-index1",
        )
    ):
        (nodes / f"video{node}").touch()
        (names / name).symlink_to(nodes / f"video{node}")
    mocker.patch.object(v4l, "STABLE_NAMES", names)
    mocker.patch.object(v4l, "NODES", nodes)
    metadata = {str(nodes / "video0"), str(nodes / "video3")}
    mocker.patch.object(v4l, "captures", lambda node, bus="": node not in metadata)
    return names


@pytest.fixture
def plug(v4l_names: Path, mocker: MockerFixture) -> Iterator[Plug]:
    """Plugs a stand-in for cv2.VideoCapture in; all that were plugged in are let go at the end. Files stay files."""
    plugged: list[FakeCapture] = []
    real = cv2.VideoCapture

    def opened(target: str, *backend: int) -> object:
        if not backend:
            return real(target)
        plugged[-1].released.clear()
        return plugged[-1]

    mocker.patch("cv2.VideoCapture", side_effect=opened)

    def one(shown: Iterator[np.ndarray | None] | None = None, **faults: object) -> FakeCapture:
        fake = FakeCapture(pictures() if shown is None else shown, **faults)  # type: ignore[arg-type]
        plugged.append(fake)
        return fake

    yield one
    for fake in plugged:
        fake.released.set()


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakePicamera2]]:
    """The picamera2 module."""
    module = types.ModuleType("picamera2")
    for name, value in vars(FakePicamera2).items():
        if name in ("made", "cameras", "fault", "has_focus", "deaf_times", "deaf_to_exposure"):
            monkeypatch.setattr(FakePicamera2, name, [] if name == "made" else value)
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    yield FakePicamera2
    for made in FakePicamera2.made:
        made.closed.set()
