"""A form in the terminal: field by field, Enter leaves a value as it is, Esc puts it aside."""

from __future__ import annotations

import io

from rich.console import Console

from calibration.form import LONGEST, Field, Form, answered
from calibration.fronts.terminal import TerminalFront
from calibration.fronts.typing import Typing
from calibration.session import Key, Phase, View
from calibration.step import Advice

FORM = Form(
    3, "Hera, set 1", (Field("letter", "the letter", "b"), Field("ring", "the ring", "3", ("3", "4")))
)


def typed(letters: str, form: Form = FORM) -> list[tuple[int, dict[str, str] | None]]:
    answers: list[tuple[int, dict[str, str] | None]] = []
    pressed: list[Key] = []
    front = TerminalFront(
        Console(file=io.StringIO()),
        pressed.append,
        answer=lambda number, values: answers.append((number, values)),
    )
    front.show(View(Phase.MEASURING, title="X", advice=Advice("?", form=form), keys=(Key.ENOUGH, Key.QUIT)))
    for letter in letters:
        front.type(letter)
    assert pressed == []
    return answers


def test_fields_are_typed_one_after_the_other() -> None:
    assert typed("q\x7fk\n4\n") == [(3, {"letter": "k", "ring": "4"})]
    assert typed("\n\n") == [(3, {"letter": "", "ring": ""})]
    assert typed("k\n") == []
    assert typed("k\x1b") == [(3, None)]


def test_what_is_typed_is_shown_with_what_is_offered() -> None:
    typing = Typing(FORM)
    for letter in "k\n":
        typing.type(letter)
    console = Console(file=io.StringIO(), width=80)
    console.print(typing.drawn())
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "the letter [b] k" in shown
    assert "the ring (3 4) [3] ▁" in shown
    assert not any(typing.type(letter) for letter in "x" * (2 * LONGEST))
    assert typing.type("\n")
    assert len(typing.values["ring"]) == LONGEST


def test_an_answer_holds_every_field_and_nothing_else() -> None:
    assert answered(FORM, {"letter": " k\n", "other": "x"}) == {"letter": "k", "ring": "3"}
    assert answered(FORM, {"ring": "4" * 500})["ring"] == "4" * LONGEST
