"""What each verdict says through the lights."""

from __future__ import annotations

import pytest

from companion.referee.verdict import Kind, Mark, Verdict
from companion.signals.scenes import URGENCY, Mood, SeatSign, scene_of, seat_scene_of, waiting


@pytest.mark.parametrize(
    ("kind", "mood", "seats"),
    [
        (Kind.SETUP, Mood.WAITING, ((0, SeatSign.IDLE), (1, SeatSign.IDLE))),
        (Kind.READY, Mood.PLAYING, ((1, SeatSign.TURN),)),
        (Kind.LIFTED, Mood.PLAYING, ((1, SeatSign.TURN),)),
        (Kind.UNFINISHED, Mood.PLAYING, ((1, SeatSign.TURN),)),
        (Kind.COMPLETE, Mood.PLAYING, ((1, SeatSign.LAST_CALL),)),
        (Kind.ILLEGAL, Mood.ILLEGAL, ((1, SeatSign.WRONG),)),
        (Kind.QUESTION, Mood.ASKING, ((0, SeatSign.ASKED), (1, SeatSign.ASKED))),
        (Kind.HOLD, Mood.WAITING, ((1, SeatSign.IDLE),)),
        (Kind.OVER, Mood.VICTORY, ((0, SeatSign.WINNER),)),
    ],
)
def test_every_state_of_the_table_has_its_scene(
    kind: Kind, mood: Mood, seats: tuple[tuple[int, SeatSign], ...]
) -> None:
    scene = scene_of(Verdict(kind, seat=1, text="", winners=(0,)), players=2)
    assert (scene.mood, scene.seats, scene.players) == (mood, seats, 2)


def test_the_table_above_covers_every_kind() -> None:
    for kind in Kind:
        scene_of(Verdict(kind, seat=0, text=""), players=4)


def test_both_of_a_winning_team_are_shown() -> None:
    scene = scene_of(Verdict(Kind.OVER, seat=2, text="", winners=(2, 0)), players=4)
    assert scene.seats == ((0, SeatSign.WINNER), (2, SeatSign.WINNER))


def test_a_space_with_two_meanings_shows_the_urgent_one() -> None:
    marks = (("c4", Mark.TARGET), ("a1", Mark.MOVED), ("c4", Mark.WRONG), ("c4", Mark.MOVED))
    scene = scene_of(Verdict(Kind.ILLEGAL, seat=0, text="", marks=marks), players=2)
    assert scene.marks == (("a1", Mark.MOVED), ("c4", Mark.WRONG))


def test_every_mark_has_an_urgency() -> None:
    assert sorted(mark.value for mark in URGENCY) == sorted(mark.value for mark in Mark)


def test_the_same_verdict_in_other_words_is_the_same_scene() -> None:
    marks = (("c4", Mark.TARGET), ("d5", Mark.TARGET))
    first = scene_of(Verdict(Kind.LIFTED, seat=0, text="one", marks=marks), players=2)
    second = scene_of(Verdict(Kind.LIFTED, seat=0, text="two", marks=marks[::-1]), players=2)
    assert first == second


def test_before_the_first_verdict_every_seat_is_dimly_lit() -> None:
    assert waiting(4).seats == tuple((seat, SeatSign.IDLE) for seat in range(4))


LIGHTS = (0, 2, 4, 6)


def test_without_a_mountain_the_seats_say_it_all() -> None:
    marks = (("reveal 1", Mark.TARGET), ("reveal 3", Mark.TARGET), ("cube red", Mark.MISSING))
    scene = seat_scene_of(Verdict(Kind.READY, seat=1, text="", marks=marks), 4, LIGHTS)
    assert scene.seats == ((1, SeatSign.TURN), (3, SeatSign.TURN))
    assert (scene.marks, scene.seat_lights) == ((), LIGHTS)


def test_who_takes_a_card_back_is_lit_beside_who_plays() -> None:
    marks = (("column blue", Mark.TARGET), ("reveal 1", Mark.REMOVE))
    scene = seat_scene_of(Verdict(Kind.READY, seat=2, text="", marks=marks), 4, LIGHTS)
    assert scene.seats == ((1, SeatSign.ASKED), (2, SeatSign.TURN))


def test_an_offence_lights_the_offender_alone() -> None:
    marks = (("column blue", Mark.WRONG), ("reveal 1", Mark.RETURN))
    scene = seat_scene_of(Verdict(Kind.ILLEGAL, seat=1, text="", marks=marks), 4, LIGHTS)
    assert scene.seats == ((1, SeatSign.WRONG),)
    assert scene.mood is Mood.ILLEGAL


@pytest.mark.parametrize("kind", Kind)
def test_every_state_has_its_scene_without_a_mountain_too(kind: Kind) -> None:
    scene = seat_scene_of(Verdict(kind, seat=0, text="", winners=(2,)), 3, (0, 3, 5))
    assert scene.seats
    assert waiting(3, (0, 3, 5)).seat_lights == scene.seat_lights
