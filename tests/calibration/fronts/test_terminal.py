"""The session in a terminal: everything of a view is drawn, and one letter presses its key."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from calibration.fronts.terminal import ENTER, TerminalFront, drawn, letters
from calibration.session import WORDS, Key, Phase, View
from calibration.step import Advice
from tests.calibration.scripted import outcome


def text(view: View, footer: str = "") -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(drawn(view, footer))
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


BASE = View(Phase.INTRO, "rings", "Laying the rings", 2, 3, "Lay ring after ring.", simulated=True)


def test_what_is_to_be_done_is_drawn() -> None:
    intro = text(
        View(Phase.INTRO, "rings", "Laying the rings", 2, 3, "Lay ring after ring.", keys=(Key.GO, Key.BACK)),
        "page at X",
    )
    assert "2 of 3  Laying the rings" in intro
    assert "Lay ring after ring." in intro
    assert "Enter  begin" in intro
    assert "b  one step back" in intro
    assert "page at X" in intro
    assert "SIMULATED" not in intro
    assert "SIMULATED" in text(BASE)


def test_advice_is_drawn_with_its_numbers() -> None:
    shown = text(
        View(Phase.MEASURING, title="X", advice=Advice("ring 3: turn 2.1° clockwise", 0.4, ("2 of 6 laid",)))
    )
    assert "ring 3: turn 2.1° clockwise" in shown
    assert "2 of 6 laid" in shown
    assert "━" in shown
    assert "Waiting for the first picture" in text(View(Phase.MEASURING, title="X"))


def test_findings_are_drawn_with_their_advice() -> None:
    shown = text(View(Phase.JUDGED, title="X", outcome=outcome(False)))
    assert "no go" in shown
    assert "tilt it" in shown
    assert "measured kept" in shown


def test_the_end_says_what_was_kept() -> None:
    assert "Kept: camera, rings." in text(View(Phase.ENDED, kept=("camera", "rings")))
    assert "Nothing was kept." in text(View(Phase.ENDED, trouble="The camera is gone."))
    assert "The camera is gone." in text(View(Phase.ENDED, trouble="The camera is gone."))


@pytest.mark.parametrize(
    "keys",
    [
        (Key.GO, Key.BACK, Key.SKIP, Key.QUIT),
        (Key.KEEP, Key.AGAIN, Key.BACK, Key.SKIP, Key.QUIT),
        (Key.AGAIN, Key.SKIP, Key.QUIT),
        (Key.ENOUGH, Key.AGAIN, Key.BACK, Key.SKIP, Key.QUIT),
        (Key.SKIP, Key.QUIT),
    ],
)
def test_every_key_offered_has_a_letter_of_its_own(keys: tuple[Key, ...]) -> None:
    found = letters(keys)
    assert set(found) == set(keys)
    assert len(set(found.values())) == len(keys)
    # Enter never leaves anything out.
    assert ENTER not in {letter for key, letter in found.items() if key in (Key.SKIP, Key.BACK, Key.QUIT)}


def test_a_letter_presses_its_key_and_no_other() -> None:
    pressed: list[Key] = []
    front = TerminalFront(Console(file=io.StringIO()), pressed.append)
    front.type("b")
    front.show(View(Phase.INTRO, title="X", keys=(Key.GO, Key.BACK)))
    for letter in ("x", "b", "B", "\n", "s"):
        front.type(letter)
    assert pressed == [Key.BACK, Key.BACK, Key.GO]


def test_every_key_has_words() -> None:
    assert set(WORDS) == set(Key)
