"""Contacts chatter, fingers do not; and what was closed from the beginning was never pressed."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.signals.pins.presses import HOLD_S, STUCK_S, Button, Press

STEP_S = 0.01


def told(contact: Iterable[bool], button: Button | None = None, begin: float = 5.0) -> list[Press]:
    """What a button tells of a contact, looked at every ten milliseconds."""
    button = button or Button()
    presses = (button.step(closed, begin + n * STEP_S) for n, closed in enumerate(contact))
    return [press for press in presses if press is not None]


def span(closed: bool, seconds: float) -> list[bool]:
    return [closed] * round(seconds / STEP_S)


def test_a_short_press_is_down_and_up() -> None:
    assert told(span(False, 0.1) + span(True, 0.2) + span(False, 0.1)) == [Press.DOWN, Press.UP]


def test_a_long_press_is_held_once_and_let_go() -> None:
    contact = span(False, 0.1) + span(True, HOLD_S + 3.0) + span(False, 0.1)
    assert told(contact) == [Press.DOWN, Press.HELD, Press.LET_GO]


def test_what_is_let_go_just_before_is_not_held() -> None:
    contact = span(False, 0.1) + span(True, HOLD_S - 0.05) + span(False, 0.1)
    assert told(contact) == [Press.DOWN, Press.UP]


@given(st.lists(st.booleans(), max_size=2), st.lists(st.booleans(), max_size=2))
def test_chatter_at_both_ends_is_one_press(closing: list[bool], opening: list[bool]) -> None:
    contact = span(False, 0.1) + closing + span(True, 0.3) + opening + span(False, 0.2)
    assert told(contact) == [Press.DOWN, Press.UP]


@given(st.lists(st.integers(1, 3), max_size=60))
def test_nothing_shorter_than_chatter_is_a_press(spans: list[int]) -> None:
    contact: list[bool] = span(False, 0.1)
    for number, length in enumerate(spans):
        contact += [number % 2 == 0] * length
    assert told([*contact, *span(False, 0.1)]) == []


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 200)), max_size=30))
def test_presses_come_in_an_order_that_fingers_can_do(spans: list[tuple[bool, int]]) -> None:
    contact = [closed for closed, length in spans for _ in range(length)]
    before = Press.UP
    for press in told(contact):
        allowed = {
            Press.UP: (Press.DOWN, Press.LET_GO),  # from the beginning closed, then opened
            Press.LET_GO: (Press.DOWN,),
            Press.DOWN: (Press.HELD, Press.UP),
            Press.HELD: (Press.LET_GO,),
        }
        assert press in allowed[before]
        before = press


def test_a_contact_that_is_closed_from_the_beginning_is_stuck_not_pressed() -> None:
    button = Button()
    assert told(span(True, STUCK_S + 1), button) == []
    assert button.is_stuck(5.0 + STUCK_S + 1)
    assert told(span(False, 0.1) + span(True, 0.1), button, 5.0 + STUCK_S + 1) == [Press.LET_GO, Press.DOWN]
    assert not button.is_stuck(5.0 + STUCK_S + 2)


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_is_known_before_the_contact_has_been_still(closed: bool) -> None:
    button = Button()
    button.step(closed, 0.0)
    assert not button.is_known
    button.step(closed, 0.05)
    assert button.is_known
    assert button.is_closed is closed
