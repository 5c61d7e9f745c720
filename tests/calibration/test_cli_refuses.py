"""What cannot be measured is refused, and keeps nothing."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tests.calibration.running import run


def test_a_table_without_a_board_is_not_measured(tmp_path: Path) -> None:
    """The frame markers alone give a pose; where no printed line is, no ring was seen."""
    photo = cv2.imread(str(Path(__file__).parent.parent / "data" / "photos" / "09.jpg"))
    assert photo is not None
    cv2.circle(photo, (1175, 655), 560, (60, 90, 120), -1)
    picture, profile = tmp_path / "bare.png", tmp_path / "table.toml"
    assert cv2.imwrite(str(picture), np.asarray(photo))
    status, out, err = run("rings", picture, "--save", profile)
    assert (status, out) == (1, "")
    assert "cannot be read" in err
    assert not profile.exists()
