"""`companion play` with cameras that cannot be: one sentence and the end, not waiting for ever."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from companion.commands.play import play
from companion.sensing.frames import CameraUnusable

app = typer.Typer()
app.command()(play)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        ("folder:{}/nope", "is not a folder; name one that holds pictures"),
        ("folder:{}", "holds no pictures"),
        ("video:{}/nope.mp4", "does not exist; name a video file"),
        ("video:{}/broken.mp4", "is not a video this can play"),
        ("picamera", "needs picamera2"),
    ],
)
def test_a_camera_that_never_will_work_is_told_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    (tmp_path / "broken.mp4").write_bytes(b"no video")
    result = CliRunner().invoke(
        app,
        [
            *("above", "--camera", camera.format(tmp_path), "--controller", "none"),
            *("--port", str(free_port()), "--journal", str(tmp_path / "journal.db")),
        ],
    )
    assert isinstance(result.exception, CameraUnusable)
    assert said in str(result.exception)
