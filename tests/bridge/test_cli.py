"""The command line as its users meet it; what runs until Ctrl-C or loses its cable in a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.events import Timing
from firmware_bridge.protocol import Knowledge
from firmware_bridge.wire import Pixel

from .conftest import BoardFactory, eventually

COMMAND = [sys.executable, "-m", "firmware_bridge.cli"]


@dataclass(frozen=True)
class Done:
    """What a command has left behind."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, said: str = "") -> Done:
    """Run `firmware-bridge` with these arguments in this process; `said` is typed."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        for name, value in (("COLUMNS", "120"), ("TERM", "dumb"), ("NO_COLOR", "1")):
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["firmware-bridge", *arguments])
        patch.setattr(sys, "stdin", io.StringIO(said))
        main()
    code = end.value.code
    assert code is None or isinstance(code, int)
    return Done(code or 0, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`firmware-bridge` at work, until Ctrl-C; whatever a test finds, it is not waited for longer."""
    # Whoever runs the tests in the background of a script has Ctrl-C ignored, and children inherit that.
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, kept)
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_ports_as_json() -> None:
    done = run("ports", "--json")
    assert done.returncode == 0
    assert isinstance(json.loads(done.stdout), list)


def test_monitor_tells_every_change(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), reeds=frozenset({0}))
    with started("monitor", "--port", board.path, "--json") as process:
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
    assert "reeds: 2 closed" in done.stdout
    assert "  1 · ● ·" in done.stdout
    assert "top ●" in done.stdout
    assert "LEDs: 2 lit" in done.stdout
    assert "  1 · ■ ·" in done.stdout
    assert "axis 4 (E1)" in done.stdout


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


def test_the_last_picture_of_the_monitor_ends_its_line_in_a_file_too() -> None:
    assert run("monitor", "--port", "/dev/no-such-controller").stdout.endswith("\n")


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


def test_monitor_tells_of_axes_and_lights_what_is_closed(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), reeds=frozenset({7}))
    done = run("monitor", "--port", board.path, "--seconds", "1.5", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    axes = [line for line in lines if line["event"] == "axis"]
    assert [axis["axis"] for axis in axes] == [0, 1, 2, 3, 4]
    assert {axis["knowledge"] for axis in axes} == {"unknown"}
    assert lines[-1]["leds"] == {"b2": "003c3c"}
    left_alone = run("monitor", "--port", board.path, "--seconds", "1", "--json", "--no-lights")
    assert json.loads(left_alone.stdout.splitlines()[-1])["leds"] == {}


def swift() -> float:
    """Table time in which an axis crosses its lane in a blink."""
    return 400 * time.monotonic()


def test_selftest_of_a_good_board(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), now=swift)
    shown: list[int] = []

    def see(pixels: tuple[Pixel, ...]) -> None:
        if board.connected:  # otherwise the board shows by itself that it has no host
            shown.extend(n for n, pixel in enumerate(pixels) if pixel != (0, 0, 0))

    board.on_leds(see)
    done = run("selftest", "--port", board.path, "--pace-ms", "0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "207 parts tested, 0 failed"
    assert shown[:105] == list(range(105))
    assert [axis.position_um for axis in board.axes] == [0] * 5
    assert {axis.knowledge for axis in board.axes} == {Knowledge.ASSUMED}


def test_selftest_leaves_the_axes_alone_where_that_is_asked(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), now=swift)
    assert run("selftest", "--port", board.path, "--pace-ms", "0", "--no-axes").returncode == 0
    assert {axis.knowledge for axis in board.axes} == {Knowledge.UNKNOWN}


def test_selftest_asks_which_lights_stayed_dark(make_board: BoardFactory) -> None:
    board = make_board(timing=Timing(), now=swift)
    done = run(
        "selftest", "--port", board.path, "--pace-ms", "0", "--no-axes", "--ask", said="z9\nTop, seat 3\n"
    )
    assert "There is no LED z9" in done.stderr
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "failed: LED top: stays dark",
        "failed: LED seat 3: stays dark",
        "207 parts tested, 2 failed",
    ]


def test_virtual_prints_a_port_that_works() -> None:
    with started("virtual", "--still") as process:
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
