"""Colours against white: the same in any light, told by the photographs; and which piece has which colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from companion.games.above.box import DEITIES, TOKENS, Table
from companion.sensing.appearance import Appearances
from companion.sensing.colour import Cover, Tint, body_tint, rim_tint
from companion.sensing.frames import Image
from tests.sensing.photos import photo, pose, truth

TABLE = Table()
NAMES = ("01", "02", "03", "04", "05", "06", "07", "08")


@cache
def covers(name: str) -> tuple[Cover, ...]:
    data = truth(name)
    return (
        *(Cover(tuple(one["xyz_cap_mm"]), 11.0) for one in data["minis"].values()),
        *(Cover(tuple(one["xyz_mm"]), 8.0) for one in data["tokens"]),
    )


def bodies(image: Image, name: str) -> Iterator[tuple[str, Tint]]:
    """The miniatures of a photograph whose base shows, with its tint."""
    for deity, true in truth(name)["minis"].items():
        if true["id"] in truth(name)["occluded"]:
            continue
        tint = body_tint(image, pose(name), tuple(true["xyz_cap_mm"]), covers(name), TABLE)
        if tint is not None:
            yield deity, tint


def rims(image: Image, name: str) -> Iterator[tuple[str, Tint]]:
    """The tokens of a photograph with the tint of their rims."""
    for true in truth(name)["tokens"]:
        if true["id"] in truth(name)["occluded"]:
            continue
        tint = rim_tint(image, pose(name), tuple(true["xyz_mm"]), covers(name), TABLE)
        if tint is not None:
            yield true["type"], tint


def share(likely: dict[str, float], name: str) -> float:
    return likely[name] / (sum(likely.values()) + 0.5)


def test_every_token_is_told_by_its_rim() -> None:
    shares = [
        share(Appearances().rims(tint, TOKENS), token)
        for name in NAMES
        for token, tint in rims(photo(name), name)
    ]
    assert len(shares) > 100
    assert min(shares) > 0.45
    assert sorted(shares)[len(shares) // 2] > 0.9


def test_a_miniature_is_told_by_its_body_or_not_told_for_sure() -> None:
    said: list[tuple[float, bool]] = []
    for name in NAMES:
        for deity, tint in bodies(photo(name), name):
            likely = Appearances().bodies(tint, DEITIES)
            best = max(likely, key=lambda one: likely[one])
            said.append((share(likely, best), best == deity))
    assert len(said) > 30
    assert sum(right for _, right in said) / len(said) > 0.9
    assert all(right for p, right in said if p > 0.9)
    # Honest: among all eight it is right about as often as it says.
    assert sum(right for _, right in said) >= sum(p for p, _ in said) - 2


WHITE_BALANCES: dict[str, Callable[[Image], Image]] = {
    "a warm lamp": lambda image: np.clip(image * (0.72, 0.95, 1.0), 0, 255).astype(np.uint8),
    "a blue sky": lambda image: np.clip(image * (1.0, 0.9, 0.75), 0, 255).astype(np.uint8),
    "dusk": lambda image: (image * 0.4).astype(np.uint8),
}


@pytest.mark.parametrize("light", WHITE_BALANCES)
def test_the_lights_colour_drops_out(light: str) -> None:
    plain, other = photo("05"), WHITE_BALANCES[light](photo("05"))
    for measure in (bodies, rims):
        for (name, one), (again, two) in zip(measure(plain, "05"), measure(other, "05"), strict=True):
            assert name == again
            assert max(abs(a - b) for a, b in zip(one.bgr, two.bgr, strict=True)) < 0.07


def test_of_a_miniature_in_the_middle_nothing_but_the_cap_is_seen() -> None:
    """Photograph 08: a miniature on the summit."""
    true = truth("08")["minis"]["ar"]
    assert true["space"] == "top"
    assert body_tint(photo("08"), pose("08"), tuple(true["xyz_cap_mm"]), (), TABLE) is None


def test_what_a_neighbours_cap_hides_is_no_colour() -> None:
    cap = tuple(truth("01")["minis"]["he"]["xyz_cap_mm"])
    assert body_tint(photo("01"), pose("01"), cap, (), TABLE) is not None
    neighbour = Cover((cap[0] * 0.95, cap[1] * 0.95, cap[2]), 30.0)
    assert body_tint(photo("01"), pose("01"), cap, (neighbour,), TABLE) is None


def test_what_is_taught_is_told_better_than_what_is_printed() -> None:
    """A table whose Hera was painted over in a colour nobody printed."""
    painted = Tint((0.45, 0.42, 0.02), 0.01)
    looks = Appearances()
    before = share(looks.bodies(painted, DEITIES), "he")
    for _ in range(3):
        looks.learn_body("he", Tint((0.44, 0.43, 0.022), 0.01))
    after = share(looks.bodies(painted, DEITIES), "he")
    assert before < 0.2
    assert after > 0.9
    # In another shade it is the same colour.
    darker = Tint((0.225, 0.21, 0.01), 0.01)
    assert share(looks.bodies(darker, DEITIES), "he") > 0.8


def test_glare_makes_colours_alike_and_nothing_sure() -> None:
    for deity in DEITIES:
        washed = Tint((0.9, 0.9, 0.9), 0.03)
        assert share(Appearances().bodies(washed, DEITIES), deity) < 0.7
