"""Where to hold the sheet: every part of the picture, tilted to all four sides, and only held still."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.charuco import CharucoSheet, SheetMissed, SheetView
from calibration.guidance import SIDES, Collector, raised, side_of
from tests.calibration.sheets import LENS, pixels_of, pose

SHEET = CharucoSheet()
TOWARDS = {"right": 0.0, "bottom": 90.0, "left": 180.0, "top": 270.0}


def held(x: float, y: float, side: str = "left", tilt_deg: float = 25.0, seed: int = 0) -> SheetView:
    """The sheet with its middle at shares of the picture, one side raised."""
    rng = np.random.default_rng(seed)
    middle = np.array([140.0, 100.0, 0.0])
    turn = pose(tilt_deg, TOWARDS[side])
    at = (x * LENS.size[0], y * LENS.size[1])
    pixels = pixels_of(SHEET.corners_mm - middle, LENS, turn, at, 513.0)
    pixels = pixels + rng.normal(0, 0.1, pixels.shape)
    ids = np.nonzero(((pixels > 0) & (pixels < np.array(LENS.size) - 1)).all(axis=1))[0]
    return SheetView("view", SHEET, tuple(int(n) for n in ids), pixels[ids], LENS.size)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("tilt_deg", [5.0, 20.0, 35.0, 50.0])
def test_the_raised_side_is_told(side: str, tilt_deg: float) -> None:
    lean = raised(held(0.4, 0.6, side, tilt_deg), LENS)
    assert np.degrees(np.arcsin(np.hypot(*lean))) == pytest.approx(tilt_deg, abs=1.5)
    assert side_of(lean) == (side if 12 < tilt_deg < 45 else None)


def test_a_sheet_on_the_move_is_not_taken() -> None:
    collector = Collector(SHEET)
    assert not collector.see(held(0.5, 0.5)).taken
    moving = collector.see(held(0.5, 0.53))
    assert (moving.taken, moving.text.split(".")[0]) == (False, "Hold it still")
    assert collector.see(held(0.5, 0.53, seed=1)).taken
    assert len(collector.views) == 1


def test_the_same_view_is_not_taken_again() -> None:
    collector = Collector(SHEET)
    for seed in range(6):
        collector.see(held(0.5, 0.5, seed=seed))
    assert len(collector.views) == 1
    for seed in range(3):
        collector.see(held(0.5, 0.5, "top", seed=seed))
    assert len(collector.views) == 2


def test_following_the_advice_covers_everything() -> None:
    collector = Collector(SHEET)
    guided = collector.see(SheetMissed("view", "no markers of the sheet can be read"))
    assert guided.text.startswith("No markers of the sheet can be read. Hold the sheet into the picture's")
    shares = []
    for n in range(15):
        wish = guided.wish
        for still in range(2):
            guided = collector.see(held(wish.x, wish.y, wish.side, wish.tilt_deg, seed=2 * n + still))
        shares.append(guided.share)
        if guided.done:
            break
    assert guided.done
    assert guided.text == "Taken. All views are taken."
    assert 8 <= len(collector.views) <= 12
    assert (collector.counts >= 4).all()
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_a_sheet_lost_from_sight_must_be_held_still_again() -> None:
    collector = Collector(SHEET)
    collector.see(held(0.5, 0.5))
    collector.see(SheetMissed("view", "gone"))
    assert not collector.see(held(0.5, 0.5, seed=1)).taken
    assert collector.see(held(0.5, 0.5, seed=2)).taken
