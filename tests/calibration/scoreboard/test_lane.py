"""A lane as it is judged: what is measured is what it truly does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.gate import Judgement, passes
from calibration.scoreboard.lane import DrivenLane, Line, Sight, fitted, through

ASKED = (-180.0, -90.0, 0.0, 90.0, 180.0, 90.0, 0.0, -90.0, -180.0)


@settings(max_examples=30, deadline=None)
@given(
    st.floats(-5, 5),
    st.floats(0.3, 2.5),
    st.sampled_from((-1, 1)),
    st.floats(0, 2),
)
def test_turn_gear_place_and_slack_of_a_lane_are_told_apart(
    offset: float, scale: float, way: int, slack: float
) -> None:
    sights = [
        Sight(asked, offset + way * scale * asked - (slack / 2 if up else -slack / 2), up)
        for asked, up in zip(ASKED, (False, *(True,) * 4, *(False,) * 4), strict=True)
    ]
    line = fitted(sights)
    assert line.offset_mm == pytest.approx(offset, abs=1e-6)
    assert line.scale == pytest.approx(way * scale, abs=1e-6)
    assert line.slack_mm == pytest.approx(slack, abs=1e-6)
    assert line.off_mm == pytest.approx(0, abs=1e-6)
    assert line.offset_mm + line.scale * line.asked_mm(45.0) == pytest.approx(45.0)


def test_two_sights_tell_the_way_and_the_gear() -> None:
    assert through((-150.0, 148.0), (-160.0, 158.0)) == Line(-2.0, -1.0)


def bad(lane: DrivenLane) -> list[str]:
    return [finding.what for finding in lane.findings() if finding.judgement is Judgement.BAD]


STEADY = (10.0, 10.1, 9.9, 10.0, 10.1, 9.9, 10.0, 10.1, 9.9, 10.0)


@pytest.mark.parametrize(
    ("line", "trips", "refused"),
    [
        (Line(0.0, 1.0, 0.2, 0.5), STEADY, []),
        (Line(0.0, -1.0, 0.2, 0.5), STEADY, []),
        (Line(0.0, 2.0, 0.2, 0.5), STEADY, []),
        (Line(0.0, 0.8, 0.2, 0.5), STEADY, ["the red cube: reach"]),
        (Line(9.0, 1.0, 0.2, 0.5), STEADY, ["the red cube: reach"]),
        (Line(0.0, 1.0, 2.2, 0.5), STEADY, ["the red cube: places"]),
        (Line(0.0, 1.0, 0.2, 0.5), (10.0, 12.0) * 5, ["the red cube: again and again"]),
        (Line(0.0, 1.0, 0.2, 0.5), tuple(0.3 * n for n in range(10)), ["the red cube: lost steps"]),
    ],
)
def test_a_lane_that_is_off_is_refused_for_what_it_does(
    line: Line, trips: tuple[float, ...], refused: list[str]
) -> None:
    lane = DrivenLane("red", 2, line, trips)
    assert bad(lane) == refused
    assert passes(lane.findings()) == (not refused)
    assert all(finding.advice for finding in lane.findings() if not finding.good)


def test_another_pulley_is_told_but_put_right() -> None:
    lane = DrivenLane("red", 2, Line(180.0, 2.0, 0.2, 0.5), STEADY)
    steps = next(finding for finding in lane.findings() if "steps" in finding.what)
    assert (steps.judgement, steps.seen) == (Judgement.DOUBTFUL, "2.000 mm for 1 mm")
    assert lane.profile().asked_mm(0.0) == -90.0
