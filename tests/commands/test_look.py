"""`companion look`: the notation's lines, tables for people, and one sentence for every mistake."""

from __future__ import annotations

import json
import math
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from calibration.profile import CameraProfile, Measured, TableProfile, rings_profile, save_profile
from companion.commands.look import look
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose
from tests.sensing.photos import FOLDER, truth

app = typer.Typer()
app.command()(look)


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str, str]:
    """Exit status, the JSON lines, the output and the error output."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return result.exit_code, lines, result.stdout, result.stderr


@pytest.fixture(scope="module")
def both() -> list[dict[str, Any]]:
    status, lines, _, _ = run(FOLDER / "01.jpg", FOLDER / "08.jpg", "--camera", FOLDER / "01.json", "--json")
    assert status == 0
    return lines


def test_one_object_a_picture_in_the_order_asked(both: list[dict[str, Any]]) -> None:
    assert [line["picture"] for line in both] == ["01.jpg", "08.jpg"]
    assert all(line["frame"] == "ok" for line in both)
    for line in both:
        assert list(line) == ["picture", "frame", "minis", "tokens", "cards", "rings"]


@pytest.mark.parametrize(("n", "name"), [(0, "01"), (1, "08")])
def test_the_lines_say_the_truth(both: list[dict[str, Any]], n: int, name: str) -> None:
    line, true = both[n], truth(name)
    assert {deity: mini["space"] for deity, mini in line["minis"].items()} == {
        deity: mini["space"] for deity, mini in true["minis"].items()
    }
    for deity, mini in line["minis"].items():
        assert set(mini) == {"space", "p", "xyz_mm"}
        assert math.dist(mini["xyz_mm"], true["minis"][deity]["xyz_cap_mm"]) < 2
        assert 0.9 < mini["p"] <= 1
    assert {(t["type"], t["id"], t["space"]) for t in line["tokens"]} == {
        (t["type"], t["id"], t["space"]) for t in true["tokens"]
    }
    assert {(c["id"], c["deity"], c["set"], c["side"]) for c in line["cards"]} == {
        (c["id"], c["deity"], c["set"], c["side"]) for c in true["cards"]
    }
    assert [ring["ring"] for ring in line["rings"]] == [1, 2, 3, 4, 5, 6]
    assert set(line["rings"][0]) == {"ring", "rotation_deg", "shift_mm"}
    assert line["rings"][0]["rotation_deg"] == 0.0


def test_beside_the_board_is_null(both: list[dict[str, Any]]) -> None:
    beside = {token["id"] for token in both[0]["tokens"] if token["space"] is None}
    assert beside == {t["id"] for t in truth("01")["tokens"] if t["space"] is None}
    assert beside


def test_people_get_a_table() -> None:
    status, _, out, _ = run(FOLDER / "08.jpg", "--game", "above")
    assert status == 0
    assert "Ares" in out
    assert "top" in out


def test_a_picture_without_markers_says_so_and_fails(tmp_path: Path) -> None:
    picture = tmp_path / "wood.png"
    cv2.imwrite(str(picture), np.full((1296, 2304, 3), 120, np.uint8))
    status, lines, _, _ = run(picture, "--json")
    assert status == 1
    assert lines[0]["frame"].startswith("no frame markers in view")
    assert set(lines[0]) == {"picture", "frame"}
    status, _, out, _ = run(picture)
    assert status == 1
    assert "no frame markers" in " ".join(out.split())


def test_an_unreadable_picture_is_one_sentence_and_the_next_is_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8 nothing")
    status, lines, _, _ = run(broken, tmp_path / "missing.jpg", FOLDER / "09.jpg", "--json")
    assert status == 1
    assert "is not a picture" in lines[0]["frame"]
    assert "cannot be read" in lines[1]["frame"]
    assert lines[2]["frame"] == "ok"
    assert lines[2]["minis"] == {}
    status, _, _, err = run(broken)
    assert status == 1
    assert "is not a picture" in " ".join(err.split())


def test_a_bad_camera_file_names_the_key(tmp_path: Path) -> None:
    file = tmp_path / "camera.json"
    shutil.copy(FOLDER / "01.json", file)
    data = json.loads(file.read_text())
    del data["camera"]["matrix"]
    file.write_text(json.dumps(data))
    status, lines, _, err = run(FOLDER / "09.jpg", "--camera", file, "--json")
    assert status == 1
    assert lines == []
    assert "`camera.matrix` is missing" in " ".join(err.split())


def test_an_unknown_game_is_refused() -> None:
    status, _, _, err = run(FOLDER / "09.jpg", "--game", "chess")
    assert status == 2
    assert "chess" in err


def test_a_profile_brings_lens_and_rings(tmp_path: Path) -> None:
    """Where the lines cannot be seen, the rings lie as they were calibrated."""
    view = truth("05")["camera"]
    lens = CameraProfile(
        matrix=view["matrix"],
        distortion=view["distortion"],
        width_px=2304,
        height_px=1296,
        measured=Measured(at=datetime(2026, 5, 1, tzinfo=UTC), how="chessboard"),
    )
    lies = {
        number: RingPose(number, ring["rotation_deg"], tuple(ring["shift_mm"]), 0.03, 0.08)
        for number, ring in enumerate(truth("05")["rings"], 1)
    }
    rings = rings_profile(BoardPrint(lies), datetime(2026, 5, 1, tzinfo=UTC), "printed lines")
    profile = tmp_path / "table.toml"
    save_profile(profile, TableProfile(camera=lens, rings=rings))
    soft = tmp_path / "soft.png"
    image = cv2.imread(str(FOLDER / "05.jpg"))
    assert image is not None
    cv2.imwrite(str(soft), cv2.GaussianBlur(image, (0, 0), 2.2))
    status, (line,), _, _ = run(soft, "--profile", profile, "--json")
    assert status == 0
    for ring, true in zip(line["rings"], truth("05")["rings"], strict=True):
        assert ring["rotation_deg"] == pytest.approx(true["rotation_deg"], abs=0.1)
    status, lines, _, said = run(soft, "--profile", tmp_path / "none.toml", "--json")
    assert (status, lines) == (1, [])
    assert "none.toml" in said
