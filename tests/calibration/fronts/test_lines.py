"""The session as lines: each thing once, and as JSON what each step came to."""

from __future__ import annotations

import json

from calibration.fronts.lines import JsonFront, LinesFront
from calibration.step import StepError
from tests.calibration.scripted import Played, ScriptedStep, outcome


def test_lines_tell_the_story_once() -> None:
    played = Played([ScriptedStep("one", looks=2), ScriptedStep("two", (outcome(False),))])
    lines: list[str] = []
    front = LinesFront(lines.append)
    for view in played.views:
        front.show(view)
        front.show(view)
    assert lines == [
        "[simulated] 1 of 2: A step. Do this.",
        "look 1",
        "look 2",
        "measured one",
        "  spread of tilt: 9° (5° or more) good",
        "[simulated] 2 of 2: A step. Do this.",
        "look 1",
        "measured kept",
        "  spread of tilt: 1° (5° or more) bad: tilt it",
        "[simulated] 2 of 2: A step. Do this.",
        "look 1",
        "measured kept",
        "  spread of tilt: 1° (5° or more) bad: tilt it",
        "Kept: one.",
    ]


def test_json_says_what_each_step_came_to() -> None:
    played = Played([ScriptedStep("one"), ScriptedStep("two", (StepError("no picture"),))])
    lines: list[str] = []
    front = JsonFront(lines.append)
    for view in played.views:
        front.show(view)
    first, second, _, end = (json.loads(line) for line in lines)
    assert (first["step"], first["good"], first["data"]) == ("one", True, {"value": 1})
    assert first["findings"][0]["judgement"] == "good"
    assert second == {"step": "two", "good": False, "trouble": "no picture"}
    assert (end["ended"], end["kept"], end["steps"]) == (True, ["one"], {"one": "done", "two": "open"})
