"""Every scene is told from every other one by where and when lights are on, never by their colour."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.olympeak.box import seat_light
from companion.referee.verdict import Choice, Kind, Mark, Verdict
from companion.signals.lights import MARK_LAMPS, SEAT_LAMPS, Pixels, render
from companion.signals.rhythms import Rhythm
from companion.signals.scenes import Scene, light_test, scene_of, seat_scene_of, stopped, waiting
from firmware_bridge.limits import NO_HOST_LIT_MS, NO_HOST_PERIOD_MS
from firmware_bridge.virtual_board import NO_HOST

STEP_MS = 100
# All periods of the rhythms fit into this a whole number of times, so it may be turned round and round.
ROUND_MS = 24_000
# Two rhythms that differ for less of the time than this are not told apart by people.
PLAIN = 0.15

Trace = tuple[bool, ...]


def trace(rhythm: Rhythm) -> Trace:
    """A lamp on (True) and off, step by step."""
    return tuple(rhythm.lit(ms) for ms in range(0, ROUND_MS, STEP_MS))


def difference(one: Trace, other: Trace) -> float:
    """The share of the time in which two lamps differ, at best, whenever each of them began."""
    return min(
        sum(a != b for a, b in zip(one, other[shift:] + other[:shift], strict=True)) / len(one)
        for shift in range(len(one))
    )


def test_every_rhythm_fits_into_a_round() -> None:
    assert all(not rhythm.period_ms or ROUND_MS % rhythm.period_ms == 0 for rhythm in Rhythm)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(Rhythm, 2)))
def test_rhythms_are_told_apart_whenever_one_begins_to_look(one: Rhythm, other: Rhythm) -> None:
    assert difference(trace(one), trace(other)) >= PLAIN


def test_the_measure_can_fail() -> None:
    same = trace(Rhythm.SLOW)
    assert difference(same, same[3:] + same[:3]) == 0.0
    assert len({lamp.rhythm for lamp in MARK_LAMPS.values()}) == len(Mark)
    assert len({lamp.rhythm for lamp in SEAT_LAMPS.values()}) == len(SEAT_LAMPS)


def verdict(kind: Kind, *marks: tuple[str, Mark], seat: int = 0) -> Verdict:
    choices = (Choice("done", "Done"),) if kind in (Kind.QUESTION, Kind.COMPLETE) else ()
    return Verdict(kind, seat, "", marks=marks, choices=choices, winners=(seat,))


TURN = verdict(Kind.READY)
SAID: dict[str, Verdict] = {
    "whose turn": TURN,
    "targets": verdict(Kind.LIFTED, ("c4", Mark.TARGET)),
    "wrong place": verdict(Kind.ILLEGAL, ("c4", Mark.WRONG)),
    "way back": verdict(Kind.ILLEGAL, ("c4", Mark.RETURN)),
    "token to take": verdict(Kind.UNFINISHED, ("c4", Mark.REMOVE)),
    "missing piece": verdict(Kind.UNFINISHED, ("c4", Mark.MISSING)),
    "last call": verdict(Kind.COMPLETE),
    "question": verdict(Kind.QUESTION),
    "waiting": verdict(Kind.HOLD),
    "set-up": verdict(Kind.SETUP),
    "victory": verdict(Kind.OVER, ("top", Mark.WINNER)),
}
ABOVE: dict[str, Scene] = {
    **{name: scene_of(said, 2) for name, said in SAID.items()},
    "emergency stop": stopped(scene_of(TURN, 2)),
    "calibration": light_test(scene_of(TURN, 2)),
}
LIGHTS = tuple(seat_light(seat, 3) for seat in range(3))
# Without lights on the board several verdicts are told by the page alone.
OLYMPEAK: dict[str, Scene] = {
    **{
        name: seat_scene_of(SAID[name], 3, LIGHTS)
        for name in ("whose turn", "wrong place", "last call", "question", "waiting", "victory")
    },
    "card back": seat_scene_of(verdict(Kind.READY, ("reveal 0", Mark.REMOVE)), 3, LIGHTS),
    "emergency stop": stopped(seat_scene_of(TURN, 3, LIGHTS)),
    "calibration": light_test(waiting(3, LIGHTS)),
}


def on_and_off(pixels: Pixels) -> Trace:
    """Which lights are on: all that is left without colour and brightness."""
    return tuple(max(pixel) > 0 for pixel in pixels)


GAMES = {"above": ABOVE, "olympeak": OLYMPEAK}


@cache
def look(game: str, name: str) -> NDArray[np.bool_]:
    """A scene as it is seen for a round: (steps, lights)."""
    scene = GAMES[game][name]
    return np.array([on_and_off(render(scene, ms / 1000)) for ms in range(0, ROUND_MS, STEP_MS)])


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [(game, *pair) for game, scenes in GAMES.items() for pair in itertools.combinations(scenes, 2)],
)
def test_scenes_are_told_apart_without_colour(game: str, one: str, other: str) -> None:
    """Some light behaves plainly otherwise, whenever somebody begins to look."""
    first, second = look(game, one), look(game, other)
    plainest = [
        (first != np.roll(second, shift, axis=0)).mean(axis=0).max() for shift in range(0, len(second), 2)
    ]
    assert min(plainest) >= PLAIN


NO_HOST_ON = np.arange(0, ROUND_MS, STEP_MS) % NO_HOST_PERIOD_MS < NO_HOST_LIT_MS


@pytest.mark.parametrize("name", ABOVE)
def test_the_boards_own_sign_of_no_host_is_no_scene(name: str) -> None:
    """The board shows it by itself, in a time of its own, on and off."""
    sign = NO_HOST_ON[:, None] & np.array(on_and_off(NO_HOST))
    scene = look("above", name)
    plainest = [
        (scene != np.roll(sign, shift, axis=0)).mean(axis=0).max() for shift in range(0, len(sign), 2)
    ]
    assert min(plainest) >= PLAIN


@pytest.mark.parametrize("rhythm", Rhythm)
def test_the_one_light_of_no_host_has_a_rhythm_that_no_lamp_has(rhythm: Rhythm) -> None:
    assert sum(on_and_off(NO_HOST)) == 1
    assert difference(tuple(NO_HOST_ON), trace(rhythm)) >= PLAIN
