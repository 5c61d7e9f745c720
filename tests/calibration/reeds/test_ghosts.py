"""Missing diodes: the ghosts they make are told from real pieces, and lead to the switch without one."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.reeds.ghosts import Ghosts, corners, tokens_for
from calibration.wiring_profile import SPACES
from firmware_bridge.virtual_wiring import Wiring


def walked(wiring: Wiring) -> Ghosts:
    """Tokens lie as they are asked for, and a magnet rests on every other space."""
    home = {wiring.reeds[n]: n for n in range(97)}
    tokens = [SPACES.index(space) for space in tokens_for({SPACES[n]: number for number, n in home.items()})]
    ghosts = Ghosts()
    for wand in range(97):
        magnets = frozenset({*tokens, wand})
        truly = {wiring.reeds[n] for n in magnets}
        # Where a ghost shows, a second look is taken.
        if ghosts.look(truly, wiring.seen(magnets, 0.0)):
            ghosts.look(truly, wiring.seen(magnets, 0.0))
    return ghosts


def test_three_pieces_and_a_missing_diode_make_a_fourth() -> None:
    # a1, a2 and b1 stand; without the diode of a1 current comes back through it, and b2 looks closed.
    assert corners(0, {0, 1, 6}) == {7}
    assert corners(1, {0, 1, 6}) == frozenset()
    assert corners(96, {0, 1, 6, 96}) == frozenset()
    assert Wiring(no_diode=frozenset({0})).seen(frozenset({0, 1, 6}), 0.0) == {0, 1, 6, 7}


def test_tokens_lie_one_in_each_column_and_try_every_diode() -> None:
    tokens = tokens_for({space: n for n, space in enumerate(SPACES)})
    assert sorted(space[0] for space in tokens) == [chr(ord("a") + n) for n in range(16)]
    assert walked(Wiring()).tried == frozenset(range(96))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_every_missing_diode_is_found_and_no_other_is_blamed(seed: int, count: int) -> None:
    rng = random.Random(seed)
    order = (*rng.sample(range(96), 96), 96)
    lacking = frozenset(rng.sample(range(96), count))
    wiring = Wiring(reeds=order, no_diode=lacking)
    assert set(walked(wiring).missing()) == {order[space] for space in lacking}


def test_a_board_with_all_its_diodes_has_no_ghosts() -> None:
    assert walked(Wiring()).missing() == ()


def test_a_single_look_at_something_odd_is_no_missing_diode() -> None:
    ghosts = Ghosts()
    for _ in range(5):
        ghosts.look({0, 1, 6}, {0, 1, 6})
    assert ghosts.look({0, 1, 6}, {0, 1, 6, 7}) == {7}
    assert ghosts.missing() == ()
