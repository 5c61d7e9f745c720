"""`companion journal` as people and programs call it: what is kept is shown, and nothing is changed."""

from __future__ import annotations

import json
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.games.above.records import check
from companion.games.above.setup import initial_position
from companion.referee.game import AboveEntry
from companion.referee.journal import Journal

OLD = Path(__file__).parents[1] / "data" / "journal" / "v1.db"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    shutil.copy(OLD, tmp_path / "old.db")
    return tmp_path / "old.db"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: Path) -> Run:
    """Status, standard output and standard error of `companion journal …` on the kept file."""
    monkeypatch.chdir(kept.parent)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()

    def run(*arguments: str, journal: Path = kept) -> tuple[int, str, str]:
        before = kept.read_bytes()
        argv = ["companion", "journal", arguments[0], "--journal", str(journal), *arguments[1:]]
        monkeypatch.setattr(sys, "argv", argv)
        with pytest.raises(SystemExit) as ended:
            main()
            sys.exit(0)
        out, error = capsys.readouterr()
        assert kept.read_bytes() == before
        return ended.value.code if isinstance(ended.value.code, int) else 0, out, error

    return run


def test_the_list_names_every_game(run: Run) -> None:
    status, out, _ = run("list")
    assert status == 0
    assert "Eve, Finn" in out and "abandoned" in out and "2023-11-14" in out
    status, out, _ = run("list", "--json")
    games = json.loads(out)
    assert [(game["id"], game["status"]) for game in games] == [
        (4, "open"),
        (3, "open"),
        (2, "abandoned"),
        (1, "over"),
    ]


def test_names_that_look_like_markup_are_names(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.db"
    with closing(Journal(odd, lambda: 0.0)) as journal:
        AboveEntry(journal).begin(["[/b]", "[red]Ben"], initial_position(2, random.Random(1)))
    for command in (("list",), ("show", "1"), ("replay", "1")):
        status, out, _ = run(*command, journal=odd)
        assert status == 0 and "[/b]" in out and "[red]Ben" in out


def test_a_game_is_shown_fact_by_fact(run: Run) -> None:
    _, out, _ = run("show", "4")
    lines = out.splitlines()
    assert lines[0].split()[0] == "0" and "The game begins: Eve and Finn." in lines[0]
    assert any("not allowed: Zeus cannot step back" in line for line in lines)
    assert any("The last turn is taken back." in line for line in lines)
    _, out, _ = run("show", "4", "--json")
    assert [step["number"] for step in json.loads(out)["steps"]] == list(range(len(lines)))


def test_a_record_is_exported_as_the_checker_reads_it(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("export", "1")
    assert check(out.splitlines()) is None
    status, nothing, _ = run("export", "1", "-o", str(tmp_path / "game.jsonl"))
    assert (status, nothing) == (0, "")
    assert (tmp_path / "game.jsonl").read_text(encoding="utf-8") == out
    status, _, error = run("export", "1", "-o", str(tmp_path / "no" / "game.jsonl"))
    assert status == 1 and "cannot be written" in error and "--output" in error


@pytest.mark.parametrize(("game", "seen"), [("4", "Ze"), ("3", "p0")])
def test_a_game_is_replayed_in_the_terminal(run: Run, game: str, seen: str) -> None:
    _, out, _ = run("replay", game)
    assert seen in out
    _, lines, _ = run("replay", game, "--json")
    steps = [json.loads(line) for line in lines.splitlines()]
    assert [each["step"]["number"] for each in steps] == list(range(len(steps)))
    _, one, _ = run("replay", game, "--step", "1", "--json")
    assert json.loads(one) == steps[1]


def test_a_replay_takes_its_time(run: Run) -> None:
    began = time.monotonic()
    run("replay", "2", "--every", "0.05")
    assert time.monotonic() - began > 0.15


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "9"), "no game number 9"),
        (("export", "9"), "no game number 9"),
        (("replay", "9"), "no game number 9"),
        (("replay", "4", "--step", "99"), "steps 0 to 8, not 99"),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    status, out, error = run(*arguments)
    assert (status, out) == (1, "")
    assert said in error and "Traceback" not in error and error.count("\n") == 1


def test_a_journal_that_is_not_there_is_not_made(run: Run, tmp_path: Path) -> None:
    status, _, error = run("list", journal=tmp_path / "none.db")
    assert status == 1 and "There is no journal" in error
    assert not (tmp_path / "none.db").exists()


def test_the_games_are_browsed_without_a_table(kept: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = "from companion.cli import main; main()"
    command = [
        sys.executable,
        "-c",
        program,
        "journal",
        "browse",
        "--journal",
        str(kept),
        "--port",
        str(port),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            assert f"http://127.0.0.1:{port}/#journal" in process.stdout.readline()
            deadline = time.monotonic() + 30
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=5) as answer:
                        assert len(json.load(answer)) == 4
                    break
                except OSError:
                    assert time.monotonic() < deadline and process.poll() is None
                    time.sleep(0.05)
        finally:
            process.kill()
