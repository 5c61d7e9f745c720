"""`companion soak`: by true readings, without a picture."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from companion.cli import app


@pytest.mark.parametrize("game", ["above", "olympeak"])
def test_nothing_is_drawn_for_true_readings(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.soak.game.watch_by_sight", None)
    result = CliRunner().invoke(
        app, ["soak", game, "--games", "1", "--turns", "1", "--by-readings", "--json"]
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["games"], report["turns"], report["wrong_accepted"]) == (1, 1, 0)
