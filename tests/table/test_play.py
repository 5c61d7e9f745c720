"""`companion play` as a person runs it: the page answers, a kill loses nothing, a busy port is said."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry
from companion.referee.journal import Journal
from tests.referee.keeping import newest_game
from tests.referee.tabletop import random_turn

START_S = 90.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def playing(port: int, journal: Path) -> Iterator[subprocess.Popen[str]]:
    program = "from companion.cli import main; main()"
    command = [sys.executable, "-c", program, "play", "above", "--port", str(port), "--journal", str(journal)]
    with subprocess.Popen(
        [*command, "--seed", "4"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def snapshot_when(port: int, wanted: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """The page's snapshot as soon as it holds `wanted` in the verdict's kind or names."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(process.stdout.read() if process.stdout else "ended")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/snapshot", timeout=2) as answer:
                snapshot: dict[str, Any] = json.load(answer)
        except OSError:
            time.sleep(0.2)
            continue
        if snapshot["verdict"] and snapshot["verdict"]["kind"] in wanted:
            return snapshot
        time.sleep(0.2)
    raise AssertionError(f"no {wanted} within {START_S} s")


@pytest.mark.timeout(240)
def test_the_page_shows_the_game_and_a_killed_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    position = initial_position(2, random.Random(8))
    journal = Journal(path, lambda: 0.0)
    entry = AboveEntry(journal)
    entry.begin(["Eve", "Fay"], position)
    actions, after = random_turn(position, random.Random(8))
    entry.turn(actions)
    journal.close()
    port = free_port()
    with playing(port, path) as process:
        snapshot = snapshot_when(port, "ready lifted unfinished complete illegal", process)
        assert [player["name"] for player in snapshot["players"]] == ["Eve", "Fay"]
        assert snapshot["simulated"] is True
        assert snapshot["turn"] >= 1
        assert len(snapshot["board"]["minis"]) == 8
        assert len(snapshot["lights"]) == 105
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/camera.jpg", timeout=10) as picture:
            assert picture.read(2) == b"\xff\xd8"
        undo = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/undo",
            data=b'{"turn": 1}',
            headers={"Content-Type": "application/json"},
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(undo, timeout=5)
        assert refused.value.code in (401, 403)
        refused.value.close()
        process.send_signal(signal.SIGKILL)
        process.wait()
    game = newest_game(path)
    assert game.is_open and game.id == entry.game
    assert [turn.after for turn in game.turns][:1] == [after]


def test_a_busy_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with playing(port, tmp_path / "j.db") as process:
            output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"Port {port} on 127.0.0.1 is in use" in output
    assert "Traceback" not in output
