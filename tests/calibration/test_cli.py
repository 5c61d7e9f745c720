"""`calibrate`: rings in the notation's form, profiles shown and checked, mistakes in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

from calibration.profile import load_profile
from tests.calibration.running import run
from tests.sensing.photos import FOLDER, truth


def test_rings_are_told_against_ring_one_with_their_sigmas() -> None:
    status, out, _ = run(
        "rings", FOLDER / "09.jpg", FOLDER / "05.jpg", "--camera", FOLDER / "09.json", "--json"
    )
    assert status == 0
    for line, name in zip(out.splitlines(), ("09", "05"), strict=True):
        said = json.loads(line)
        assert said["picture"] == f"{name}.jpg"
        assert [ring["ring"] for ring in said["rings"]] == [1, 2, 3, 4, 5, 6]
        for ring, true in zip(said["rings"], truth(name)["rings"], strict=True):
            assert set(ring) == {"ring", "rotation_deg", "shift_mm", "sigma_deg", "sigma_mm"}
            assert abs(ring["rotation_deg"] - true["rotation_deg"]) < 0.2
            assert abs(ring["shift_mm"][0] - true["shift_mm"][0]) < 0.5
            assert abs(ring["shift_mm"][1] - true["shift_mm"][1]) < 0.5
            assert 0 < ring["sigma_deg"] < 0.5


def test_measured_rings_are_kept_in_the_profile(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    status, _, err = run("rings", FOLDER / "05.jpg", "--camera", FOLDER / "05.json", "--save", file)
    assert status == 0
    assert "Kept in" in err
    kept = load_profile(file)
    assert kept.rings is not None
    assert kept.rings.measured.how == "printed lines in 05.jpg"
    assert abs(kept.rings.board_print().of(3).rotation_deg - truth("05")["rings"][2]["rotation_deg"]) < 0.2
    status, out, _ = run("profile", "show", file)
    assert status == 0
    assert "printed lines in 05.jpg" in out
    assert run("profile", "check", file)[:2] == (0, "ok\n")


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    status, _, err = run("rings", tmp_path / "none.jpg")
    assert (status, err.count("none.jpg")) == (1, 1)
    (tmp_path / "bad.toml").write_text("nmae = 1")
    status, _, err = run("profile", "check", tmp_path / "bad.toml")
    assert status == 1
    assert "is `name` meant?" in err
    status, _, err = run("rings", FOLDER / "09.jpg", "--camera", tmp_path / "bad.toml")
    assert status == 1
    assert "is not JSON" in err


def test_help_shows_examples() -> None:
    for command in ("rings",):
        assert "Examples" in run(command, "--help")[1]
