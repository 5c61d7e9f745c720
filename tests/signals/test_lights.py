"""Colours, rhythms and current of the LED strip."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.above.box import LED_COUNT, Board, led_index, seat_led_index
from companion.games.olympeak.box import seat_light
from companion.referee.verdict import Kind, Mark, Verdict
from companion.signals.lights import (
    BUDGET_MA,
    DARK,
    MARK_LAMPS,
    SEAT_LAMPS,
    WALK_STEP_MS,
    Colour,
    Lamp,
    LightShow,
    current_ma,
    next_change,
    render,
)
from companion.signals.rhythms import Rhythm
from companion.signals.scenes import (
    Layer,
    Level,
    Mood,
    Scene,
    SeatSign,
    light_test,
    scene_of,
    waiting,
)


def marked(*marks: tuple[str, Mark]) -> Scene:
    """A scene of two players with these spaces lit and nothing else."""
    return Scene(Mood.PLAYING, 2, (Layer(Level.TARGETS, spaces=marks),))


SPACES = (*(f"{column}{ring}" for column in "abcdefghijklmnop" for ring in range(1, 7)), "top")


def meaning(colour: Colour) -> str:
    """What a person, or a simulated player, takes a colour for."""
    r, g, b = colour
    found = [
        name
        for name, holds in {
            "dark": max(colour) == 0,
            "red": r >= 150 and g <= 40 and b <= 40,
            "amber": r >= 120 and 50 <= g <= 140 and b <= 30,
            "green": g >= 120 and r <= 40 and b <= 60,
            "blue": b >= 150 and r < 100 and g < 100,
            "white": min(colour) >= 100,
            "dim": 0 < max(colour) <= 60,
            "gold": r >= 200 and g >= 150 and 30 < b < 100,
        }.items()
        if holds
    ]
    assert len(found) == 1, f"{colour} reads as {found}"
    return found[0]


@pytest.mark.parametrize(
    ("mark", "colour"),
    [
        (Mark.MOVED, "dim"),
        (Mark.TARGET, "green"),
        (Mark.WRONG, "red"),
        (Mark.RETURN, "blue"),
        (Mark.REMOVE, "amber"),
        (Mark.MISSING, "amber"),
        (Mark.WINNER, "gold"),
    ],
)
def test_each_mark_is_lit_from_the_first_command_in_its_colour(mark: Mark, colour: str) -> None:
    pixels = render(marked(("c4", mark)), 0.0)
    assert meaning(pixels[led_index("c4")]) == colour
    assert [index for index, pixel in enumerate(pixels) if pixel != DARK] == [led_index("c4")]


@pytest.mark.parametrize(
    ("kind", "colour"),
    [
        (Kind.READY, "white"),
        (Kind.LIFTED, "white"),
        (Kind.UNFINISHED, "white"),
        (Kind.COMPLETE, "white"),
        (Kind.ILLEGAL, "red"),
        (Kind.QUESTION, "amber"),
        (Kind.SETUP, "dim"),
        (Kind.HOLD, "dim"),
        (Kind.OVER, "gold"),
    ],
)
@pytest.mark.parametrize("players", [2, 4])
def test_the_movers_seat_light_from_the_first_command(kind: Kind, colour: str, players: int) -> None:
    pixels = render(scene_of(Verdict(kind, seat=1, text="", winners=(1,)), players), 0.0)
    assert meaning(pixels[seat_led_index(1, players)]) == colour


def test_a_turn_lights_its_seat_and_nothing_else_all_the_time() -> None:
    scene = scene_of(Verdict(Kind.READY, seat=0, text=""), 2)
    assert next_change(scene, 0.0) is None
    pixels = render(scene, 12.3)
    assert [index for index, pixel in enumerate(pixels) if pixel != DARK] == [seat_led_index(0, 2)]
    assert len(pixels) == LED_COUNT


def test_no_two_meanings_share_a_rhythm() -> None:
    """Without seeing colour, what lies on a space, or what is asked of a seat, is still told apart."""
    for lamps in (list(MARK_LAMPS.values()), list(SEAT_LAMPS.values())):
        assert len({lamp.rhythm for lamp in lamps}) == len(lamps)


@pytest.mark.parametrize("lamp", [*MARK_LAMPS.values(), *SEAT_LAMPS.values()])
def test_nothing_blinks_in_a_way_that_harms(lamp: Lamp) -> None:
    """At most three flashes in any second; every rhythm begins lit."""
    assert lamp.rhythm.lit(0)
    starts = [ms for ms in range(1, 4000) if lamp.rhythm.lit(ms) and not lamp.rhythm.lit(ms - 1)]
    for begin in range(0, 3000, 50):
        assert sum(begin <= start < begin + 1000 for start in starts) <= 3


@pytest.mark.parametrize("rhythm", list(Rhythm))
def test_edges_are_where_the_lamp_changes(rhythm: Rhythm) -> None:
    changes = [ms for ms in range(1, 5000) if rhythm.lit(ms) != rhythm.lit(ms - 1)]
    edges, ms = [], 0
    while (edge := rhythm.next_edge(ms)) is not None and edge < 5000:
        edges.append(edge)
        ms = edge
    assert edges == changes


def test_victory_runs_round_the_mountain() -> None:
    scene = scene_of(
        Verdict(Kind.OVER, seat=0, text="", marks=(("top", Mark.WINNER),), winners=(0, 2)), players=4
    )
    columns: list[str] = []
    t, golden = 0.0, set()
    while t < 16 * 0.12:
        pixels = render(scene, t)
        golden.add(meaning(pixels[led_index("top")]))
        assert [meaning(pixels[seat_led_index(seat, 4)]) for seat in range(4)] in (
            ["gold", "dark", "gold", "dark"],
            ["dark"] * 4,
        )
        heads = [c for c in "abcdefghijklmnop" if meaning_or_none(pixels[led_index(f"{c}3")]) == "gold"]
        columns += [head for head in heads if columns[-1:] != [head]]
        change = next_change(scene, t)
        assert change is not None
        t = change
    assert "".join(columns) == "abcdefghijklmnop"
    assert golden == {"gold", "dark"}
    assert not any(r >= 120 and 50 <= g <= 140 and b <= 30 for r, g, b in render(scene, 0.0))


def meaning_or_none(colour: Colour) -> str | None:
    return meaning(colour) if colour[0] >= 200 else None


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SPACES), st.sampled_from(Mark)), max_size=97),
    st.sampled_from(Kind),
    st.sampled_from((2, 4)),
    st.floats(0, 100),
)
def test_no_scene_draws_more_than_the_supply_gives(
    marks: list[tuple[str, Mark]], kind: Kind, players: int, t: float
) -> None:
    scene = scene_of(Verdict(kind, 0, "", marks=tuple(marks), winners=(0,)), players)
    assert current_ma(render(scene, t)) <= BUDGET_MA
    assert current_ma(render(scene, t, budget_ma=400)) <= 400


def test_all_targets_at_once_are_still_clearly_green() -> None:
    pixels = render(marked(*((space, Mark.TARGET) for space in SPACES)), 0.0)
    assert {meaning(pixel) for pixel in pixels[:97]} == {"green"}


def test_a_small_supply_dims_evenly_and_without_flicker() -> None:
    scene = marked(("c4", Mark.TARGET), ("d4", Mark.WRONG))
    bright, blink_off = render(scene, 0.0, budget_ma=115), render(scene, 0.3, budget_ma=115)
    assert blink_off[led_index("d4")] == DARK
    assert bright[led_index("c4")] == blink_off[led_index("c4")] != MARK_LAMPS[Mark.TARGET].colour
    assert render(scene, 0.0, budget_ma=0) == (DARK,) * LED_COUNT


@settings(deadline=None)
@given(st.sampled_from(Kind), st.sampled_from(Mark), st.floats(0, 50))
def test_nothing_changes_before_next_change_and_something_may_then(kind: Kind, mark: Mark, t: float) -> None:
    scene = scene_of(Verdict(kind, 0, "", marks=(("c4", mark),), winners=(0,)), 2)
    change = next_change(scene, t)
    if change is None:
        assert render(scene, t) == render(scene, t + 7.77)
        return
    assert change > t - 0.001
    assert render(scene, t) == render(scene, max(t, change - 0.002))


def test_the_show_sends_only_changes_and_keeps_the_beat() -> None:
    show = LightShow()
    assert show.tick(5.0) is None and show.due_at(5.0) is None and show.pixels == ()
    scene = scene_of(Verdict(Kind.ILLEGAL, 0, "", marks=(("c4", Mark.WRONG),)), 2)
    began = 1000.1  # an awkward offset: sums of it are inexact
    first = show.show(scene, began)
    assert first is not None and meaning(first[led_index("c4")]) == "red"
    assert show.show(scene, began + 0.05) is None
    now, seen = began, [meaning(first[led_index("c4")])]
    for _ in range(5):
        due = show.due_at(now)
        assert due is not None and due > now
        pixels = show.tick(due)
        assert pixels is not None and pixels == show.pixels
        seen.append(meaning(pixels[led_index("c4")]))
        now = due
    assert seen == ["red", "dark"] * 3
    assert now == pytest.approx(began + 1.0)


def test_a_new_scene_begins_lit_whatever_the_old_ones_beat() -> None:
    show = LightShow()
    verdict = Verdict(Kind.ILLEGAL, 0, "", marks=(("c4", Mark.WRONG),))
    show.show(scene_of(verdict, 2), 0.0)
    other = Verdict(Kind.ILLEGAL, 0, "", marks=(("d4", Mark.WRONG),))
    pixels = show.show(scene_of(other, 2), 0.3)
    assert pixels is not None
    assert meaning(pixels[led_index("d4")]) == "red" and pixels[led_index("c4")] == DARK


def test_a_larger_board_has_a_longer_strip() -> None:
    board = Board(rings=7, columns=18)
    pixels = render(marked(("r7", Mark.TARGET)), 0.0, board=board)
    assert len(pixels) == 7 * 18 + 1 + 8
    assert meaning(pixels[led_index("r7", board)]) == "green"


def test_distinct_scenes_look_distinct_at_the_first_command() -> None:
    looks = [
        render(scene, 0.0)
        for scene in (
            waiting(2),
            scene_of(Verdict(Kind.READY, 0, ""), 2),
            scene_of(Verdict(Kind.ILLEGAL, 0, ""), 2),
            scene_of(Verdict(Kind.QUESTION, 0, ""), 2),
            scene_of(Verdict(Kind.OVER, 0, "", winners=(0,)), 2),
        )
    ]
    assert all(first != second for first, second in itertools.combinations(looks, 2))


def test_without_a_mountain_only_seats_are_lit_even_in_victory() -> None:
    lights = tuple(seat_light(seat, 5) for seat in range(5))
    scene = Scene(Mood.VICTORY, 5, (Layer(Level.VICTORY, seats=((3, SeatSign.WINNER),)),), lights)
    pixels = render(scene, 0.0)
    assert [index for index, pixel in enumerate(pixels) if pixel != DARK] == [
        led_index("top") + 1 + lights[3]
    ]
    assert next_change(scene, 0.0) == Rhythm.FANFARE.spans_ms[0][1] / 1000


def test_a_light_test_walks_along_the_whole_strip_one_light_at_a_time() -> None:
    scene, t, lit = light_test(waiting(2)), 0.0, []
    for _ in range(LED_COUNT):
        lit += [index for index, pixel in enumerate(render(scene, t)) if pixel != DARK]
        change = next_change(scene, t)
        assert change is not None and change - t == pytest.approx(WALK_STEP_MS / 1000)
        t = change
    assert lit == list(range(LED_COUNT))
