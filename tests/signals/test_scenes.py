"""What each verdict says through the lights."""

from __future__ import annotations

import pytest

from companion.referee.verdict import Kind, Mark, Verdict
from companion.signals.scenes import (
    MARK_LEVELS,
    SIGN_LEVELS,
    Layer,
    Level,
    Mood,
    Motion,
    Scene,
    SeatSign,
    light_test,
    scene_of,
    seat_scene_of,
    stopped,
    waiting,
)


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


def test_every_meaning_has_its_level() -> None:
    assert set(MARK_LEVELS) == set(Mark)
    assert set(SIGN_LEVELS) == set(SeatSign)


@pytest.mark.parametrize(("one", "other"), [(Mark.WRONG, Mark.RETURN), (Mark.REMOVE, Mark.MISSING)])
def test_of_two_meanings_on_one_level_the_same_is_shown_in_any_order(one: Mark, other: Mark) -> None:
    for marks in ((("c4", one), ("c4", other)), (("c4", other), ("c4", one))):
        assert scene_of(Verdict(Kind.ILLEGAL, seat=0, text="", marks=marks), players=2).marks == (
            ("c4", one),
        )


def test_layers_lie_in_the_order_of_their_levels() -> None:
    marks = (("c4", Mark.WRONG), ("a1", Mark.RETURN), ("d4", Mark.TARGET), ("e5", Mark.REMOVE))
    scene = scene_of(Verdict(Kind.ILLEGAL, seat=0, text="", marks=marks), players=2)
    assert [layer.level for layer in scene.layers] == [Level.TARGETS, Level.ACTS, Level.WRONG]
    assert scene.layers[-1].seats == ((0, SeatSign.WRONG),)


def test_the_emergency_stop_is_said_at_every_seat_and_the_game_goes_on_beneath() -> None:
    verdict = Verdict(Kind.LIFTED, seat=1, text="", marks=(("c4", Mark.TARGET),))
    scene = stopped(scene_of(verdict, players=2))
    assert scene.mood is Mood.STOPPED
    assert scene.marks == (("c4", Mark.TARGET),)
    assert scene.seats == ((0, SeatSign.STOPPED), (1, SeatSign.STOPPED))


def test_a_light_test_shows_nothing_but_itself() -> None:
    verdict = Verdict(Kind.OVER, seat=1, text="", marks=(("top", Mark.WINNER),), winners=(1,))
    scene = light_test(stopped(scene_of(verdict, players=2)))
    assert (scene.mood, scene.marks, scene.seats, scene.motion) == (Mood.LIGHT_TEST, (), (), Motion.WALK)


def test_a_lower_layer_never_covers_a_higher_one() -> None:
    scene = Scene(Mood.ASKING, 2, (Layer(Level.QUESTION, seats=((0, SeatSign.ASKED),)),))
    turn = Layer(Level.TURN, seats=((0, SeatSign.TURN), (1, SeatSign.TURN)))
    assert scene.under(turn, Mood.ASKING).seats == ((0, SeatSign.ASKED), (1, SeatSign.TURN))


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
