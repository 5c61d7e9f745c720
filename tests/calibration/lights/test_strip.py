"""What was seen of a strip, in words: how it runs, where it is broken, which light is weak."""

from __future__ import annotations

import numpy as np

from calibration.lights.spots import Spot
from calibration.lights.strip import Strip, broken_after, in_words, strip_of
from calibration.places import middle
from calibration.wiring_profile import LIGHTS, SPACES
from companion.games.above.box import Board
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.place import BoardPrint

POSE = CameraPose(Camera.assumed((2304, 1296)), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 620.0]))
BOARD = Board()


def seen(order: list[str], levels: dict[str, float] | None = None) -> dict[int, Spot]:
    """The spots of a strip whose positions shine at these places, "" and seats where none is seen."""
    found = {}
    for position, place in enumerate(order):
        if place in SPACES:
            x, y = POSE.project(np.array([middle(place, BoardPrint(), BOARD)]))[0]
            found[position] = Spot(position, (float(x), float(y)), (levels or {}).get(place, 120.0))
    return found


def strip(order: list[str], **more: dict[str, float]) -> Strip:
    return strip_of(seen(order, **more), {}, POSE, BoardPrint(), BOARD)


def test_a_strip_as_drawn_has_its_seat_lights_at_its_end_and_nothing_to_be_said() -> None:
    found = strip(list(LIGHTS))
    assert found.places == LIGHTS
    assert found.seats_told
    assert (found.dark, found.weak, found.twice) == ((), (), ())
    assert in_words(found) == ()


def test_a_strip_that_runs_the_other_way_begins_with_its_seat_lights() -> None:
    order = list(reversed(LIGHTS))
    found = strip(order)
    assert list(found.places) == order
    assert in_words(found) == ("the strip runs the other way, from the last column to the first",)


def test_columns_that_are_exchanged_are_named() -> None:
    order = [*LIGHTS[6:12], *LIGHTS[:6], *LIGHTS[12:]]
    assert in_words(strip(order)) == ("columns a and b are swapped",)


def test_lights_in_no_order_are_counted() -> None:
    order = list(LIGHTS)
    order[3], order[40] = order[40], order[3]
    assert in_words(strip(order)) == ("2 lights are elsewhere than drawn",)


def test_a_strip_that_ends_too_early_is_broken_there() -> None:
    order = [*LIGHTS[:40], *[""] * (len(LIGHTS) - 40)]
    assert broken_after(strip(order).places) == LIGHTS[39]
    single = ["" if n == 17 else place for n, place in enumerate(LIGHTS)]
    found = strip(single)
    assert found.dark == (LIGHTS[17],)
    assert broken_after(found.places) is None


def test_a_light_much_darker_than_those_around_it_is_weak_and_a_rim_in_the_shade_is_not() -> None:
    shade = {space: 60.0 for space in SPACES if space[0] in "efgh"}
    found = strip(list(LIGHTS), levels=shade | {"b3": 30.0, "f2": 20.0})
    assert found.weak == ("b3", "f2")


def test_two_lights_under_one_space_are_said_and_the_one_at_its_middle_is_taken() -> None:
    spots = seen(list(LIGHTS))
    x, y = spots[5].at
    spots[4] = Spot(4, (x + 12.0, y), 120.0)
    found = strip_of(spots, {}, POSE, BoardPrint(), BOARD)
    assert found.twice == (LIGHTS[5],)
    assert found.places[5] == LIGHTS[5]
    assert found.dark == (LIGHTS[4],)


def test_lights_of_another_kind_are_named() -> None:
    told = {n: "rgb" if n < 6 else "grb" for n in range(len(SPACES))}
    found = strip_of(seen(list(LIGHTS)), told, POSE, BoardPrint(), BOARD)
    assert found.channels == "grb"
    assert found.other_colours == LIGHTS[:6]
