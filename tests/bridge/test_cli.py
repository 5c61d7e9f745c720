"""The command line as its users meet it: in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.events import Timing
from firmware_bridge.monitor import reed_name

from .conftest import BoardFactory, eventually

COMMAND = [sys.executable, "-m", "firmware_bridge.cli"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `firmware-bridge` with these arguments."""
    plain = {**os.environ, "COLUMNS": "120", "TERM": "dumb", "NO_COLOR": "1"}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, env=plain)


def test_ports_as_json() -> None:
    done = run("ports", "--json")
    assert done.returncode == 0
    assert isinstance(json.loads(done.stdout), list)


def test_monitor_tells_every_change(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), reeds=frozenset({0}))
    with subprocess.Popen(
        [*COMMAND, "monitor", "--port", board.path, "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = (json.loads(line) for line in process.stdout)
        assert next(line for line in lines if line["event"] == "state" and line["state"] == "ready")
        board.set_reeds(frozenset({0, 96}))
        reed = next(line for line in lines if line["event"] == "reed")
        assert (reed["space"], reed["closed"], reed["missed"]) == ("top", True, False)
        process.send_signal(signal.SIGINT)
        end = list(lines)[-1]
        assert process.wait(10) == 0
    assert (end["event"], end["state"], end["closed"], end["simulated"]) == (
        "end",
        "ready",
        ["a1", "top"],
        True,
    )
    assert end["counters"]["damaged_frames"] == 0


def test_monitor_draws_the_board(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), reeds=frozenset({6, 96}))
    done = run("monitor", "--port", board.path, "--seconds", "1.5")
    assert done.returncode == 0, done.stderr
    assert "SIMULATED" in done.stdout
    assert "  1 · ● ·" in done.stdout
    assert "top ●" in done.stdout


@pytest.mark.parametrize(
    "command", [("monitor",), ("monitor", "--json"), ("selftest", "--wait-seconds", "0.3")]
)
def test_a_missing_board_is_one_sentence(command: tuple[str, ...]) -> None:
    done = run(*command, "--port", "/dev/no-such-controller")
    assert done.returncode == 1
    assert done.stderr == (
        "There is no /dev/no-such-controller; "
        "connect the table controller's USB cable or name another port.\n"
    )


def test_a_pulled_cable_is_one_sentence(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing())
    with subprocess.Popen(
        [*COMMAND, "monitor", "--port", board.path, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        eventually(lambda: board.connected)
        board.close()
        _, complaint = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "unplugged; connect the table controller's USB cable." in complaint
    assert complaint.count("\n") == 1


def test_a_file_that_is_no_port(tmp_path: Path) -> None:
    plain = tmp_path / "notes.txt"
    plain.write_text("not a port")
    done = run("monitor", "--port", str(plain))
    assert done.returncode == 1
    assert "cannot be opened as a serial port" in done.stderr
    assert "Traceback" not in done.stderr


def test_selftest_of_a_good_board(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing())
    shown: list[int] = []
    board.on_leds(lambda pixels: shown.extend(n for n, pixel in enumerate(pixels) if pixel != (0, 0, 0)))
    done = run("selftest", "--port", board.path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "207 parts tested, 0 failed"
    assert shown[:105] == list(range(105))


def test_selftest_names_the_switches_that_never_closed(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), reeds=frozenset(range(95)))
    done = run("selftest", "--port", board.path, "--magnet-seconds", "0.5", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["failures"] == ["reed p6: did not close", "reed top: did not close"]


def test_virtual_prints_a_port_that_works() -> None:
    with subprocess.Popen([*COMMAND, "virtual", "--still"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        path = process.stdout.readline().strip()
        done = run("monitor", "--port", path, "--seconds", "1", "--json")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    assert json.loads(done.stdout.splitlines()[-1])["state"] == "ready"
    assert not os.path.exists(path)


def test_help_shows_how() -> None:
    assert "firmware-bridge virtual" in run("--help").stdout
    assert "Example" in run("monitor", "--help").stdout


def test_names_of_switches() -> None:
    assert [reed_name(n) for n in (0, 5, 6, 95, 96)] == ["a1", "a6", "b1", "p6", "top"]
