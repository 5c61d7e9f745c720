"""What the preflight reads off a picture: fit pictures are, and each thing that is wrong is found and named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.check.limits import judge_frames, judge_lens, judge_picture
from calibration.check.picture import PictureCheck, check_picture, glare_map
from calibration.gate import Finding, Judgement
from calibration.profile import CameraProfile, Measured, TableProfile, rings_profile
from companion.sensing.frames import Image
from companion.sensing.place import BoardPrint
from companion.sensing.sources.setting import Setting
from tests.sensing.photos import camera, photo

AT = datetime(2026, 1, 1, tzinfo=UTC)


@cache
def checked(name: str) -> PictureCheck:
    return check_picture(photo(name), camera(name))


def named(findings: list[Finding], start: str) -> Finding:
    return next(finding for finding in findings if finding.what.startswith(start))


@cache
def small() -> Image:
    """The bare board in a picture half as wide."""
    return np.asarray(cv2.resize(photo("09"), (1152, 648), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def bad_of(image: Image, name: str = "09") -> dict[str, Finding]:
    findings = judge_picture(check_picture(image, camera(name)), TableProfile())
    return {finding.what.split(",")[0]: finding for finding in findings if not finding.good}


def test_a_table_as_it_should_be_is_fit() -> None:
    seen = checked("09")
    assert seen.rings is not None
    profile = TableProfile(rings=rings_profile(seen.rings, AT, "x"))
    findings = judge_picture(seen, profile)
    assert [finding.what for finding in findings if not finding.good] == []
    sizes = {cell.kind: cell.px for cell in seen.cells}
    # What the reference table promises of these prints.
    assert sizes == pytest.approx({"card": 6.5, "miniature": 5.7, "token": 4.1, "cube": 3.3}, rel=0.08)
    assert named(findings, "ring creep").seen == "none"


def test_rings_that_have_crept_are_named() -> None:
    seen = checked("09")
    assert seen.rings is not None
    poses = dict(seen.rings.poses)
    poses[3] = replace(poses[3], rotation_deg=poses[3].rotation_deg - 1.5)
    profile = TableProfile(rings=rings_profile(BoardPrint(poses), AT, "x"))
    crept = named(judge_picture(seen, profile), "ring 3 has crept")
    assert crept.judgement is Judgement.DOUBTFUL
    assert crept.seen.startswith("+1.50°")


def test_a_dark_a_blurred_and_a_covered_picture_are_refused_by_name() -> None:
    dark = bad_of(np.asarray(small() * 0.25, dtype=np.uint8))
    assert dark["brightness of white paper"].judgement is Judgement.BAD
    assert "more light" in dark["brightness of white paper"].advice
    blurred = bad_of(np.asarray(cv2.GaussianBlur(small(), (0, 0), 1.1), dtype=np.uint8))
    assert blurred["blur"].judgement is Judgement.BAD
    nothing = bad_of(np.full((648, 1152, 3), 130, np.uint8))
    assert nothing["frame markers"].judgement is Judgement.BAD
    assert "no frame markers in view" in nothing["frame markers"].advice


def test_glare_is_found_where_it_is() -> None:
    image = small().copy()
    cv2.circle(image, (950, 125), 70, (255, 255, 255), -1)
    worst = bad_of(image)["glare"]
    assert worst.what == "glare, at worst far right"
    assert worst.judgement is Judgement.BAD
    assert glare_map(np.zeros((60, 90, 3), np.uint8)).shape == (6, 9)


def test_frame_rate_and_flicker_are_held_to_their_limits() -> None:
    stamps = [0.2 * n for n in range(10)]
    rate, light = judge_frames(stamps, [120.0] * 10)
    assert (rate.good, rate.seen, light.good) == (True, "5.0", True)
    slow, flickers = judge_frames([1.0 * n for n in range(4)], [100.0, 130.0, 100.0, 130.0])
    assert (slow.judgement, flickers.judgement) == (Judgement.BAD, Judgement.BAD)
    assert judge_frames([0.0], [1.0])[0].judgement is Judgement.BAD


def test_a_lens_for_other_pictures_is_refused() -> None:
    lens = CameraProfile(
        matrix=((1774.0, 0.0, 1151.0), (0.0, 1774.0, 647.0), (0.0, 0.0, 1.0)),
        distortion=(0.0,) * 5,
        width_px=2304,
        height_px=1296,
        lens_position=1.6,
        measured=Measured(at=AT, how="x"),
    )
    profile = TableProfile(camera=lens)
    assert judge_lens(TableProfile(), (2304, 1296), Setting()).judgement is Judgement.DOUBTFUL
    assert judge_lens(profile, (2304, 1296), Setting(1.6)).good
    assert judge_lens(profile, (1152, 648), Setting()).seen == "2026-01-01, scaled"
    assert judge_lens(profile, (1280, 960), Setting()).judgement is Judgement.BAD
    assert "focus" in judge_lens(profile, (2304, 1296), Setting(3.0)).advice
