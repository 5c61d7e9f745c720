"""Two buttons answer every question that is asked."""

from __future__ import annotations

import pytest

from companion.referee.verdict import Choice
from companion.signals.pins.chooser import Chooser


def choices(*keys: str) -> tuple[Choice, ...]:
    return tuple(Choice(key, key.capitalize()) for key in keys)


def keys(chooser: Chooser) -> tuple[str | None, str | None]:
    return tuple(None if each is None else each.key for each in (chooser.yes, chooser.no))  # type: ignore[return-value]


def test_nothing_asked_nothing_answered() -> None:
    chooser = Chooser()
    chooser.ask(())
    assert keys(chooser) == (None, None)
    chooser.next()
    assert keys(chooser) == (None, None)


def test_one_choice_is_taken_by_yes() -> None:
    chooser = Chooser()
    chooser.ask(choices("done"))
    assert keys(chooser) == ("done", None)
    assert not chooser.goes_on


@pytest.mark.parametrize("order", [("stop", "decline"), ("decline", "stop")])
def test_of_two_the_one_that_declines_is_no(order: tuple[str, str]) -> None:
    chooser = Chooser()
    chooser.ask(choices(*order))
    assert keys(chooser) == ("stop", "decline")


def test_of_two_others_the_first_is_yes() -> None:
    chooser = Chooser()
    chooser.ask(choices("turn:0", "turn:1"))
    assert keys(chooser) == ("turn:0", "turn:1")


def test_of_more_no_goes_on_and_yes_takes() -> None:
    chooser = Chooser()
    chooser.ask(choices("a", "b", "c"))
    seen = []
    for _ in range(4):
        seen.append(keys(chooser)[0])
        assert keys(chooser)[1] is None
        chooser.next()
    assert seen == ["a", "b", "c", "a"]
    chooser.ask(choices("a", "b", "c"))
    assert keys(chooser)[0] == "b"  # the same question goes on where it was
    chooser.ask(choices("a", "b", "c", "d"))
    assert keys(chooser)[0] == "a"
