"""What is learnt from looks at a board: every order of wires, and every kind of bad switch."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.reeds.learner import DOUBTFUL_LOOKS, PLAIN_LOOKS, Learner, Learnt
from calibration.wiring_profile import SPACES
from firmware_bridge.virtual_wiring import Wiring


def learner_of(wiring: Wiring, spaces: tuple[str, ...] = SPACES, empty: bool = True) -> Learner:
    """Somebody rests a magnet on every space until enough is known."""
    learner = Learner(spaces)
    now = 0.0
    for _ in range(3 * empty):
        learner.empty(wiring.seen(frozenset(), 0.0))
    for space in spaces:
        magnet = frozenset({SPACES.index(space)})
        before = wiring.seen(magnet, now)
        while not learner.done(space):
            # A look every fifth of a second; what opens in between is heard.
            opened: frozenset[int] = frozenset()
            for _ in range(10):
                now += 0.02
                closed = wiring.seen(magnet, now)
                opened, before = opened | (before - closed), closed
            learner.rest(space, before, opened)
    return learner


def learnt_of(wiring: Wiring) -> Learnt:
    return learner_of(wiring).learnt()


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(97)))
def test_any_order_of_wires_is_learnt(order: list[int]) -> None:
    learnt = learnt_of(Wiring(reeds=tuple(order)))
    assert learnt.switches == dict(zip(SPACES, order, strict=True))
    assert (learnt.dead, learnt.stuck, learnt.weak, learnt.doubled, learnt.open) == ((), (), (), (), ())


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_bad_switches_are_told_apart_and_where_they_belong_follows_from_their_column(seed: int) -> None:
    rng = random.Random(seed)
    columns, rows = rng.sample(range(16), 16), rng.sample(range(6), 6)
    order = (*(6 * columns[n // 6] + rows[n % 6] for n in range(96)), 96)
    dead, stuck, weak, other = rng.sample(range(96), 4)
    wiring = Wiring(
        reeds=order,
        dead=frozenset({dead}),
        stuck=frozenset({stuck}),
        weak=frozenset({weak}),
        doubled=((other, (other + 6) % 96),) if (other + 6) % 96 not in (dead, stuck, weak) else (),
    )
    learnt = learnt_of(wiring)
    assert learnt.dead == (SPACES[dead],)
    assert learnt.stuck == (SPACES[stuck],)
    assert learnt.weak == (SPACES[weak],)
    assert learnt.doubled == tuple((SPACES[one], SPACES[two]) for one, two in wiring.doubled)
    assert learnt.lost == ()
    # Where the bad ones belong is known too: once mended they need not be learnt anew.
    assert learnt.switches == dict(zip(SPACES, order, strict=True))


def test_a_stuck_switch_is_found_without_a_look_at_the_empty_board() -> None:
    assert learner_of(Wiring(stuck=frozenset({20})), empty=False).learnt().stuck == (SPACES[20],)


def test_a_piece_that_was_left_on_the_board_is_no_stuck_switch() -> None:
    learner = Learner(SPACES[:12])
    learner.empty({5})
    for number, space in enumerate(SPACES[:12]):
        for _ in range(PLAIN_LOOKS):
            learner.rest(space, {number} | ({5} if number < 3 else set()))
    assert learner.learnt().stuck == ()


def test_nothing_that_ever_closes_is_said_to_be_so() -> None:
    learner = Learner(SPACES)
    for space in SPACES[:8]:
        assert not learner.deaf
        for _ in range(PLAIN_LOOKS):
            learner.rest(space, ())
    assert learner.deaf


def test_a_plain_switch_takes_fewer_looks_than_a_doubtful_one() -> None:
    learner = Learner(SPACES)
    for look in range(DOUBTFUL_LOOKS):
        assert learner.done("a1") == (look >= PLAIN_LOOKS)
        learner.rest("a1", {3})
        assert not learner.done("a2")
        learner.rest("a2", {4, 5})
    assert learner.done("a2")


def test_a_piece_that_came_late_is_asked_for_again() -> None:
    learner = Learner(SPACES)
    for space in ("b1", "b2"):
        learner.rest(space, {6})
    learner.rest("b3", {8})
    assert set(learner.conflicts) == {"b1", "b2"}
    learner.forget("b1")
    assert not learner.conflicts
    assert "b1" in learner.learnt().open


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c, r: (c, r), ()),
        (lambda c, r: ({2: 3, 3: 2}.get(c, c), r), ("the wires of columns c and d are exchanged",)),
        (lambda c, r: ((c + 1) % 16, r), ("16 columns have other wires than drawn",)),
        (
            lambda c, r: (c, {0: 5, 5: 0}.get(r, r)),
            ("the wires of rings 1, 6 are exchanged among each other",),
        ),
    ],
)
def test_what_is_otherwise_than_drawn_is_said(change: object, words: tuple[str, ...]) -> None:
    assert callable(change)
    numbers = [change(n // 6, n % 6) for n in range(96)]
    order = (*(6 * column + row for column, row in numbers), 96)
    assert learnt_of(Wiring(reeds=order)).pattern.in_words() == words
