"""`companion rules` as other programs call it: plain lines out, one sentence and a status on mistakes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main
from companion.errors import CONFIGURATION
from companion.games.above.position import Position
from companion.games.above.records import random_game
from companion.games.above.rules import legal_actions, successors
from companion.games.olympeak.deck_file import default_box, dump
from tests.games.above.positions import START, text

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Status, standard output and standard error of `companion rules …`, in a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "40")

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["companion", "rules", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
            sys.exit(0)
        out, error = capsys.readouterr()
        return ended.value.code if isinstance(ended.value.code, int) else 0, out, error

    return run


def refused(status: int, words: str, out: str, code: int, error: str) -> None:
    """One line on standard error, nothing on standard output, that status."""
    assert (code, out) == (status, "")
    assert words in error and error.count("\n") == 1 and "Traceback" not in error


def test_legal(run: Run) -> None:
    status, out, error = run("legal", "above", START)
    assert (status, error) == (0, "")
    assert out.splitlines() == [str(action) for action in legal_actions(Position.parse(START))]
    assert run("legal", "above", text("ze=top")) == (0, "", "")


def test_successors(run: Run) -> None:
    start = text("po=d6", "fertility=d5", cards="po/ap")
    status, out, _ = run("successors", "above", start)
    assert status == 0
    lines = out.splitlines()
    assert lines == sorted(set(lines)) == sorted(str(after) for after in successors(Position.parse(start)))
    assert any("po=top" in line for line in lines)


@pytest.mark.parametrize("players", ("2", "4"))
def test_play_and_check(run: Run, players: str, tmp_path: Path) -> None:
    status, out, _ = run("play", "above", "--players", players, "--seed", "7")
    assert status == 0
    assert out.splitlines() == list(random_game(int(players), 7))
    file = tmp_path / "game.jsonl"
    file.write_text(out)
    assert run("check", str(file)) == (0, "ok\n", "")
    assert run("check", "-", stdin=out.encode()) == (0, "ok\n", "")


def test_olympeak_records(run: Run) -> None:
    status, out, _ = run("play", "olympeak", "--players", "3", "--seed", "7")
    assert status == 0 and json.loads(out.splitlines()[0])["game"] == "olympeak"
    assert run("check", "-", stdin=out.encode()) == (0, "ok\n", "")


def test_a_departure_names_its_line(run: Run) -> None:
    lines = list(random_game(2, 7))
    lines[3] = lines[3].replace('"seat":', '"seat":1')
    status, out, _ = run("check", "-", stdin="\n".join(lines).encode())
    assert status == 1
    assert out.startswith("line 4: ") and out.count("\n") == 1


def test_records_of_no_game(run: Run) -> None:
    for record, words in ((b"", "line 1: the record is empty"), (b'{"game":"chess"}\n', "line 1: expected")):
        status, out, _ = run("check", "-", stdin=record)
        assert status == 1 and out.startswith(words)


def test_mistakes(run: Run) -> None:
    for arguments, words in (
        (("legal", "above", "ze=a1"), "five"),
        (("legal", "above", START.replace("ze=a1", "ze=a9")), "a9"),
        (("legal", "olympeak", START), "use `legal` and `successors` with above"),
        (("play", "above", "--players", "3"), "2 or 4"),
        (("check", "no-such-file.jsonl"), "no-such-file.jsonl cannot be read"),
    ):
        code, out, error = run(*arguments)
        refused(1, words, out, code, error)
    code, out, error = run("check", "-", stdin=b"\xff\n")
    refused(1, "line 1: not UTF-8", out, code, error)


def test_usage(run: Run) -> None:
    assert run("legal", "ludo", START)[0] == 2
    assert run("play", "above", "--players", "many")[0] == 2
    for command in ("legal", "successors", "play", "check"):
        status, out, _ = run(command, "--help")
        assert status == 0 and "Example" in out


@pytest.mark.parametrize(
    "line",
    [
        f'{{"game":{"1" * 6000}}}',
        '{"game":"above","version":1,"players":["a","b"],"position":"\\ud800\\u001b[2J"}',
    ],
)
def test_a_record_of_any_text_ends_in_a_line_number(run: Run, tmp_path: Path, line: str) -> None:
    """Neither a number longer than Python reads, nor half a character, nor what a terminal would obey."""
    file = tmp_path / "game.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    status, out, _ = run("check", str(file))
    assert status == 1
    assert out.startswith("line 1: ")
    assert "\x1b" not in out


def test_a_game_is_played_with_the_deck_that_is_named(run: Run, tmp_path: Path) -> None:
    deck = tmp_path / "deck.csv"
    deck.write_text(
        dump(default_box()).replace("p001,115,progress,-2", "p001,115,progress,3"), encoding="utf-8"
    )
    arguments = ("play", "olympeak", "--players", "3", "--seed", "7")
    _, usual, _ = run(*arguments)
    status, own, error = run(*arguments, "--deck", str(deck))
    assert (status, error) == (0, "")
    values = [json.loads(out.splitlines()[0])["cards"]["p001"]["value"] for out in (usual, own)]
    assert values == [-2, 3]
    status, out, error = run(*arguments, "--deck", str(tmp_path / "none.csv"))
    # What the table was given has to be mended: no restart would.
    assert (status, out) == (CONFIGURATION, "") and "cannot be read" in error


def test_a_ruling_of_the_house_is_a_departure_that_may_be_passed_over(run: Run, tmp_path: Path) -> None:
    lines = list(random_game(2, 3))
    position = json.loads(lines[0])["position"]
    line = next(number for number, text in enumerate(lines) if '"position"' in text and number)
    elsewhere = (
        position.replace(" 0 2", " 1 2") if position.endswith(" 0 2") else position.replace(" 1 2", " 0 2")
    )
    ruled = [*lines[: line + 1], json.dumps({"ruling": "Hera stepped back.", "position": elsewhere})]
    record = tmp_path / "ruled.jsonl"
    record.write_text("\n".join(ruled) + "\n")
    status, out, _ = run("check", str(record))
    assert status == 1
    assert out.startswith(f"line {line + 2}: the players made a ruling of their own") and "Hera" in out
    assert run("check", "--rulings", str(record))[:2] == (0, "ok\n")
    record.write_text("\n".join([*ruled, lines[1]]) + "\n")
    status, out, _ = run("check", "--rulings", str(record))
    assert status == 1 and out.startswith(f"line {line + 3}: ")
