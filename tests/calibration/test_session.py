"""A session: steps one after the other, one key back, what is good is kept at once, what is not never."""

from __future__ import annotations

import pytest

from calibration.bench import RETRY_S, UNATTENDED_TRIES
from calibration.session import Key, Phase
from calibration.step import Part, StepError
from companion.sensing.frames import CameraAbsent, CameraUnusable
from tests.calibration.scripted import Lamps, Played, ScriptedCamera, ScriptedStep, outcome, pressing

INTRO, MEASURING, JUDGED = Phase.INTRO, Phase.MEASURING, Phase.JUDGED


def test_unattended_every_good_step_is_kept_at_once() -> None:
    one, two = ScriptedStep("one"), ScriptedStep("two", looks=3)
    played = Played([one, two])
    assert played.complete
    assert played.story == [
        "one intro",
        "one measuring",
        "one judged",
        "two intro",
        "two measuring",
        "two judged",
        "ended",
    ]
    assert played.saved == ["one", "one two"]
    assert played.views[-1].kept == ("one", "two")
    assert [
        view.advice.text
        for view in played.views
        if view.name == "two" and view.phase is MEASURING and view.advice
    ] == [
        "look 1",
        "look 2",
        "look 3",
    ]
    assert played.camera.closed == 1
    assert all(view.simulated for view in played.views)


def test_unattended_what_is_not_good_enough_is_tried_once_more_and_ends_it() -> None:
    bad = ScriptedStep("bad", (outcome(False), outcome(False)))
    never = ScriptedStep("never")
    played = Played([bad, never])
    assert not played.complete
    assert (bad.begun, never.begun) == (2, 0)
    assert played.saved == []
    assert played.views[-1].phase is Phase.ENDED
    again = ScriptedStep("again", (outcome(False), outcome(True)))
    assert Played([again]).complete


def test_a_person_keeps_goes_back_and_skips() -> None:
    one, two = ScriptedStep("one"), ScriptedStep("two")
    played = Played(
        [one, two],
        pressing(
            (INTRO, Key.GO),
            (JUDGED, Key.KEEP),
            (INTRO, Key.BACK),
            (INTRO, Key.SKIP),
            (INTRO, Key.GO),
            (JUDGED, Key.AGAIN),
            (INTRO, Key.GO),
            (JUDGED, Key.KEEP),
        ),
    )
    assert played.complete
    assert (one.begun, two.begun) == (1, 2)
    assert played.saved == ["one", "one two"]


def test_while_measuring_one_key_goes_back_or_stops() -> None:
    slow = ScriptedStep("slow", looks=10**6)
    first = ScriptedStep("first")
    played = Played(
        [first, slow],
        pressing(
            (INTRO, Key.GO),
            (JUDGED, Key.KEEP),
            (INTRO, Key.GO),
            (MEASURING, Key.BACK),
            (INTRO, Key.QUIT),
        ),
    )
    assert not played.complete
    assert slow.cancelled == 1
    # What was kept stays kept.
    assert played.saved == ["first"]
    assert played.views[-1].kept == ("first",)


def test_enough_ends_a_measurement_with_what_there_is() -> None:
    slow = ScriptedStep("slow", looks=10**6)
    played = Played([slow], pressing((INTRO, Key.GO), (MEASURING, Key.ENOUGH), (JUDGED, Key.KEEP)))
    assert played.complete
    assert (slow.begun, slow.cancelled) == (1, 0)


def test_what_fails_says_why_and_can_be_begun_again() -> None:
    step = ScriptedStep("step", (StepError("No view of the sheet was taken."), outcome()))
    played = Played(
        [step], pressing((INTRO, Key.GO), (JUDGED, Key.AGAIN), (INTRO, Key.GO), (JUDGED, Key.KEEP))
    )
    assert played.complete
    failed = next(view for view in played.views if view.phase is JUDGED)
    assert failed.trouble == "No view of the sheet was taken."
    assert Key.KEEP not in failed.keys
    assert failed.keys[0] is Key.AGAIN


def test_what_is_not_good_enough_cannot_be_kept() -> None:
    step = ScriptedStep("step", (outcome(False),))
    played = Played([step], pressing((INTRO, Key.GO), (JUDGED, Key.SKIP)))
    (judged,) = [view for view in played.views if view.phase is JUDGED]
    assert judged.keys == (Key.AGAIN, Key.SKIP, Key.QUIT)
    assert played.saved == []


def test_a_key_that_is_not_offered_is_refused() -> None:
    played = Played([ScriptedStep()])
    assert not any(played.session.press(key) for key in Key)


def test_a_step_that_the_table_has_no_parts_for_is_left_out() -> None:
    step = ScriptedStep("reeds", needs=frozenset({Part.REEDS, Part.CAMERA}))
    played = Played([step, ScriptedStep("next")])
    assert played.complete
    assert step.begun == 0
    assert played.views[0].trouble == "This table has no reeds: this is left out."
    assert played.saved == ["next"]


def test_lights_follow_the_advice_and_go_out_at_the_end() -> None:
    lamps = Lamps()
    Played([ScriptedStep("one", looks=2, needs=frozenset({Part.LIGHTS}))], lamps=lamps)
    assert [pixels[0] for pixels in lamps.shown] == [(1, 0, 0), (2, 0, 0), (0, 0, 0)]


def test_a_camera_that_is_gone_is_told_and_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.bench.RETRY_S", RETRY_S / 1000)
    camera = ScriptedCamera(None, CameraAbsent("The camera is gone; plug it in again."))
    played = Played([ScriptedStep("one", looks=3)], camera=camera)
    assert played.complete
    told = [view.advice.text for view in played.views if view.phase is MEASURING and view.advice]
    assert told == ["look 1", "The camera is gone; plug it in again.", "look 2", "look 3"]
    assert camera.opened == 2


def test_a_camera_that_never_comes_ends_the_step() -> None:
    camera = ScriptedCamera(
        CameraUnusable("No camera is called 'x'."), CameraUnusable("No camera is called 'x'.")
    )
    played = Played([ScriptedStep("one")], camera=camera)
    assert not played.complete
    assert played.views[-1].trouble == "No camera is called 'x'."


def test_with_nobody_there_a_camera_that_stays_away_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("calibration.bench.RETRY_S", 0.0)
    away = CameraAbsent("The camera is gone; plug it in again.")
    played = Played([ScriptedStep("one")], camera=ScriptedCamera(*(away,) * 2 * UNATTENDED_TRIES))
    assert not played.complete
    assert played.views[-1].trouble == "The camera is gone; plug it in again."
    back = ScriptedCamera(*(away,) * (UNATTENDED_TRIES - 1), None, away)
    assert Played([ScriptedStep("one", looks=2)], camera=back).complete
