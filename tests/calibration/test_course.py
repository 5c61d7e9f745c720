"""The course: what the profile holds is left out, what rests on something newer is due again, one step can be redone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from calibration.course import Course, Standing, UnknownStep, share_done
from calibration.profile import TableProfile
from calibration.session import Key, Phase
from calibration.step import Part
from tests.calibration.scripted import Played, ScriptedStep, outcome, pressing

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
PROFILE = TableProfile()


def test_what_was_measured_is_left_out_and_the_rest_is_led_through() -> None:
    done, due = ScriptedStep("camera", at=EARLY), ScriptedStep("rings")
    played = Played(Course([done, due], resume=True))
    assert played.complete
    assert (done.begun, due.begun) == (0, 1)
    assert played.story == ["rings intro", "rings measuring", "rings judged", "ended"]
    assert [station.standing for station in played.views[0].course] == [Standing.DONE, Standing.NOW]
    assert (played.views[0].number, played.views[0].count) == (2, 2)
    assert played.views[0].whole == 0.5
    assert played.views[-1].whole == 1.0


def test_everything_measured_already_is_said() -> None:
    played = Played(Course([ScriptedStep("camera", at=EARLY)], resume=True))
    assert played.complete
    assert played.views[-1].ending == "Everything was measured already."


def test_one_step_is_redone_once() -> None:
    camera, rings = ScriptedStep("camera", at=LATE), ScriptedStep("rings", at=LATE)
    played = Played(Course([camera, rings], ["rings"], resume=True))
    assert played.complete
    assert (camera.begun, rings.begun) == (0, 1)
    with pytest.raises(UnknownStep, match="they are camera, rings"):
        Course([camera, rings], ["ring"])


def test_rings_seen_through_an_older_lens_are_due_again() -> None:
    camera, rings = ScriptedStep("camera", at=LATE), ScriptedStep("rings", at=EARLY)
    course = Course([camera, rings], resume=True)
    assert not course.due(camera, PROFILE)
    assert course.due(rings, PROFILE)
    rings.at = LATE
    assert not course.due(rings, PROFILE)


def test_without_resuming_every_step_is_due() -> None:
    course = Course([ScriptedStep("camera", at=LATE)])
    assert course.next(-1, PROFILE) == 0


def test_one_key_goes_back_to_what_was_measured_before() -> None:
    camera, rings = ScriptedStep("camera", at=EARLY), ScriptedStep("rings")
    press = pressing(
        (Phase.INTRO, Key.BACK),
        (Phase.INTRO, Key.GO),
        (Phase.JUDGED, Key.KEEP),
        (Phase.INTRO, Key.GO),
        (Phase.JUDGED, Key.KEEP),
    )
    played = Played(Course([camera, rings], resume=True), press)
    assert played.complete
    assert (camera.begun, rings.begun) == (1, 1)
    back = next(view for view in played.views if view.name == "camera")
    assert "Measured on 2026-01-01 at 00:00; skip keeps that." in back.instructions


def test_what_is_not_fitted_counts_as_done() -> None:
    reeds = ScriptedStep("reeds", needs=frozenset({Part.REEDS}))
    played = Played(Course([ScriptedStep("camera"), reeds], resume=True))
    assert [station.standing for station in played.views[0].course] == [Standing.NOW, Standing.NOT_FITTED]
    assert played.views[-1].whole == 1.0
    assert share_done((), 0.5) == 0.0


def test_a_course_that_was_stopped_goes_on_where_it_was() -> None:
    camera, rings = ScriptedStep("camera"), ScriptedStep("rings", (outcome(False),))
    first = Played(Course([camera, rings], resume=True))
    assert not first.complete
    assert first.saved == ["camera"]
    camera.at = EARLY
    rings = ScriptedStep("rings")
    assert Played(Course([camera, rings], resume=True)).story[0] == "rings intro"
    assert camera.begun == 1
