"""A lens from views: right within its sigma, whatever the lens, and bad views named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.gate import Judgement, passes
from calibration.lens import LensError, fit_lens
from calibration.lens_gate import coverage, judge_lens, tilt_spread_deg
from companion.sensing.geometry import Camera
from tests.calibration.sheets import LENS, views

TILTED = [22.0, 15.0, 25.0, 18.0, 28.0, 20.0, 24.0, 16.0, 26.0]
LENSES = {
    "reference": LENS,
    "wide, bent inwards": Camera(850.0, 851.0, 955.0, 548.0, (-0.3, 0.1, 0.001, -0.0008, 0.0), (1920, 1080)),
    "small picture, bent outwards": Camera(
        640.0, 640.0, 326.0, 236.0, (0.08, 0.0, 0.0, 0.0, 0.0), (640, 480)
    ),
}


def judged(fit_views: list, what: str) -> Judgement:  # type: ignore[type-arg]
    return next(finding for finding in judge_lens(fit_lens(fit_views)) if finding.what == what).judgement


@pytest.mark.parametrize("name", LENSES)
def test_every_lens_is_found_within_one_per_cent(name: str) -> None:
    lens = LENSES[name]
    fit = fit_lens(views(lens, TILTED, noise_px=0.1 * lens.size[0] / 2304))
    found = fit.camera
    assert found.fx == pytest.approx(lens.fx, rel=0.01)
    assert found.fy == pytest.approx(lens.fy, rel=0.01)
    assert abs(found.cx - lens.cx) < 0.01 * lens.size[0]
    assert abs(found.cy - lens.cy) < 0.01 * lens.size[0]
    assert abs(found.fx - lens.fx) < 4 * fit.sigma_focal_px
    assert passes(judge_lens(fit))
    assert fit.dropped == ()


def test_the_tilt_of_each_view_is_told() -> None:
    fit = fit_lens(views(LENS, TILTED))
    assert [view.tilt_deg for view in fit.views] == pytest.approx(TILTED, abs=0.6)
    # The fourth view's raised side was at 137.5° × 3, y down.
    raised = fit.views[3].raised
    assert np.degrees(np.arctan2(raised[1], raised[0])) == pytest.approx(137.5 * 3 - 360, abs=4)


@pytest.mark.parametrize("seed", range(2))
def test_ten_frontal_views_fail_the_gate(seed: int) -> None:
    fit = fit_lens(views(LENS, [0.0] * 10, seed=seed))
    findings = {finding.what: finding for finding in judge_lens(fit)}
    assert not passes(findings.values())
    assert findings["spread of tilt"].judgement is Judgement.BAD
    assert "frontal views cannot tell" in findings["spread of tilt"].advice
    # It is not for their errors: these look fine.
    assert findings["error of the middling view"].good


def test_a_shaken_view_is_dropped_and_named() -> None:
    seen = views(LENS, TILTED)
    rng = np.random.default_rng(3)
    seen[4] = replace(seen[4], pixels=seen[4].pixels + rng.normal(0, 2.0, seen[4].pixels.shape))
    fit = fit_lens(seen)
    assert [one.name for one in fit.dropped] == ["5.jpg"]
    assert "shaken" in fit.dropped[0].reason
    assert fit.camera.fx == pytest.approx(LENS.fx, rel=0.005)
    assert len(fit.views) == len(TILTED) - 1


def test_stray_corners_are_left_out_without_their_view() -> None:
    seen = views(LENS, TILTED)
    pixels = seen[2].pixels.copy()
    pixels[[3, 8]] += (9.0, -6.0)
    seen[2] = replace(seen[2], pixels=pixels)
    fit = fit_lens(seen)
    assert fit.corners_dropped == 2
    assert fit.dropped == ()
    assert len(fit.views[2].view.ids) == len(seen[2].ids) - 2
    assert fit.camera.fx == pytest.approx(LENS.fx, rel=0.005)


def test_pictures_of_another_resolution_are_named_and_left_out() -> None:
    seen = views(LENS, TILTED)
    small = views(LENS.scaled_to((1152, 648)), [20.0])[0]
    fit = fit_lens([*seen, replace(small, name="small.jpg")])
    assert [one.name for one in fit.dropped] == ["small.jpg"]
    assert "1152 × 648" in fit.dropped[0].reason
    assert fit.camera.size == (2304, 1296)


def test_two_views_are_too_few() -> None:
    with pytest.raises(LensError, match="2 usable views"):
        fit_lens(views(LENS, TILTED[:2]))


def test_views_in_one_corner_of_the_picture_fail_the_gate() -> None:
    seen = [view for view in views(LENS, TILTED) if view.pixels[:, 0].mean() < 800]
    again = [view for view in views(LENS, TILTED, seed=2) if view.pixels[:, 0].mean() < 800]
    assert judged([*seen, *again], "parts of the picture covered") is Judgement.BAD


def test_few_views_are_doubtful() -> None:
    assert judged(views(LENS, TILTED[:6]), "views of the sheet") is Judgement.DOUBTFUL
    assert judged(views(LENS, TILTED[:4]), "views of the sheet") is Judgement.BAD


def test_blurred_views_fail_the_gate() -> None:
    seen = views(LENS, TILTED, noise_px=0.9)
    assert judged(seen, "error of the middling view") is Judgement.BAD


def test_coverage_counts_corners_by_ninths_of_the_picture() -> None:
    counts = coverage(np.array([[-0.5, -0.5], [10, 10], [299, 199], [150, 100], [150, 199]]), (300, 200))
    assert counts.tolist() == [[2, 0, 0], [0, 1, 0], [0, 1, 1]]


def test_tilt_to_one_side_only_is_no_spread() -> None:
    one_way = np.array([[0.4, 0.0], [-0.4, 0.0], [0.3, 0.0]])
    assert tilt_spread_deg(one_way) < 1
    assert tilt_spread_deg(np.array([[0.4, 0.0], [0.0, 0.4]])) == pytest.approx(16.4, abs=0.1)
    assert tilt_spread_deg(np.zeros((0, 2))) == 0
