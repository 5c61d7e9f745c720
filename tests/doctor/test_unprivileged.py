"""The doctor for a user who may not read or use what belongs to the table: lines that say what to do, no traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli import app
from tests.referee.keeping import journal_at, play_some

NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Files are held against this user: whoever runs the tests as root is nobody meanwhile."""
    if os.geteuid() != 0:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, 0)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Path]:
    """A folder with everything a table has, which anybody may enter."""
    opened = [folder for folder in (tmp_path, *tmp_path.parents) if folder.stat().st_uid == os.getuid()]
    modes = {folder: folder.stat().st_mode for folder in opened}
    for folder in opened:
        folder.chmod(folder.stat().st_mode | 0o011)
    games = tmp_path / "games"
    games.mkdir()
    journal = journal_at(games / "journal.db")
    play_some(journal, 1)
    journal.close()
    for name in ("port", "table.toml"):
        (tmp_path / name).touch()
    (tmp_path / "companion.toml").write_text(
        f'journal = "{games / "journal.db"}"\ncontroller = "{tmp_path / "port"}"\n'
        f'camera = "video:{games / "evening.mp4"}"\nprofile = "{tmp_path / "table.toml"}"\n'
    )
    yield tmp_path
    for folder, mode in modes.items():
        folder.chmod(mode)
    games.chmod(0o755)


def examined(table: Path) -> dict[str, dict[str, str]]:
    told = CliRunner().invoke(app, ["doctor", "--json", "--no-qr", "--config", str(table / "companion.toml")])
    assert isinstance(told.exception, SystemExit | None), told.exception
    return {check["topic"]: check for check in json.loads(told.output)["checks"]}


def test_what_may_not_be_used_is_named_with_what_to_do(table: Path) -> None:
    assert examined(table)["games"]["state"] == "ok"  # and everything that is needed is loaded
    for name in ("games", "port", "table.toml"):
        (table / name).chmod(0)
    with unprivileged():
        checks = examined(table)
    assert "may not be read by this user" in checks["games"]["text"]
    assert "sudo -u olympus companion doctor" in checks["games"]["todo"]
    assert "usermod" in checks["controller"]["todo"]
    assert "Permission denied" in checks["profile"]["text"]
    assert "may not be written" in checks["disk"]["text"]
    assert checks["camera"]["state"] == "bad"
    assert all(bool(check["todo"]) == (check["state"] != "ok") for check in checks.values())


def test_a_journal_of_another_user_is_no_damage(table: Path) -> None:
    examined(table)
    (table / "games" / "journal.db").chmod(0)
    with unprivileged():
        checks = examined(table)
    assert checks["games"]["state"] == "warn" and "may not be read" in checks["games"]["text"]


def test_whoever_stands_in_a_folder_of_another_user_is_told_all_the_same(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table / "games")
    CliRunner().invoke(app, ["doctor", "--json"])
    (table / "games").chmod(0)
    with unprivileged():
        told = CliRunner().invoke(app, ["doctor", "--json"])
        assert isinstance(told.exception, SystemExit | None), told.exception
        assert {check["topic"] for check in json.loads(told.output)["checks"]} >= {
            "settings",
            "games",
            "page",
        }
    (table / "games").chmod(0o755)
