"""The README is true: its example runs, its files exist, its commands are commands."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calibration.cli import app as calibrate
from companion.cli import app as companion
from firmware_bridge.cli import app as firmware_bridge

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_runs_as_printed() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 8
    assert results.failed == 0


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`companion (\w+)", README))))
def test_every_command_named_has_help_with_an_example(command: str) -> None:
    result = CliRunner().invoke(companion, [command, "--help"])
    assert result.exit_code == 0
    assert "companion" in result.output


@pytest.mark.parametrize("app", [calibrate, firmware_bridge])
def test_the_other_programs_have_help(app: object) -> None:
    result = CliRunner().invoke(app, ["--help"])  # type: ignore[arg-type]
    assert result.exit_code == 0


def test_the_two_commands_open_it() -> None:
    first = [line.strip() for line in README.splitlines() if line.startswith("    ")][:2]
    assert [line.split("#")[0].strip() for line in first] == ["make play", "make test"]
