"""Patterns are read strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.messages.pattern import Choice, PatternError, Slot, names, parse


def test_the_parts_of_a_pattern() -> None:
    assert parse("Put {^deity:of} on {place}.") == (
        "Put ", Slot("deity", ("of",), True), " on ", Slot("place"), ".",
    )  # fmt: skip
    (choice,) = parse("{n?=0:none|one:one {thing}|other:{n}, all}")
    assert isinstance(choice, Choice)
    assert choice.cases["=0"] == ("none",)
    assert choice.cases["one"] == ("one ", Slot("thing"))
    assert choice.cases["other"] == (Slot("n"), ", all")
    assert list(names((choice,))) == ["n", "thing", "n"]


def test_a_case_may_be_empty() -> None:
    (choice,) = parse("{n?one:|other:s}")
    assert isinstance(choice, Choice)
    assert choice.cases["one"] == ()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        "a } b",
        "{}",
        "{A}",
        "{n?}",
        "{n?one}",
        "{n?one:a",
        "{n?one:a|",
        "{n?one:a|b}",
        "{n:}",
        "{a b}",
    ],
)
def test_what_is_no_pattern_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(PatternError) as refused:
        parse(text)
    assert repr(text) in str(refused.value)


@given(st.text(st.characters(exclude_characters="{}")))
def test_text_without_braces_stands_for_itself(text: str) -> None:
    assert "".join(map(str, parse(text))) == text


@given(st.text("{}|?:=^an "))
def test_nothing_but_a_pattern_error_ever_comes_of_it(text: str) -> None:
    try:
        parts = parse(text)
    except PatternError:
        return
    assert all(isinstance(part, str | Slot | Choice) for part in parts)
