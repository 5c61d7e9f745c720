"""The preflight as a whole: with everything, with parts missing, with a camera that gives nothing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.check.preflight import Preflight, Preflights
from calibration.gate import Judgement
from calibration.profile import TableProfile
from companion.sensing.frames import CameraAbsent, Frame, FrameSource, Image
from tests.calibration.running import run
from tests.calibration.scripted import ScriptedCamera


class Still:
    """A camera that gives one picture five times a second, until it is gone."""

    simulated, name, notice = False, "still", ""

    def __init__(self, image: Image, clock: list[float], pictures: int = 10**6) -> None:
        self._image, self._clock, self._left = image, clock, pictures
        self.closed = 0

    def open(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        if self._left == 0:
            raise CameraAbsent("The camera was pulled out; plug it in again.")
        self._left -= 1
        self._clock[0] += 0.2
        return Frame(self._image, self._clock[0], 1)

    def close(self) -> None:
        self.closed += 1


def preflight(camera: FrameSource | None, clock: list[float] | None = None) -> Preflight:
    time = clock or [0.0]
    said: list[float] = []
    done = asyncio.run(
        Preflights(
            TableProfile(), camera, None, lambda: time[0], say=lambda share, what: said.append(share)
        ).run()
    )
    assert said == sorted(said)
    assert said[-1] == 1.0
    return done


def test_nothing_fitted_is_no_mistake() -> None:
    done = preflight(None)
    assert done.go
    assert [(finding.what, finding.judgement) for finding in done.findings] == [
        ("camera", Judgement.NOT_FITTED),
        ("controller", Judgement.NOT_FITTED),
    ]


def test_a_camera_that_is_pulled_out_meanwhile_is_no_go() -> None:
    clock = [0.0]
    camera = Still(np.zeros((36, 64, 3), np.uint8), clock, pictures=3)
    done = preflight(camera, clock)
    assert not done.go
    assert done.findings[0].advice == "The camera was pulled out; plug it in again."
    assert camera.closed == 1
    assert not preflight(ScriptedCamera(CameraAbsent("Busy; end the other program."))).go


def test_a_picture_without_a_table_is_no_go_and_says_what_to_do() -> None:
    clock = [0.0]
    done = preflight(Still(np.full((324, 576, 3), 120, np.uint8), clock), clock)
    told = {finding.what: finding for finding in done.findings}
    assert told["pictures a second"].seen == "5.0"
    assert "no frame markers in view" in told["frame markers"].advice
    assert not done.go
    # Ten seconds at most.
    assert clock[0] < 10


def test_the_command_tells_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.check.preflight.PICTURES_S", 0.0)
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((36, 64, 3), 90 + n, np.uint8))
    status, out, _ = run("check", tmp_path / "t.toml", "--source", f"folder:{tmp_path}", "--json")
    assert status == 1
    said = json.loads(out)
    assert (said["go"], said["simulated"]) == (False, True)
    assert {"what", "seen", "limit", "judgement", "advice"} == set(said["findings"][0])
