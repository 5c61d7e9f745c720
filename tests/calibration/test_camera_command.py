"""`calibrate camera` from picture files: the six photographs of a sheet, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from calibration.profile import load_profile
from companion.sensing.geometry import load_camera
from tests.calibration.running import run
from tests.sensing.photos import FOLDER

PICTURES = tuple(FOLDER / f"{n}.jpg" for n in range(11, 17))


def test_the_photographed_sheet_gives_the_lens(tmp_path: Path) -> None:
    profile, lens_file = tmp_path / "table.toml", tmp_path / "lens.json"
    status, out, err = run("camera", *PICTURES, "--json", "--save", profile, "--out", lens_file)
    assert (status, err) == (0, f"Kept in {profile}.")
    said = json.loads(out)
    (fx, _, cx), (_, fy, cy), _ = said["camera"]["matrix"]
    (true_fx, _, true_cx), (_, true_fy, true_cy), _ = json.loads(
        PICTURES[0].with_suffix(".json").read_text()
    )["camera"]["matrix"]
    assert fx == pytest.approx(true_fx, rel=0.002)
    assert fy == pytest.approx(true_fy, rel=0.002)
    assert abs(cx - true_cx) < 0.002 * 2304
    assert abs(cy - true_cy) < 0.002 * 2304
    assert said["good"] is True
    assert len(said["views"]) == 6
    assert said["dropped"] == []
    # The frame markers in the pictures were printed at their size.
    scale = next(
        finding for finding in said["findings"] if finding["what"].startswith("scale of the printed")
    )
    assert scale["judgement"] == "good"
    kept = load_profile(profile).camera
    assert kept is not None
    assert [list(row) for row in kept.matrix] == said["camera"]["matrix"]
    assert kept.measured.how.startswith("ChArUco, 6 pictures")
    assert load_camera(lens_file).fx == fx


def test_a_sheet_described_wrongly_is_read_and_named() -> None:
    status, out, _ = run("camera", *PICTURES, "--json", "--squares", "5x7")
    told = json.loads(out)
    assert status == 0
    assert "rows and columns are swapped" in told["remarks"][0]
    assert told["camera"]["matrix"][0][0] == pytest.approx(1774, rel=0.002)


def test_pictures_without_a_sheet_are_named_and_too_few_are_refused(tmp_path: Path) -> None:
    profile = tmp_path / "table.toml"
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    status, out, err = run("camera", FOLDER / "09.jpg", broken, *PICTURES[:3], "--save", profile)
    assert status == 1
    assert "09.jpg: no markers of the sheet" in err
    assert "broken.jpg" in err
    assert "was not kept" in err
    assert "no go" in out
    assert not profile.exists()


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    for arguments, said in (
        ((PICTURES[0], "--squares", "seven"), "columns x rows"),
        ((PICTURES[0], "--marker-mm", "50"), "do not fit into squares"),
        ((tmp_path / "none.jpg",), "at least 3 are needed"),
    ):
        status, out, err = run("camera", *arguments)
        assert (status, out) == (1, "")
        assert said in err


def test_pictures_of_two_resolutions(tmp_path: Path) -> None:
    small = tmp_path / "small.png"
    picture = cv2.imread(str(PICTURES[0]))
    assert picture is not None
    cv2.imwrite(str(small), cv2.resize(picture, (1152, 648), interpolation=cv2.INTER_AREA))
    status, out, _ = run("camera", *PICTURES, small, "--json")
    assert status == 0
    dropped = json.loads(out)["dropped"]
    assert [one["picture"] for one in dropped] == ["small.png"]
    assert "one resolution" in dropped[0]["reason"]


def test_help_has_an_example() -> None:
    assert "calibrate camera sheet-*.jpg" in run("camera", "--help")[1]
